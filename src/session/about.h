/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight says of itself to every later ktrace (doc/flight.md): one JSON object in a BPF map.
 *
 *	struct kt_about about = {.version = "0.1.0", .command = "ktrace start", .began = began};
 *	struct kt_map map;
 *
 *	kt_about_write(&about, events, n, &map, &err);	// a map, to be pinned
 *	...
 *	kt_about_read(&about, fd, &err);
 *	puts(about.command);
 *	kt_about_clear(&about);
 */
#ifndef KT_SESSION_ABOUT_H
#define KT_SESSION_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/layout.h"

struct json_object;
struct kt_error;
struct kt_event;
struct kt_map;

struct kt_about_event {
	const char *system, *name;
	const char *filter;  /* as it was written, or NULL */
	const char *trigger; /* likewise, of one that freezes only where it is true */
	bool freezes;
	enum kt_channel channel;
};

struct kt_about {
	const char *version; /* of the ktrace that started it */
	const char *command; /* line */
	uint64_t uid, pid;   /* who that was */
	uint64_t began;      /* ns of CLOCK_MONOTONIC */
	uint64_t began_1970; /* ns since 1970, by the clock as it was set then */
	struct kt_geometry geometry;
	bool keeps;                          /* it has rings of the kept channel */
	const struct kt_about_event *events; /* by index */
	size_t n_events;

	struct json_object *json; /* what was read, which has the texts; NULL: nothing was */
};

/*
 * Into a new map, for the caller to free, with those events in place of about's own. 0 or -ENOMEM
 * and what kt_map_make says.
 */
int kt_about_write(const struct kt_about *about, const struct kt_event *const *events, size_t n,
		   struct kt_map *map, struct kt_error *err);

/*
 * From a map, whose descriptor it takes. -EPROTO for what no ktrace has written, or one whose
 * layout this one does not know. On error there is nothing to clear.
 */
int kt_about_read(struct kt_about *about, int fd, struct kt_error *err);

/*
 * An event as it was when the flight was started: what its records look like is the kernel's, and
 * the same until the next boot. For the caller to free; on error NULL.
 */
struct kt_event *kt_about_read_event(const struct kt_about *about, size_t i, int tracefs,
				     struct kt_error *err);

/* What was read. Also one that is zero. */
void kt_about_clear(struct kt_about *about);

#endif
