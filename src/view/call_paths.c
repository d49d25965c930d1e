// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/call_paths.h"

#include <string.h>

#include "filter/syscall_class.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "view/call_arguments.h"

static bool is_one_of(const struct kt_value *v, const char *const *paths)
{
	size_t n = strnlen(v->data, v->n);

	for (; *paths; paths++)
		if (strlen(*paths) == n && memcmp(*paths, v->data, n) == 0)
			return true;
	return false;
}

static bool is_text(const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;

	return fields->members[i].text &&
	       kt_is_copied(kt_record_layout_copied(fields, hit->values, i));
}

/* Returns whether an argument is one of the paths. */
static bool is_path(const struct kt_call *call, const struct kt_hit *exit, size_t i,
		    const char *const *paths)
{
	size_t pointed = call->entry->event->fields.members[i].pointed;

	if (kt_call_argument_is_late(call, exit, i))
		return is_one_of(&exit->values[call->kind->late[i]], paths);
	return pointed && is_text(call->entry, pointed) &&
	       is_one_of(&call->entry->values[pointed], paths);
}

bool kt_call_paths_have(const struct kt_call *call, const struct kt_hit *exit,
			const char *const *paths)
{
	const struct kt_record_layout *fields = &call->entry->event->fields;
	bool takes_paths = kt_syscall_class_has(kt_syscall_class_find("file"), call->kind->name);
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (m->path && is_one_of(&call->entry->values[m->path], paths))
			return true;
		if (takes_paths && is_path(call, exit, i, paths))
			return true;
	}
	return false;
}
