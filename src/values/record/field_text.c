// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/record/field_text.h"

#include <string.h>
#include <sys/socket.h>

#include "ctypes/struct_layout.h"
#include "events/syscall_names.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "values/bitmap.h"
#include "values/cmsg.h"
#include "values/file_time.h"
#include "values/netlink/netlink.h"
#include "values/number.h"
#include "values/number_forms.h"
#include "values/record/vector_text.h"
#include "values/siginfo.h"
#include "values/sockaddr.h"
#include "values/sockopt.h"
#include "values/string_list.h"
#include "values/struct_forms.h"
#include "values/text.h"

/*
 * Where a struct comes from: its copy in the hit, and whether its members point to further copies.
 */
struct parent {
	const struct kt_hit *hit;
	size_t copy;
	bool leads;
};

/* Where a list ends that was longer: the address of an unreadable element, or 0. */
struct list_end {
	uint64_t unreadable;
};

static void put_struct(struct kt_text *t, const struct kt_record_layout *layout, const char *before,
		       const char *at, const struct parent *parent);

/* Prints the time that a file is to get. */
static void put_file_time(struct kt_text *t, const struct kt_record_layout *layout, const char *at)
{
	if (kt_file_time_put_name(t, layout, at))
		return;
	put_struct(t, layout, NULL, at, NULL);
	kt_file_time_put_date(t, layout, at);
}

/* Prints an element; also the one before the call, if that is not NULL and differs. */
static void put_element(struct kt_text *t, const struct kt_member *m, const struct kt_value *before,
			const struct kt_value *v, size_t i, const struct parent *parent)
{
	size_t at = i * m->width;

	if (m->of && kt_file_time_is(m)) {
		put_file_time(t, m->of, v->data + at);
		return;
	}
	if (m->of) {
		put_struct(t, m->of, before ? before->data + at : NULL, v->data + at, parent);
		return;
	}
	if (before && memcmp(before->data + at, v->data + at, m->width) != 0) {
		kt_number_show(t, m, before, i);
		kt_text_string(t, " => ");
	}
	kt_number_show(t, m, v, i);
	if (m->form == KT_NUMBER_TIME && m->array)
		kt_number_form_put_date(t, kt_value_number(m, v, i), 0, 9);
}

/* Prints a list of numbers or structs, each as put_one(). */
static void put_list(struct kt_text *t, const struct kt_member *m, const struct kt_value *before,
		     const struct kt_value *v, const struct list_end *end,
		     const struct parent *parent)
{
	bool is_whole = m->of || m->notation == KT_SIGSET;
	bool is_alone = is_whole && m->varies && v->n == 1 && !m->has_full_length;
	size_t i;

	if (!is_alone)
		kt_text_char(t, '[');
	for (i = 0; i < v->n; i++) {
		kt_text_separator(t, i);
		put_element(t, m, before, v, i, parent);
	}
	if (end)
		kt_text_rest(t, i, end->unreadable);
	if (!is_alone)
		kt_text_char(t, ']');
}

/* Prints a struct's text up to its NUL, or bytes; the value before the call as put_one(). */
static void put_quoted(struct kt_text *t, const struct kt_member *m, const struct kt_value *before,
		       const struct kt_value *v)
{
	if (before && memcmp(before->data, v->data, v->n) != 0) {
		put_quoted(t, m, NULL, before);
		kt_text_string(t, " => ");
	}
	kt_text_quoted(t, v->data, m->text ? strnlen(v->data, v->n) : v->n);
}

static void put_member(struct kt_text *t, const struct kt_member *m, const struct kt_value *before,
		       const struct kt_value *v)
{
	if (m->text || (m->array && m->notation == KT_BYTES))
		put_quoted(t, m, before, v);
	else if (m->array)
		put_list(t, m, before, v, NULL, NULL);
	else
		put_element(t, m, before, v, 0, NULL);
}

static bool put_pointed_copy(struct kt_text *t, const struct parent *parent, size_t by,
			     const char *before, const struct kt_value *pointer);

