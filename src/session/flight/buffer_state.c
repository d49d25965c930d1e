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
 * The map: the consumed set and the valid start of statistics; whether a spare is wanted; records
 * overwritten in freed rings, by set, without rings and with; then for each set since when it is
 * active, and the state of each event; then two starts of statistics, one valid, one for the next.
 */
enum { TAKEN, WANTS_SPARE, GONE, N_HEAD = GONE + 2 * KT_BUFFER_SETS };

/*
 * A start of statistics: when; records overwritten; and for each event its missed hits and
 * counters.
 */
enum { SINCE, OVERWRITTEN, N_ZERO_HEAD, N_ZEROS = 2 };
enum { MISSED, COUNTERS, N_ZERO_EVENT = COUNTERS + sizeof(struct kt_counters) / sizeof(uint64_t) };

/* The word that says what is valid: the consumed set, and the start of statistics. */
#define HOLDS(set, zero) ((uint64_t)(zero)*KT_BUFFER_SETS + (set))

/* A set: since when; the number of the info; and the state of each event. */
enum { BEGAN, ABOUT, N_BANK_HEAD };
enum { MISSED_THEN, FROM, UNTIL, N_BANK_EVENT };

struct kt_buffer_state {
	struct kt_map map;
	size_t n_events;
};

static size_t get_set_size(size_t n_events)
{
	return N_BANK_HEAD + n_events * N_BANK_EVENT;
}

static size_t get_map_size(size_t n_events)
{
	return (N_HEAD + KT_BUFFER_SETS * get_set_size(n_events) +
		N_ZEROS * (N_ZERO_HEAD + n_events * N_ZERO_EVENT)) *
	       sizeof(uint64_t);
}

static uint64_t *get_word(const struct kt_buffer_state *t, size_t i)
{
	return (uint64_t *)t->map.memory + i;
}

static uint64_t *get_set(const struct kt_buffer_state *t, size_t set)
{
	return get_word(t, N_HEAD + set * get_set_size(t->n_events));
}

static struct kt_buffer_state *wrap_map(struct kt_map map, size_t n_events, struct kt_error *err)
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

static uint64_t *get_start(const struct kt_buffer_state *t, size_t zero)
{
	return get_set(t, KT_BUFFER_SETS) + zero * (N_ZERO_HEAD + t->n_events * N_ZERO_EVENT);
}

/* Pairs with load_word() in other processes: what was noted before is visible to them. */
static void store_word(uint64_t *to, uint64_t value)
{
	__atomic_store_n(to, value, __ATOMIC_SEQ_CST);
}

