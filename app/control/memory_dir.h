/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that have no name anywhere, and go with the process.
 *
 *	int dir = memory_for(flight, &err);
 *
 *	ret = memory_error(write_files_in(dir, &err), &err);
 *	close(dir);
 */
#ifndef KT_APP_CONTROL_MEMORY_DIR_H
#define KT_APP_CONTROL_MEMORY_DIR_H

#include <stdint.h>

struct kt_error;
struct kt_flight;

/*
 * Makes a directory in memory that no other process can enter, and that is gone once nothing in it
 * is open. It has room for half of the machine's memory, or for a trace of what a flight's rings
 * hold, and 64 MiB more. Returns a descriptor, which the caller closes, or -errno.
 */
int memory_dir_new(struct kt_error *err);
int memory_dir_for_flight(const struct kt_flight *f, struct kt_error *err);

/* Returns the bytes that a flight's rings hold at most. */
uint64_t memory_dir_ring_bytes(const struct kt_flight *f);

/* What went wrong with files there: no space is no memory. */
int memory_dir_error(int ret, struct kt_error *err);

#endif
