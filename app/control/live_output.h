/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what a capture records while it happens: lines, JSON, or a table of calls at the end.
 *
 *	struct live_output o = {.by = "trace", .to = stdout, .to_name = "standard output"};
 *
 *	static int use(struct capture *c, void *arg)
 *	{
 *		kt_session_start(c->session);
 *		status = live_output_open(&o, c, NULL);
 *		if (status == EXIT_OK)
 *			status = capture_begin(c);
 *		if (status == EXIT_OK)
 *			status = live_output_run(&o);
 *		kt_session_stop(c->session);
 *		return live_output_end(&o, status);
 *	}
 */
#ifndef KT_APP_CONTROL_LIVE_OUTPUT_H
#define KT_APP_CONTROL_LIVE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "values/text.h"
#include "view/syscall_table.h"

struct capture;
struct kt_hit;
struct kt_live_session;
struct kt_strace_form;
struct kt_syscall_json;
struct kt_syscall_lines;
struct task_files;

struct live_output {
	/* The caller's: */
	const char *by;           /* subcommand */
	FILE *to;                 /* where lines go */
	const char *to_name;      /* for messages: "standard output" */
	struct task_files *files; /* where lines go instead, by the form's choice; NULL: nowhere */
	bool json;                /* objects instead of lines */
	bool events;              /* one per event, for calls, too */
	bool has_table, only_table; /* a table of calls at the end; nothing else */
	struct kt_syscall_table_form table_form;
	struct kt_text text; /* its limits */

	/* Set by live_output_open(): */
	struct capture *capture;
	struct kt_live_session *live;
	struct kt_syscall_lines *lines;
	struct kt_syscall_json *objects;
	struct kt_syscall_table *table;
	int dir;
};

/*
 * Prepares for a session that has started. Lines have that form, or print's if it is NULL. Returns
 * the exit status; errors are reported. live_output_end() must be called in any case.
 */
int live_output_open(struct live_output *o, struct capture *c, const struct kt_strace_form *form);

/* Prints the line of a hit of the caller's own, which no table counts. Returns 0 or -ENOMEM. */
int live_output_print_line(struct live_output *o, const struct kt_hit *hit);

/* Prints hits as they come until the capture has ended. Returns the exit status. */
int live_output_run(struct live_output *o);

/*
 * Prints the rest after the session was stopped, ends the capture, reports losses, and frees
 * everything that was opened. Returns `status` if it is an error, or the exit status.
 */
int live_output_end(struct live_output *o, int status);

#endif