/* Returns the copy that a member of a struct points to; or n_members. */
static size_t find_pointed_copy(const struct kt_record_layout *fields, size_t structs, size_t by)
{
	size_t i = structs + 1;

	while (i < fields->n_members &&
	       (fields->members[i].in != structs || fields->members[i].by != by))
		i++;
	return i;
}

static bool is_entry(const struct kt_hit *hit)
{
	const char *system = hit->event->system;
	enum kt_side side;

	return system && kt_syscall_of(system, hit->event->name, &side) && side == KT_ENTER;
}

/*
 * Returns whether strace leaves out the member: the pointer to control messages if their length is
 * 0, and the length sent, which is unknown before the return.
 */
static bool is_skipped_by_strace(const struct parent *parent, size_t by, const char *at)
{
	const struct kt_record_layout *fields = &parent->hit->event->fields;
	const struct kt_record_layout *of = fields->members[parent->copy].of;
	size_t i = parent->leads ? find_pointed_copy(fields, parent->copy, by) : fields->n_members;

	if (of->members[by].returns && is_entry(parent->hit))
		return true;
	return i < fields->n_members && fields->members[i].notation == KT_CONTROL &&
	       kt_record_layout_number(of, at, fields->members[i].full_length) == 0;
}

/* Returns whether the member's value before the call means nothing, or is not printed by strace. */
static bool is_output_only(const struct kt_member *m)
{
	return m->gives || m->returns || m->form == KT_NUMBER_AFTER;
}

/* Prints the date of a time in seconds, with the nanoseconds in the member after it, if it is so.
 */
static void put_member_date(struct kt_text *t, const struct kt_record_layout *layout,
			    const char *at, size_t i)
{
	const struct kt_member *m = &layout->members[i], *next = m + 1;
	size_t len = strlen(m->name);
	uint64_t ns = 0;

	if (m->form != KT_NUMBER_TIME || !kt_member_is_number(m))
		return;
	if (i + 1 < layout->n_members && strncmp(next->name, m->name, len) == 0 &&
	    strcmp(next->name + len, "_nsec") == 0 && kt_member_is_number(next))
		ns = kt_record_layout_number(layout, at, i + 1);
	kt_number_form_put_date(t, kt_record_layout_number(layout, at, i), ns, 9);
}

static void put_struct(struct kt_text *t, const struct kt_record_layout *layout, const char *before,
		       const char *at, const struct parent *parent)
{
	bool bare = layout->form == KT_STRUCT_SCHED_PARAM;
	bool brief = t->brief && layout->n_brief;
	const uint16_t *order = layout->order + (brief ? layout->n_all : 0);
	size_t i, n = brief ? layout->n_brief : layout->n_all;
	const struct kt_member *m;
	const char *comma = "";
	struct kt_value was, v;
	ssize_t offset;

	if (layout->form == KT_STRUCT_TIMEX)
		before = NULL;
	if (layout->form == KT_STRUCT_SIGEVENT && kt_struct_form_put_sigevent(t, layout, at))
		return;
	kt_text_char(t, bare ? '[' : '{');
	for (i = 0; i < n; i++) {
		m = &layout->members[order[i]];
		if ((parent && is_skipped_by_strace(parent, order[i], at)) ||
		    (m->is_optional && !kt_struct_form_has(layout, at, order[i])))
			continue;
		kt_text_string(t, comma);
		if (!bare) {
			kt_text_string(t, m->name);
			kt_text_char(t, '=');
		}
		offset = kt_record_layout_offset(layout, m);
		v = (struct kt_value){at + offset, m->count};
		was = (struct kt_value){before ? before + offset : NULL, m->count};
		if ((!parent || !parent->leads ||
		     !put_pointed_copy(t, parent, order[i], before, &v)) &&
		    !kt_struct_form_put(t, layout, at, order[i]))
			put_member(t, m, before && !is_output_only(m) ? &was : NULL, &v);
		put_member_date(t, layout, at, order[i]);
		comma = ", ";
	}
	if (brief)
		kt_text_string(t, ", ...");
	kt_text_char(t, bare ? ']' : '}');
}

