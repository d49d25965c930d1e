/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The info of a flight recorder: what it tells later processes about itself (doc/flight.md), a JSON
 * object in a pinned BPF map.
 *
 *	struct kt_flight_info info = {.version = "0.1.0", .command = "ktrace start"};
 *
 *	kt_flight_info_pin(&info, dir, &err);
 *	...
 *	kt_flight_info_read(&info, 0, dir, &err);
 *	puts(info.command);
 *	kt_flight_info_clear(&info);
 *
 * The info of the start always exists. When filters are changed later, another one is pinned with a
 * number; the enable word's state says which is valid (session/enable_word.h).
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
struct kt_event_reader;
struct kt_point;

/* Pin of the info of the start; the pins of later infos have their number appended. */
#define KT_FLIGHT_INFO "info"

struct kt_flight_info_event {
	const char *system, *name;
	const char *filter;  /* as typed, or NULL */
	const char *calls;   /* the part of it that marks calls (events/filter.h), or NULL */
	const char *others;  /* the rest of it, or NULL */
	const char *trigger; /* the trigger's filter, as typed; or NULL */
	bool is_trigger;
	bool extra; /* its records have fields that the kernel's lack (kt_event_has_added) */
	bool paths; /* including paths of descriptors */
	bool no_data;
	unsigned int stacks; /* kinds (bpf/callstacks.h) */
	enum kt_channel channel;
	const struct kt_point *point; /* of an event that is not at a tracepoint; or NULL */
};

struct kt_flight_info {
	uint16_t number;     /* 0: the start's */
	const char *version; /* of the ktrace that started it */
	const char *command; /* command line */
	uint64_t uid, pid;   /* of the user and process that started it */
	uint64_t began;      /* ns of CLOCK_MONOTONIC */
	uint64_t began_1970; /* ns since 1970, by the time of day at the start */
	struct kt_geometry geometry;
	uint64_t bytes_max; /* maximum bytes of pointed-to data (events/curated.h) */
	bool has_rare;      /* it has rare-event rings */
	const struct kt_flight_info_event *events; /* by index */
	size_t n_events;

	struct json_object *json; /* the object that was read, which owns the texts; or NULL */
};

/* Describes an event of a session, which owns the texts. */
struct kt_flight_info_event kt_flight_info_describe(const struct kt_event *event);

/*
 * Returns the entry that marks the calls whose returns event i records; n_events if there is none.
 */
size_t kt_flight_info_find_entry(const struct kt_flight_info *info, size_t i);

/* Writes the info to a new map and pins it by its number (hook/bpffs.h). Returns 0 or -errno. */
int kt_flight_info_pin(const struct kt_flight_info *info, int dir, struct kt_error *err);

/*
 * Reads the info of that number. Returns 0; or -errno with nothing to clear: -ENOENT if there is
 * none; -EPROTO for what no ktrace has written, or a newer layout.
 */
int kt_flight_info_read(struct kt_flight_info *info, uint16_t number, int dir,
			struct kt_error *err);

/* Removes the infos with other numbers than these. Returns 0 or -errno. */
int kt_flight_info_drop_others(const uint16_t *numbers, size_t n, int dir, struct kt_error *err);

/*
 * Reads an event as it was when the flight was started. The layout of its records is the kernel's,
 * and constant until reboot, except for added fields. A system call's event with such fields is
 * curated. The caller frees it. Returns NULL on error.
 */
struct kt_event *kt_flight_info_read_event(const struct kt_flight_info *info, size_t i,
					   struct kt_event_reader *reader, struct kt_btf *btf,
					   struct kt_error *err);

/*
 * Returns by how many ns the time of day was set since the start, forward or back; 0 if less than a
 * millisecond, the accuracy of the comparison.
 */
int64_t kt_flight_info_clock_change(const struct kt_flight_info *info);

/* Frees what was read; all zeros, too. */
void kt_flight_info_clear(struct kt_flight_info *info);

#endif
