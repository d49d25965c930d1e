// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/call_arguments.h"

#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/record/field_text.h"
#include "view/ignored_arguments.h"

bool kt_call_argument_is(const struct kt_call *call, size_t i)
{
	const struct kt_record_layout *fields = &call->entry->event->fields;
	const struct kt_member *m = &fields->members[i];

	return !m->is_pointed && !m->is_aside && !m->is_no_argument &&
	       kt_metadata_variants_member(fields, call->entry->values, i) &&
	       !(call->kind->form == KT_CALL_QUOTA && kt_ignored_arguments_quota(call, i));
}

static bool is_zero(const struct kt_hit *hit, size_t i)
{
	const struct kt_member *m = &hit->event->fields.members[i];

	return kt_member_is_number(m) && kt_value_number(m, &hit->values[i], 0) == 0;
}

bool kt_call_argument_is_given(const struct kt_call *call, const struct kt_hit *exit, size_t i)
{
	size_t given = exit ? call->kind->given[i] : 0;

	return given && kt_field_is_pointer(call->entry, i) &&
	       kt_is_copied(kt_record_layout_copied(&exit->event->fields, exit->values, given)) &&
	       (exit->values[given].n || !is_zero(call->entry, i));
}

bool kt_call_argument_is_late(const struct kt_call *call, const struct kt_hit *exit, size_t i)
{
	size_t late = exit ? call->kind->late[i] : 0;
	size_t copy = call->entry->event->fields.members[i].pointed;

	return late && exit->values[late].n && copy && !call->entry->values[copy].n;
}