/* Returns as much of data or an array as is printed: strace's -v prints all elements. */
static struct kt_value limit_value(const struct kt_text *t, const struct kt_member *m,
				   const struct kt_value *v, enum kt_copied *copied)
{
	bool is_data = !m->text && m->notation == KT_BYTES;
	struct kt_value part = *v;

	if (is_data || (m->has_full_length && (t->brief || m->buffers)))
		part.n = kt_text_limited(t, v->n);
	if (part.n < v->n)
		*copied = KT_COPIED_PART;
	return part;
}

/* Prints as put_list(); if a struct's members point to copies, prints the copies instead. */
static void put_structs(struct kt_text *t, const struct kt_hit *hit, size_t i,
			const struct kt_value *before, const struct kt_value *v,
			enum kt_copied copied)
{
	const struct kt_member *m = &hit->event->fields.members[i];
	const struct parent parent = {hit, i, m->leads && v->n == 1};
	const struct list_end end = {kt_unreadable_element(hit, i, v->n)};

	if (m->of && m->of->form == KT_STRUCT_CAPABILITIES && v->n == 2 &&
	    kt_struct_form_put_capabilities(t, m->of, v->data))
		return;
	if (parent.leads)
		put_struct(t, m->of, before ? before->data : NULL, v->data, &parent);
	else
		put_list(t, m, before, v, copied == KT_COPIED_PART ? &end : NULL,
			 m->of ? &parent : NULL);
}

/* Prints pointed-to data; dots follow if it was longer than its copy. */
static void put_pointed(struct kt_text *t, const struct kt_hit *hit, size_t i,
			enum kt_copied copied)
{
	const struct kt_member *m = &hit->event->fields.members[i];
	const struct kt_value *v = &hit->values[i];
	struct kt_value part;

	if (m->notation == KT_STRINGS) {
		kt_string_list_put(t, v, copied);
		return;
	}
	if (m->notation == KT_SOCKADDR) {
		kt_sockaddr_put(t, v);
		return;
	}
	if (m->socket && kt_netlink_protocol(hit, i) >= 0) {
		kt_netlink_put(t, kt_netlink_protocol(hit, i), v, copied == KT_COPIED_PART);
		return;
	}
	if (m->notation == KT_SIGINFO) {
		kt_siginfo_put(t, v);
		return;
	}
	if (m->notation == KT_BITMAP) {
		kt_bitmap_put(t, v, kt_bitmap_size(hit, i), copied == KT_COPIED_PART);
		return;
	}
	if (m->notation == KT_CONTROL) {
		kt_cmsg_put(t, v, kt_pointer_within(hit, i), copied);
		return;
	}
	if (m->notation == KT_OPTION) {
		kt_sockopt_put(t, kt_sockopt_copied(hit, i), v, copied);
		return;
	}
	part = limit_value(t, m, v, &copied);
	if (m->buffers) {
		kt_vector_put(t, hit, i, part.n, copied);
		return;
	}
	if (!m->text && m->notation != KT_BYTES) {
		put_structs(t, hit, i, NULL, &part, copied);
		return;
	}
	if (m->is_string) {
		kt_text_quoted_cut(t, v->data, strnlen(v->data, v->n), copied == KT_COPIED_PART);
		return;
	}
	if (!m->text && strcmp(hit->event->name, "sys_exit_getrandom") == 0)
		kt_text_quoted_in_hex(t, v->data, part.n);
	else
		kt_text_quoted(t, v->data, m->text ? strnlen(v->data, v->n) : part.n);
	if (copied == KT_COPIED_PART)
		kt_text_string(t, "...");
}

/*
 * Returns whether the pointed-to data is known and not empty: the call wrote nothing through NULL.
 */
static bool is_known(const struct kt_hit *hit, size_t pointed, uint64_t pointer,
		     enum kt_copied *copied)
{
	*copied = kt_record_layout_copied(&hit->event->fields, hit->values, pointed);
	return kt_is_copied(*copied) && (hit->values[pointed].n || pointer);
}

bool kt_field_is_pointer(const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];
	const struct kt_member *as = kt_metadata_variants_member(fields, hit->values, i);

	return !as || as->notation == KT_POINTER || as->notation == m->notation;
}

