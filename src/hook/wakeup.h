/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs wake us by, so that we need not look again and again.
 *
 *	struct kt_wakeup *w = kt_wakeup_new(&err);
 *
 *	kt_emit_trigger_prog(a, r, kt_wakeup_map(w), event);	// a program does
 *	...
 *	poll(&(struct pollfd){kt_wakeup_fd(w), POLLIN, 0}, 1, -1);
 *	kt_wakeup_clear(w);
 *	look();
 *
 * Whoever looks after clearing misses nothing: what comes meanwhile wakes him again.
 */
#ifndef KT_HOOK_WAKEUP_H
#define KT_HOOK_WAKEUP_H

struct kt_error;
struct kt_wakeup;

/* Memory: some pages. On error NULL. */
struct kt_wakeup *kt_wakeup_new(struct kt_error *err);
void kt_wakeup_free(struct kt_wakeup *w);

/* A BPF ring buffer: a program wakes us by any output to it. It remains the wakeup's. */
int kt_wakeup_map(const struct kt_wakeup *w);

/* To be polled: readable once there was one, until it is cleared. It remains the wakeup's. */
int kt_wakeup_fd(const struct kt_wakeup *w);

/* No system call. */
void kt_wakeup_clear(struct kt_wakeup *w);

#endif
