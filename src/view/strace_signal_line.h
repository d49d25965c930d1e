/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens to a task between its calls, in strace's words: a signal that it gets
 * (signal:signal_deliver), and its end (sched:sched_process_exit).
 *
 *	--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=4712, si_uid=0, …} ---
 *	+++ exited with 0 +++
 */
#ifndef KT_VIEW_STRACE_SIGNAL_LINE_H
#define KT_VIEW_STRACE_SIGNAL_LINE_H

struct kt_event_class;
struct kt_hit;
struct kt_text;

enum kt_strace_signal_line {
	KT_SIGNAL_LINE_NONE,   /* it is another event, or does not have what is to be said */
	KT_SIGNAL_LINE_SILENT, /* strace sees nothing of it: SIGKILL, by which the kernel ends a
				  task */
	KT_SIGNAL_LINE_SIGNAL,
	KT_SIGNAL_LINE_EXIT,
};

/* What a hit is. */
enum kt_strace_signal_line kt_strace_signal_line_of(const struct kt_hit *hit);

/* One that is a signal or an end, with the end of the line. */
void kt_strace_signal_line_print(struct kt_text *to, const struct kt_hit *hit);

#endif
