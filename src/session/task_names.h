/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of tasks: of those that exist, of each that starts, and each new name, as by execve(2);
 * and which of them are followed.
 *
 *	// from here on none is missed
 *	struct kt_task_names *t = kt_task_names_new(btf, NULL, true, &err);
 *
 *	kt_task_names_find(t, 0, &err);				// those that existed before
 *	...
 *	while (kt_task_names_consume(t, &names, &n, &err) == 0)	// now and then: what has come
 *		for (i = 0; i < n; i++)
 *			if (!names[i].lost)
 *				printf("%u is %s\n", names[i].tid, names[i].comm);
 *	kt_task_names_free(t);
 *
 * or, in another process that needs the names up to now:
 *
 *	kt_task_names_log_ends(t, btf, &err);			// in the first process
 *	...
 *	kt_task_names_pin(t, dir, &err);
 *	...
 *	t = kt_task_names_open(dir, began, &err);		// in the other, by the pins
 *	kt_task_names_consume(t, &names, &n, &err);		// names since `began`
 *
 * Costs a ring (session/task_name_ring.h), and programs at the start and renaming of tasks.
 */
#ifndef KT_SESSION_TASK_NAMES_H
#define KT_SESSION_TASK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "handlers/task_name_prog.h"

struct kt_btf;
struct kt_error;
struct kt_followed_pids;
struct kt_task_names;

/*
 * Logs the names of all tasks, or of followed ones and those that this process starts. followed, if
 * any, must outlive it. Returns NULL on error: ENOENT and others if the kernel has no BTF.
 */
struct kt_task_names *kt_task_names_new(struct kt_btf *btf, const struct kt_followed_pids *followed,
					bool all, struct kt_error *err);
void kt_task_names_free(struct kt_task_names *t);

/*
 * Logs the last names of tasks that end, too, for later readers, by a third program. Returns 0 or
 * -errno.
 */
int kt_task_names_log_ends(struct kt_task_names *t, struct kt_btf *btf, struct kt_error *err);

/* Returns the map of the ring, which remains t's. */
int kt_task_names_fd(const struct kt_task_names *t);

/*
 * Opens the names that another process logs, with ends at least since that time, by the ring's map;
 * takes ownership of fd. The first names are all since then, or as far back as the ring goes
 * (session/task_name_history.h). No task is marked as followed. Returns NULL on error; EPROTO for
 * another map.
 */
struct kt_task_names *kt_task_names_from(int fd, uint64_t began, struct kt_error *err);

/*
 * Pins the ring and the programs in the subdirectory "tasks" of dir: logging continues when t is
 * freed. Returns 0; or -errno, with some pins left.
 */
int kt_task_names_pin(struct kt_task_names *t, int dir, struct kt_error *err);

/*
 * Opens the pinned names, as kt_task_names_from(). Returns NULL on error; ENOENT if nothing is
 * pinned.
 */
struct kt_task_names *kt_task_names_open(int dir, uint64_t began, struct kt_error *err);

/*
 * Adds the present names of one process or (0) of all, with whether they are followed; about 15 µs
 * each. Adds nothing in a container, where numbers are not the kernel's. Returns 0 or -ENOMEM.
 */
int kt_task_names_find(struct kt_task_names *t, pid_t pid, struct kt_error *err);

/*
 * Gets the entries since the last call, in order of time, valid until the next call. An entry whose
 * `lost` is not 0 names no task: that many are missing there. An entry that was being written on
 * another CPU may come next time, some µs too late for its place. Takes no system call. Returns 0
 * or -ENOMEM.
 */
int kt_task_names_consume(struct kt_task_names *t, const struct kt_task_name **entries, size_t *n,
			  struct kt_error *err);

#endif
