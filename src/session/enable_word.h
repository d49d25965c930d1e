/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The enable word of a session, with its events' enable numbers (generate/enable_check.h), as user
 * space changes it.
 *
 *	// off; every event's number is 1
 *	struct kt_enable_word *enable = kt_enable_word_new(n_events, &err);
 *
 *	r.enable = kt_enable_word_fd(enable);		// programs made with this check it
 *	...
 *	kt_enable_word_open(enable);
 *	...
 *	kt_enable_word_shut(enable);
 *	kt_rings_settle(rings);				// from here on no program writes
 *
 * or, to read what was recorded while programs continue in the other buffer set:
 *
 *	kt_enable_word_swap(enable, kt_rings_row(other), now);
 *	kt_rings_settle(rings);				// from here on none writes to `rings`
 *	kt_enable_word_settle_swap(enable, now);
 *
 * or, for programs that were made with a number:
 *
 *	to[event].number = 0;
 *	as.is_open = true;
 *	kt_enable_word_change(enable, to, as, kt_clock_now());	// disables this event
 */
#ifndef KT_SESSION_ENABLE_WORD_H
#define KT_SESSION_ENABLE_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"
#include "generate/enable_check.h"

struct kt_error;
struct kt_enable_word;

/* Creates the word: recording is off. Returns NULL on error. */
struct kt_enable_word *kt_enable_word_new(size_t n_events, struct kt_error *err);

/*
 * Opens the word of an existing map for at least n_events events; takes ownership of fd. Returns
 * NULL on error; EPROTO for another map.
 */
struct kt_enable_word *kt_enable_word_from(int fd, size_t n_events, struct kt_error *err);
void kt_enable_word_free(struct kt_enable_word *g);

/* Returns the BPF map, which remains the word's. Programs that use it keep it alive. */
int kt_enable_word_fd(const struct kt_enable_word *g);

/*
 * Switch recording on or off for every later hit, by one store. Programs that have passed the check
 * continue. The state that kt_enable_word_state() reports is unchanged.
 */
void kt_enable_word_open(struct kt_enable_word *g);
void kt_enable_word_shut(struct kt_enable_word *g);

/*
 * Invalidates the marks of calls that filters chose (generate/syscall_filter_marks.h), for calls
 * that have not returned: their threads may be in other calls, whose entries were missed. Must be
 * called before recording is switched on again, and after a frozen buffer set.
 */
void kt_enable_word_change_mark(struct kt_enable_word *g);

/* State of recording: as it was before the first program was made, or since the last change. */
struct kt_enable_state {
	bool is_open;
	bool has_pid_filter; /* only hits of some tasks are recorded (session/pid_filter.h) */
	uint16_t info;       /* number of the flight's info that describes its events
				 (session/flight/flight_info.h) */
	uint64_t since;      /* since when, in ns of CLOCK_MONOTONIC; 0: since the word was made */
};

struct kt_enable_state kt_enable_word_state(const struct kt_enable_word *g);

/*
 * Swaps buffer sets (doc/ring.md): programs use these rows from now on, by one store. Set 0 comes
 * first. Recording remains on or off; the new set is not frozen. If the old set would freeze later
 * than now, the new one does instead. When no program writes to the old set any more,
 * kt_enable_word_settle_swap() must follow: a trigger may have been hit there meanwhile.
 * kt_enable_word_row() returns the present row.
 */
void kt_enable_word_swap(struct kt_enable_word *g, uint32_t row, uint64_t now);
void kt_enable_word_settle_swap(struct kt_enable_word *g, uint64_t swapped);
uint32_t kt_enable_word_row(const struct kt_enable_word *g);

/*
 * Set and get how triggers freeze buffer sets (generate/enable_check.h). They do not, unless it is
 * set before the first program is made.
 */
void kt_enable_word_set_freezing(struct kt_enable_word *g, struct kt_freezing f);
struct kt_freezing kt_enable_word_freezing(const struct kt_enable_word *g);

/* The first hit of a trigger in a buffer set. */
struct kt_trigger_hit {
	uint64_t at;     /* ns of CLOCK_MONOTONIC; 0: none */
	uint64_t frozen; /* when the set freezes, or froze */
	size_t event;    /* kt_enable_word_events(): not known yet */
};

struct kt_trigger_hit kt_enable_word_hit(const struct kt_enable_word *g, size_t set);

/* Forgets a trigger's hit in the buffer set that is written. */
void kt_enable_word_arm(struct kt_enable_word *g);

/* State of an event. */
struct kt_event_state {
	uint16_t number; /* of the program that records; 0: none */
	uint64_t since;  /* ns of CLOCK_MONOTONIC; 0: since the word was made */
	uint64_t missed; /* hits that the kernel missed for the event before this program */
	struct kt_time_span complete; /* when all hits are recorded; outside of it some may be */
	uint16_t recorder;            /* the number if recording is on; else 0 */
	bool is_other;                /* set by the caller: what is recorded differs from before */
};

/* Return the number of events, and the state of one. */
size_t kt_enable_word_events(const struct kt_enable_word *g);
struct kt_event_state kt_enable_word_event(const struct kt_enable_word *g, size_t event);

/*
 * Returns an event's state before the last kt_enable_word_change(), even if that did not change it.
 */
struct kt_event_state kt_enable_word_event_before(const struct kt_enable_word *g, size_t event);

/*
 * Return a number for programs made from now on, for any events: it was last used 65534 numbers
 * ago; and the last number that was given out, 1 if only the word's first.
 */
uint16_t kt_enable_word_next_number(struct kt_enable_word *g);
uint16_t kt_enable_word_last_number(const struct kt_enable_word *g);

/*
 * Sets the states of all events, switches recording on or off, and the PID filter, for every later
 * hit, by one store. What changes has `now` as its time, whatever times the arguments have.
 *
 * If one program of an event succeeds another, a handover begins (generate/enable_check.h): nothing
 * is recorded for such events for a second, or until kt_enable_word_settle_handover() is called,
 * when all programs are done that ran at the store. kt_enable_word_hands_over() returns whether one
 * is in progress.
 */
void kt_enable_word_change(struct kt_enable_word *g, const struct kt_event_state *to,
			   struct kt_enable_state as, uint64_t now);

bool kt_enable_word_hands_over(const struct kt_enable_word *g);
void kt_enable_word_settle_handover(struct kt_enable_word *g);

/* Returns which of the two sets of states is valid. */
bool kt_enable_word_is_second(const struct kt_enable_word *g);

/* Corrects the missed hits in an event's state. */
void kt_enable_word_note_missed(struct kt_enable_word *g, size_t event, uint64_t missed);

#endif
