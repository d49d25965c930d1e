// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/pointer_arguments.h"

#include "fetch/count_arguments.h"
#include "fetch/late_text.h"
#include "fetch/pointed_data.h"
#include "trace/record_layout.h"

/* Returns the index of a member that is a number; else n_members. */
static size_t get_number_index(const struct kt_record_layout *fields, const struct kt_member *m)
{
	bool is_there = m && m < fields->members + fields->n_members && kt_member_is_number(m);

	return is_there ? (size_t)(m - fields->members) : fields->n_members;
}

static size_t find_number(const struct kt_record_layout *fields, const char *name)
{
	return get_number_index(fields, kt_record_layout_find(fields, name));
}

/* Finds the count of pointed-to data, by the name of the argument or of a struct's member. */
static size_t find_count(const struct kt_record_layout *fields, const char *argument)
{
	size_t i = 0;

	while (i < fields->n_members && !kt_count_argument_is(argument, fields->members[i].name))
		i++;
	return get_number_index(fields, &fields->members[i]);
}

/*
 * Returns whether the member is bytes, with the number of all bytes in the member after the
 * pointer.
 */
static bool is_data(const struct kt_member *m)
{
	return m->notation == KT_BYTES || m->notation == KT_SOCKADDR || m->notation == KT_CONTROL ||
	       m->notation == KT_OPTION;
}

/* Returns the index of the next member if it is a copy of numbers; else n_members. */
static size_t find_next(const struct kt_record_layout *fields, const struct kt_member *m)
{
	const struct kt_member *next = m + 1;
	char argument[KT_POINTED_DATA_NAME_MAX];

	if (next == fields->members + fields->n_members || !next->varies || next->of ||
	    next->text || is_data(next) || !kt_pointed_data_argument(next->name, argument))
		return fields->n_members;
	return next - fields->members;
}

/*
 * Finds the member that has the number of all bytes or elements:
 * - data that the call reads: the argument after the pointer;
 * - data that the call writes: its return value, for an option also the length that it writes;
 * - a socket address that the call writes: the length that it writes.
 */
static size_t find_full_length(const struct kt_record_layout *fields, const struct kt_member *m,
			       const struct kt_member *pointer, const char *argument)
{
	if (m->text || m->notation == KT_SIGINFO)
		return fields->n_members;
	if (!is_data(m))
		return find_count(fields, argument);
	if (pointer)
		return get_number_index(fields, pointer + 1);
	if (m->notation == KT_OPTION)
		return find_next(fields, m);
	return m->notation == KT_BYTES ? find_number(fields, "ret") : fields->n_members;
}

/* Returns the member before m that is a struct with such a pointer; or NULL. */
static struct kt_member *find_parent_struct(struct kt_record_layout *fields,
					    const struct kt_member *m, const char *pointer)
{
	struct kt_member *s = fields->members;
	size_t by;

	for (s++; s < m; s++) {
		if (!s->of || !s->is_pointed || s->in)
			continue;
		by = find_number(s->of, pointer);
		if (by < s->of->n_members && s->of->members[by].notation == KT_POINTER)
			return s;
	}
	return NULL;
}

/* Sets a member that a struct's pointer points to. */
static void set_parent_struct(struct kt_record_layout *fields, struct kt_member *m,
			      struct kt_member *structs, const char *pointer)
{
	const struct kt_record_layout *of = structs->of;
	size_t by = find_number(of, pointer), full_length;

	full_length =
		is_data(m) ? get_number_index(of, &of->members[by + 1]) : find_count(of, pointer);
	if (!m->varies || m->text || full_length == of->n_members)
		return;
	structs->leads = true;
	m->is_pointed = true;
	m->in = structs - fields->members;
	m->by = by;
	m->has_full_length = true;
	m->full_length = full_length;
	m->is_lone = structs->is_lone;
	m->ret = structs->ret;
}

