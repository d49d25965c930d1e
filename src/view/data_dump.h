/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the data that a call read from or wrote to a chosen descriptor, as strace's -e read= and
 * -e write= do, after the call's line:
 *
 *	write(1, "hello\n", 6) = 6
 *	 | 00000  68 65 6c 6c 6f 0a                                 hello.           |
 */
#ifndef KT_VIEW_DATA_DUMP_H
#define KT_VIEW_DATA_DUMP_H

#include <stdbool.h>
#include <stddef.h>

struct kt_call;
struct kt_hit;
struct kt_text;

/* Some descriptors, or all but some. All zeros: none. */
struct kt_fd_set {
	const int *fds;
	size_t n;
	bool is_inverted;
};

bool kt_fd_set_has(const struct kt_fd_set *set, int fd);

/* The descriptors whose data is printed. */
struct kt_data_dumps {
	struct kt_fd_set reads, writes;
};

/*
 * Prints the data of a call that returned, as far as the trace has it; nothing if the call failed,
 * reads and writes no data, or its descriptor is not chosen. A line says if the data was cut when
 * it was recorded. The call's entry must be known.
 */
void kt_data_dump_put(struct kt_text *t, const struct kt_data_dumps *dumps,
		      const struct kt_call *call, const struct kt_hit *exit);

#endif
