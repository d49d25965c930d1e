/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what happens to a task between its calls, as strace does: a signal is delivered
 * (signal:signal_deliver), or the task ends (sched:sched_process_exit).
 *
 *	--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=4712, si_uid=0, …} ---
 *	+++ exited with 0 +++
 */
#ifndef KT_VIEW_STRACE_SIGNAL_LINE_H
#define KT_VIEW_STRACE_SIGNAL_LINE_H

#include <stdbool.h>

struct kt_event_class;
struct kt_hit;
struct kt_text;

enum kt_strace_signal_line {
	KT_SIGNAL_LINE_NONE,   /* another event, or one that lacks a field */
	KT_SIGNAL_LINE_SILENT, /* strace does not see it: SIGKILL with which the kernel ends a task
				*/
	KT_SIGNAL_LINE_SIGNAL,
	KT_SIGNAL_LINE_EXIT,
};

/* Returns whether hits of an event may become such lines. */
bool kt_strace_signal_line_may_be(const struct kt_event_class *event);

/* Returns the kind of line that a hit becomes. */
enum kt_strace_signal_line kt_strace_signal_line_of(const struct kt_hit *hit);

/* Prints a signal or an end, with the end of the line. */
void kt_strace_signal_line_print(struct kt_text *to, const struct kt_hit *hit);

#endif
