// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/buffer_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/ring_layout.h"
#include "hook/map.h"

/*
 * In the map: which bank is taken and which zero holds, whether a spare is wanted, and what is gone
 * of each bank without rings and with; then of each bank since when, and how it was with each
 * event; then two zeros, of which one holds and the other one is for the next.
 */
enum { TAKEN, WANTS_SPARE, GONE, N_HEAD = GONE + 2 * KT_BUFFER_SETS };

/* A zero: since when, what was overwritten, and of each event what was missed, and its tally. */
enum { SINCE, OVERWRITTEN, N_ZERO_HEAD, N_ZEROS = 2 };
enum { MISSED, TALLY, N_ZERO_EVENT = TALLY + sizeof(struct kt_counters) / sizeof(uint64_t) };

/* The word of what holds: a bank, and a zero. */
#define HOLDS(bank, zero) ((uint64_t)(zero)*KT_BUFFER_SETS + (bank))

/* A bank: since when, and which about there was then; and of each event these. */
enum { BEGAN, ABOUT, N_BANK_HEAD };
enum { MISSED_THEN, FROM, UNTIL, N_BANK_EVENT };

struct kt_buffer_state {
	struct kt_map map;
	size_t n_events;
};

static size_t bank_size(size_t n_events)
{
	return N_BANK_HEAD + n_events * N_BANK_EVENT;
}

static size_t size_of(size_t n_events)
{
	return (N_HEAD + KT_BUFFER_SETS * bank_size(n_events) +
		N_ZEROS * (N_ZERO_HEAD + n_events * N_ZERO_EVENT)) *
	       sizeof(uint64_t);
}

static uint64_t *word(const struct kt_buffer_state *t, size_t i)
{
	return (uint64_t *)t->map.memory + i;
}

static uint64_t *bank_of(const struct kt_buffer_state *t, size_t bank)
{
	return word(t, N_HEAD + bank * bank_size(t->n_events));
}

static struct kt_buffer_state *turns_of(struct kt_map map, size_t n_events, struct kt_error *err)
{
	struct kt_buffer_state *t = calloc(1, sizeof(*t));

	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_map_free(&map);
		return NULL;
	}
	t->map = map;
	t->n_events = n_events;
	return t;
}

static uint64_t *zero_of(const struct kt_buffer_state *t, size_t zero)
{
	return bank_of(t, KT_BUFFER_SETS) + zero * (N_ZERO_HEAD + t->n_events * N_ZERO_EVENT);
}

static void store(uint64_t *to, uint64_t value)
{
	__atomic_store_n(to, value, __ATOMIC_SEQ_CST);
}

