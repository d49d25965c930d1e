/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories in memory without a name, which are freed with the process.
 *
 *	int dir = memory_dir_for_flight(flight, &err);
 *
 *	ret = memory_dir_error(write_files_in(dir, &err), &err);
 *	close(dir);
 */
#ifndef KT_APP_CONTROL_MEMORY_DIR_H
#define KT_APP_CONTROL_MEMORY_DIR_H

#include <stdint.h>

struct kt_error;
struct kt_flight;

/*
 * Create a directory in memory that no other process can enter, freed when no file in it is open.
 * Its limit is half of the machine's memory, or a trace of what a flight's rings hold and 64 MiB.
 * Return a descriptor, which the caller closes, or -errno.
 */
int memory_dir_new(struct kt_error *err);
int memory_dir_for_flight(const struct kt_flight *f, struct kt_error *err);

/* Returns the bytes that a flight's rings hold at most. */
uint64_t memory_dir_ring_bytes(const struct kt_flight *f);

/* Rewrites an error of files there: no space means no memory. */
int memory_dir_error(int ret, struct kt_error *err);

#endif
