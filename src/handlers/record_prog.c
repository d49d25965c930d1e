// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/record_prog.h"

#include "bpf/asm.h"
#include "bpf/copy_bytes.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/curated_fields.h"
#include "generate/data_loc.h"
#include "generate/filter_check.h"
#include "generate/pointed_data_copy.h"
#include "generate/text_copy.h"
#include "handlers/call_duration.h"
#include "handlers/callstack.h"
#include "handlers/computed_values.h"
#include "handlers/process_check.h"

static void check_trigger(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event)
{
	int no_trigger = kt_asm_label(a, "no_trigger");

	kt_emit_trigger(a, r, event, no_trigger);
	kt_asm_place(a, no_trigger);
}

/* r2 = bytes of varying data; each field's data must follow the previous field's. */
static void measure_data(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event)
{
	const struct kt_field *f, *first = kt_event_varying(event);

	kt_asm_note(a, "r2 = bytes of data, from %s on", first->name);
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_CONTEXT);
	kt_emit_data_place(a, BPF_REG_3, first);
	kt_asm_move(a, BPF_REG_2, BPF_REG_3);
	for (f = first; f < event->fields + event->n_fields; f++) {
		if (!kt_field_varies(f))
			continue;
		if (f != first) {
			kt_emit_data_place(a, BPF_REG_1, f);
			kt_asm_jump_if(a, BPF_JNE, BPF_REG_1, BPF_REG_2, r->unfit);
		}
		kt_emit_data_length(a, BPF_REG_1, f);
		kt_asm_alu(a, BPF_ADD, BPF_REG_2, BPF_REG_1);
	}
	kt_asm_alu(a, BPF_SUB, BPF_REG_2, BPF_REG_3);
	kt_asm_jump_imm(a, BPF_JGT, BPF_REG_2, kt_record_data_max(r->geometry), r->unfit);
}

/* r2 = bytes of varying data, of any event. */
static void measure_varying(struct kt_asm *a, const struct kt_reserve *r,
			    const struct kt_event *event)
{
	if (!event->curated)
		measure_data(a, r, event);
	else if (event->curated->n_pointed)
		kt_emit_pointed_data(a, r, event);
	else
		kt_emit_curated_text(a, r, event);
}

/* Stores the record's size for r2 bytes of varying data. */
static void store_size(struct kt_asm *a, const struct kt_event *event)
{
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_DATA, BPF_REG_2);
	kt_asm_note(a, "with the fixed part, rounded up to 8");
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, kt_event_record_size(event) + 7);
	kt_asm_alu_imm(a, BPF_AND, BPF_REG_2, -8);
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_SIZE, BPF_REG_2);
}

static void copy_count(struct kt_asm *a, unsigned int dst, const struct kt_field *f)
{
	kt_asm_note(a, "elements of %s", f->name);
	kt_emit_data_length(a, BPF_REG_1, f);
	if (f->width > 1)
		kt_asm_alu_imm(a, BPF_RSH, BPF_REG_1, __builtin_ctz(f->width));
	kt_asm_store(a, BPF_H, BPF_REG_8, dst, BPF_REG_1);
}

/* Copies all data at once. They were just written where they are read from: that cannot fail. */
static void copy_data(struct kt_asm *a, const struct kt_event *event)
{
	int none = kt_asm_label(a, "no_data_to_copy");

	kt_asm_note(a, "the varying data");
	if (event->curated && kt_curated_is_late(event->curated)) {
		kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_10, KT_STACK_DATA);
		kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_2, 0, none);
	}
	kt_asm_move(a, BPF_REG_1, BPF_REG_8);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, kt_event_record_size(event));
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_10, KT_STACK_DATA);
	if (event->curated && event->curated->n_pointed) {
		kt_asm_load(a, BPF_DW, BPF_REG_3, BPF_REG_10, KT_STACK_POINTED);
	} else if (event->curated) {
		kt_asm_move(a, BPF_REG_3, BPF_REG_10);
		kt_asm_alu_imm(a, BPF_ADD, BPF_REG_3, KT_STACK_TEXT);
	} else {
		kt_emit_data_place(a, BPF_REG_3, kt_event_varying(event));
		kt_asm_alu(a, BPF_ADD, BPF_REG_3, BPF_REG_6);
	}
	kt_asm_call(a, BPF_FUNC_probe_read_kernel);
	kt_asm_place(a, none);
}

/* Copies fields without gaps between them as one. */
static void copy_fields(struct kt_asm *a, const struct kt_event *event)
{
	unsigned int dst = kt_event_fields_offset(event), src, size;
	const struct kt_field *f = event->fields, *end = f + event->n_fields;

	while (f < end) {
		if (kt_field_varies(f)) {
			copy_count(a, dst, f);
			dst += kt_field_record_size(f++);
			continue;
		}
		src = f->offset;
		size = 0;
		kt_asm_note(a, "from %s on", f->name);
		for (; f < end && !kt_field_varies(f) && f->offset == src + size; f++)
			size += f->size;
		kt_emit_copy_bytes(a, BPF_REG_8, dst, BPF_REG_6, src, size);
		dst += size;
	}
}

static size_t get_max_size(const struct kt_event *event, struct kt_geometry geometry)
{
	if (event->curated)
		return kt_record_size(kt_event_record_size(event) +
				      kt_curated_data_max(event->curated, geometry));
	return kt_event_record_max(event, geometry);
}

/* A hit of which some value cannot be read is lost; filters are not applied to it. */
static void lose_unreadable(struct kt_asm *a, const struct kt_reserve *r, int unreadable)
{
	kt_asm_place(a, unreadable);
	kt_emit_enter(a, r);
	kt_asm_jump(a, r->unfit);
}

void kt_emit_record(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event)
{
	int unreadable;

	r.size = get_max_size(event, r.geometry);
	r.varies = kt_event_varying(event);
	r.call = event->curated;
	r.reads_user = event->curated && event->curated->reads_user;
	r.filters = event->filter || kt_reserve_checks_process(&r);
	kt_emit_begin(a, &r);
	unreadable = r.reads_user ? kt_asm_label(a, "unreadable") : -1;
	if (event->curated)
		kt_emit_curated_own(a, &r, event);
	kt_emit_process_check(a, &r, event);
	if (event->curated) {
		kt_emit_curated_globals(a, event);
		kt_emit_call_duration(a, &r, event);
		kt_emit_computed(a, event, unreadable);
	}
	if (event->is_trigger && r.freezing.can)
		check_trigger(a, &r, event);
	if (event->filter)
		kt_emit_filter_check(a, &r, event);
	kt_emit_enter(a, &r);
	if (r.varies) {
		measure_varying(a, &r, event);
		store_size(a, event);
	} else if (event->curated) {
		kt_emit_early(a, event);
	}
	kt_emit_reserve(a, &r);
	if (event->curated)
		kt_emit_curated(a, event);
	else
		copy_fields(a, event);
	if (r.varies)
		copy_data(a, event);
	kt_emit_callstacks(a, &r, event);
	kt_emit_commit(a, &r);
	if (r.reads_user)
		lose_unreadable(a, &r, unreadable);
}
