// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/computed_values.h"

#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/curated_fields.h"
#include "generate/text_copy.h"
#include "handlers/process_check.h"

enum { COMM_SIZE = 16 };

/* A filter of comm keeps the name at the begin of the text's room (generate/filter_check.h). */
_Static_assert(8 * KT_CURATED_COMPUTED_MAX + COMM_SIZE <= KT_TEXT_ROOM, "both have room");

static void store_value(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	const int16_t *at = with;

	if (e->op == KT_EXPR_CHOICE) {
		kt_emit_choice(x, e, store_value, with);
		return;
	}
	kt_emit_value(x, e, BPF_REG_1);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, *at, BPF_REG_1);
}

static void compute_values(struct kt_asm *a, const struct kt_curated *c, int unreadable,
			   bool sleeps)
{
	struct kt_emit_expr x = {
		.a = a,
		.pointer = BPF_REG_7,
		.stack = KT_STACK_EXPR,
		.unreadable = unreadable,
		.sleeps = sleeps,
	};
	int16_t at;
	size_t i;

	kt_asm_note(a, "values that are computed first");
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_CONTEXT);
	for (i = 0; i < c->n_computed; i++) {
		at = kt_emit_computed_at(&x, i);
		store_value(&x, c->computed[i], &at);
	}
}

void kt_emit_computed(struct kt_asm *a, const struct kt_event *event, int unreadable)
{
	if (event->curated->n_computed)
		compute_values(a, event->curated, unreadable, false);
}

void kt_emit_page_in(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event)
{
	r.call = event->curated;
	r.varies = r.reads_user = r.some_cpus = r.filters = false;
	kt_emit_begin(a, &r);
	r.other = r.done;
	kt_emit_process_check(a, &r, event);
	compute_values(a, event->curated, r.done, true);
	kt_emit_end(a, &r);
}
