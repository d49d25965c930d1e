// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/strace/strace_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "values/text.h"

enum { COLUMN_MAX = 1000 };

/* Reports an unknown column; `more` names what else is allowed there. */
static int report_column(const char *command, const char *text, size_t at, size_t len,
			 const char *more)
{
	struct kt_error err;

	kt_fail_at(&err, EINVAL, text, at, len,
		   "unknown column; expected time-percent, total-time, min-time, max-time, "
		   "avg-time, calls, errors, name%s",
		   more);
	return report_error(command, &err);
}

/* Notes that an option applies to lines. */
static struct strace_format *note_lines(void *to)
{
	struct strace_format *f = to;

	f->is_given = f->has_lines = true;
	return f;
}

static struct strace_format *note_table(void *to)
{
	struct strace_format *f = to;

	f->is_given = f->has_table = true;
	return f;
}

/* Returns the digits after the decimal point for a unit of time, or -1. */
static int find_digits(const char *unit, size_t len)
{
	static const char *const units[] = {"s", "ms", "us", "ns"};
	int i;

	for (i = 0; i < 4; i++)
		if (strlen(units[i]) == len && strncmp(units[i], unit, len) == 0)
			return 3 * i;
	return -1;
}

/* Sets the digits of a unit that may be given; NULL: it is not. */
static int set_digits(const char *command, unsigned int *to, const char *unit)
{
	int digits = unit ? find_digits(unit, strlen(unit)) : 0;

	if (digits < 0)
		return report_argument(command, unit, "expected s, ms, us or ns");
	if (unit)
		*to = digits;
	return EXIT_OK;
}

int set_relative_time(const char *command, void *to, char *arg)
{
	struct kt_strace_prefix_form *f = &note_lines(to)->lines.prefix;

	f->relative = true;
	return set_digits(command, &f->relative_digits, arg);
}

/* Parses one part of a form of time: "unix", "precision:ns". Returns false if it is none. */
static bool parse_time_form(struct kt_strace_prefix_form *f, const char *part, size_t len)
{
	static const char *const forms[] = {"none", "time", "unix"};
	const char *colon = memchr(part, ':', len);
	bool is_form = colon && colon - part == 6 && strncmp(part, "format", 6) == 0;
	bool is_unit = colon && colon - part == 9 && strncmp(part, "precision", 9) == 0;
	int i, digits;

	if (is_form || is_unit) {
		len -= colon + 1 - part;
		part = colon + 1;
	}
	for (i = 0; i < 3 && !is_unit; i++) {
		if (strlen(forms[i]) != len || strncmp(forms[i], part, len) != 0)
			continue;
		f->absolute = i;
		return true;
	}
	digits = is_form ? -1 : find_digits(part, len);
	if (digits >= 0)
		f->absolute_digits = digits;
	return digits >= 0;
}

/* Each -t tells more: the time of day, its microseconds, seconds since 1970. */
static int add_time(const char *command, struct kt_strace_prefix_form *f)
{
	if (f->absolute == KT_TIME_SINCE_1970)
		return report_misuse(command, "-t can be given at most three times");
	if (f->absolute == KT_TIME_NONE)
		f->absolute = KT_TIME_CLOCK;
	else if (f->absolute_digits == 0)
		f->absolute_digits = 6;
	else
		f->absolute = KT_TIME_SINCE_1970;
	return EXIT_OK;
}

int set_absolute_time(const char *command, void *to, char *arg)
{
	struct kt_strace_prefix_form *f = &note_lines(to)->lines.prefix;
	const char *part;
	size_t len;

	if (!arg)
		return add_time(command, f);
	f->absolute = KT_TIME_CLOCK;
	for (part = arg;; part += len + 1) {
		len = strcspn(part, ",");
		if (!parse_time_form(f, part, len))
			return report_argument(command, arg,
					       "expected time, unix, none; s, ms, us, ns");
		if (!part[len])
			return EXIT_OK;
	}
}

int set_time_spent(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);

	f->lines.spent = true;
	return set_digits(command, &f->lines.spent_digits, arg);
}

int set_call_numbers(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->lines.numbers = true;
	return EXIT_OK;
}

int set_comms(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->lines.prefix.comms = true;
	return EXIT_OK;
}

