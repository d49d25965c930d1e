/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strace's options for the format of its output: lines, a table of calls (-c), or both (-C).
 *
 *	static const struct command_option options[] = {
 *		STRACE_FORMAT_OPTIONS(struct print, format, NULL),
 *		{},
 *	};
 *
 *	status = parse_command_line(&print_command, &p, argc, argv);
 *	if (status == EXIT_OK)
 *		status = strace_format_check(NAME, &p.format);
 */
#ifndef KT_APP_CLI_STRACE_FORMAT_H
#define KT_APP_CLI_STRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "app/cli/options.h"
#include "view/syscall_lines.h"
#include "view/syscall_table.h"

struct kt_text;

struct strace_format {
	bool is_given;             /* one of these options was given */
	bool table, only_table;    /* table: -C or -c; only_table: -c */
	bool has_lines, has_table; /* an option that applies to lines, to the table */
	bool paths;                /* -y: print paths of file descriptors */
	uint64_t limit;            /* -s: of pointed-to data; the caller sets the default */
	struct kt_strace_form lines;
	struct kt_syscall_table_form counts;
};

/* Rows of the options; `member` is a struct strace_format, `limit` the default of -s. */
/* clang-format off */
#define STRACE_FORMAT_OPTIONS(settings, member, limit) \
	{.letter = 'r', \
	 .help = "print the time since the line before", \
	 .set = set_relative_time, .offset = offsetof(settings, member)}, \
	{.letter = 't', \
	 .help = "print the time of day; -tt with microseconds; -ttt as seconds since 1970", \
	 .set = set_absolute_time, .offset = offsetof(settings, member), .repeats = true}, \
	{.letter = 'T', \
	 .help = "print the time spent in each call", \
	 .set = set_time_spent, .offset = offsetof(settings, member)}, \
	{.letter = 's', .name = "string-limit", .arg = "SIZE", \
	 .help = "maximum bytes of data, array elements or arguments per call; paths are never cut", \
	 .initial = limit, \
	 .set = set_printed_limit, .offset = offsetof(settings, member)}, \
	{.letter = 'y', .name = "decode-fds", \
	 .help = "print the paths of file descriptors: 3</etc/passwd>", \
	 .set = set_printed_paths, .offset = offsetof(settings, member)}, \
	{.letter = 'z', .name = "successful-only", \
	 .help = "print only calls that return without an error", \
	 .set = set_only_successful, .offset = offsetof(settings, member)}, \
	{.letter = 'Z', .name = "failed-only", \
	 .help = "print only calls that return an error", \
	 .set = set_only_failed, .offset = offsetof(settings, member)}, \
	{.name = "status", .arg = "SET", \
	 .help = "print only calls that are successful, failed or unfinished; all; none; '!SET'", \
	 .initial = "all", \
	 .set = set_status, .offset = offsetof(settings, member)}, \
	{.letter = 'c', \
	 .help = "print a table of calls instead of lines", \
	 .set = set_only_table, .offset = offsetof(settings, member)}, \
	{.letter = 'C', \
	 .help = "print lines, then a table of calls", \
	 .set = set_table, .offset = offsetof(settings, member)}, \
	{.letter = 'S', .arg = "COLUMN", \
	 .help = "sort the table by time, min-time, max-time, avg-time, calls, errors, name or nothing", \
	 .initial = "time", \
	 .set = set_sort_column, .offset = offsetof(settings, member)}, \
	{.letter = 'U', .arg = "COLUMNS", \
	 .help = "columns: time-percent, total-time, min-time, max-time, avg-time, calls, errors, name", \
	 .set = set_columns, .offset = offsetof(settings, member)}, \
	{.letter = 'w', \
	 .help = "accepted for compatibility with strace; always on", \
	 .set = set_wall_clock, .offset = offsetof(settings, member)}
/* clang-format on */

/* Each stores an argument in a struct strace_format. Returns the exit status. */
int set_absolute_time(const char *command, void *to, char *arg);
int set_columns(const char *command, void *to, char *arg);
int set_only_failed(const char *command, void *to, char *arg);
int set_only_successful(const char *command, void *to, char *arg);
int set_only_table(const char *command, void *to, char *arg);
int set_printed_limit(const char *command, void *to, char *arg);
int set_printed_paths(const char *command, void *to, char *arg);
int set_relative_time(const char *command, void *to, char *arg);
int set_sort_column(const char *command, void *to, char *arg);
int set_status(const char *command, void *to, char *arg);
int set_table(const char *command, void *to, char *arg);
int set_time_spent(const char *command, void *to, char *arg);
int set_wall_clock(const char *command, void *to, char *arg);

/* Checks whether the options fit together. Returns the exit status; errors are reported. */
int strace_format_check(const char *command, const struct strace_format *f);

/* Makes a text print data in this format. */
void strace_format_set_limit(const struct strace_format *f, struct kt_text *text);

/* Prints to stderr how many calls were not printed since their status is unknown, if any. */
void print_unknown_calls(const char *command, const struct kt_syscall_lines *paired);

/* Prints to stderr what the table lacks, if anything. */
void print_uncounted_calls(const char *command, const struct kt_syscall_table *counted);

#endif
