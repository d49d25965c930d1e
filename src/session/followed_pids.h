/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that a session follows: those that were added, and everything they fork, from its
 * start, whatever happens to parents, groups or names.
 *
 *	struct kt_followed_pids *f = kt_followed_pids_new(tracefs, btf, &err);
 *
 *	r.followed = kt_followed_pids_fd(f);		// programs made with this follow them
 *	...
 *	if (fork() == 0) {
 *		kt_followed_pids_add_self(f, &err);	// followed from here on
 *		execv(path, argv);
 *	}
 *
 * Costs half a MiB of memory, and a program of 30 instructions at every fork on the machine.
 */
#ifndef KT_SESSION_FOLLOWED_PIDS_H
#define KT_SESSION_FOLLOWED_PIDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct kt_btf;
struct kt_error;
struct kt_followed_pids;

/*
 * Creates an empty set. Forks are seen by a tp_btf program; if the kernel has no BTF, or btf is
 * NULL, by a tracepoint program for the event that is read from tracefs, which takes 60 ms to free.
 * Returns NULL on error.
 */
struct kt_followed_pids *kt_followed_pids_new(int tracefs, struct kt_btf *btf,
					      struct kt_error *err);
void kt_followed_pids_free(struct kt_followed_pids *f);

/*
 * Returns the map described in generate/fork_tracking.h, which remains f's. Programs that use it
 * keep it alive.
 */
int kt_followed_pids_fd(const struct kt_followed_pids *f);

/* Stores the kernel's number of the calling process. Returns 0 or -errno. */
int kt_followed_pids_self(const struct kt_followed_pids *f, uint32_t *self, struct kt_error *err);

/*
 * Follows the calling process, which may be a child of the one that made f, and has just started:
 * only its first thread is known as a target (generate/fork_tracking.h). Returns 0 or -errno.
 */
int kt_followed_pids_add_self(struct kt_followed_pids *f, struct kt_error *err);

/*
 * Follows a process with its threads. The caller must know that it is running, and still has that
 * number afterwards. Returns 0 or -errno: -EOPNOTSUPP outside of the initial PID namespace, where
 * numbers are not the kernel's; -ESRCH for what cannot be a process's number; -ENOENT if there is
 * no such process.
 */
int kt_followed_pids_add(struct kt_followed_pids *f, pid_t pid, struct kt_error *err);

/*
 * Returns whether a process or thread of that number is followed at present. Takes no system call.
 */
bool kt_followed_pids_has(const struct kt_followed_pids *f, uint32_t task);

/*
 * Returns the forks of all processes that the kernel did not report: what they made is not
 * followed. A tracepoint program misses a fork while another program is running on that CPU, which
 * kernels before 6.7 do not count; a tp_btf program misses none. Takes one system call.
 */
uint64_t kt_followed_pids_missed(const struct kt_followed_pids *f);

#endif
