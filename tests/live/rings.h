/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings and counters without a session, for programs written by tests. */
#ifndef KT_TESTS_RINGS_H
#define KT_TESTS_RINGS_H

#include "generate/reserve.h"
#include "ring/cursor.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"

struct session {
	struct kt_geometry geometry;
	bool overwrite; /* set before making programs; false by default */
	int enable;     /* the same; -1 by default */
	struct kt_counter_map *counters;
	struct kt_rings *rings;
};

static inline struct session start_rings(unsigned int shift, unsigned int n_subbufs,
					 size_t n_events)
{
	struct session s = {.geometry = {shift, n_subbufs}, .enable = -1};
	struct kt_error err;

	s.counters = kt_counter_map_new(n_events, &err);
	s.rings = kt_rings_new(s.geometry, NULL, &err);
	if (!s.counters || !s.rings || kt_rings_place(s.rings, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return s;
}

static inline void stop_rings(struct session *s)
{
	kt_rings_free(s->rings);
	kt_counter_map_free(s->counters);
}

/* Room for records of one event, of all processes, always unless there is an enable word. */
static inline struct kt_reserve room_for(const struct session *s, size_t event, size_t size)
{
	return (struct kt_reserve){
		.counters = kt_counter_map_fd(s->counters),
		.rings = kt_rings_fd(s->rings, KT_MAIN),
		.enable = s->enable,
		.followed = -1,
		.pid_filter = -1,
		.globs = -1,
		.marks = -1,
		.scratch = -1,
		.geometry = s->geometry,
		.overwrite = s->overwrite,
		.event = event,
		.size = size,
	};
}

static inline struct kt_cursor *open_cursor(const struct kt_ring *ring)
{
	struct kt_error err;
	struct kt_cursor *c = kt_cursor_new(ring, NULL, &err);

	if (!c)
		fail_msg("%s", err.text);
	return c;
}

#endif
