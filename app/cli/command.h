/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A subcommand: one file in app/, one row in main.c's table. From its table of options come parsing
 * (app/cli/command_line.h), --help (app/cli/help.h), the man page's synopsis and options, and
 * completion, which reads --help. A new option is one row.
 *
 *	static const struct command_option options[] = {
 *		{.letter = 'b', .name = "buffer-size", .arg = "SIZE",
 *		 .help = "ring size per CPU", .initial = "4M",
 *		 .set = set_ring_size, .offset = offsetof(struct record, ring)},
 *		{.name = "strict", .help = "exit with status 3 if events were lost",
 *		 .set = set_flag, .offset = offsetof(struct record, strict)},
 *		{},
 *	};
 *
 * A letter means the same in all commands, except in those that take strace's options.
 */
#ifndef KT_APP_CLI_COMMAND_H
#define KT_APP_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct kt_error;

/* Exit statuses, besides those of a traced command. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_LOST = 3,         /* --strict was given, and events were lost */
	EXIT_CANNOT_RUN = 126, /* the command exists; as in a shell */
	EXIT_NOT_FOUND = 127,
};

#define TRACE_DIR   "ktrace.out" /* default directory of a trace */
#define FLIGHT_NAME "flight"     /* default name of a flight recorder */

/* An option has a letter, a name, or both. */
struct command_option {
	char letter;         /* 'e'; 0: none */
	const char *name;    /* "event"; NULL: none */
	const char *arg;     /* name of its argument: "PATTERN"; NULL: takes none */
	const char *help;    /* one or two lines of 54 characters, without the default; NULL: the
				option is accepted for compatibility, and not shown */
	const char *initial; /* default, printed in brackets; NULL: none */

	/* Stores the argument at `to`. Returns the exit status; errors are reported. */
	int (*set)(const char *command, void *to, char *arg);
	size_t offset; /* of `to` in the command's settings */

	bool arg_is_optional; /* only --name=ARG has it; the letter takes none, and arg is NULL */
	const char *const *words; /* up to NULL: with an optional argument, the next word is the
				     argument if it is one of these */
	bool repeats;             /* can be given several times */
	bool is_required;         /* for the synopsis; the command checks it */
	const char *needs;        /* name of an option that must be given, too; NULL: none */
};

/* Returns whether the letter takes no argument. */
static inline bool option_is_flag(const struct command_option *o)
{
	return o->letter && (!o->arg || o->arg_is_optional);
}

struct command_example {
	const char *line, *purpose;
};

struct command {
	const char *name;
	const char *operands; /* after the options: "[NAME]"; with CMD options end there; "" */
	const char *summary;  /* imperative, at most 8 words */
	const char *about;    /* paragraphs for --help, wrapped when printed; "" */
	const struct command_option *options;   /* up to one with nothing; NULL: none */
	const struct command_example *examples; /* up to one with nothing; NULL: none */
	int (*run)(int argc, char **argv);      /* argv[0] is the name; returns the exit status */
};

extern const struct command disable_command;
extern const struct command enable_command;
extern const struct command fs_command;
extern const struct command list_command;
extern const struct command pause_command;
extern const struct command print_command;
extern const struct command record_command;
extern const struct command report_command;
extern const struct command reset_command;
extern const struct command resume_command;
extern const struct command snapshot_command;
extern const struct command start_command;
extern const struct command status_command;
extern const struct command stop_command;
extern const struct command strace_command;
extern const struct command trace_command;

extern const char ktrace_version[]; /* 0.1.0 */

/* Reports an error in the use of a command. Returns EXIT_USAGE. */
int report_misuse(const char *command, const char *what);

/* Reports an argument too many. Returns EXIT_USAGE. */
int report_unexpected(const char *command, const char *arg);

/* Reports an error, and marks its place in the user's text. Returns its exit status. */
int report_error(const char *command, const struct kt_error *err);

/* Reports an error in a whole argument. Returns its exit status. */
int report_argument(const char *command, const char *arg, const char *why);

/* Reports that there is no memory. Returns EXIT_FAILED. */
int report_no_memory(const char *command);

#endif
