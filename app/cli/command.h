/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A subcommand: one file in app/, one row in main.c's table. */
#ifndef KT_APP_CLI_COMMAND_H
#define KT_APP_CLI_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

struct kt_error;

/* Exit statuses, beside that of a traced command. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_LOST = 3,         /* all went well, but events were lost, and --strict was given */
	EXIT_CANNOT_RUN = 126, /* a command that is there, as in a shell */
	EXIT_NOT_FOUND = 127,
};

#define TRACE_DIR   "ktrace.out" /* where a trace is, unless another place is named */
#define FLIGHT_NAME "flight"     /* what a session is called that has no other name */

struct command {
	const char *name;
	const char *args;    /* after the name in its usage, with a leading blank, or "" */
	const char *summary; /* one line, in the list of commands and in the command's own help */
	const char *help;    /* what follows it in the command's own help: options, examples; "" */
	/* argv[0] is the command's name; returns the exit status. */
	int (*run)(int argc, char **argv);
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

extern const char ktrace_version[]; /* 0.1.0 */

/*
 * getopt_long, save that what is wrong is said in ktrace's way, with the nearest option where one
 * is near. Returns '?' having said it, or taken note that it is -h or --help: the caller returns
 * EXIT_USAGE. An option without a letter has a val from 256 on; each has a long name.
 */
int next_option(int argc, char **argv, const char *letters, const struct option *options);

extern bool help_is_wanted; /* by the options: main() gives it, whatever the command returns */

/* Say what is wrong with a command line. Returns EXIT_USAGE. */
int report_misuse(const char *command, const char *what);

/* Say that an argument is one too many. Returns EXIT_USAGE. */
int report_unexpected(const char *command, const char *arg);

/* Of a command that takes no options and a flight's name, or none for FLIGHT_NAME. */
int run_on_flight(int argc, char **argv, int act(const char *name));

/* Say what went wrong, and mark the place in what was typed. Returns the exit status it means. */
int report_error(const char *command, const struct kt_error *err);

/* The same where memory is what there is none of. */
int report_no_memory(const char *command);

#endif
