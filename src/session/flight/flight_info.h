/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight says of itself to every later ktrace (doc/flight.md): one JSON object in a BPF map,
 * which is pinned.
 *
 *	struct kt_flight_info about = {.version = "0.1.0", .command = "ktrace start", .began =
 *began};
 *
 *	kt_flight_info_pin(&about, dir, &err);
 *	...
 *	kt_flight_info_read(&about, 0, dir, &err);
 *	puts(about.command);
 *	kt_flight_info_clear(&about);
 *
 * The one that it began with is always there. Where filters of its events are changed later there
 * is another one, which has a number; the gate says which tells of how it is
 * (session/enable_word.h).
 */
#ifndef KT_SESSION_FLIGHT_FLIGHT_INFO_H
#define KT_SESSION_FLIGHT_FLIGHT_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"

struct json_object;
struct kt_btf;
struct kt_error;
struct kt_event;

/* The pin of the one that a flight began with. Those of others have their number behind it. */
#define KT_ABOUT "about"

struct kt_flight_info_event {
	const char *system, *name;
	const char *filter;  /* as it was written, or NULL */
	const char *calls;   /* the part of it that chooses calls (events/filter.h), or NULL */
	const char *others;  /* the rest of that one, or NULL */
	const char *trigger; /* likewise, of one that freezes only where it is true */
	bool freezes;
	bool extra; /* its records have fields that no record of the kernel's has: as
		       kt_event_has_added */
	bool paths; /* those of descriptors' files with them */
	enum kt_channel channel;
};

struct kt_flight_info {
	uint16_t number;     /* 0: as it began */
	const char *version; /* of the ktrace that started it */
	const char *command; /* line */
	uint64_t uid, pid;   /* who that was */
	uint64_t began;      /* ns of CLOCK_MONOTONIC */
	uint64_t began_1970; /* ns since 1970, by the clock as it was set then */
	struct kt_geometry geometry;
	uint64_t bytes_max; /* of what arguments of system calls point to (events/curated.h) */
	bool keeps;         /* it has rings of the kept channel */
	const struct kt_flight_info_event *events; /* by index */
	size_t n_events;

	struct json_object *json; /* what was read, which has the texts; NULL: nothing was */
};

/* Of an event that is recorded, which has the texts. */
struct kt_flight_info_event kt_flight_info_event_of(const struct kt_event *event);

/*
 * The entry that chooses the calls whose returns event i is to record; n_events: it is none of
 * those.
 */
size_t kt_flight_info_chooser(const struct kt_flight_info *about, size_t i);

/* Into a new map, which is pinned there (hook/bpffs.h) by its number. 0 or -errno. */
int kt_flight_info_pin(const struct kt_flight_info *about, int dir, struct kt_error *err);

/*
 * The one of that number. -ENOENT: there is none; -EPROTO for what no ktrace has written, or one
 * whose layout this one does not know. On error there is nothing to clear.
 */
int kt_flight_info_read(struct kt_flight_info *about, uint16_t number, int dir,
			struct kt_error *err);

/* Those with other numbers than these are there no more. 0 or -errno. */
int kt_flight_info_drop_others(const uint16_t *numbers, size_t n, int dir, struct kt_error *err);

/*
 * An event as it was when the flight was started: what its records look like is the kernel's, but
 * for such fields, and the same until the next boot. Curated is one of a system call that has such
 * fields alone. For the caller to free; on error NULL.
 */
struct kt_event *kt_flight_info_read_event(const struct kt_flight_info *about, size_t i,
					   int tracefs, struct kt_btf *btf, struct kt_error *err);

/*
 * By how many ns the time of day has been set since the flight was started, forward or back; 0
 * where it is less than a millisecond, which is how well the two clocks are read.
 */
int64_t kt_flight_info_clock_set(const struct kt_flight_info *about);

/* What was read. Also one that is zero. */
void kt_flight_info_clear(struct kt_flight_info *about);

#endif
