/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the check of a flight recorder's PID filter: only hits of chosen tasks are recorded.
 *
 * KT_ENABLE_PID_FILTER in the enable word says whether the filter is on. A map of two maps
 * (generate/fork_tracking.h) holds the tasks; the word says which of the two is valid, as it does
 * for enable numbers.
 *
 *	kt_emit_pid_filter(a, map, all);
 *	kt_emit_followed(a, BPF_REG_8, task, other);
 *	kt_asm_place(a, all);
 */
#ifndef KT_GENERATE_PID_FILTER_CHECK_H
#define KT_GENERATE_PID_FILTER_CHECK_H

struct kt_asm;

/*
 * Emitted after kt_emit_enable_check(): r8 = the map of the tasks; jumps to `all` if the filter is
 * off. Clobbers r0 to r5 and the u32 at r10 - 8. Costs a shift and a branch, and an inlined lookup
 * if the filter is on.
 */
void kt_emit_pid_filter(struct kt_asm *a, int map, int all);

#endif
