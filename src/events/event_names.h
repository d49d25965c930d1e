/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of events: all tracepoints of a kernel, or some, sorted by system, then by event, each
 * once; then points (events/point.h) that were added.
 *
 *	struct kt_event_names *names = kt_event_names_read(tracefs, &err);
 *	const struct kt_event_name *name;
 *
 *	for (i = 0; i < kt_event_names_count(names); i++) {
 *		name = kt_event_names_at(names, i);
 *		printf("%s:%s\n", name->system, name->event);
 *	}
 *	kt_event_names_free(names);
 *
 * They are read from available_events in tracefs; some 2000 names take about 1 ms.
 */
#ifndef KT_EVENTS_EVENT_NAMES_H
#define KT_EVENTS_EVENT_NAMES_H

#include <stddef.h>

struct kt_error;
struct kt_event_names;
struct kt_point;

/* Maximum bytes of SYSTEM:EVENT with its NUL. */
enum { KT_EVENT_NAME_MAX = 1024 };

struct kt_event_name {
	const char *system;
	const char *event;
};

/*
 * Makes a list of given names, in their order. For error messages, `there` says where the names
 * come from (" in session 'flight'") and `lister` which command lists them. All arguments must
 * outlive the result. Returns NULL on error.
 */
struct kt_event_names *kt_event_names_of(const struct kt_event_name *names, size_t n,
					 const char *there, const char *lister,
					 struct kt_error *err);

/*
 * Reads the names of all tracepoints; tracefs is a descriptor of its root. The caller frees the
 * result. Returns NULL on error.
 */
struct kt_event_names *kt_event_names_read(int tracefs, struct kt_error *err);
void kt_event_names_free(struct kt_event_names *names);

/*
 * Adds a point's name at the end, with copies of all arguments, unless the same point is there
 * under this name; stores its index. Returns 0; -EEXIST if another point has the name;
 * -ENAMETOOLONG; or -ENOMEM.
 */
int kt_event_names_add(struct kt_event_names *names, struct kt_event_name name,
		       const struct kt_point *point, size_t *index);

/* Returns the point of the name; NULL: it is a tracepoint's. */
const struct kt_point *kt_event_names_point(const struct kt_event_names *names, size_t i);

/* Return where the names come from, "" for the running kernel; and the command that lists them. */
const char *kt_event_names_there(const struct kt_event_names *names);
const char *kt_event_names_lister(const struct kt_event_names *names);

size_t kt_event_names_count(const struct kt_event_names *names);

/* Returns the i-th name, valid as long as the list. */
const struct kt_event_name *kt_event_names_at(const struct kt_event_names *names, size_t i);

#endif
