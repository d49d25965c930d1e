/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that a flight is focused on, where it is (generate/pid_filter_check.h, doc/flight.md):
 * two places for them, of which the gate says which holds.
 *
 *	struct kt_pid_filter *f = kt_pid_filter_new(&err);
 *
 *	r.focus = kt_pid_filter_fd(f);		// programs made with this look at them
 *	kt_pid_filter_pin(f, dir, &err);
 *	...
 *	kt_pid_filter_put(f, 1, &tids, dir, &err);	// and now the gate can be switched to them
 *	...
 *	kt_pid_filter_drop(f, 0, dir, &err);
 */
#ifndef KT_SESSION_PID_FILTER_H
#define KT_SESSION_PID_FILTER_H

#include <stdbool.h>

struct kt_error;
struct kt_pid_filter;
struct kt_tid_bitmap;

/* Nobody is in either place. On error NULL. */
struct kt_pid_filter *kt_pid_filter_new(struct kt_error *err);

/* That which kt_pid_filter_pin has left in a directory (hook/bpffs.h). On error NULL. */
struct kt_pid_filter *kt_pid_filter_from(int dir, struct kt_error *err);
void kt_pid_filter_free(struct kt_pid_filter *f);

/* The map. It remains the focus's; programs that use it keep it alive. */
int kt_pid_filter_fd(const struct kt_pid_filter *f);

/* As "focus". 0 or -errno. */
int kt_pid_filter_pin(const struct kt_pid_filter *f, int dir, struct kt_error *err);

/*
 * Puts them there, and pins them as "tids0" or "tids1", in place of what was; they remain the
 * caller's, too. Some 10 ms, as the kernel waits for programs that look. 0 or -errno.
 */
int kt_pid_filter_put(const struct kt_pid_filter *f, bool second, const struct kt_tid_bitmap *tids,
		      int dir, struct kt_error *err);

/* Those that were put there; to be freed. 0 or -errno. */
int kt_pid_filter_get(bool second, struct kt_tid_bitmap *tids, int dir, struct kt_error *err);

/* Nobody is there then; it is well if nobody was. 0 or -errno. */
int kt_pid_filter_drop(const struct kt_pid_filter *f, bool second, int dir, struct kt_error *err);

#endif
