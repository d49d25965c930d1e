/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that select what a command reads of a trace: events, filters, tasks, CPUs and times.
 *
 *	static const struct command_option options[] = {
 *		TRACE_SELECTION_OPTIONS(struct print, selection, 0, 0),
 *		{},
 *	};
 *
 *	status = parse_command_line(&print_command, &p, argc, argv);
 *	if (status == EXIT_OK)
 *		status = trace_selection_open(&p.selection, NAME, dir, reader);
 *	while (... kt_trace_reader_next(reader, &hit, &err) > 0)
 *		n = trace_selection_add(&p.selection, &hit, selected);
 *	trace_selection_close(&p.selection);
 */
#ifndef KT_APP_CLI_TRACE_SELECTION_H
#define KT_APP_CLI_TRACE_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "trace/select/hit_selector.h"

struct kt_trace_reader;

struct number_list {
	uint32_t *of;
	size_t n;
};

/* All zeros: everything, without an -e. */
struct trace_selection {
	struct event_option *events; /* room for all -e (new_event_options) */
	const char *filter;          /* -f before any -e: of all events */
	struct number_list pids, tids, cpus;
	struct kt_glob *comms;
	size_t n_comms;
	const char *since, *until;
	uint64_t first, last; /* 0: all */
	bool whole_calls;     /* a call is selected at its return, with its entry */
	uint64_t begin, end;  /* the time that was selected, ns of CLOCK_MONOTONIC; end 0: none */
	struct kt_hit_selector *selector; /* NULL: everything is selected */
};

/*
 * Rows of the options; `member` is a struct trace_selection, and `events` in it has room. The
 * letters are 0 where strace's options have them.
 */
/* clang-format off */
#define TRACE_SELECTION_OPTIONS(settings, member, tid_letter, cpu_letter) \
	{.letter = 'e', .name = "event", .arg = "PATTERN", \
	 .help = "select events: SYSTEM:EVENT, globs, %CLASS, separated by commas; '!' excludes", \
	 .set = set_selected_event, .offset = offsetof(settings, member), .repeats = true}, \
	{.letter = 'f', .name = "filter", .arg = "FILTER", \
	 .help = "select events and calls that match, of the preceding -e or all: 'ret < 0'", \
	 .set = set_selected_filter, .offset = offsetof(settings, member), .repeats = true}, \
	{.letter = 'p', .name = "pid", .arg = "PID", \
	 .help = "select these processes, separated by commas", \
	 .set = set_number_list, .offset = offsetof(settings, member.pids), .repeats = true}, \
	{.letter = tid_letter, .name = "tid", .arg = "TID", \
	 .help = "select these threads", \
	 .set = set_number_list, .offset = offsetof(settings, member.tids), .repeats = true}, \
	{.name = "comm", .arg = "GLOB", \
	 .help = "select tasks of these names, separated by commas", \
	 .set = set_selected_comm, .offset = offsetof(settings, member), .repeats = true}, \
	{.letter = cpu_letter, .name = "cpu", .arg = "CPUS", \
	 .help = "select these CPUs: 0,2-3", \
	 .set = set_number_list, .offset = offsetof(settings, member.cpus), .repeats = true}, \
	{.name = "since", .arg = "TIME", \
	 .help = "start at a time: 4711.5 as printed, +2 or -2 seconds from begin or end, 12:30:05", \
	 .set = set_text, .offset = offsetof(settings, member.since)}, \
	{.name = "until", .arg = "TIME", \
	 .help = "select what began up to a time", \
	 .set = set_text, .offset = offsetof(settings, member.until)}, \
	{.name = "first", .arg = "N", \
	 .help = "select the first N events and calls", \
	 .set = set_count, .offset = offsetof(settings, member.first)}, \
	{.name = "last", .arg = "N", \
	 .help = "select the last N events and calls", \
	 .set = set_count, .offset = offsetof(settings, member.last)}
/* clang-format on */

/* Each stores an argument in a struct trace_selection, or a list of it. Returns the exit status. */
int set_selected_event(const char *command, void *to, char *arg);
int set_selected_filter(const char *command, void *to, char *arg);
int set_selected_comm(const char *command, void *to, char *arg);
int set_number_list(const char *command, void *to, char *arg); /* "1,3-5" */

/*
 * Makes the selector for the trace in dir, which r reads. Reads the trace once more if --last or a
 * time from the end is given. Returns the exit status; errors are reported.
 */
int trace_selection_open(struct trace_selection *s, const char *command, const char *dir,
			 const struct kt_trace_reader *r);
void trace_selection_close(struct trace_selection *s);

/* Returns whether less than everything is selected. */
bool trace_selection_is_partial(const struct trace_selection *s);

/* Adds a hit as kt_hit_selector_add() does; without a selection it is selected. */
int trace_selection_add(struct trace_selection *s, const struct kt_hit *hit,
			const struct kt_hit *selected[KT_SELECTED_MAX]);

/* Reports calls that were not selected as they had not returned, if any. */
void trace_selection_report_held(const struct trace_selection *s, const char *command);

/* Returns whether no later hit can be selected. */
bool trace_selection_is_done(const struct trace_selection *s);

#endif