/* Returns whether the member is a pointer, at least for some values of another member. */
static bool is_pointer(const struct kt_member *m)
{
	size_t i;

	for (i = 0; m->variant && i < m->variant->n_members; i++)
		if (m->variant->members[i].notation == KT_POINTER)
			return true;
	return m->notation == KT_POINTER;
}

static void set_pointed(struct kt_record_layout *fields, struct kt_member *m, const char *argument)
{
	const struct kt_member *pointer = kt_record_layout_find(fields, argument);
	size_t by = pointer ? get_number_index(fields, pointer) : find_number(fields, "ret");
	size_t full_length = find_full_length(fields, m, pointer, argument),
	       none = fields->n_members;
	struct kt_member *structs = pointer ? NULL : find_parent_struct(fields, m, argument);

	if (m->notation == KT_BUFFERS)
		return; /* only structs point to these */
	if (structs) {
		set_parent_struct(fields, m, structs, argument);
		return;
	}
	if (!m->varies || by == none || (m->notation == KT_BYTES && full_length == none))
		return;
	m->is_pointed = true;
	m->is_lone = !pointer;
	m->has_full_length = full_length != none;
	m->full_length = m->has_full_length ? full_length : 0;
	if (m->has_full_length)
		m->unit = kt_count_unit_of(argument, fields->members[full_length].name);
	if (m->text && pointer && !is_pointer(&fields->members[by]))
		fields->members[by].path = m - fields->members;
	else if (pointer)
		fields->members[by].pointed = m - fields->members;
	else
		m->ret = by;
}

/* Sets that the member is copied at the return; most are not. */
static void mark_late(struct kt_member *m)
{
	m->is_pointed = m->is_late = m->varies && m->text;
}

static void set_count(struct kt_record_layout *fields, size_t count, const char *argument)
{
	size_t pointer = find_number(fields, argument);

	if (!kt_member_is_number(&fields->members[count]))
		return;
	fields->members[count].is_aside = true;
	if (pointer < fields->n_members)
		fields->members[pointer].counted = count;
}

/* Sets that a member says which kind of socket the data went through. */
static void set_socket(struct kt_record_layout *fields, size_t socket)
{
	struct kt_member *m;

	if (!kt_member_is_number(&fields->members[socket]))
		return;
	fields->members[socket].is_aside = true;
	for (m = fields->members; m < fields->members + fields->n_members; m++)
		if (m->notation == KT_BYTES || m->notation == KT_BUFFERS)
			m->socket = socket;
}

/* Returns whether the structs are pairs of a pointer and a length. */
static bool is_vector(const struct kt_record_layout *of)
{
	return of && of->n_members == 2 && kt_member_is_number(&of->members[0]) &&
	       of->members[0].notation == KT_POINTER && kt_member_is_number(&of->members[1]);
}

static void set_buffers(struct kt_record_layout *fields, size_t buffers, const char *argument)
{
	char name[KT_POINTED_DATA_NAME_MAX];
	const struct kt_member *found =
		kt_record_layout_find(fields, kt_pointed_data_name(argument, name));
	struct kt_member *m = &fields->members[buffers], *structs;

	if (!found || !found->is_pointed || !is_vector(found->of) || m->notation != KT_BUFFERS)
		return;
	structs = &fields->members[found - fields->members];
	m->is_pointed = true;
	m->structs = found - fields->members;
	structs->buffers = buffers;
}

void kt_pointer_arguments_find(struct kt_record_layout *fields)
{
	char argument[KT_POINTED_DATA_NAME_MAX];
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		if (kt_pointed_data_argument(fields->members[i].name, argument))
			set_pointed(fields, &fields->members[i], argument);
		if (kt_late_text_argument(fields->members[i].name, argument))
			mark_late(&fields->members[i]);
		if (kt_pointed_data_count_argument(fields->members[i].name, argument))
			set_count(fields, i, argument);
		if (kt_pointed_data_socket_argument(fields->members[i].name, argument))
			set_socket(fields, i);
		if (kt_pointed_data_buffers_argument(fields->members[i].name, argument))
			set_buffers(fields, i, argument);
	}
}
