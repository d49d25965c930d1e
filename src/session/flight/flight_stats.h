/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flight has come to since it began or was reset, while it goes on: what was hit, what of it
 * its rings hold, and since when.
 *
 *	struct kt_flight_stats g;
 *
 *	if (kt_flight_stats_read(&g, flight, &err) == 0) {
 *		printf("%lu of %lu\n", kt_flight_stats_held(&g),
 *kt_flight_stats_sum(&g).tally.hits); kt_flight_stats_clear(&g);
 *	}
 *
 * Recording does not stop for it: figures of one CPU are of about the same moment, those of several
 * are read one after the other. Costs some microseconds for each event, and no figure of
 * the flight.
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
	struct kt_counters tally; /* of all CPUs */
	uint64_t missed;          /* hits that the kernel kept back; they are not in the tally */
	bool is_enabled;          /* hits are recorded now */
	bool is_broken;           /* or should be: somebody has removed what records them */
	uint64_t switched;        /* ns ago that became so; 0: it has been so since it began */
};

/* How a flight is frozen by its triggers (session/enable_word.h). */
struct kt_flight_stats_freezing {
	bool can;       /* it has some; else the rest is 0 */
	uint64_t after; /* ns that it goes on behind the first hit */
	bool is_hit;    /* one was */
	bool is_frozen; /* since then, or that long ago */
	uint64_t hit;   /* ns ago */
	uint64_t rest;  /* ns until it freezes, or ago that it did */
	size_t event;   /* by which; n_events: it is not known yet */
};

/* Whether nothing is recorded, whatever is enabled (session/flight/flight_control.h). */
struct kt_flight_stats_pause {
	bool is_paused;
	uint64_t since; /* ns ago; 0 where it is not */
};

/* The rings of a channel that are written now. */
struct kt_flight_stats_channel {
	size_t n_rings;     /* CPUs that have one; 0: there is no such channel */
	size_t n_spare;     /* that are not written */
	uint64_t ring_size; /* bytes of each */
	uint64_t held;      /* records in them */
	uint64_t bytes;     /* that these take, with heads, of n_rings * ring_size */
	uint64_t span;      /* ns: each ring holds all of so long until its end */
	bool is_whole;      /* nothing was overwritten since they are written */
};

struct kt_flight_stats {
	uint64_t age;      /* ns that it has been going on */
	int64_t clock_set; /* by so many ns the time of day was set since it began */
	uint64_t counted;  /* ns that its figures are of: its age, or ago it was reset */
	bool is_reset;     /* the latter */
	uint64_t memory;   /* bytes of all that is pinned */

	/*
	 * Where the records of this time are, which are hits - lost, and of which the channels
	 * hold some. Some rest: they were turned away from to be taken, which is just being done,
	 * or whoever did so was killed.
	 */
	uint64_t overwritten; /* by newer ones */
	uint64_t resting;     /* in the others, for the next one to take them */
	uint64_t taken;       /* out of them */

	/* Of the rings that are written now, which end where they froze or were paused, or now. */
	struct kt_flight_stats_freezing freezing;
	struct kt_flight_stats_pause pause;

	uint32_t *focus; /* the tasks that alone are recorded (session/flight/flight_control.h) */
	size_t n_focus;  /* 0: all are */

	uint64_t since;      /* ns ago the last were turned away from, or it began, or was reset */
	bool is_first;       /* one of the latter, and no turn was made */
	uint64_t per_second; /* tenths: the records that are held, in the time that they are of */

	struct kt_flight_stats_channel channels[KT_CHANNELS];
	struct kt_flight_stats_event *events; /* by index */
	size_t n_events;
};

/*
 * For kt_flight_stats_clear. -ESTALE: it has been removed meanwhile; -EAGAIN: it was turned, or its
 * filters were changed, and it is to be opened once more. -ENOMEM.
 */
int kt_flight_stats_read(struct kt_flight_stats *g, const struct kt_flight *f,
			 struct kt_error *err);
void kt_flight_stats_clear(struct kt_flight_stats *g);

/* Whether hits of events that are enabled are recorded now: it is neither frozen nor paused. */
bool kt_flight_stats_is_on(const struct kt_flight *f);

/* In the rings of all channels. */
uint64_t kt_flight_stats_held(const struct kt_flight_stats *g);

/* Of all events. */
struct kt_flight_stats_event kt_flight_stats_sum(const struct kt_flight_stats *g);

#endif
