/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wakeup from BPF programs, instead of polling a map.
 *
 *	struct kt_wakeup *w = kt_wakeup_new(&err);
 *
 *	kt_emit_trigger_prog(a, r, kt_wakeup_map(w), event);	// a program wakes us
 *	...
 *	poll(&(struct pollfd){kt_wakeup_fd(w), POLLIN, 0}, 1, -1);
 *	kt_wakeup_clear(w);
 *	check();
 *
 * Who clears before checking misses nothing: a later wakeup makes the descriptor readable again.
 */
#ifndef KT_HOOK_WAKEUP_H
#define KT_HOOK_WAKEUP_H

struct kt_error;
struct kt_wakeup;

/* Creates a wakeup; it takes some pages of memory. Returns NULL on error. */
struct kt_wakeup *kt_wakeup_new(struct kt_error *err);
void kt_wakeup_free(struct kt_wakeup *w);

/* Returns the BPF ring buffer to which any output wakes us. It remains the wakeup's. */
int kt_wakeup_map(const struct kt_wakeup *w);

/*
 * Returns a descriptor that is readable from a wakeup until kt_wakeup_clear(). It remains the
 * wakeup's.
 */
int kt_wakeup_fd(const struct kt_wakeup *w);

/* Discards pending wakeups, without a system call. */
void kt_wakeup_clear(struct kt_wakeup *w);

#endif
