/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of a flight to be recorded, or not any more, or with another filter.
 *
 *	if (toggle_on(f, which, NULL, &err) == 0)
 *		kt_flight_control_commit(kt_flight_get_control(f), &err); // nothing is so before
 */
#ifndef KT_APP_CONTROL_EVENT_ENABLE_H
#define KT_APP_CONTROL_EVENT_ENABLE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct kt_error;
struct kt_flight;

/*
 * Of one that is held; which of its events, by index. Those that are so already remain so. To be
 * ended by these signals, which are taken (app/cli/signals.h); NULL: by none. Some ms for each
 * event. 0 or -errno: -EINTR, or one of them cannot be recorded.
 */
int enable_events(struct kt_flight *f, const bool *which, const sigset_t *signals,
		  struct kt_error *err);
void disable_events(struct kt_flight *f, const bool *which);

/*
 * Of one that is held, the event of that index with this filter; NULL: without. What it freezes by
 * stays. Some ms. 0 or -errno: of these -EINVAL, where it is none of this event's.
 */
int set_event_filter(struct kt_flight *f, size_t event, const char *filter, struct kt_error *err);

#endif
