// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/function_group_prog.h"

#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "events/point.h"
#include "generate/curated_fields.h"
#include "generate/filter_check.h"
#include "handlers/call_duration.h"
#include "handlers/callstack.h"
#include "handlers/process_check.h"

enum { CLASS = BPF_REG_1 };

bool kt_function_group_can_have(const struct kt_event *e)
{
	const struct kt_curated *c = e->curated;

	return e->point && e->point->function && c && !e->is_trigger && e->channel == KT_MAIN &&
	       !kt_event_varying(e) && !c->n_pointed && !c->n_computed &&
	       !kt_filter_globs(e->filter, NULL) && !kt_filter_uses_marks(e->filter);
}

size_t kt_function_group_record_size(const struct kt_event *e)
{
	return kt_record_size(kt_event_record_size(e));
}

/* Code of one class. */
typedef void emit_class(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *e);

static void emit_filter(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *e)
{
	if (e->filter)
		kt_emit_filter_check(a, r, e);
}

static void emit_fields(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *e)
{
	(void)r;
	kt_emit_curated(a, e);
}

/* Emits the code of n classes from first on, of which CLASS is one; all of it goes to `end`. */
static void emit_choice(struct kt_asm *a, const struct kt_reserve *r, struct kt_function_classes c,
			size_t first, emit_class *emit, int end)
{
	size_t half = c.n / 2;
	int upper;

	if (c.n == 1) {
		emit(a, r, c.events[0]);
		kt_asm_jump(a, end);
		return;
	}
	upper = kt_asm_label(a, "upper");
	kt_asm_jump_imm(a, BPF_JGE, CLASS, first + half, upper);
	emit_choice(a, r, (struct kt_function_classes){c.events, half}, first, emit, end);
	kt_asm_place(a, upper);
	emit_choice(a, r, (struct kt_function_classes){c.events + half, c.n - half}, first + half,
		    emit, end);
}

static void emit_by_class(struct kt_asm *a, const struct kt_reserve *r,
			  struct kt_function_classes c, emit_class *emit)
{
	int end = kt_asm_label(a, "any_class");

	kt_asm_note(a, "choose by its class");
	kt_asm_load(a, BPF_DW, CLASS, BPF_REG_10, KT_STACK_DATA);
	emit_choice(a, r, c, 0, emit, end);
	kt_asm_place(a, end);
}

static size_t get_max_size(struct kt_function_classes c)
{
	size_t max = 0, i, size;

	for (i = 0; i < c.n; i++) {
		size = kt_function_group_record_size(c.events[i]);
		max = size > max ? size : max;
	}
	return max;
}

static bool has_filter(struct kt_function_classes c)
{
	size_t i = 0;

	while (i < c.n && !c.events[i]->filter)
		i++;
	return i < c.n;
}

void kt_emit_function_group(struct kt_asm *a, struct kt_reserve r, struct kt_function_classes c)
{
	bool filters = has_filter(c);

	r.size = get_max_size(c);
	r.varies = true;
	r.call = NULL;
	r.reads_user = false;
	r.filters = filters || kt_reserve_checks_process(&r);
	if (c.events[0]->point->is_return)
		kt_emit_call_entry(a, c.events[0]);
	kt_emit_begin(a, &r);
	kt_emit_process_check(a, &r, c.events[0]);
	kt_emit_call_duration(a, &r, c.events[0]);
	if (filters)
		emit_by_class(a, &r, c, emit_filter);
	kt_emit_enter(a, &r);
	kt_emit_reserve(a, &r);
	emit_by_class(a, &r, c, emit_fields);
	kt_emit_callstacks(a, &r, c.events[0]);
	kt_emit_commit(a, &r);
}
