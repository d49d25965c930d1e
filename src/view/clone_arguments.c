// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/clone_arguments.h"

#include <sched.h>
#include <stddef.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/number.h"
#include "values/text.h"

static const struct kt_member *find_number(const struct kt_hit *hit, const char *name)
{
	return kt_record_layout_find_number(&hit->event->fields, name);
}

static const struct kt_value *get_value(const struct kt_hit *hit, const char *name)
{
	return &hit->values[find_number(hit, name) - hit->event->fields.members];
}

static uint64_t get_number(const struct kt_hit *hit, const char *name)
{
	return kt_value_number(find_number(hit, name), get_value(hit, name), 0);
}

bool kt_clone_arguments_are(const struct kt_call *call)
{
	static const char *const names[] = {"clone_flags", "newsp", "parent_tidptr", "child_tidptr",
					    "tls"};
	size_t i = 0;

	if (!call->entry)
		return false;
	while (i < sizeof(names) / sizeof(*names) && find_number(call->entry, names[i]))
		i++;
	return i == sizeof(names) / sizeof(*names);
}

static void put_pointer(struct kt_text *t, const char *name, uint64_t n)
{
	kt_text_string(t, name);
	kt_text_char(t, '=');
	if (n)
		kt_text_hex(t, n);
	else
		kt_text_string(t, "NULL");
}

static void put_first(struct kt_text *t, const struct kt_hit *entry)
{
	put_pointer(t, "child_stack", get_number(entry, "newsp"));
	kt_text_string(t, ", flags=");
	kt_number_show(t, find_number(entry, "clone_flags"), get_value(entry, "clone_flags"), 0);
}

/* The kernel stores the new thread's number there, which is also what clone returns. */
static void put_parent_tid(struct kt_text *t, const struct kt_hit *entry, int64_t ret,
			   bool is_stored)
{
	if (!is_stored) {
		put_pointer(t, ", parent_tid", get_number(entry, "parent_tidptr"));
		return;
	}
	kt_text_string(t, ", parent_tid=[");
	kt_text_signed(t, ret);
	kt_text_char(t, ']');
}

static void put_others(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_member *m = &exit->event->fields.members[call->kind->ret];
	int64_t ret = kt_value_number(m, &exit->values[call->kind->ret], 0);
	uint64_t flags = get_number(call->entry, "clone_flags");

	if (flags & (CLONE_PARENT_SETTID | CLONE_PIDFD))
		put_parent_tid(t, call->entry, ret, (flags & CLONE_PARENT_SETTID) && ret > 0);
	if (flags & CLONE_SETTLS)
		put_pointer(t, ", tls", get_number(call->entry, "tls"));
	if (flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID))
		put_pointer(t, ", child_tidptr", get_number(call->entry, "child_tidptr"));
}

/* Returns whether clone3 stored the new thread's number, which is also what it returns. */
static bool has_stored(const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_member *m = &exit->event->fields.members[call->kind->ret];
	const struct kt_record_layout *fields = &call->entry->event->fields;
	const struct kt_member *copy = kt_record_layout_find(fields, "__uargs_val");
	const struct kt_value *v = copy ? &call->entry->values[copy - fields->members] : NULL;
	const struct kt_member *flags =
		copy && copy->of ? kt_record_layout_find_number(copy->of, "flags") : NULL;

	if (!flags || !v->n || (int64_t)kt_value_number(m, &exit->values[call->kind->ret], 0) <= 0)
		return false;
	return kt_record_layout_number(copy->of, v->data, flags - copy->of->members) &
	       CLONE_PARENT_SETTID;
}

void kt_clone_arguments_put_stored(struct kt_text *t, const struct kt_call *call,
				   const struct kt_hit *exit)
{
	if (!has_stored(call, exit))
		return;
	kt_text_string(t, " => {parent_tid=[");
	kt_number_put(t, &exit->event->fields.members[call->kind->ret],
		      &exit->values[call->kind->ret], 0);
	kt_text_string(t, "]}");
}

void kt_clone_arguments_put(struct kt_text *t, const struct kt_call *call,
			    const struct kt_hit *exit, bool first)
{
	if (first)
		put_first(t, call->entry);
	if (exit)
		put_others(t, call, exit);
}