int set_decoded_pids(const char *command, void *to, char *arg)
{
	if (strcmp(arg, "comm") == 0)
		return set_comms(command, to, NULL);
	return strcmp(arg, "none") == 0
		       ? EXIT_OK
		       : report_argument(command, arg,
					 "expected comm or none; numbers are always those that "
					 "ktrace's own namespace has");
}

int set_return_column(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);
	char *end;
	unsigned long column = strtoul(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end || column > COLUMN_MAX)
		return report_argument(command, arg, "expected a column, 0 to 1000");
	f->lines.return_column = column;
	return EXIT_OK;
}

int set_constants(const char *command, void *to, char *arg)
{
	static const char *const styles[] = {"abbrev", "raw", "verbose"};
	struct strace_format *f = note_lines(to);
	size_t i;

	for (i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		if (strcmp(styles[i], arg) != 0)
			continue;
		f->names = i;
		return EXIT_OK;
	}
	return report_argument(command, arg, "expected abbrev, raw or verbose");
}

int set_abbreviated(const char *command, void *to, char *arg)
{
	if (strcmp(arg, "none") == 0)
		return set_no_abbreviations(command, to, NULL);
	return report_argument(command, arg,
			       "expected none: which calls' data is cut cannot be "
			       "chosen");
}

int set_no_abbreviations(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->whole = true;
	return EXIT_OK;
}

int set_strings_in_hex(const char *command, void *to, char *arg)
{
	static const char *const which[] = {"none", "non-ascii-chars", "non-ascii", "all"};
	struct strace_format *f = note_lines(to);
	size_t i;

	if (!arg) {
		f->escapes = f->hex++ ? KT_ESCAPE_ALL_STRINGS : KT_ESCAPE_HEX_STRINGS;
		return EXIT_OK;
	}
	for (i = 0; i < sizeof(which) / sizeof(*which); i++) {
		if (strcmp(which[i], arg) != 0)
			continue;
		f->escapes = KT_ESCAPE_OCTAL + i;
		return EXIT_OK;
	}
	return report_argument(command, arg, "expected none, non-ascii-chars, non-ascii or all");
}

/* A path is looked for as it is typed, and as it is after links. */
int set_trace_path(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);
	char *resolved = realpath(arg, NULL);

	if (f->n_wanted + 2 >= sizeof(f->wanted) / sizeof(*f->wanted)) {
		free(resolved);
		return report_argument(command, arg, "-P can be given at most 32 times");
	}
	f->paths = true;
	f->wanted[f->n_wanted++] = arg;
	if (resolved)
		f->wanted[f->n_wanted++] = f->resolved[f->n_resolved++] = resolved;
	f->lines.paths = f->wanted;
	return EXIT_OK;
}

int set_dumped_reads(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);
	int status = parse_dumped_fds(command, &f->dump.reads, arg);

	f->lines.dumps = strace_dump_end(&f->dump);
	return status;
}

int set_dumped_writes(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);
	int status = parse_dumped_fds(command, &f->dump.writes, arg);

	f->lines.dumps = strace_dump_end(&f->dump);
	return status;
}

int set_printed_limit(const char *command, void *to, char *arg)
{
	struct strace_format *f = to;

	f->is_given = true;
	return set_string_limit(command, &f->limit, arg);
}

int set_decoded_fds(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);
	bool is_path = !arg || strcmp(arg, "path") == 0;

	if (!arg && f->shows_paths)
		return report_misuse(command, "-yy is not supported: what sockets and devices are "
					      "is not recorded, only paths are (-y)");
	if (!is_path && strcmp(arg, "none") != 0)
		return report_argument(command, arg,
				       "expected path or none: what sockets, devices and other "
				       "descriptors lead to is not recorded");
	f->shows_paths = is_path;
	f->paths |= is_path;
	return EXIT_OK;
}

int set_only_successful(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->lines.hidden = KT_STATUSES & ~KT_SUCCESSFUL;
	return EXIT_OK;
}

int set_only_failed(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->lines.hidden = KT_STATUSES & ~KT_FAILED;
	return EXIT_OK;
}

struct status {
	const char *name;
	unsigned int set;
};

/* Returns the set of that name; 0 if there is none. */
static unsigned int parse_status(const char *item, size_t len)
{
	static const struct status all[] = {
		{"successful", KT_SUCCESSFUL},  {"failed", KT_FAILED},
		{"unfinished", KT_UNFINISHED},  {"detached", KT_UNFINISHED},
		{"unavailable", KT_UNFINISHED}, {"all", KT_STATUSES},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i].name) == len && strncmp(all[i].name, item, len) == 0)
			return all[i].set;
	return 0;
}

