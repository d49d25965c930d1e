/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process's file descriptors: made ready before anything else is opened, and given to a
 * command as ktrace got them.
 *
 *	prepare_descriptors();			// first in main()
 *
 *	struct descriptor_reserve reserve = {0};
 *	if (reserve_descriptors(&reserve, 20, &err) < 0)
 *		return say_error("record", &err);
 *	while (attach_next())			// ends with EMFILE
 *		;
 *	release_descriptors(&reserve);		// 20 are left for what follows
 */
#ifndef KT_APP_CLI_DESCRIPTORS_H
#define KT_APP_CLI_DESCRIPTORS_H

#include <stddef.h>

struct kt_error;

/*
 * Opens /dev/null in place of a closed standard descriptor, so that no file of ktrace's gets its
 * number: the wrong way round, so that reading or writing still fails with EBADF. A program that is
 * executed gets it closed. Raises the soft limit of open files to the hard one, since each probe
 * needs two. If /dev/null cannot be opened the process ends with EXIT_FAILED.
 */
void prepare_descriptors(void);

/* Returns the limit of open files that holds now. */
unsigned long files_limit(void);

/* Sets the limit of open files as it was before prepare_descriptors(), for a program to execute. */
void restore_files_limit(void);

/* Descriptors held so that others cannot use them up. All 0: holds none. */
struct descriptor_reserve {
	int *fds;
	size_t n;
};

/* Holds n descriptors. Returns 0 or -errno: -EMFILE if there are fewer, of which it holds none. */
int reserve_descriptors(struct descriptor_reserve *r, size_t n, struct kt_error *err);
void release_descriptors(struct descriptor_reserve *r);

#endif
