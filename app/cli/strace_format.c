// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/strace_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "values/text.h"

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

int set_relative_time(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->lines.relative = true;
	return EXIT_OK;
}

int set_absolute_time(const char *command, void *to, char *arg)
{
	struct strace_format *f = note_lines(to);

	(void)arg;
	if (f->lines.absolute == KT_TIME_SINCE_1970)
		return report_misuse(command, "-t can be given at most three times");
	f->lines.absolute++;
	return EXIT_OK;
}

int set_time_spent(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	note_lines(to)->lines.spent = true;
	return EXIT_OK;
}

int set_printed_limit(const char *command, void *to, char *arg)
{
	struct strace_format *f = to;

	f->is_given = true;
	return set_string_limit(command, &f->limit, arg);
}

int set_printed_paths(const char *command, void *to, char *arg)
{
	return set_paths(command, &note_lines(to)->paths, arg);
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
		{"successful", KT_SUCCESSFUL},
		{"failed", KT_FAILED},
		{"unfinished", KT_UNFINISHED},
		{"all", KT_STATUSES},
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
				   "none");
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
		return report_misuse(command, "-c prints no lines, to which -C, -r, -t, -T, -y, "
					      "-z, -Z and --status apply");
	if (f->has_table && !f->table)
		return report_misuse(command, "-S, -U and -w need -c or -C");
	return EXIT_OK;
}

void strace_format_set_limit(const struct strace_format *f, struct kt_text *text)
{
	text->octal = text->is_limited = true;
	text->limit = f->limit;
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
