/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that have no name anywhere, and go with the process.
 *
 *	int dir = memory_new(&err);
 *
 *	ret = memory_error(write_files_in(dir, &err), &err);
 *	close(dir);
 */
#ifndef KT_APP_MEMORY_H
#define KT_APP_MEMORY_H

struct kt_error;

/*
 * A directory in memory that no one else can enter, and that is gone once nothing in it is open: a
 * descriptor, for the caller to close. Half the machine's memory fits in. On error -errno.
 */
int memory_new(struct kt_error *err);

/* What went wrong with files there: no space is no memory. */
int memory_error(int ret, struct kt_error *err);

#endif
