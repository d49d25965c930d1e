/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that a session looks at: those that were added, and from birth on everything that
 * they fork, whatever becomes of parents, groups or names.
 *
 *	struct kt_followed_pids *f = kt_followed_pids_new(tracefs, btf, &err);
 *
 *	r.followed = kt_followed_pids_fd(f);		// programs made with this look at them
 *alone
 *	...
 *	if (fork() == 0) {
 *		kt_followed_pids_add_self(f, &err);	// from here on
 *		execv(path, argv);
 *	}
 *
 * Costs half a MiB of memory, and a run of 30 instructions at every fork on the machine.
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
 * Nobody yet. Forks are seen by a tp_btf; where the kernel does not tell its types, or btf is NULL,
 * by a tracepoint program, for the event that is read from tracefs: 60 ms to free. On error NULL.
 */
struct kt_followed_pids *kt_followed_pids_new(int tracefs, struct kt_btf *btf,
					      struct kt_error *err);
void kt_followed_pids_free(struct kt_followed_pids *f);

/*
 * The map that generate/fork_tracking.h describes. It remains f's; programs that use it keep it
 * alive.
 */
int kt_followed_pids_fd(const struct kt_followed_pids *f);

/* The kernel's number of the calling process. 0 or -errno. */
int kt_followed_pids_self(const struct kt_followed_pids *f, uint32_t *self, struct kt_error *err);

/*
 * That process, which may be a child of that which made f, and has just begun: of its threads it
 * is the first alone that is known as a target (generate/fork_tracking.h). 0 or -errno.
 */
int kt_followed_pids_add_self(struct kt_followed_pids *f, struct kt_error *err);

/*
 * That process and its threads, by its number. Whether it runs, and with that number still once
 * this is done, is for the caller to know. -EOPNOTSUPP outside the first pid namespace, where
 * numbers are not those of the kernel; -ESRCH for what is no process's number; -ENOENT for one that
 * is not there.
 */
int kt_followed_pids_add(struct kt_followed_pids *f, pid_t pid, struct kt_error *err);

/* Whether a process, or a thread, of that number is followed at the moment. No system call. */
bool kt_followed_pids_has(const struct kt_followed_pids *f, uint32_t task);

/*
 * Forks, of anybody, that the kernel did not tell us of: what they made is not followed. A
 * tracepoint program may miss them, while another one runs on that CPU, which kernels before 6.7
 * do not count; a tp_btf none. One system call.
 */
uint64_t kt_followed_pids_missed(const struct kt_followed_pids *f);

#endif
