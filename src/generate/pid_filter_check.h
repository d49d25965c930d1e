/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that a flight is focused on, where it is: of others no hit is recorded.
 *
 * That it is so says the gate's word, KT_ENABLE_FOCUSED, and which tasks a map of two maps, which
 * are as generate/fork_tracking.h says; the word says which of them holds, as it does of the
 * switches.
 *
 *	kt_emit_pid_filter(a, map, all);
 *	kt_emit_followed(a, BPF_REG_8, task, other);
 *	kt_asm_place(a, all);
 */
#ifndef KT_GENERATE_PID_FILTER_CHECK_H
#define KT_GENERATE_PID_FILTER_CHECK_H

struct kt_asm;

/*
 * Behind kt_emit_enable_check: r8 = the map of the tasks; goes to the label all where it is not
 * focused. r0 to r5 and a u32 at r10 - 8 are lost. Costs a shift and a branch, and where it is
 * focused an inlined lookup.
 */
void kt_emit_pid_filter(struct kt_asm *a, int map, int all);

#endif
