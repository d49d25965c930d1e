/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points that a pattern adds to the names of events, by their indices there.
 *
 *	struct kt_point_matches m = {};
 *
 *	kt_point_matches_add(&m, names, full, &point, &err);
 *	free(m.at);
 */
#ifndef KT_FILTER_POINT_MATCHES_H
#define KT_FILTER_POINT_MATCHES_H

#include <stddef.h>

#include "events/event_names.h"

struct kt_error;
struct kt_point;

/* Indices of names, which the caller frees. */
struct kt_point_matches {
	size_t n;
	size_t *at;
};

/*
 * Adds a point to names, and its index. Characters of the name that are not ASCII become '?', as
 * all names of events are ASCII. Returns 0 or -errno, as kt_event_names_add().
 */
int kt_point_matches_add(struct kt_point_matches *m, struct kt_event_names *names,
			 struct kt_event_name name, const struct kt_point *point,
			 struct kt_error *err);

#endif
