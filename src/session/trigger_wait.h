/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for hits of triggers, without recording (doc/flight.md).
 *
 *	struct kt_trigger_wait *w = kt_trigger_wait_new(1, &err);
 *
 *	event->trigger = filter;			// or NULL: all hits
 *	kt_trigger_wait_add(w, event, &err);
 *	kt_trigger_wait_arm(w);
 *	for (;;) {
 *		poll(&(struct pollfd){kt_trigger_wait_fd(w), POLLIN, 0}, 1, 1000);
 *		hit = kt_trigger_wait_hit(w);
 *		if (!hit.at)
 *			continue;
 *		kt_trigger_wait_arm(w);
 *		handle_hit();
 *	}
 *
 * handle_hit() covers the hit that is known, and all that came before arming. No hit is missed,
 * except those that the kernel does not pass to programs.
 */
#ifndef KT_SESSION_TRIGGER_WAIT_H
#define KT_SESSION_TRIGGER_WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "session/enable_word.h"

struct kt_btf;
struct kt_error;
struct kt_event;
struct kt_trigger_wait;

/* Creates an object for at most max events. Returns NULL on error. */
struct kt_trigger_wait *kt_trigger_wait_new(size_t max, struct kt_error *err);

/* Detaches all programs and frees the events. */
void kt_trigger_wait_free(struct kt_trigger_wait *w);

/*
 * Waits for system calls by dispatch (hook/syscall_dispatch.h), with pointed-to data; tracefs and
 * btf must outlive w. Returns 0 or -errno.
 */
int kt_trigger_wait_add_dispatch(struct kt_trigger_wait *w, int tracefs, struct kt_btf *btf,
				 struct kt_error *err);

/*
 * Makes, loads and attaches the event's program in about 0.5 ms. w then owns the event, which gets
 * the next index. Returns 0; or -errno, and the event remains the caller's: -ENOSPC if there are
 * max events.
 */
int kt_trigger_wait_add(struct kt_trigger_wait *w, struct kt_event *event, struct kt_error *err);

size_t kt_trigger_wait_count(const struct kt_trigger_wait *w);
const struct kt_event *kt_trigger_wait_event(const struct kt_trigger_wait *w, size_t event);

/* Arms all triggers: forgets a previous hit, and notes the first one from here on. */
void kt_trigger_wait_arm(struct kt_trigger_wait *w);

/*
 * Returns a descriptor to poll, which remains w's: readable if a trigger was hit since the last
 * kt_trigger_wait_hit(). It may rarely be readable again for a known hit (then .at is 0 after
 * arming), and silent after a hit in an NMI: callers must also check now and then.
 */
int kt_trigger_wait_fd(const struct kt_trigger_wait *w);

/* Returns the first hit of all triggers since they were armed. Takes no system call. */
struct kt_trigger_hit kt_trigger_wait_hit(struct kt_trigger_wait *w);

/*
 * Returns the hits since the first arming, matching the trigger or not, that the kernel did not
 * pass to programs.
 */
uint64_t kt_trigger_wait_missed(const struct kt_trigger_wait *w);

#endif
