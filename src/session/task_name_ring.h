/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring of task names that programs write (handlers/task_name_prog.h), for a reader in order. A
 * reader that is too slow misses entries.
 *
 *	struct kt_task_name_ring n;
 *
 *	kt_task_name_ring_make(&n, &err);
 *	emit.ring = n.map.fd;				// programs made with this write there
 *	...
 *	while (kt_task_name_ring_next(&n, &name))
 *		...
 *	kt_task_name_ring_free(&n);
 *
 * or, in another process, starting at the oldest entry:
 *
 *	kt_task_name_ring_from(&n, fd, &err);
 *
 * Takes 2 MiB, room for 32768 entries.
 */
#ifndef KT_SESSION_TASK_NAME_RING_H
#define KT_SESSION_TASK_NAME_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "hook/map.h"

struct kt_error;
struct kt_task_name;

struct kt_task_name_ring {
	struct kt_map map;
	uint64_t position; /* of the next entry to read */
	uint64_t stuck;    /* skipped positions found so far */
};

/* Creates a ring. Returns 0, or -errno with nothing to free. */
int kt_task_name_ring_make(struct kt_task_name_ring *n, struct kt_error *err);

/* Opens a ring by its map; takes ownership of fd. Returns 0 or -errno: -EPROTO for another map. */
int kt_task_name_ring_from(struct kt_task_name_ring *n, int fd, struct kt_error *err);
void kt_task_name_ring_free(struct kt_task_name_ring *n);

/*
 * Reads the next entry, in the order in which they took their places, which is that of time but for
 * some µs; or how many are missing there. Returns false if there is none yet, or it is being
 * written. Takes no system call.
 */
bool kt_task_name_ring_next(struct kt_task_name_ring *n, struct kt_task_name *entry);

/* Skips the next entry, which then counts as missing. */
void kt_task_name_ring_skip(struct kt_task_name_ring *n, struct kt_task_name *entry);

/* Returns the position of the next entry to be written: the number of entries so far. */
uint64_t kt_task_name_ring_written(const struct kt_task_name_ring *n);

#endif
