/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What options of strace's ask of those that write its words: lines, a table of the calls, or both.
 *
 *	while ((c = next_option(argc, argv, FORM_LETTERS "o:", options)) != -1)
 *		status = is_of_form(c) ? form_option(NAME, &form, c, optarg) : ...
 *	if (status == EXIT_OK)
 *		status = form_check(NAME, &form);
 */
#ifndef KT_APP_CLI_STRACE_FORMAT_H
#define KT_APP_CLI_STRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "view/syscall_lines.h"
#include "view/syscall_table.h"

#define STRACE_FORMAT_LETTERS "cCrs:S:tTU:wyzZ"

enum { STRACE_FORMAT_STATUS = 512 }; /* an option without a letter */

/* Those that have words, for getopt_long. */
/* clang-format off */
#define STRACE_FORMAT_WORDS                                        \
	{"decode-fds", no_argument, NULL, 'y'},           \
	{"failed-only", no_argument, NULL, 'Z'},          \
	{"status", required_argument, NULL, STRACE_FORMAT_STATUS}, \
	{"string-limit", required_argument, NULL, 's'},   \
	{"successful-only", no_argument, NULL, 'z'}
/* clang-format on */

struct strace_format {
	bool table, only_table;  /* -C or -c; -c */
	bool of_lines, of_table; /* an option of the one or the other was given */
	bool paths;              /* -y: where descriptors lead to */
	uint64_t limit;          /* of what calls read and write: -s; without it the caller's */
	struct kt_strace_form lines;
	struct kt_syscall_table_form counts;
};

struct kt_text;

bool is_strace_format_option(int option);

/* One of them, and in the end what they are together. They return the exit status. */
int strace_format_option(const char *command, struct strace_format *f, int option, const char *arg);
int strace_format_check(const char *command, struct strace_format *f);

/* Has what is put there in that form. */
void strace_format_set_limit(const struct strace_format *f, struct kt_text *text);

/* On stderr how many calls are left out since nobody knows how they went, or nothing. */
void print_unknown_calls(const char *command, const struct kt_syscall_lines *paired);

/* On stderr what the table does not have, or nothing. */
void print_uncounted_calls(const char *command, const struct kt_syscall_table *counted);

#endif
