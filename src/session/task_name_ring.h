/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last namings of tasks, as programs write them (handlers/task_name_prog.h): for who reads them
 * one after the other, and is left behind if he does not.
 *
 *	struct kt_task_name_ring n;
 *
 *	kt_task_name_ring_make(&n, &err);
 *	emit.ring = n.map.fd;				// programs made with this write there
 *	...
 *	while (kt_task_name_ring_next(&n, &naming))
 *		...
 *	kt_task_name_ring_free(&n);
 *
 * or in another process, which begins with the oldest that is there:
 *
 *	kt_task_name_ring_from(&n, fd, &err);
 *
 * Costs 2 MiB, room for 32 thousand.
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
	uint64_t position; /* of the next to be read */
	uint64_t stuck;    /* how many that were left out have been found */
};

/* 0, or -errno and nothing to free. */
int kt_task_name_ring_make(struct kt_task_name_ring *n, struct kt_error *err);

/* One that there is, by its map's descriptor, which it takes: -EPROTO where it is none. */
int kt_task_name_ring_from(struct kt_task_name_ring *n, int fd, struct kt_error *err);
void kt_task_name_ring_free(struct kt_task_name_ring *n);

/*
 * The next one, in the order in which they took their places, which is that of time but for a few
 * µs; or how many are missing there, as there was no room for them. False: there is none yet, or it
 * is still being written. No system call.
 */
bool kt_task_name_ring_next(struct kt_task_name_ring *n, struct kt_task_name *naming);

/* Does not wait for the next one any longer, which is missing then. */
void kt_task_name_ring_skip(struct kt_task_name_ring *n, struct kt_task_name *naming);

/* The position that the next one to be written gets: how many there have been. */
uint64_t kt_task_name_ring_written(const struct kt_task_name_ring *n);

#endif
