// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/count_hits.h"

#include "bpf/asm.h"
#include "bpf/counters.h"
#include "bpf/map_lookup.h"
#include "generate/enable_check.h"

struct figure {
	const char *name;
	size_t offset;
};

static void add_one(struct kt_asm *a, int counters_fd, struct kt_event_index event,
		    struct figure figure, int done)
{
	kt_asm_note(a, "r0 = this CPU's counters");
	kt_asm_move_map(a, BPF_REG_1, counters_fd);
	kt_emit_map_lookup(a, KT_STACK_ROW, done);

	kt_asm_note(a, "%s: %s += 1", kt_index_name(event).text, figure.name);
	kt_emit_index_add(a, BPF_REG_0, event, sizeof(struct kt_counters), BPF_REG_1);
	kt_asm_move_imm(a, BPF_REG_1, 1);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_0, figure.offset, BPF_REG_1);
}

void kt_emit_hit(struct kt_asm *a, int counters_fd, struct kt_event_index event, int done)
{
	struct figure hits = {"hits", offsetof(struct kt_counters, hits)};

	add_one(a, counters_fd, event, hits, done);
}

void kt_emit_filtered(struct kt_asm *a, int counters_fd, struct kt_event_index event, int done)
{
	struct figure filtered = {"filtered", offsetof(struct kt_counters, filtered)};

	add_one(a, counters_fd, event, filtered, done);
}

void kt_emit_count(struct kt_asm *a, int counters_fd, size_t event)
{
	int done = kt_asm_label(a, "done");

	kt_emit_enable_check(a, -1, (struct kt_enable_number){0}, (struct kt_freezing){0}, done);
	kt_emit_hit(a, counters_fd, (struct kt_event_index){.event = event}, done);
	kt_asm_place(a, done);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}