static uint64_t load(const uint64_t *from)
{
	return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

struct kt_buffer_state *kt_buffer_state_new(size_t n_events, struct kt_error *err)
{
	struct kt_map map;
	struct kt_buffer_state *t;

	if (kt_map_make(&map, "kt_turns", size_of(n_events), 1, err) < 0)
		return NULL;
	t = turns_of(map, n_events, err);
	if (t) {
		kt_buffer_state_take(t, 1);
		kt_buffer_state_want_spare(t, true);
	}
	return t;
}

struct kt_buffer_state *kt_buffer_state_from(int fd, size_t n_events, struct kt_error *err)
{
	struct kt_buffer_state *t;
	struct kt_map map;

	if (kt_map_from(&map, fd, err) < 0)
		return NULL;
	t = turns_of(map, n_events, err);
	if (!t || (map.size == size_of(n_events) && load(word(t, TAKEN)) < HOLDS(0, N_ZEROS)))
		return t;
	kt_fail(err, EPROTO, "these are the turns of another flight");
	kt_buffer_state_free(t);
	return NULL;
}

void kt_buffer_state_free(struct kt_buffer_state *t)
{
	if (!t)
		return;
	kt_map_free(&t->map);
	free(t);
}

int kt_buffer_state_fd(const struct kt_buffer_state *t)
{
	return t->map.fd;
}

void kt_buffer_state_begin(struct kt_buffer_state *t, size_t bank, uint64_t began)
{
	store(bank_of(t, bank) + BEGAN, began);
}

uint64_t kt_buffer_state_began(const struct kt_buffer_state *t, size_t bank)
{
	return load(bank_of(t, bank) + BEGAN);
}

void kt_buffer_state_note_about(struct kt_buffer_state *t, size_t bank, uint16_t number)
{
	store(bank_of(t, bank) + ABOUT, number);
}

uint16_t kt_buffer_state_noted_about(const struct kt_buffer_state *t, size_t bank)
{
	return load(bank_of(t, bank) + ABOUT);
}

static uint64_t *turn_of(const struct kt_buffer_state *t, size_t bank, size_t event)
{
	return bank_of(t, bank) + N_BANK_HEAD + event * N_BANK_EVENT;
}

void kt_buffer_state_note(struct kt_buffer_state *t, size_t bank, size_t event, struct kt_turn turn)
{
	uint64_t *e = turn_of(t, bank, event);

	store(e + MISSED_THEN, turn.missed);
	store(e + FROM, turn.complete.from);
	store(e + UNTIL, turn.complete.until);
}

struct kt_turn kt_buffer_state_noted(const struct kt_buffer_state *t, size_t bank, size_t event)
{
	const uint64_t *e = turn_of(t, bank, event);

	return (struct kt_turn){load(e + MISSED_THEN), {load(e + FROM), load(e + UNTIL)}};
}

static size_t zero(const struct kt_buffer_state *t)
{
	return load(word(t, TAKEN)) / KT_BUFFER_SETS;
}

void kt_buffer_state_take(struct kt_buffer_state *t, size_t bank)
{
	store(word(t, TAKEN), HOLDS(bank, zero(t)));
}

size_t kt_buffer_state_taken(const struct kt_buffer_state *t)
{
	return load(word(t, TAKEN)) % KT_BUFFER_SETS;
}

static uint64_t *event_of(const struct kt_buffer_state *t, size_t zero, size_t event)
{
	return zero_of(t, zero) + N_ZERO_HEAD + event * N_ZERO_EVENT;
}

void kt_buffer_state_note_zero(struct kt_buffer_state *t, size_t event, struct kt_counters tally,
			       uint64_t missed)
{
	uint64_t *e = event_of(t, !zero(t), event);

	store(e + MISSED, missed);
	memcpy(e + TALLY, &tally, sizeof(tally));
}

void kt_buffer_state_reset(struct kt_buffer_state *t, size_t bank, uint64_t since,
			   uint64_t overwritten)
{
	size_t next = !zero(t);

	store(zero_of(t, next) + SINCE, since);
	store(zero_of(t, next) + OVERWRITTEN, overwritten);
	store(word(t, TAKEN), HOLDS(bank, next));
}

uint64_t kt_buffer_state_since(const struct kt_buffer_state *t)
{
	return load(zero_of(t, zero(t)) + SINCE);
}

uint64_t kt_buffer_state_overwritten_then(const struct kt_buffer_state *t)
{
	return load(zero_of(t, zero(t)) + OVERWRITTEN);
}

struct kt_counters kt_buffer_state_tally_then(const struct kt_buffer_state *t, size_t event)
{
	struct kt_counters tally;

	memcpy(&tally, event_of(t, zero(t), event) + TALLY, sizeof(tally));
	return tally;
}

uint64_t kt_buffer_state_missed_then(const struct kt_buffer_state *t, size_t event)
{
	return load(event_of(t, zero(t), event) + MISSED);
}

void kt_buffer_state_want_spare(struct kt_buffer_state *t, bool want)
{
	store(word(t, WANTS_SPARE), want);
}

bool kt_buffer_state_wants_spare(const struct kt_buffer_state *t)
{
	return load(word(t, WANTS_SPARE));
}

static uint64_t *gone(const struct kt_buffer_state *t, size_t bank, bool has_rings)
{
	return word(t, GONE + 2 * bank + has_rings);
}

void kt_buffer_state_note_gone(struct kt_buffer_state *t, size_t bank, bool has_rings,
			       uint64_t overwritten)
{
	store(gone(t, bank, has_rings), overwritten);
}

uint64_t kt_buffer_state_gone(const struct kt_buffer_state *t, size_t bank, bool has_rings)
{
	return load(gone(t, bank, has_rings));
}
