/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows long output page by page, as git does: what is written to a terminal goes to $PAGER.
 *
 *	struct pager pager;
 *
 *	pager_begin(&pager, o->no_pager);
 *	print_everything();
 *	pager_end(&pager);			// returns when the user has left the pager
 */
#ifndef KT_APP_CLI_PAGER_H
#define KT_APP_CLI_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

struct pager {
	pid_t pid;         /* 0: none */
	int output, error; /* the process's own descriptors 1 and 2 */
	void (*on_interrupt)(int);
};

/* clang-format off */
#define OPTION_NO_PAGER(settings, member) \
	{.name = "no-pager", \
	 .help = "on a terminal: print directly instead of through $PAGER, which is less by " \
		 "default", \
	 .set = set_flag, .offset = offsetof(settings, member)}
/* clang-format on */

/*
 * Starts a pager that gets standard output, and standard error if that is a terminal, too; unless
 * standard output is no terminal, or $PAGER is empty or "cat". Without a pager output goes to the
 * terminal. Until pager_end() Ctrl-C is the pager's.
 */
void pager_begin(struct pager *p, bool is_unwanted);

/* Flushes standard output, and waits until the pager has ended. */
void pager_end(struct pager *p);

#endif
