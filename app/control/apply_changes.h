/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies prepared changes of a flight (session/flight/flight_control.h), and reports the result.
 *
 *	kt_flight_control_disable(kt_flight_get_control(f), event);
 *	status = apply_changes("disable", f);
 *
 * or, for a command that is no more than that:
 *
 *	status = apply_change_by_name("pause", name, kt_flight_control_pause);
 */
#ifndef KT_APP_CONTROL_APPLY_CHANGES_H
#define KT_APP_CONTROL_APPLY_CHANGES_H

struct kt_flight;
struct kt_flight_control;

/* Applies the changes of a locked flight. Returns the exit status. */
int apply_changes(const char *command, struct kt_flight *f);

/* Locks the flight of that name, prepares a change and applies it. Returns the exit status. */
int apply_change_by_name(const char *command, const char *name,
			 void prepare(struct kt_flight_control *s));

#endif
