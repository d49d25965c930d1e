// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/event_class.h"

#include <string.h>

#include "events/extra_fields.h"
#include "trace/print_forms.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/pointer_arguments.h"

/* Marks fields that ktrace added: the event's print format does not know them. */
static void mark_added(struct kt_event_class *e)
{
	const struct kt_extra_fields *x = kt_extra_fields_of(e->system, e->name);
	struct kt_member *m;
	size_t i, k;

	for (i = 0; x && i < e->fields.n_members; i++) {
		m = &e->fields.members[i];
		for (k = 0; k < x->n; k++)
			m->is_added |= strcmp(m->name, x->fields[k].name) == 0;
		e->has_added |= m->is_added;
	}
}

static void find_stacks(struct kt_event_class *e, const struct kt_record_layout *context,
			const struct kt_symbols *symbols)
{
	const struct kt_member *m;
	enum kt_callstack_kind kind;

	e->context_size = kt_record_layout_size(context);
	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++) {
		m = kt_record_layout_find_number(context, kt_callstack_name(kind));
		e->stacks[kind].is_there = m && m->width == sizeof(uint64_t);
		if (!e->stacks[kind].is_there)
			continue;
		e->stacks[kind].at = kt_record_layout_offset(context, m);
		e->stacks[kind].symbols = kind == KT_CALLSTACK_KERNEL ? symbols : NULL;
	}
}

void kt_event_class_complete(struct kt_event_class *e, const struct kt_record_layout *context,
			     const struct kt_metadata *metadata)
{
	find_stacks(e, context, &metadata->symbols);
	mark_added(e);
	if (strcmp(e->system, "syscalls") != 0)
		return;
	kt_metadata_variants_find(metadata->variants, e->name, &e->fields);
	kt_pointer_arguments_find(&e->fields);
	kt_string_forms_find(e->name, &e->fields);
}
