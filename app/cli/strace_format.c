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

bool is_strace_format_option(int option)
{
	return option == STRACE_FORMAT_STATUS || (option > 0 && option < 128 && option != ':' &&
						  strchr(STRACE_FORMAT_LETTERS, option));
}

static int no_such_column(const char *command, const char *text, size_t at, size_t len,
			  const char *more)
{
	struct kt_error err;

	kt_fail_at(&err, EINVAL, text, at, len,
		   "there are time-percent, total-time, min-time, max-time, avg-time, calls, "
		   "errors, name%s",
		   more);
	return report_error(command, &err);
}

static int option_by(const char *command, struct strace_format *f, const char *text)
{
	size_t len = strlen(text);

	if (strcmp(text, "nothing") == 0) {
		f->counts.by = KT_SYSCALL_TABLE_COLUMNS;
		return EXIT_OK;
	}
	f->counts.by = strcmp(text, "time") == 0 ? KT_SYSCALL_TABLE_TOTAL
						 : kt_syscall_table_column(text, len);
	return f->counts.by < KT_SYSCALL_TABLE_COLUMNS
		       ? EXIT_OK
		       : no_such_column(command, text, 0, len, ", time, nothing");
}

static bool has_column(const struct kt_syscall_table_form *f, enum kt_syscall_table_column c)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->columns[i] == c)
			return true;
	return false;
}

static int option_columns(const char *command, struct strace_format *f, const char *text)
{
	enum kt_syscall_table_column c;
	const char *item;
	size_t len;

	f->counts.n = 0;
	for (item = text;; item += len + 1) {
		len = strcspn(item, ",");
		c = kt_syscall_table_column(item, len);
		if (c == KT_SYSCALL_TABLE_COLUMNS)
			return no_such_column(command, text, item - text, len, "");
		if (has_column(&f->counts, c))
			return report_misuse(command, "-U has each column once");
		f->counts.columns[f->counts.n++] = c;
		if (!item[len])
			return EXIT_OK;
	}
}

static void option_summary(struct strace_format *f, int option)
{
	f->table = true;
	f->only_table |= option == 'c';
	f->of_lines |= option == 'C';
}

static int option_of_table(const char *command, struct strace_format *f, int option,
			   const char *arg)
{
	f->of_table = true;
	if (option == 'S')
		return option_by(command, f, arg);
	return option == 'U' ? option_columns(command, f, arg) : EXIT_OK;
}

struct status {
	const char *name;
	unsigned int set;
};

/* 0: there is none of that name. */
static unsigned int status_of(const char *item, size_t len)
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

/* The last one counts. */
static int option_status(const char *command, struct strace_format *f, const char *text)
{
	bool but = *text == '!';
	struct kt_error err;
	unsigned int request = 0, set;
	const char *item = text + but;
	size_t len;

	for (; strcmp(item, "none") != 0; item += len + 1) {
		len = strcspn(item, ",");
		set = status_of(item, len);
		if (!set) {
			kt_fail_at(&err, EINVAL, text, item - text, len,
				   "there are successful, failed, unfinished, all, none");
			return report_error(command, &err);
		}
		request |= set;
		if (!item[len])
			break;
	}
	f->lines.hidden = but ? request : KT_STATUSES & ~request;
	return EXIT_OK;
}

int strace_format_option(const char *command, struct strace_format *f, int option, const char *arg)
{
	int status = EXIT_OK;

	switch (option) {
	case 'c':
	case 'C':
		option_summary(f, option);
		return EXIT_OK;
	case 'S':
	case 'U':
	case 'w':
		return option_of_table(command, f, option, arg);
	case 's':
		return option_bytes(command, &f->limit, arg);
	case 'r':
		f->lines.relative = true;
		break;
	case 't':
		f->lines.absolute++;
		break;
	case 'T':
		f->lines.spent = true;
		break;
	case 'y':
		status = option_paths(command, &f->paths);
		break;
	case 'z':
		f->lines.hidden = KT_STATUSES & ~KT_SUCCESSFUL;
		break;
	case 'Z':
		f->lines.hidden = KT_STATUSES & ~KT_FAILED;
		break;
	case STRACE_FORMAT_STATUS:
		status = option_status(command, f, arg);
		break;
	}
	f->of_lines = true;
	return status;
}

int strace_format_check(const char *command, struct strace_format *f)
{
	if (f->lines.absolute > KT_TIME_SINCE_1970)
		return report_misuse(command, "-t is given up to three times");
	if (f->only_table && f->of_lines)
		return report_misuse(command, "-c prints no lines, for -C, -r, -t, -T, -y, -z, -Z "
					      "and --status to be of");
	if (f->of_table && !f->table)
		return report_misuse(command,
				     "-S, -U and -w are of the table that -c and -C print");
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
			"ktrace %s: of %" PRIu64 " %s the return is not known: %s not shown\n",
			command, unknown, unknown == 1 ? "call" : "calls",
			unknown == 1 ? "it is" : "they are");
}

void print_uncounted_calls(const char *command, const struct kt_syscall_table *counted)
{
	uint64_t untimed = kt_syscall_table_untimed(counted);
	uint64_t left_out = kt_syscall_table_unpaired(counted);

	if (untimed)
		fprintf(stderr,
			"ktrace %s: the time of %" PRIu64 " %s is not known: %s not there\n",
			command, untimed, untimed == 1 ? "call" : "calls",
			untimed == 1 ? "its entry is" : "their entries are");
	if (left_out)
		fprintf(stderr,
			"ktrace %s: %" PRIu64 " entries and returns are not counted: both are to "
			"be recorded of a call\n",
			command, left_out);
}
