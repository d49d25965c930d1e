/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate of a session's programs, and the switches of its events (generate/enable_check.h), from
 * our side.
 *
 *	struct kt_enable_word *gate = kt_enable_word_new(n_events, &err);	// shut; every
 *switch at 1
 *
 *	r.gate = kt_enable_word_fd(gate);			// programs made with this look at
 *it
 *	...
 *	kt_enable_word_open(gate);
 *	...
 *	kt_enable_word_shut(gate);
 *	kt_rings_settle(rings);				// from here on none writes any more
 *
 * or, to read what was written until then while programs go on:
 *
 *	kt_enable_word_turn(gate, kt_rings_row(other), now);
 *	kt_rings_settle(rings);				// from here on none writes into rings
 *	kt_enable_word_settle(gate, now);
 *
 * or, for programs that were made with a number:
 *
 *	to[event].number = 0;
 *	as.is_open = true;
 *	kt_enable_word_switch(gate, to, as, kt_clock_now());	// those of the one event go by
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

/* Shut, and so since it was made. On error NULL. */
struct kt_enable_word *kt_enable_word_new(size_t n_events, struct kt_error *err);

/*
 * That of a map made by this before, whose descriptor it takes. -EPROTO for another map, or one of
 * less events. On error NULL.
 */
struct kt_enable_word *kt_enable_word_from(int fd, size_t n_events, struct kt_error *err);
void kt_enable_word_free(struct kt_enable_word *g);

/* The map. It remains the gate's; programs that use it keep it alive. */
int kt_enable_word_fd(const struct kt_enable_word *g);

/*
 * For every hit that comes after it: each is one store. Programs that have passed go on. Nothing is
 * noted of it: it was always so, for whoever asks.
 */
void kt_enable_word_open(struct kt_enable_word *g);
void kt_enable_word_shut(struct kt_enable_word *g);

/*
 * Calls that a filter chose until now (generate/syscall_filter_marks.h), and that have not
 * returned, are not chosen any more: their threads may be in others, which nothing saw begin. A
 * gate that was shut, or whose bank was frozen, does that before it is open again.
 */
void kt_enable_word_forget_chosen(struct kt_enable_word *g);

/* As it was before the first program was made, or since it was switched over. */
struct kt_opened {
	bool is_open;
	bool is_focused; /* to hits of some tasks (session/pid_filter.h) */
	uint16_t about; /* which one tells what it is with its events (session/flight/flight_info.h)
			 */
	uint64_t since; /* it is open or shut, ns of CLOCK_MONOTONIC; 0: the gate was made */
};

struct kt_opened kt_enable_word_opened(const struct kt_enable_word *g);

/*
 * Puts it on other rows, of the other bank (doc/ring.md), the same way: it is at bank 0 first. And
 * which those are. It is open or shut as it was, and one that is opened or shut keeps its row.
 *
 * The bank is not frozen then, whether or not the one before was; but where that is to be frozen
 * later than now the other one is instead. Once the rows before are written no more it is settled:
 * a trigger may have been hit there meanwhile.
 */
void kt_enable_word_turn(struct kt_enable_word *g, uint32_t row, uint64_t now);
void kt_enable_word_settle(struct kt_enable_word *g, uint64_t turned);
uint32_t kt_enable_word_row(const struct kt_enable_word *g);

/*
 * How its banks are frozen, by triggers (generate/enable_check.h): they are not, unless it is set
 * before the first program is made.
 */
void kt_enable_word_set_freezing(struct kt_enable_word *g, struct kt_freezing f);
struct kt_freezing kt_enable_word_freezing(const struct kt_enable_word *g);

/* A trigger's first hit in a bank. */
struct kt_trigger_hit {
	uint64_t at;     /* ns of CLOCK_MONOTONIC; 0: it was not hit */
	uint64_t frozen; /* since then, or from then on, the bank is */
	size_t event;    /* kt_enable_word_events: it is not known yet */
};

struct kt_trigger_hit kt_enable_word_hit(const struct kt_enable_word *g, size_t bank);

/* As if none had been in the bank that is written. */
void kt_enable_word_arm(struct kt_enable_word *g);

/* How an event's switch stands, and what goes with it. */
struct kt_switched {
	uint16_t number; /* of the program that is to record; 0: none */
	uint64_t since;  /* ns of CLOCK_MONOTONIC; 0: the gate was made */
	uint64_t missed; /* what the kernel had kept back of the event before that one recorded */
	struct kt_time_span complete; /* all hits are recorded, outside it maybe some */
	uint16_t recorder;            /* the number, where the gate is open; else 0 */
	bool is_other;                /* to be: what is recorded is not the same as before */
};

/* How many have one, and that of one. */
size_t kt_enable_word_events(const struct kt_enable_word *g);
struct kt_switched kt_enable_word_switched(const struct kt_enable_word *g, size_t event);

/* How it stood before kt_enable_word_switch was last called, be it that it did not change then. */
struct kt_switched kt_enable_word_before(const struct kt_enable_word *g, size_t event);

/*
 * A number that programs are to have which are made now, of whatever events: 65534 others have been
 * given out since it was before. And the last one that was; 1: those that the gate was made with.
 */
uint16_t kt_enable_word_next_number(struct kt_enable_word *g);
uint16_t kt_enable_word_last_number(const struct kt_enable_word *g);

/*
 * Sets all switches, by event, opens the gate or shuts it, and focuses it or not, for every hit
 * that comes after it, in one store. That time stands for what changes, whatever these say of
 * times.
 *
 * Where one program is to record and then another one, of the same event, these are handed over
 * from then on (generate/enable_check.h), and nothing is recorded of them for a second, or until it
 * is settled once all programs are done that ran at the store. Whether they are; and that they are
 * so no more.
 */
void kt_enable_word_switch(struct kt_enable_word *g, const struct kt_switched *to,
			   struct kt_opened as, uint64_t now);

bool kt_enable_word_hands_over(const struct kt_enable_word *g);
void kt_enable_word_settle_handover(struct kt_enable_word *g);

/* Which one of two holds, of all that is so switched. */
bool kt_enable_word_is_second(const struct kt_enable_word *g);

/* Corrects that figure of the switch as it stands. */
void kt_enable_word_note_missed(struct kt_enable_word *g, size_t event, uint64_t missed);

#endif
