/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PID filter of a flight recorder (generate/pid_filter_check.h, doc/flight.md): two slots for
 * sets of tasks; the enable word says which is valid.
 *
 *	struct kt_pid_filter *f = kt_pid_filter_new(&err);
 *
 *	r.pid_filter = kt_pid_filter_fd(f);		// programs made with this check it
 *	kt_pid_filter_pin(f, dir, &err);
 *	...
 *	kt_pid_filter_put(f, 1, &tids, dir, &err);	// then the enable word can select them
 *	...
 *	kt_pid_filter_drop(f, 0, dir, &err);
 */
#ifndef KT_SESSION_PID_FILTER_H
#define KT_SESSION_PID_FILTER_H

#include <stdbool.h>

struct kt_error;
struct kt_pid_filter;
struct kt_tid_bitmap;

/* Creates a filter with two empty slots. Returns NULL on error. */
struct kt_pid_filter *kt_pid_filter_new(struct kt_error *err);

/*
 * Opens the filter that kt_pid_filter_pin() left in a directory (hook/bpffs.h). Returns NULL on
 * error.
 */
struct kt_pid_filter *kt_pid_filter_from(int dir, struct kt_error *err);
void kt_pid_filter_free(struct kt_pid_filter *f);

/* Returns the BPF map, which remains the filter's. Programs that use it keep it alive. */
int kt_pid_filter_fd(const struct kt_pid_filter *f);

/* Pins the filter as "pid_filter". Returns 0 or -errno. */
int kt_pid_filter_pin(const struct kt_pid_filter *f, int dir, struct kt_error *err);

/*
 * Puts a set of tasks into a slot, and pins it as "tids0" or "tids1", in place of another. The set
 * remains the caller's. Takes about 10 ms, since the kernel waits for running programs. Returns 0
 * or -errno.
 */
int kt_pid_filter_put(const struct kt_pid_filter *f, bool second, const struct kt_tid_bitmap *tids,
		      int dir, struct kt_error *err);

/* Opens the set in a slot; the caller frees it. Returns 0 or -errno. */
int kt_pid_filter_get(bool second, struct kt_tid_bitmap *tids, int dir, struct kt_error *err);

/* Empties a slot, and removes its pin; an empty slot is not an error. Returns 0 or -errno. */
int kt_pid_filter_drop(const struct kt_pid_filter *f, bool second, int dir, struct kt_error *err);

#endif
