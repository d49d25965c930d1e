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
#ifndef KT_APP_CLI_STRACE_STRACE_FORMAT_H
#define KT_APP_CLI_STRACE_STRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "app/cli/options.h"
#include "app/cli/strace/strace_dump.h"
#include "values/text.h"
#include "view/syscall_lines.h"
#include "view/syscall_table.h"

enum { TRACE_PATHS_MAX = 32 }; /* how often -P may be given */

struct strace_format {
	bool is_given;             /* one of these options was given */
	bool table, only_table;    /* table: -C or -c; only_table: -c */
	bool has_lines, has_table; /* an option that applies to lines, to the table */
	bool paths;                /* paths of file descriptors are needed */
	bool shows_paths;          /* -y: print them */
	uint64_t limit;            /* -s: of pointed-to data; the caller sets the default */
	enum kt_names names;       /* -X */
	enum kt_escapes escapes;   /* -x; the caller sets the default */
	int hex;                   /* how often -x was given */
	bool whole;                /* -v: print all members of structs */
	const char *wanted[2 * TRACE_PATHS_MAX + 1]; /* -P: as typed, and resolved; NULL */
	char *resolved[TRACE_PATHS_MAX];             /* of these, to be freed */
	size_t n_wanted, n_resolved;
	struct strace_dump dump; /* -e read=, -e write= */
	struct kt_strace_form lines;
	struct kt_syscall_table_form counts;
};

/* Rows of the options; `member` is a struct strace_format, `limit` the default of -s. */
/* clang-format off */
#define STRACE_FORMAT_OPTIONS(settings, member, limit) \
	{.letter = 'r', .name = "relative-timestamps", .arg = "UNIT", .arg_is_optional = true, \
	 .help = "print the time since the line before, in s, ms, us or ns", \
	 .initial = "us", \
	 .set = set_relative_time, .offset = offsetof(settings, member)}, \
	{.letter = 't', .name = "absolute-timestamps", .arg = "FORM", .arg_is_optional = true, \
	 .help = "print the time of day; -tt with microseconds; -ttt as seconds since 1970; " \
		 "FORM: time, unix or none, and a unit, as in unix,ns", \
	 .set = set_absolute_time, .offset = offsetof(settings, member), .repeats = true}, \
	{.name = "timestamps", .arg = "FORM", .arg_is_optional = true, \
	 .set = set_absolute_time, .offset = offsetof(settings, member)}, \
	{.letter = 'T', .name = "syscall-times", .arg = "UNIT", .arg_is_optional = true, \
	 .help = "print the time spent in each call, in s, ms, us or ns", \
	 .initial = "ns", \
	 .set = set_time_spent, .offset = offsetof(settings, member)}, \
	{.letter = 'n', .name = "syscall-number", \
	 .help = "print each call's number", \
	 .set = set_call_numbers, .offset = offsetof(settings, member)}, \
	{.letter = 'Y', \
	 .help = "print each thread's name after its number", \
	 .set = set_comms, .offset = offsetof(settings, member)}, \
	{.name = "decode-pids", .arg = "SET", \
	 .set = set_decoded_pids, .offset = offsetof(settings, member)}, \
	{.letter = 'a', .name = "columns", .arg = "COLUMN", \
	 .help = "print return values from a column on", \
	 .initial = "40", \
	 .set = set_return_column, .offset = offsetof(settings, member)}, \
	{.letter = 'X', .name = "const-print-style", .arg = "STYLE", \
	 .help = "print constants by name (abbrev), as numbers (raw), or both (verbose)", \
	 .initial = "abbrev", \
	 .set = set_constants, .offset = offsetof(settings, member)}, \
	{.letter = 'v', .name = "no-abbrev", \
	 .help = "print all members of structs", \
	 .set = set_no_abbreviations, .offset = offsetof(settings, member)}, \
	{.letter = 'x', .name = "strings-in-hex", .arg = "WHICH", .arg_is_optional = true, \
	 .help = "print strings with bytes beyond ASCII in hex; -xx all strings; " \
		 "WHICH: none, non-ascii-chars, non-ascii, all", \
	 .set = set_strings_in_hex, .offset = offsetof(settings, member), .repeats = true}, \
	{.letter = 'P', .name = "trace-path", .arg = "PATH", \
	 .help = "print only calls with this path, or a descriptor of it", \
	 .set = set_trace_path, .offset = offsetof(settings, member), .repeats = true}, \
	{.letter = 's', .name = "string-limit", .arg = "SIZE", \
	 .help = "maximum bytes of data, array elements or arguments per call; paths are never cut", \
	 .initial = limit, \
	 .set = set_printed_limit, .offset = offsetof(settings, member)}, \
	{.letter = 'y', .name = "decode-fds", .arg = "SET", .arg_is_optional = true, \
	 .help = "print the paths of file descriptors: 3</etc/passwd>; SET: path, none", \
	 .set = set_decoded_fds, .offset = offsetof(settings, member)}, \
	{.name = "read", .arg = "FDS", \
	 .help = "print all recorded data read from these descriptors, in hex: 3,5, !0, all, none", \
	 .set = set_dumped_reads, .offset = offsetof(settings, member)}, \
	{.name = "write", .arg = "FDS", \
	 .help = "print all recorded data written to these descriptors", \
	 .set = set_dumped_writes, .offset = offsetof(settings, member)}, \
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
	{.letter = 'c', .name = "summary-only", \
	 .help = "print a table of calls instead of lines", \
	 .set = set_only_table, .offset = offsetof(settings, member)}, \
	{.letter = 'C', .name = "summary", \
	 .help = "print lines, then a table of calls", \
	 .set = set_table, .offset = offsetof(settings, member)}, \
	{.letter = 'S', .name = "summary-sort-by", .arg = "COLUMN", \
	 .help = "sort the table by time, min-time, max-time, avg-time, calls, errors, name or nothing", \
	 .initial = "time", \
	 .set = set_sort_column, .offset = offsetof(settings, member)}, \
	{.letter = 'U', .name = "summary-columns", .arg = "COLUMNS", \
	 .help = "columns: time-percent, total-time, min-time, max-time, avg-time, calls, errors, name", \
	 .set = set_columns, .offset = offsetof(settings, member)}, \
	{.letter = 'w', .name = "summary-wall-clock", \
	 .help = "accepted for compatibility with strace; always on", \
	 .set = set_wall_clock, .offset = offsetof(settings, member)}
