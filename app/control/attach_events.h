/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches selected events (app/cli/event_selection.h), to a session or as triggers.
 *
 *	size_t skipped = 0;
 *	int status = attach_events(session, &selection, "record", ended, NULL, &skipped);
 */
#ifndef KT_APP_CONTROL_ATTACH_EVENTS_H
#define KT_APP_CONTROL_ATTACH_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct event_selection;
struct kt_error;
struct kt_session;
struct kt_trigger_wait;

/*
 * Adds the selected events one after the other, until ended(arg) returns true. An event that cannot
 * be recorded is reported, skipped and counted. If descriptors or memory run out, that is reported
 * once, and all remaining events count as skipped; some descriptors remain for the caller. Fails if
 * rights are missing, or no event could be added. Returns the exit status; errors are reported.
 */
int attach_events(struct kt_session *s, const struct event_selection *c, const char *command,
		  bool ended(void *arg), void *arg, size_t *skipped);
int attach_trigger_events(struct kt_trigger_wait *w, const struct event_selection *c,
			  const char *command, bool ended(void *arg), void *arg, size_t *skipped);

/*
 * Makes tables for the stacks of the selected events, if there are any; a flight recorder's keep
 * them (session/callstack_tables.h). Must be called before events are added. Returns 0 or -errno.
 */
int add_stacks(struct kt_session *s, const struct event_selection *c, bool keep,
	       struct kt_error *err);

#endif
