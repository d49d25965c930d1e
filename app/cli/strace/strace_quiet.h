/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strace's option -q: which messages are suppressed. */
#ifndef KT_APP_CLI_STRACE_STRACE_QUIET_H
#define KT_APP_CLI_STRACE_STRACE_QUIET_H

enum quiet {
	QUIET_ATTACH = 1,
	QUIET_EXIT = 2,   /* lines of threads that end */
	QUIET_PATHS = 4,  /* how a path of -P is resolved */
	QUIET_OTHERS = 8, /* strace has them, ktrace does not */
};

/*
 * Adds to a set of enum quiet: -q one kind, -qq another (arg is NULL), --quiet=SET those of the
 * set. Returns the exit status; errors are reported.
 */
int set_quiet(const char *command, void *to, char *arg);

#endif
