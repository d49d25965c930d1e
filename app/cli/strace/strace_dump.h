/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strace's options -e read=FDS and -e write=FDS: of which descriptors all data is printed.
 *
 *	struct strace_dump d = {0};
 *
 *	parse_dumped_fds(command, &d.reads, "3,5");	// these two; "!0": all but 0; all; none
 *	...
 *	strace_dump_free(&d);
 */
#ifndef KT_APP_CLI_STRACE_STRACE_DUMP_H
#define KT_APP_CLI_STRACE_STRACE_DUMP_H

#include <stddef.h>

#include "view/data_dump.h"

/* A set that owns its descriptors. All zeros: none. */
struct dumped_fds {
	int *fds;
	size_t n;
	bool is_inverted;
};

struct strace_dump {
	struct dumped_fds reads, writes;
	struct kt_data_dumps dumps; /* the same, set by strace_dump_end() */
};

/* Replaces a set. Returns the exit status; errors are reported. */
int parse_dumped_fds(const char *command, struct dumped_fds *set, const char *text);

/* Returns what is printed, valid as long as d is; NULL: nothing. */
const struct kt_data_dumps *strace_dump_end(struct strace_dump *d);

void strace_dump_free(struct strace_dump *d);

#endif
