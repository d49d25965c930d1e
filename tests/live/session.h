/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions of a few events, for live tests. */
#ifndef KT_TESTS_SESSION_H
#define KT_TESTS_SESSION_H

#include <unistd.h>

#include "base/error.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/tracefs.h"
#include "filter/filter_parser.h"
#include "session/session.h"

enum { MAX_EVENTS = 4, NO_TASK = 1 << 22 }; /* above any PID */

static inline struct kt_event *read_event(const char *system, const char *event)
{
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err);
	struct kt_event *e = kt_event_read(tracefs, &(struct kt_event_name){system, event}, &err);

	if (!e)
		fail_msg("%s", err.text);
	close(tracefs);
	return e;
}

/* Returns NULL for NULL. */
static inline struct kt_filter *parse_filter(const struct kt_event *e, const char *text)
{
	struct kt_error err;
	struct kt_filter *f = text ? kt_filter_parse(e, text, &err) : NULL;

	if (text && !f)
		fail_msg("%s", err.text);
	return f;
}

static inline struct kt_session *session_of(unsigned int shift, unsigned int n_subbufs)
{
	struct kt_error err;
	struct kt_session *s =
		kt_session_new((struct kt_geometry){shift, n_subbufs}, MAX_EVENTS, NULL, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static inline void add(struct kt_session *s, const char *system, const char *event)
{
	struct kt_error err;

	if (kt_session_add(s, read_event(system, event), &err) < 0)
		fail_msg("%s", err.text);
}

static inline void follow_forks(struct kt_session *s, struct kt_btf *btf)
{
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err);

	if (kt_session_follow(s, tracefs, btf, &err) < 0)
		fail_msg("%s", err.text);
	close(tracefs);
}

#endif
