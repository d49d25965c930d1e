/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since when each bank of a flight is written, or was when it still was, whether what lies in the
 * bank that is not is wanted by nobody any more, whether that is to be there when nobody reads it,
 * and from where the flight's own figures count (doc/flight.md): figures in a BPF map.
 *
 *	struct kt_buffer_state *t = kt_buffer_state_new(n_events, &err);
 *
 *	kt_buffer_state_begin(t, bank, now);
 *	kt_buffer_state_note(t, bank, event, (struct kt_turn){kt_program_missed(program),
 *KT_ALWAYS}); kt_enable_word_turn(gate, row, now);			// to that bank
 *	...						// what the other one holds is written
 *	kt_buffer_state_take(t, !bank);			// so it is free to be turned to
 *
 * Reading takes a load from shared memory and no system call.
 */
#ifndef KT_SESSION_FLIGHT_BUFFER_STATE_H
#define KT_SESSION_FLIGHT_BUFFER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"
#include "bpf/counters.h"

struct kt_error;
struct kt_buffer_state;

/* Bank 1 is taken, as it holds nothing; figures count from 0. On error NULL. */
struct kt_buffer_state *kt_buffer_state_new(size_t n_events, struct kt_error *err);

/*
 * Those of a map made by this before for as many events, whose descriptor it takes. On error NULL;
 * -EPROTO for another map.
 */
struct kt_buffer_state *kt_buffer_state_from(int fd, size_t n_events, struct kt_error *err);
void kt_buffer_state_free(struct kt_buffer_state *t);

/* The BPF map. It remains theirs. */
int kt_buffer_state_fd(const struct kt_buffer_state *t);

/* A bank, 0 to KT_BUFFER_SETS - 1, that is about to be turned to, ns of CLOCK_MONOTONIC. */
void kt_buffer_state_begin(struct kt_buffer_state *t, size_t bank, uint64_t began);
uint64_t kt_buffer_state_began(const struct kt_buffer_state *t, size_t bank);

/* How it was with an event then. */
struct kt_turn {
	uint64_t missed;              /* what the kernel had kept back of it (kt_program_missed) */
	struct kt_time_span complete; /* session/enable_word.h */
};

void kt_buffer_state_note(struct kt_buffer_state *t, size_t bank, size_t event,
			  struct kt_turn turn);
struct kt_turn kt_buffer_state_noted(const struct kt_buffer_state *t, size_t bank, size_t event);

/*
 * And which about told of all of them (session/flight/flight_info.h). As it is made: that of number
 * 0.
 */
void kt_buffer_state_note_about(struct kt_buffer_state *t, size_t bank, uint16_t number);
uint16_t kt_buffer_state_noted_about(const struct kt_buffer_state *t, size_t bank);

/*
 * From here on nobody wants what this bank holds: one store. It is so until this is said of another
 * one, so that a bank that is turned away from is not taken.
 */
void kt_buffer_state_take(struct kt_buffer_state *t, size_t bank);
size_t kt_buffer_state_taken(const struct kt_buffer_state *t);

/*
 * The flight's figures begin anew. What each event's had come to is noted first, and holds by one
 * store with the rest: since when it is so (CLOCK_MONOTONIC), how many records had been overwritten
 * until then, and that a bank is taken, as above.
 */
void kt_buffer_state_note_zero(struct kt_buffer_state *t, size_t event, struct kt_counters tally,
			       uint64_t missed);
void kt_buffer_state_reset(struct kt_buffer_state *t, size_t bank, uint64_t since,
			   uint64_t overwritten);

uint64_t kt_buffer_state_since(const struct kt_buffer_state *t);
uint64_t kt_buffer_state_overwritten_then(const struct kt_buffer_state *t);
struct kt_counters kt_buffer_state_tally_then(const struct kt_buffer_state *t, size_t event);
uint64_t kt_buffer_state_missed_then(const struct kt_buffer_state *t, size_t event);

/* Whether there is to be a spare all the time. As it is made: yes. */
void kt_buffer_state_want_spare(struct kt_buffer_state *t, bool want);
bool kt_buffer_state_wants_spare(const struct kt_buffer_state *t);

/*
 * What was overwritten in rings of a bank that were freed, which is one figure while it has others
 * and another one while it has none: so what holds next is noted while it does not yet.
 */
void kt_buffer_state_note_gone(struct kt_buffer_state *t, size_t bank, bool has_rings,
			       uint64_t overwritten);
uint64_t kt_buffer_state_gone(const struct kt_buffer_state *t, size_t bank, bool has_rings);

#endif
