// SPDX-License-Identifier: GPL-2.0-or-later
#include "handlers/process_check.h"

#include "bpf/asm.h"
#include "events/event_target.h"
#include "generate/fork_tracking.h"
#include "generate/pid_filter_check.h"

enum { RUNNING = BPF_REG_6, TASKS = BPF_REG_8 };

/*
 * Jumps to r->other unless the current task (r0) is one of TASKS, or the event is about one of
 * them.
 */
static void check_tasks(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event)
{
	bool has_target = kt_event_target(event);
	int runs = has_target ? kt_asm_label(a, "runs") : -1;
	int unfollowed = has_target ? kt_asm_label(a, "unfollowed") : r->other;

	kt_asm_move(a, RUNNING, BPF_REG_0);
	kt_asm_move(a, BPF_REG_1, TASKS);
	kt_emit_followed(a, RUNNING, unfollowed);
	if (!has_target)
		return;
	kt_asm_jump(a, runs);
	kt_asm_place(a, unfollowed);
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_CONTEXT);
	kt_emit_target(a, TASKS, event, r->other);
	kt_asm_place(a, runs);
}

static void check_followed(struct kt_asm *a, const struct kt_reserve *r,
			   const struct kt_event *event)
{
	kt_asm_note(a, "is this process followed?");
	kt_asm_move_map(a, TASKS, r->followed);
	kt_emit_process(a);
	check_tasks(a, r, event);
}

static void check_pid_filter(struct kt_asm *a, const struct kt_reserve *r,
			     const struct kt_event *event)
{
	int all = kt_asm_label(a, "all");

	kt_emit_pid_filter(a, r->pid_filter, all);
	kt_emit_thread(a);
	check_tasks(a, r, event);
	kt_asm_place(a, all);
}

bool kt_reserve_checks_process(const struct kt_reserve *r)
{
	return r->followed >= 0 || r->pid_filter >= 0;
}

void kt_emit_process_check(struct kt_asm *a, const struct kt_reserve *r,
			   const struct kt_event *event)
{
	if (r->pid_filter >= 0)
		check_pid_filter(a, r, event);
	if (r->followed >= 0)
		check_followed(a, r, event);
}
