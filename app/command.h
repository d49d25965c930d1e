/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A subcommand: one file in app/, one row in main.c's table. */
#ifndef KT_APP_COMMAND_H
#define KT_APP_COMMAND_H

/* Exit statuses, beside that of a traced command. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

struct command {
	const char *name;
	const char *args;    /* after the name in the usage line, with a leading blank, or "" */
	const char *summary; /* one line, in the list of commands and in the command's own help */
	/* argv[0] is the command's name; returns the exit status. `ktrace NAME --help` never gets
	 * here. */
	int (*run)(int argc, char **argv);
};

#endif
