// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/syscall_json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "constants/labels.h"
#include "fetch/pointed_data_names.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/json_text.h"
#include "values/record/json_value.h"
#include "values/text.h"
#include "view/call_arguments.h"
#include "view/event_json.h"
#include "view/stack_text.h"

struct kt_syscall_json {
	struct kt_syscall_pairs *pairs;
};

struct kt_syscall_json *kt_syscall_json_new(const struct kt_metadata *metadata)
{
	struct kt_syscall_json *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->pairs = kt_syscall_pairs_new(metadata);
	if (p->pairs)
		return p;
	free(p);
	return NULL;
}

void kt_syscall_json_free(struct kt_syscall_json *p)
{
	if (!p)
		return;
	kt_syscall_pairs_free(p->pairs);
	free(p);
}

/* Puts the key of a value in an object that is opened with its first one. */
static void put_member_key(struct kt_text *t, const char *object, const char *name, size_t *n)
{
	if (*n == 0)
		kt_text_string(t, object);
	kt_json_text_key(t, name, *n == 0);
	++*n;
}

static void close_object(struct kt_text *t, size_t n)
{
	if (n > 0)
		kt_text_char(t, '}');
}

/* Returns the member with what an argument points to, if that was read; else the argument. */
static size_t find_value(const struct kt_hit *entry, size_t i)
{
	const struct kt_record_layout *fields = &entry->event->fields;
	size_t copy = fields->members[i].pointed;

	return copy && kt_is_copied(kt_record_layout_copied(fields, entry->values, copy)) ? copy
											  : i;
}

/* Returns whether a member is data that a pointer in another copy points to, and was read. */
static bool is_nested(const struct kt_hit *hit, size_t i)
{
	const struct kt_member *m = &hit->event->fields.members[i];

	return m->is_pointed && (m->in || m->notation == KT_BUFFERS) &&
	       kt_is_copied(kt_record_layout_copied(&hit->event->fields, hit->values, i));
}

/* Returns the name of such data: "msg_name" of "__msg_name_val", "vec_data" of "__vec_data". */
static const char *get_nested_name(const struct kt_member *m, char name[KT_POINTED_DATA_NAME_MAX])
{
	if (kt_pointed_data_argument(m->name, name))
		return name;
	return strncmp(m->name, "__", 2) == 0 ? m->name + 2 : m->name;
}

