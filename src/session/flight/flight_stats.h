/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of a flight recorder since its start or reset: hits, records in the rings, and times.
 *
 *	struct kt_flight_stats g;
 *
 *	if (kt_flight_stats_read(&g, flight, &err) == 0) {
 *		printf("%lu of %lu\n", kt_flight_stats_held(&g),
 *		       kt_flight_stats_sum(&g).counters.hits);
 *		kt_flight_stats_clear(&g);
 *	}
 *
 * Recording continues meanwhile: values of one CPU are of about the same moment, those of several
 * are read one after the other. Takes some µs per event, and changes nothing in the flight.
 */
#ifndef KT_SESSION_FLIGHT_FLIGHT_STATS_H
#define KT_SESSION_FLIGHT_FLIGHT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/counters.h"
#include "bpf/ring_layout.h"

struct kt_error;
struct kt_flight;

struct kt_flight_stats_event {
	struct kt_counters counters; /* of all CPUs */
	uint64_t missed;             /* hits that the kernel missed; not part of the counters */
	bool is_enabled;             /* hits are recorded now */
	bool is_broken;    /* they should be, but another process has removed the program's pins */
	uint64_t switched; /* ns since the event was enabled or disabled; 0: since the start */
};

/* State of freezing by triggers (session/enable_word.h). */
struct kt_flight_stats_freezing {
	bool can;       /* the flight has triggers; otherwise the rest is 0 */
	uint64_t after; /* ns that it continues after the first hit */
	bool is_hit;    /* a trigger was hit */
	bool is_frozen; /* and the flight is frozen */
	uint64_t hit;   /* ns ago */
	uint64_t rest;  /* ns until it freezes, or since it froze */
	size_t event;   /* index of the trigger's event; n_events: not known yet */
};

/* Whether the flight is paused (session/flight/flight_control.h). */
struct kt_flight_stats_pause {
	bool is_paused;
	uint64_t since; /* ns ago; 0 if it is not paused */
};

/* The active rings of a channel. */
struct kt_flight_stats_channel {
	size_t n_rings;     /* CPUs with a ring; 0: there is no such channel */
	size_t n_spare;     /* spare rings */
	uint64_t ring_size; /* bytes of each ring */
	uint64_t held;      /* records in the rings */
	uint64_t bytes;     /* bytes of these records, with heads; of n_rings * ring_size */
	uint64_t span;      /* ns before its end for which each ring holds everything */
	bool is_whole;      /* nothing was overwritten since they are active */
};

struct kt_flight_stats {
	uint64_t age;      /* ns since the start */
	int64_t clock_set; /* ns by which the time of day was set since the start */
	uint64_t counted;  /* ns that the statistics cover: the age, or since the reset */
	bool is_reset;     /* it was reset */
	uint64_t memory;   /* bytes of everything pinned */

	/*
	 * Where this time's records are: hits - lost = these and what the channels hold. Records
	 * are inactive while a snapshot is taken, or if the process that took it was killed.
	 */
	uint64_t overwritten; /* by newer records */
	uint64_t inactive;    /* in the inactive set, for the next snapshot */
	uint64_t consumed;    /* by snapshots */

	/* State of the active rings, which end when they froze or were paused, or now. */
	struct kt_flight_stats_freezing freezing;
	struct kt_flight_stats_pause pause;

	uint32_t *pids; /* tasks of the PID filter (session/flight/flight_control.h) */
	size_t n_pids;  /* 0: no filter */

	uint64_t since;      /* ns since the last swap, or the start, or the reset */
	bool is_first;       /* there was no swap since the start or reset */
	uint64_t per_second; /* tenths: records held, by the time they cover */

	struct kt_flight_stats_channel channels[KT_CHANNELS];
	struct kt_flight_stats_event *events; /* by index */
	size_t n_events;
};

/*
 * Reads the statistics; kt_flight_stats_clear() frees them. Returns 0 or -errno: -ESTALE if the
 * flight was removed meanwhile; -EAGAIN if buffer sets were swapped or filters changed, and the
 * flight must be opened again; -ENOMEM.
 */
int kt_flight_stats_read(struct kt_flight_stats *g, const struct kt_flight *f,
			 struct kt_error *err);
void kt_flight_stats_clear(struct kt_flight_stats *g);

/*
 * Returns whether hits of enabled events are recorded now: the flight is neither frozen nor paused.
 */
bool kt_flight_stats_is_recording(const struct kt_flight *f);

/* Returns the records in the rings of all channels. */
uint64_t kt_flight_stats_held(const struct kt_flight_stats *g);

/* Returns the sum of all events. */
struct kt_flight_stats_event kt_flight_stats_sum(const struct kt_flight_stats *g);

#endif