static uint64_t load_word(const uint64_t *from)
{
	return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

struct kt_buffer_state *kt_buffer_state_new(size_t n_events, struct kt_error *err)
{
	struct kt_map map;
	struct kt_buffer_state *t;

	if (kt_map_make(&map, "kt_turns", get_map_size(n_events), 1, err) < 0)
		return NULL;
	t = wrap_map(map, n_events, err);
	if (t) {
		kt_buffer_state_consume(t, 1);
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
	t = wrap_map(map, n_events, err);
	if (!t || (map.size == get_map_size(n_events) &&
		   load_word(get_word(t, TAKEN)) < HOLDS(0, N_ZEROS)))
		return t;
	kt_fail(err, EPROTO, "this is the buffer state of another flight recorder");
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

void kt_buffer_state_begin(struct kt_buffer_state *t, size_t set, uint64_t began)
{
	store_word(get_set(t, set) + BEGAN, began);
}

uint64_t kt_buffer_state_began(const struct kt_buffer_state *t, size_t set)
{
	return load_word(get_set(t, set) + BEGAN);
}

void kt_buffer_state_note_info(struct kt_buffer_state *t, size_t set, uint16_t number)
{
	store_word(get_set(t, set) + ABOUT, number);
}

uint16_t kt_buffer_state_noted_info(const struct kt_buffer_state *t, size_t set)
{
	return load_word(get_set(t, set) + ABOUT);
}

static uint64_t *get_event(const struct kt_buffer_state *t, size_t set, size_t event)
{
	return get_set(t, set) + N_BANK_HEAD + event * N_BANK_EVENT;
}

void kt_buffer_state_note(struct kt_buffer_state *t, size_t set, size_t event,
			  struct kt_swap_state swap)
{
	uint64_t *e = get_event(t, set, event);

	store_word(e + MISSED_THEN, swap.missed);
	store_word(e + FROM, swap.complete.from);
	store_word(e + UNTIL, swap.complete.until);
}

struct kt_swap_state kt_buffer_state_noted(const struct kt_buffer_state *t, size_t set,
					   size_t event)
{
	const uint64_t *e = get_event(t, set, event);

	return (struct kt_swap_state){load_word(e + MISSED_THEN),
				      {load_word(e + FROM), load_word(e + UNTIL)}};
}

static size_t get_valid_start(const struct kt_buffer_state *t)
{
	return load_word(get_word(t, TAKEN)) / KT_BUFFER_SETS;
}

void kt_buffer_state_consume(struct kt_buffer_state *t, size_t set)
{
	store_word(get_word(t, TAKEN), HOLDS(set, get_valid_start(t)));
}

size_t kt_buffer_state_consumed(const struct kt_buffer_state *t)
{
	return load_word(get_word(t, TAKEN)) % KT_BUFFER_SETS;
}

static uint64_t *get_start_event(const struct kt_buffer_state *t, size_t zero, size_t event)
{
	return get_start(t, zero) + N_ZERO_HEAD + event * N_ZERO_EVENT;
}

void kt_buffer_state_note_zero(struct kt_buffer_state *t, size_t event, struct kt_counters counters,
			       uint64_t missed)
{
	uint64_t *e = get_start_event(t, !get_valid_start(t), event);

	store_word(e + MISSED, missed);
	memcpy(e + COUNTERS, &counters, sizeof(counters));
}

void kt_buffer_state_reset(struct kt_buffer_state *t, size_t set, uint64_t since,
			   uint64_t overwritten)
{
	size_t next = !get_valid_start(t);

	store_word(get_start(t, next) + SINCE, since);
	store_word(get_start(t, next) + OVERWRITTEN, overwritten);
	store_word(get_word(t, TAKEN), HOLDS(set, next));
}

uint64_t kt_buffer_state_since(const struct kt_buffer_state *t)
{
	return load_word(get_start(t, get_valid_start(t)) + SINCE);
}

uint64_t kt_buffer_state_overwritten_before(const struct kt_buffer_state *t)
{
	return load_word(get_start(t, get_valid_start(t)) + OVERWRITTEN);
}

struct kt_counters kt_buffer_state_counters_before(const struct kt_buffer_state *t, size_t event)
{
	struct kt_counters counters;

	memcpy(&counters, get_start_event(t, get_valid_start(t), event) + COUNTERS,
	       sizeof(counters));
	return counters;
}

uint64_t kt_buffer_state_missed_before(const struct kt_buffer_state *t, size_t event)
{
	return load_word(get_start_event(t, get_valid_start(t), event) + MISSED);
}

void kt_buffer_state_want_spare(struct kt_buffer_state *t, bool want)
{
	store_word(get_word(t, WANTS_SPARE), want);
}

bool kt_buffer_state_wants_spare(const struct kt_buffer_state *t)
{
	return load_word(get_word(t, WANTS_SPARE));
}

static uint64_t *get_freed(const struct kt_buffer_state *t, size_t set, bool has_rings)
{
	return get_word(t, GONE + 2 * set + has_rings);
}

void kt_buffer_state_note_freed(struct kt_buffer_state *t, size_t set, bool has_rings,
				uint64_t overwritten)
{
	store_word(get_freed(t, set, has_rings), overwritten);
}

uint64_t kt_buffer_state_freed(const struct kt_buffer_state *t, size_t set, bool has_rings)
{
	return load_word(get_freed(t, set, has_rings));
}