/* Returns whether the record has the data that a pointer or descriptor of this field leads to. */
static bool has_pointed_data(const struct kt_hit *hit, size_t i, enum kt_copied *copied)
{
	const struct kt_member *m = &hit->event->fields.members[i];

	if (!m->pointed || !kt_field_is_pointer(hit, i) ||
	    !is_known(hit, m->pointed, kt_value_number(m, &hit->values[i], 0), copied))
		return false;
	return hit->event->fields.members[m->pointed].notation != KT_OPTION ||
	       kt_sockopt_is_whole(kt_sockopt_at(hit, i), &hit->values[m->pointed], *copied);
}

void kt_field_text_copy(struct kt_text *to, const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	enum kt_copied copied = kt_record_layout_copied(fields, hit->values, i);

	if (kt_is_copied(copied))
		put_pointed(to, hit, i, copied);
	else
		kt_text_char(to, '?');
}

/*
 * Prints an address that was longer than the caller's buffer: only that much is valid. Returns
 * false if the address was not cut.
 */
static bool put_cut_address(struct kt_text *t, const struct kt_value *v, int64_t room)
{
	struct kt_value cut = *v;

	if (room < (int64_t)sizeof(sa_family_t))
		return false;
	if (room < (int64_t)v->n)
		cut.n = room;
	kt_sockaddr_put(t, &cut);
	return true;
}

/* Prints an address with the length of the buffer that the call was given. */
static void put_address(struct kt_text *t, const struct kt_hit *entry, size_t from,
			const struct kt_value *v)
{
	const struct kt_record_layout *fields = &entry->event->fields;
	const struct kt_member *m = fields->members;
	size_t by = from + 1 < fields->n_members ? m[from + 1].pointed : 0;
	int64_t room = v->n;

	if (by && !m[by].of && entry->values[by].n)
		room = kt_value_number(&m[by], &entry->values[by], 0);
	if (!put_cut_address(t, v, room))
		kt_number_put(t, &m[from], &entry->values[from], 0);
}

/* Prints the copy that the member points to, if it is known. Returns whether it is. */
static bool put_pointed_copy(struct kt_text *t, const struct parent *parent, size_t by,
			     const char *before, const struct kt_value *pointer)
{
	const struct kt_hit *hit = parent->hit;
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_record_layout *of = fields->members[parent->copy].of;
	size_t i = find_pointed_copy(fields, parent->copy, by);
	const struct kt_member *m = &fields->members[i];
	enum kt_copied copied;

	if (i == fields->n_members ||
	    !is_known(hit, i, kt_value_number(&of->members[by], pointer, 0), &copied))
		return false;
	if (before && m->notation == KT_SOCKADDR)
		return put_cut_address(t, &hit->values[i],
				       kt_record_layout_number(of, before, m->full_length));
	put_pointed(t, hit, i, copied);
	return true;
}

/*
 * Prints structs of which the call changed the first ones, as many as it returned: these as they
 * are after the call, the others as before.
 */
static void put_changed_structs(struct kt_text *t, const struct kt_hit *entry, size_t k,
				const struct kt_hit *hit, size_t i, enum kt_copied copied)
{
	const struct kt_member *m = &hit->event->fields.members[i];
	const struct kt_value *before = &entry->values[k], *v = &hit->values[i];
	const struct parent changed = {hit, i, false}, rest = {entry, k, false};
	struct kt_value part = limit_value(t, m, before, &copied);
	size_t n;

	kt_text_char(t, '[');
	for (n = 0; n < part.n; n++) {
		kt_text_separator(t, n);
		if (n < v->n)
			put_element(t, m, before, v, n, &changed);
		else
			put_element(t, m, NULL, before, n, &rest);
	}
	if (copied == KT_COPIED_PART)
		kt_text_rest(t, n, kt_unreadable_element(entry, k, n));
	kt_text_char(t, ']');
}