/* The last --status counts. */
int set_status(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);
	bool but = *arg == '!';
	struct kt_error err;
	unsigned int wanted = 0, set;
	const char *item = arg + but;
	size_t len;

	for (; strcmp(item, "none") != 0; item += len + 1) {
		len = strcspn(item, ",");
		set = parse_status(item, len);
		if (!set) {
			kt_fail_at(&err, EINVAL, arg, item - arg, len,
				   "unknown status; expected successful, failed, unfinished, all, "
				   "none; detached and unavailable mean unfinished");
			return report_error(command, &err);
		}
		wanted |= set;
		if (!item[len])
			break;
	}
	f->lines.hidden = but ? wanted : KT_STATUSES & ~wanted;
	return EXIT_OK;
}

int set_only_table(const char *command, void *to, char *arg)
{
	struct strace_format *f = to;

	(void)command;
	(void)arg;
	f->is_given = f->table = f->only_table = true;
	return EXIT_OK;
}

int set_table(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->table = true;
	return EXIT_OK;
}

int set_sort_column(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_table(to);
	size_t len = strlen(arg);

	if (strcmp(arg, "nothing") == 0) {
		f->counts.by = KT_SYSCALL_TABLE_COLUMNS;
		return EXIT_OK;
	}
	f->counts.by = strcmp(arg, "time") == 0 ? KT_SYSCALL_TABLE_TOTAL
						: kt_syscall_table_column(arg, len);
	return f->counts.by < KT_SYSCALL_TABLE_COLUMNS
		       ? EXIT_OK
		       : report_column(command, arg, 0, len, ", time, nothing");
}

static bool has_column(const struct kt_syscall_table_form *f, enum kt_syscall_table_column c)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->columns[i] == c)
			return true;
	return false;
}

int set_columns(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_table(to);
	enum kt_syscall_table_column c;
	const char *item;
	size_t len;

	f->counts.n = 0;
	for (item = arg;; item += len + 1) {
		len = strcspn(item, ",");
		c = kt_syscall_table_column(item, len);
		if (c == KT_SYSCALL_TABLE_COLUMNS)
			return report_column(command, arg, item - arg, len, "");
		if (has_column(&f->counts, c))
			return report_misuse(command, "-U takes each column once");
		f->counts.columns[f->counts.n++] = c;
		if (!item[len])
			return EXIT_OK;
	}
}

int set_wall_clock(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_table(to);
	return EXIT_OK;
}

int strace_format_check(const char *command, const struct strace_format *f)
{
	if (f->only_table && f->has_lines)
		return report_misuse(command, "-c prints no lines, to which the options for "
					      "lines, such as -t and -y, apply");
	if (f->has_table && !f->table)
		return report_misuse(command, "-S, -U and -w need -c or -C");
	return EXIT_OK;
}

void strace_format_set_text(const struct strace_format *f, struct kt_text *text)
{
	text->escapes = f->escapes;
	text->names = f->names;
	text->brief = !f->whole;
	text->is_limited = true;
	text->limit = f->limit;
}

void strace_format_free(struct strace_format *f)
{
	while (f->n_resolved)
		free(f->resolved[--f->n_resolved]);
	strace_dump_free(&f->dump);
}

void print_unknown_calls(const char *command, const struct kt_syscall_lines *paired)
{
	uint64_t unknown = kt_syscall_lines_unknown(paired);

	if (unknown)
		fprintf(stderr,
			"ktrace %s: %" PRIu64
			" %s omitted: outcome unknown (return not recorded)\n",
			command, unknown, unknown == 1 ? "call" : "calls");
}

void print_uncounted_calls(const char *command, const struct kt_syscall_table *counted)
{
	uint64_t untimed = kt_syscall_table_untimed(counted);
	uint64_t unpaired = kt_syscall_table_unpaired(counted);

	if (untimed)
		fprintf(stderr, "ktrace %s: %" PRIu64 " %s without a time (entry not recorded)\n",
			command, untimed, untimed == 1 ? "call" : "calls");
	if (unpaired)
		fprintf(stderr,
			"ktrace %s: %" PRIu64
			" entries and returns not counted: a call needs both\n",
			command, unpaired);
}