/* Puts what pointers in structs point to, by names such as msg_name. */
static int put_nested(struct kt_text *t, const char *object, const struct kt_hit *hit, size_t *n)
{
	char name[KT_POINTED_DATA_NAME_MAX];
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < hit->event->fields.n_members; i++) {
		m = &hit->event->fields.members[i];
		if (!is_nested(hit, i))
			continue;
		put_member_key(t, object, get_nested_name(m, name), n);
		if (kt_json_value_argument(t, hit, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int put_arguments(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_hit *entry = call->entry;
	size_t i, n = 0;
	int ret = 0;

	kt_text_string(t, ",\"args\":{");
	for (i = 0; i < entry->event->fields.n_members && ret == 0; i++) {
		if (!kt_call_argument_is(call, i))
			continue;
		put_member_key(t, "", entry->event->fields.members[i].name, &n);
		ret = kt_call_argument_is_late(call, exit, i)
			      ? kt_json_value_argument(t, exit, call->kind->late[i])
			      : kt_json_value_argument(t, entry, find_value(entry, i));
	}
	if (ret == 0)
		ret = put_nested(t, "", entry, &n);
	kt_text_char(t, '}');
	return ret;
}

/* Puts what the call wrote, if anything. */
static int put_written(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	static const char object[] = ",\"out\":{";
	size_t i, n = 0, n_members = call->entry ? call->entry->event->fields.n_members : 0;
	int ret = 0;

	for (i = 0; i < n_members && ret == 0; i++) {
		if (!kt_call_argument_is_given(call, exit, i))
			continue;
		put_member_key(t, object, call->entry->event->fields.members[i].name, &n);
		ret = kt_json_value_argument(t, exit, call->kind->given[i]);
	}
	if (ret == 0)
		ret = put_nested(t, object, exit, &n);
	close_object(t, n);
	return ret;
}

/* Puts the paths of descriptors, of arguments and of the return value. */
static void put_path(struct kt_text *t, const struct kt_hit *hit, size_t i, size_t *n)
{
	const struct kt_member *m = &hit->event->fields.members[i];
	const struct kt_value *path = &hit->values[m->path];

	if (!m->path || !path->n)
		return;
	put_member_key(t, ",\"paths\":{", m->name, n);
	kt_json_text_string(t, path->data, strnlen(path->data, path->n));
}

static void put_paths(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	size_t i, n = 0;

	for (i = 0; call->entry && i < call->entry->event->fields.n_members; i++)
		put_path(t, call->entry, i, &n);
	if (exit)
		put_path(t, exit, call->kind->ret, &n);
	close_object(t, n);
}

/* Puts the return value, and the error that it is. */
static int put_return(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_member *m = &exit->event->fields.members[call->kind->ret];
	int64_t n = kt_value_number(m, &exit->values[call->kind->ret], 0);
	struct kt_labelled found = {0};
	int ret;

	kt_text_string(t, ",\"ret\":");
	ret = kt_json_value_argument(t, exit, call->kind->ret);
	if (m->labels)
		kt_labels_of(m->labels, n, &found);
	if (n >= 0 || found.n != 1 || *found.text[0] != '-')
		return ret;
	kt_text_string(t, ",\"error\":");
	kt_json_text_string(t, found.text[0] + 1, strlen(found.text[0] + 1));
	return ret;
}

static void put_label(struct kt_text *t, const char *object, const struct kt_hit *hit, size_t i,
		      const char *name, size_t *n)
{
	const struct kt_member *as =
		kt_metadata_variants_member(&hit->event->fields, hit->values, i);

	if (!as || !kt_json_value_has_labels(as, &hit->values[i]))
		return;
	put_member_key(t, object, name, n);
	kt_json_value_argument_labels(t, as, &hit->values[i]);
}

/* Puts the names of arguments, and of what the call wrote. */
static void put_labels(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_hit *entry = call->entry;
	size_t i, n = 0, n_members = entry ? entry->event->fields.n_members : 0;

	for (i = 0; i < n_members; i++)
		if (kt_call_argument_is(call, i))
			put_label(t, ",\"labels\":{", entry, find_value(entry, i),
				  entry->event->fields.members[i].name, &n);
	close_object(t, n);
	n = 0;
	for (i = 0; i < n_members; i++)
		if (kt_call_argument_is_given(call, exit, i))
			put_label(t, ",\"out_labels\":{", exit, call->kind->given[i],
				  entry->event->fields.members[i].name, &n);
	close_object(t, n);
}

static bool is_cut(const struct kt_hit *hit, size_t i)
{
	return kt_record_layout_copied(&hit->event->fields, hit->values, i) == KT_COPIED_PART;
}

/* Puts the names of arguments whose data were cut, at the entry or the return. */
static void put_cut(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_hit *entry = call->entry;
	const struct kt_member *m;
	size_t i, n = 0;

	for (i = 0; entry && i < entry->event->fields.n_members; i++) {
		m = &entry->event->fields.members[i];
		if (!(m->pointed && is_cut(entry, m->pointed)) &&
		    !(kt_call_argument_is_given(call, exit, i) &&
		      is_cut(exit, call->kind->given[i])))
			continue;
		kt_text_string(t, n++ == 0 ? ",\"truncated\":[" : ",");
		kt_json_text_string(t, m->name, strlen(m->name));
	}
	if (n > 0)
		kt_text_char(t, ']');
}

static int put_call(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_hit *begin = call->entry ? call->entry : exit;
	int ret = 0;

	kt_event_json_begin(t, begin);
	kt_text_string(t, ",\"call\":");
	kt_json_text_string(t, call->kind->name, strlen(call->kind->name));
	if (call->entry)
		ret = put_arguments(t, call, exit);
	if (exit && ret == 0)
		ret = put_written(t, call, exit);
	if (exit && ret == 0)
		ret = put_return(t, call, exit);
	if (call->entry && exit && !call->entry->is_older) {
		kt_text_string(t, ",\"duration\":");
		kt_text_number(t, exit->time - call->entry->time);
	}
	put_paths(t, call, exit);
	put_labels(t, call, exit);
	put_cut(t, call, exit);
	kt_stack_text_json(t, kt_stack_text_choose(call->entry, exit));
	return ret;
}

static int end_call(struct kt_text *t, int ret)
{
	kt_text_string(t, "}\n");
	return ret;
}

int kt_syscall_json_print(struct kt_syscall_json *p, struct kt_text *to, const struct kt_hit *hit)
{
	struct kt_call call;
	int step = kt_syscall_pairs_add(p->pairs, hit, &call);

	if (step < 0)
		return step;
	if (step == KT_CALL_RETURNED)
		return end_call(to, put_call(to, &call, hit));
	if (step == KT_CALL_NONE)
		return kt_event_json_print(to, hit);
	return call.kind->returns || call.kind->is_chosen_by_return
		       ? 0
		       : end_call(to, put_call(to, &call, NULL));
}

int kt_syscall_json_end(struct kt_syscall_json *p, struct kt_text *to)
{
	struct kt_call *calls;
	ssize_t i, n = kt_syscall_pairs_open(p->pairs, &calls);
	int ret = 0;

	if (n < 0)
		return n;
	for (i = 0; i < n && ret == 0; i++) {
		ret = put_call(to, &calls[i], NULL);
		kt_text_string(to, ",\"unfinished\":true");
		ret = end_call(to, ret);
	}
	free(calls);
	return ret;
}