void kt_field_text_change(struct kt_text *to, const struct kt_hit *entry, size_t from,
			  const struct kt_hit *hit, size_t i)
{
	const struct kt_member *m = &hit->event->fields.members[i], *was;
	size_t k = entry->event->fields.members[from].pointed;
	const struct kt_value *before = &entry->values[k], *v = &hit->values[i];
	enum kt_copied copied = kt_record_layout_copied(&hit->event->fields, hit->values, i);
	struct kt_value part = limit_value(to, m, v, &copied);

	was = &entry->event->fields.members[k];
	if (m->notation == KT_SOCKADDR)
		put_address(to, entry, from, v);
	else if (m->notation == KT_OPTION)
		kt_sockopt_put(to, kt_sockopt_at(entry, from), v, copied);
	else if (k && m->of && m->has_full_length && was->width == m->width && before->n > v->n)
		put_changed_structs(
			to, entry, k, hit, i,
			kt_record_layout_copied(&entry->event->fields, entry->values, k));
	else if (!k || m->text || m->buffers || (m->of && kt_struct_form_is_answer(m->of)) ||
		 m->notation == KT_BYTES || m->notation == KT_SIGINFO || was->width != m->width ||
		 before->n != v->n)
		kt_field_text_copy(to, hit, i);
	else
		put_structs(to, hit, i, before, &part, copied);
}

/* Prints a list of which only the length is known, as strace does. */
static void put_count(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	int64_t n = kt_value_number(&hit->event->fields.members[i], &hit->values[i], 0);

	if (n < 0)
		return;
	kt_text_string(t, " /* ");
	kt_text_number(t, n);
	kt_text_string(t, n == 1 ? " var */" : " vars */");
}

/* Prints the path of a descriptor's file; a deleted file as strace does. */
static void put_path(struct kt_text *t, const struct kt_value *v)
{
	static const char removed[] = " (deleted)";
	size_t n = strnlen(v->data, v->n), m = sizeof(removed) - 1;
	bool is_removed = n > m && memcmp(v->data + n - m, removed, m) == 0;

	if (n == 0)
		return;
	kt_text_bracketed(t, v->data, is_removed ? n - m : n);
	if (is_removed)
		kt_text_string(t, removed + 1);
}

/* Returns whether the field is a null pointer to a value that ktrace knows. */
static bool is_null_option(const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];

	return m->pointed && fields->members[m->pointed].notation == KT_OPTION &&
	       kt_field_is_pointer(hit, i) && kt_value_number(m, &hit->values[i], 0) == 0 &&
	       kt_sockopt_is_known(kt_sockopt_at(hit, i));
}

typedef void put_one_number(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
			    size_t i);

/* Prints a number as that type; its form remains the argument's own. */
static void put_argument(struct kt_text *t, const struct kt_member *m, const struct kt_member *as,
			 const struct kt_value *v, put_one_number *put)
{
	struct kt_member named = *as;

	named.form = m->form;
	put(t, &named, v, 0);
}

static void print_field(struct kt_text *to, const struct kt_hit *hit, size_t i, put_one_number *put)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];
	const struct kt_member *as = kt_metadata_variants_member(fields, hit->values, i);
	const struct kt_value *v = &hit->values[i];
	enum kt_copied copied;

	if (has_pointed_data(hit, i, &copied))
		put_pointed(to, hit, m->pointed, copied);
	else if (m->text)
		kt_text_escaped(to, v->data, strnlen(v->data, v->n));
	else if (m->of)
		put_list(to, m, NULL, v, NULL, NULL);
	else if (m->array)
		kt_number_array(to, m, v);
	else if (m->symbols)
		kt_number_symbol(to, m, v);
	else if (is_null_option(hit, i))
		kt_text_string(to, "NULL");
	else
		put_argument(to, m, as ? as : m, v, put);
	if (m->path && !to->hides_paths)
		put_path(to, &hit->values[m->path]);
	if (m->counted && !has_pointed_data(hit, i, &copied) && kt_value_number(m, v, 0))
		put_count(to, hit, m->counted);
}

void kt_field_text_print(struct kt_text *to, const struct kt_hit *hit, size_t i)
{
	print_field(to, hit, i, kt_number_named);
}

void kt_field_text_show(struct kt_text *to, const struct kt_hit *hit, size_t i)
{
	print_field(to, hit, i, kt_number_show);
}
