/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints hits as lines, both events of a system call as one line as strace does (doc/view.md).
 *
 *	struct kt_syscall_lines *p = kt_syscall_lines_new(metadata, NULL);
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_syscall_lines_print(p, &text, &hit);	// … close(3) = 0 <0.000034000>
 *	kt_syscall_lines_end(p, &text);
 *	kt_syscall_lines_free(p);
 *
 * A call's line is held until the next hit, or its task's next one if each task has an output; if
 * calls are filtered by status, until the call has returned.
 */
#ifndef KT_VIEW_SYSCALL_LINES_H
#define KT_VIEW_SYSCALL_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "view/strace_prefix.h"
#include "view/task_outputs.h"

struct kt_data_dumps;
struct kt_hit;
struct kt_syscall_lines;
struct kt_metadata;
struct kt_text;

/* How a call ended: a set of these, named as by strace's option --status. */
enum kt_status {
	KT_SUCCESSFUL = 1, /* it returned a value, or from a signal handler */
	KT_FAILED = 2,     /* it returned an error, or will be restarted */
	KT_UNFINISHED = 4, /* it ends the task, or had not returned at the end of the trace */
	KT_STATUSES = 7,
};

/* Format of lines as strace prints them. */
struct kt_strace_form {
	struct kt_strace_prefix_form prefix;
	bool numbers; /* -n: the number of each call */
	bool spent;   /* -T: time between entry and return */
	unsigned int spent_digits;
	unsigned int return_column; /* of '=' */
	bool detaches; /* a call whose line is open at the end is "detached", not "unfinished" */
	unsigned int hidden;      /* calls that are not printed: a set of enum kt_status */
	const char *const *paths; /* only calls with one of these paths are printed; the last is
				     NULL; NULL: all */
	const struct kt_data_dumps *dumps; /* data printed after lines; NULL: none */
	struct kt_output_choice choice;    /* -ff: where the lines of each task go */
};

/*
 * Creates a printer for a trace with that metadata, which must outlive it. Without a form, lines
 * begin as ftrace's. Returns NULL without memory.
 */
struct kt_syscall_lines *kt_syscall_lines_new(const struct kt_metadata *metadata,
					      const struct kt_strace_form *form);
void kt_syscall_lines_free(struct kt_syscall_lines *p);

/*
 * Prints a hit. Hits of other events are printed by kt_ftrace_line_print() or
 * view/strace_signal_line.h, after the prefix of the form. Returns 0 or -ENOMEM.
 */
int kt_syscall_lines_print(struct kt_syscall_lines *p, struct kt_text *to,
			   const struct kt_hit *hit);

/*
 * Prints the line that is held, without its end, for a reader who waits; the next hit ends it as if
 * nothing had been printed.
 */
void kt_syscall_lines_show(struct kt_syscall_lines *p, struct kt_text *to);

/* Prints the line that is held, as a call that has not returned. */
void kt_syscall_lines_flush(struct kt_syscall_lines *p, struct kt_text *to);

/*
 * Ends printing: flushes, and with filters by status prints calls that have not returned. Returns 0
 * or -ENOMEM.
 */
int kt_syscall_lines_end(struct kt_syscall_lines *p, struct kt_text *to);

/* Returns, at the end, how many entries were not printed since their call's status is unknown. */
uint64_t kt_syscall_lines_unknown(const struct kt_syscall_lines *p);

#endif
