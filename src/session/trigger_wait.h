/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for hits of triggers, without recording anything: doc/flight.md.
 *
 *	struct kt_trigger_wait *w = kt_trigger_wait_new(1, &err);
 *
 *	event->trigger = filter;			// or all of its hits
 *	kt_trigger_wait_add(w, event, &err);
 *	kt_trigger_wait_arm(w);
 *	for (;;) {
 *		poll(&(struct pollfd){kt_trigger_wait_fd(w), POLLIN, 0}, 1, 1000);
 *		hit = kt_trigger_wait_hit(w);
 *		if (!hit.at)
 *			continue;
 *		kt_trigger_wait_arm(w);
 *		do_what_is_to_be_done_after_every_hit();
 *	}
 *
 * What is done after arming is so for the hit that is known, and for all that came until then: none
 * is missed, whenever it comes, but those that the kernel keeps back from programs.
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

/* For max events. On error NULL. */
struct kt_trigger_wait *kt_trigger_wait_new(size_t max, struct kt_error *err);

/* Detaches all; its events are freed. */
void kt_trigger_wait_free(struct kt_trigger_wait *w);

/*
 * From here on system calls are watched by their numbers (hook/syscall_dispatch.h), with what their
 * arguments point to. Both must outlive the watch. 0 or -errno.
 */
int kt_trigger_wait_dispatch_calls(struct kt_trigger_wait *w, int tracefs, struct kt_btf *btf,
				   struct kt_error *err);

/*
 * Makes, loads and attaches the event's program: some 0.5 ms. The event is the watch's then, and
 * has the next index. 0; or -errno, and it remains the caller's: -ENOSPC where there are max.
 */
int kt_trigger_wait_add(struct kt_trigger_wait *w, struct kt_event *event, struct kt_error *err);

size_t kt_trigger_wait_count(const struct kt_trigger_wait *w);
const struct kt_event *kt_trigger_wait_event(const struct kt_trigger_wait *w, size_t event);

/* From here on the first hit is known; one before is not any more. */
void kt_trigger_wait_arm(struct kt_trigger_wait *w);

/*
 * To be polled: readable where it has been hit since kt_trigger_wait_hit was called. It may,
 * rarely, be so again for a hit that was known before the program had done telling it (.at is 0
 * then, where it was armed meanwhile), and stay silent after hits within an NMI: whoever polls is
 * to ask now and then. It remains the watch's.
 */
int kt_trigger_wait_fd(const struct kt_trigger_wait *w);

/* The first hit of all since it was armed. No system call. */
struct kt_trigger_hit kt_trigger_wait_hit(struct kt_trigger_wait *w);

/* Hits since it was armed first, of the trigger or not, that the kernel did not give to programs.
 */
uint64_t kt_trigger_wait_missed(const struct kt_trigger_wait *w);

#endif
