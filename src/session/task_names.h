/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of tasks: of those that there are, of each that begins, and each new one that a task
 * is given, as by execve(2); and which of them are followed.
 *
 *	struct kt_task_names *t = kt_task_names_new(btf, NULL, true, &err); // from here on none is
 *missed
 *
 *	kt_task_names_find(t, 0, &err);				// those that there were before
 *	...
 *	while (kt_task_names_take(t, &namings, &n, &err) == 0)	// now and then: those since
 *		for (i = 0; i < n; i++)
 *			if (!namings[i].lost)
 *				printf("%u is %s\n", namings[i].tid, namings[i].comm);
 *	kt_task_names_free(t);
 *
 * or in another process, which is to know how they were called up to now:
 *
 *	kt_task_names_tell_ends(t, btf, &err);			// in the first one
 *	...
 *	kt_task_names_pin(t, dir, &err);
 *	...
 *	t = kt_task_names_open(dir, began, &err);			// by what is pinned there
 *	kt_task_names_take(t, &namings, &n, &err);			// those since it began
 *
 * Costs what namings.h says, and two programs, which run where a task begins and where it changes
 * its name.
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
 * Of all tasks, or of those that are followed and of what this process begins. Who is followed, if
 * anybody, is to outlive it. -ENOENT and the like where the kernel does not tell its types. On
 * error NULL.
 */
struct kt_task_names *kt_task_names_new(struct kt_btf *btf, const struct kt_followed_pids *followed,
					bool all, struct kt_error *err);
void kt_task_names_free(struct kt_task_names *t);

/*
 * From here on the ring says also how those were called that have ended, for who comes later: by a
 * third program. 0 or -errno.
 */
int kt_task_names_tell_ends(struct kt_task_names *t, struct kt_btf *btf, struct kt_error *err);

/* The map with the ring of it, which remains its own. */
int kt_task_names_fd(const struct kt_task_names *t);

/*
 * Those of somebody else, which have told ends since that time at least, by the descriptor of the
 * ring, which it takes. The first that are taken are all names since then, or as far back as the
 * ring goes (session/task_name_history.h). Nobody is followed. -EPROTO where it is no ring. On
 * error NULL.
 */
struct kt_task_names *kt_task_names_from(int fd, uint64_t began, struct kt_error *err);

/*
 * Pins the ring and the programs, in the directory "tasks" of that one, so that names are told on
 * when it is freed. 0 or -errno, and some are there.
 */
int kt_task_names_pin(struct kt_task_names *t, int dir, struct kt_error *err);

/* The same as kt_task_names_from, by what was pinned there; -ENOENT where nothing was. */
struct kt_task_names *kt_task_names_open(int dir, uint64_t began, struct kt_error *err);

/*
 * Those that there are, of one process or, by 0, of all that /proc has, followed or not by now:
 * some 15 µs each. None in a container, where their numbers are not the kernel's. 0 or -ENOMEM.
 */
int kt_task_names_find(struct kt_task_names *t, pid_t pid, struct kt_error *err);

/*
 * What has come since the last time, in the order of time, and valid until the next; where its
 * member lost is not 0 it names nobody: so many that there was no room for are missing between
 * those before and behind it. One that was being written on another CPU may come at the next time,
 * a few µs too late for its place. No system call. 0 or -ENOMEM.
 */
int kt_task_names_take(struct kt_task_names *t, const struct kt_task_name **namings, size_t *n,
		       struct kt_error *err);

#endif
