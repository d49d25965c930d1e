/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hits as lines, the two of a system call as one, in strace's words: doc/view.md.
 *
 *	struct kt_syscall_lines *p = kt_syscall_lines_new(schema, NULL);
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_syscall_lines_print(p, &text, &hit);	// … close(3) = 0 <0.000034000>
 *	kt_syscall_lines_end(p, &text);
 *	kt_syscall_lines_free(p);
 *
 * A call's line is held back until there is another hit; where some are left out, until it has
 * returned.
 */
#ifndef KT_VIEW_SYSCALL_LINES_H
#define KT_VIEW_SYSCALL_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "view/strace_prefix.h"

struct kt_hit;
struct kt_syscall_lines;
struct kt_metadata;
struct kt_text;

/* How a call went: a set of these, as strace's option --status names them. */
enum kt_status {
	KT_SUCCESSFUL = 1, /* it returned, or went back from a signal's handler */
	KT_FAILED = 2,     /* it returned an error, or is to be started anew */
	KT_UNFINISHED = 4, /* it ends the task, or had not returned when the trace ended */
	KT_STATUSES = 7,
};

/* Lines as strace writes them, with what it has options for. */
struct kt_strace_form {
	enum kt_time_of_day absolute; /* -t */
	bool relative;                /* -r */
	bool spent;                   /* -T: the time between entry and return, in microseconds */
	bool detaches; /* a call whose line is open at the end is detached from, not unfinished */
	unsigned int hidden; /* calls that are left out: a set of enum kt_status */
};

/*
 * Of a trace that has that schema, which is to outlive it; without a form the lines begin as
 * ftrace's. Where there is no memory NULL.
 */
struct kt_syscall_lines *kt_syscall_lines_new(const struct kt_metadata *metadata,
					      const struct kt_strace_form *form);
void kt_syscall_lines_free(struct kt_syscall_lines *p);

/*
 * Other hits as kt_ftrace_line_print has them, or view/strace_signal_line.h, behind what lines of
 * the form begin with. 0 or -ENOMEM.
 */
int kt_syscall_lines_print(struct kt_syscall_lines *p, struct kt_text *to,
			   const struct kt_hit *hit);

/*
 * What is held back, without an end: who waits for it sees what is going on, and what comes next
 * ends it as if nothing had been shown.
 */
void kt_syscall_lines_show(struct kt_syscall_lines *p, struct kt_text *to);

/* The same as a line that ends there: a call that has not returned. */
void kt_syscall_lines_flush(struct kt_syscall_lines *p, struct kt_text *to);

/* That, and where some are left out those that have not returned at all. 0 or -ENOMEM. */
int kt_syscall_lines_end(struct kt_syscall_lines *p, struct kt_text *to);

/* At the end: entries that are left out since the call's return is not known. */
uint64_t kt_syscall_lines_unknown(const struct kt_syscall_lines *p);

#endif