/* clang-format on */

/* Each stores an argument in a struct strace_format. Returns the exit status. */
int set_abbreviated(const char *command, void *to, char *arg);
int set_absolute_time(const char *command, void *to, char *arg);
int set_call_numbers(const char *command, void *to, char *arg);
int set_columns(const char *command, void *to, char *arg);
int set_comms(const char *command, void *to, char *arg);
int set_constants(const char *command, void *to, char *arg);
int set_decoded_fds(const char *command, void *to, char *arg);
int set_decoded_pids(const char *command, void *to, char *arg);
int set_dumped_reads(const char *command, void *to, char *arg);
int set_dumped_writes(const char *command, void *to, char *arg);
int set_no_abbreviations(const char *command, void *to, char *arg);
int set_only_failed(const char *command, void *to, char *arg);
int set_only_successful(const char *command, void *to, char *arg);
int set_only_table(const char *command, void *to, char *arg);
int set_printed_limit(const char *command, void *to, char *arg);
int set_relative_time(const char *command, void *to, char *arg);
int set_return_column(const char *command, void *to, char *arg);
int set_sort_column(const char *command, void *to, char *arg);
int set_status(const char *command, void *to, char *arg);
int set_strings_in_hex(const char *command, void *to, char *arg);
int set_table(const char *command, void *to, char *arg);
int set_time_spent(const char *command, void *to, char *arg);
int set_trace_path(const char *command, void *to, char *arg);
int set_wall_clock(const char *command, void *to, char *arg);

/* What holds unless options say otherwise, but for the limit. */
#define STRACE_FORMAT_DEFAULT       \
	.escapes = KT_ESCAPE_OCTAL, \
	.lines = {.prefix.relative_digits = 6, .spent_digits = 9, .return_column = 40}

/* Checks whether the options fit together. Returns the exit status; errors are reported. */
int strace_format_check(const char *command, const struct strace_format *f);

/* Makes a text print values in this format. */
void strace_format_set_text(const struct strace_format *f, struct kt_text *text);

/* Frees what the options allocated. */
void strace_format_free(struct strace_format *f);

/* Prints to stderr how many calls were not printed since their status is unknown, if any. */
void print_unknown_calls(const char *command, const struct kt_syscall_lines *paired);

/* Prints to stderr what the table lacks, if anything. */
void print_uncounted_calls(const char *command, const struct kt_syscall_table *counted);

#endif
