/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prepares enabling, disabling and filtering events of a flight.
 *
 *	if (enable_events(f, which, NULL, &err) == 0)
 *		kt_flight_control_commit(kt_flight_get_control(f), &err);	// applies it
 */
#ifndef KT_APP_CONTROL_EVENT_ENABLE_H
#define KT_APP_CONTROL_EVENT_ENABLE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct kt_error;
struct kt_flight;

/*
 * Enable and disable events of a locked flight, by index; those that already are so remain.
 * Enabling takes some ms per event, and ends at one of the signals, which must be blocked
 * (app/cli/signals.h); NULL: none. Returns 0 or -errno: -EINTR, or an event cannot be recorded.
 */
int enable_events(struct kt_flight *f, const bool *which, const sigset_t *signals,
		  struct kt_error *err);
void disable_events(struct kt_flight *f, const bool *which);

/*
 * Gives an event of a locked flight, by index, another filter; NULL: none. Its trigger's filter
 * remains. Takes some ms. Returns 0 or -errno: -EINVAL if the filter does not fit the event.
 */
int set_event_filter(struct kt_flight *f, size_t event, const char *filter, struct kt_error *err);

#endif
