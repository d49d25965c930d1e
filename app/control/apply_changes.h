/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was switched of a flight is made so (session/flight/flight_control.h), and it is said what
 * came of it.
 *
 *	kt_flight_control_disable(kt_flight_get_control(f), event);
 *	status = commit("disable", f);
 *
 * or, of a command that is no more than that:
 *
 *	status = commit_by_name("pause", name, kt_flight_control_pause);
 */
#ifndef KT_APP_CONTROL_APPLY_CHANGES_H
#define KT_APP_CONTROL_APPLY_CHANGES_H

struct kt_flight;
struct kt_flight_control;

/* Of one that is held. Returns the exit status. */
int apply_changes(const char *command, struct kt_flight *f);

/* Of the one of that name, which is held for it. */
int apply_change_by_name(const char *command, const char *name,
			 void prepare(struct kt_flight_control *s));

#endif
