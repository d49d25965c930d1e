/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * File descriptors of the process: prepared before any other file is opened, and passed to a traced
 * command as ktrace got them.
 *
 *	prepare_descriptors();			// first in main()
 *
 *	struct descriptor_reserve reserve = {0};
 *	if (reserve_descriptors(&reserve, 20, &err) < 0)
 *		return report_error("record", &err);
 *	while (attach_next())			// ends with EMFILE
 *		;
 *	release_descriptors(&reserve);		// 20 are free for what follows
 */
#ifndef KT_APP_CLI_DESCRIPTORS_H
#define KT_APP_CLI_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_error;

/*
 * Opens /dev/null for each closed standard descriptor, so that no other file gets its number; in
 * the wrong direction, so that reading or writing still fails with EBADF. It is closed on exec.
 * Raises the soft limit of open files to the hard one, as each probe needs two. Ends the process
 * with EXIT_FAILED if /dev/null cannot be opened.
 */
void prepare_descriptors(void);

/* Returns whether standard output is a pipe or socket that nobody reads any more. */
bool output_is_closed(void);

/* Returns the present limit of open files. */
unsigned long files_limit(void);

/*
 * Restores the limit of open files from before prepare_descriptors(), for a program to be executed.
 */
void restore_files_limit(void);

/* Descriptors held so that others cannot use them up. All zeros: none. */
struct descriptor_reserve {
	int *fds;
	size_t n;
};

/* Holds n descriptors. Returns 0 or -errno: -EMFILE if there are fewer, and none are held. */
int reserve_descriptors(struct descriptor_reserve *r, size_t n, struct kt_error *err);
void release_descriptors(struct descriptor_reserve *r);

#endif
