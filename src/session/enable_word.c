// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/enable_word.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/ring_layout.h"
#include "generate/syscall_filter_marks.h"
#include "hook/map.h"

/*
 * The map: the word; the number of events; the last number given out; the delay between a hit and
 * freezing; when events were handed over; for each set its trigger's hit, and by which event; the
 * mark of chosen calls; the enable numbers; and further state, once for the first and once for the
 * second numbers: of the recording as a whole, and of each event.
 */
struct kt_enable_word {
	struct kt_map map;
	size_t n_events;
};

enum {
	N_EVENTS = 1,
	LAST_NUMBER = 2,
	AFTER = 3,
	HANDED = KT_ENABLE_HANDED / sizeof(uint64_t),
	MARK = KT_ENABLE_MARK / sizeof(uint64_t),
};

#define NEVER UINT64_MAX

/* A handover that nobody settles ends after this time. */
#define HANDOVER_NS UINT64_C(1000000000)

/* Since when recording is on or off, and the number of the flight's info. */
struct whole {
	uint64_t since, info;
};

/*
 * State of an event: since when its number is valid; from when until when it is, or was last,
 * recorded completely; the hits missed before; and the number if recording is on.
 */
struct more {
	uint64_t since, from, until, missed, recorder;
};

static size_t get_numbers_size(size_t n_events)
{
	return (n_events * sizeof(uint32_t) + 7) & ~(size_t)7;
}

static size_t get_map_size(size_t n_events)
{
	return KT_ENABLE_SWITCHES + get_numbers_size(n_events) +
	       2 * (sizeof(struct whole) + n_events * sizeof(struct more));
}

static uint64_t *get_word(const struct kt_enable_word *g)
{
	return g->map.memory;
}

static uint32_t *get_numbers(const struct kt_enable_word *g)
{
	return (uint32_t *)((char *)g->map.memory + KT_ENABLE_SWITCHES);
}

/* With the first numbers, or the second. */
static struct whole *get_whole(const struct kt_enable_word *g, bool second)
{
	return (struct whole *)((char *)get_numbers(g) + get_numbers_size(g->n_events)) + second;
}

static struct more *get_states(const struct kt_enable_word *g, bool second)
{
	return (struct more *)(get_whole(g, false) + 2) + second * g->n_events;
}

/*
 * Sequentially consistent, as every store of the word: pairs with the load in each program
 * (generate/enable_check.c). Times and states of a set are stored before the word points to it.
 */
static uint64_t load_word(const struct kt_enable_word *g)
{
	return __atomic_load_n(get_word(g), __ATOMIC_SEQ_CST);
}

bool kt_enable_word_is_second(const struct kt_enable_word *g)
{
	return load_word(g) & KT_ENABLE_SECOND;
}

static size_t get_set(const struct kt_enable_word *g)
{
	return load_word(g) >> KT_ENABLE_BUFFER_SET_SHIFT & 1;
}

static uint64_t *get_hit_time(const struct kt_enable_word *g, size_t set)
{
	return get_word(g) + KT_ENABLE_HIT / sizeof(uint64_t) + set;
}

/* The event plus 1; 0: not known. */
static uint64_t *get_hit_event(const struct kt_enable_word *g, size_t set)
{
	return get_word(g) + KT_ENABLE_BY / sizeof(uint64_t) + set;
}

static struct kt_event_state read_state(const struct kt_enable_word *g, size_t event, bool second)
{
	const struct more *m = &get_states(g, second)[event];
	uint16_t number = get_numbers(g)[event] >> (second ? KT_NUMBER_BITS : 0) & KT_NUMBER_MAX;
	uint64_t from = __atomic_load_n(&m->from, __ATOMIC_SEQ_CST);

	return (struct kt_event_state){
		.number = number,
		.since = m->since,
		.missed = __atomic_load_n(&m->missed, __ATOMIC_SEQ_CST),
		.complete = {from, m->until},
		.recorder = m->recorder,
	};
}

static struct kt_enable_word *wrap_map(struct kt_map map, struct kt_error *err)
{
	struct kt_enable_word *g = calloc(1, sizeof(*g));

	if (!g) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_map_free(&map);
		return NULL;
	}
	g->map = map;
	return g;
}

struct kt_enable_word *kt_enable_word_new(size_t n_events, struct kt_error *err)
{
	struct kt_map map;
	struct kt_enable_word *g;
	size_t i;

	if (kt_map_make(&map, "kt_gate", get_map_size(n_events), 1, err) < 0)
		return NULL;
	g = wrap_map(map, err);
	if (!g)
		return NULL;
	g->n_events = get_word(g)[N_EVENTS] = n_events;
	get_word(g)[LAST_NUMBER] = 1;
	get_word(g)[AFTER] = NEVER;
	get_word(g)[MARK] = 1;
	for (i = 0; i < n_events; i++) {
		get_numbers(g)[i] = 1 | 1 << KT_NUMBER_BITS;
		get_states(g, false)[i] = get_states(g, true)[i] =
			(struct more){.until = NEVER, .recorder = 1};
	}
	kt_enable_word_shut(g);
	return g;
}

struct kt_enable_word *kt_enable_word_from(int fd, size_t n_events, struct kt_error *err)
{
	struct kt_enable_word *g;
	struct kt_map map;

	if (kt_map_from(&map, fd, err) < 0)
		return NULL;
	g = wrap_map(map, err);
	if (!g)
		return NULL;
	if (map.size >= get_map_size(0)) {
		g->n_events = get_word(g)[N_EVENTS];
		if (n_events <= g->n_events && g->n_events <= KT_EVENTS_MAX &&
		    map.size == get_map_size(g->n_events))
			return g;
	}
	kt_fail(err, EPROTO, "this is the enable word of another session");
	kt_enable_word_free(g);
	return NULL;
}

void kt_enable_word_free(struct kt_enable_word *g)
{
	if (!g)
		return;
	kt_map_free(&g->map);
	free(g);
}

int kt_enable_word_fd(const struct kt_enable_word *g)
{
	return g->map.fd;
}

void kt_enable_word_open(struct kt_enable_word *g)
{
	__atomic_fetch_and(get_word(g), ~KT_ENABLE_SHUT, __ATOMIC_SEQ_CST);
}

void kt_enable_word_shut(struct kt_enable_word *g)
{
	__atomic_fetch_or(get_word(g), KT_ENABLE_SHUT, __ATOMIC_SEQ_CST);
}

void kt_enable_word_change_mark(struct kt_enable_word *g)
{
	__atomic_store_n(&get_word(g)[MARK], get_word(g)[MARK] % KT_MARK_MAX + 1, __ATOMIC_SEQ_CST);
}

struct kt_enable_state kt_enable_word_state(const struct kt_enable_word *g)
{
	uint64_t word;
	struct kt_enable_state o;

	do {
		word = load_word(g);
		o = (struct kt_enable_state){
			.is_open = !(word & KT_ENABLE_SHUT),
			.has_pid_filter = word & KT_ENABLE_PID_FILTER,
			.info = get_whole(g, word & KT_ENABLE_SECOND)->info,
			.since = get_whole(g, word & KT_ENABLE_SECOND)->since,
		};
	} while ((load_word(g) ^ word) &
		 (KT_ENABLE_SHUT | KT_ENABLE_PID_FILTER | KT_ENABLE_SECOND));
	return o;
}

void kt_enable_word_swap(struct kt_enable_word *g, uint32_t row, uint64_t now)
{
	size_t from = get_set(g), to = !from;
	struct kt_trigger_hit hit = kt_enable_word_hit(g, from);
	bool continues = hit.at && hit.frozen > now;

	if (hit.at && !continues)
		kt_enable_word_change_mark(g);
	*get_hit_event(g, to) = continues ? *get_hit_event(g, from) : 0;
	*get_hit_time(g, to) = continues ? hit.at : 0;
	__atomic_store_n(get_word(g),
			 (load_word(g) & (KT_ENABLE_SECOND | KT_ENABLE_SHUT | KT_ENABLE_PID_FILTER |
					  KT_ENABLE_HANDOVER)) |
				 (to ? KT_ENABLE_BUFFER_SET : 0) | row,
			 __ATOMIC_SEQ_CST);
}

/* If the set froze at the hit itself, the old set already has everything. */
void kt_enable_word_settle_swap(struct kt_enable_word *g, uint64_t swapped)
{
	size_t to = get_set(g), from = !to;
	struct kt_trigger_hit hit = kt_enable_word_hit(g, from);
	uint64_t none = 0;

	if (hit.at && hit.frozen > hit.at && hit.frozen > swapped &&
	    __atomic_compare_exchange_n(get_hit_time(g, to), &none, hit.at, false, __ATOMIC_SEQ_CST,
					__ATOMIC_SEQ_CST))
		*get_hit_event(g, to) = *get_hit_event(g, from);
}

void kt_enable_word_set_freezing(struct kt_enable_word *g, struct kt_freezing f)
{
	get_word(g)[AFTER] = f.can ? f.after : NEVER;
}

struct kt_freezing kt_enable_word_freezing(const struct kt_enable_word *g)
{
	uint64_t after = get_word(g)[AFTER];

	return (struct kt_freezing){after != NEVER, after};
}

struct kt_trigger_hit kt_enable_word_hit(const struct kt_enable_word *g, size_t set)
{
	uint64_t at = __atomic_load_n(get_hit_time(g, set), __ATOMIC_SEQ_CST);
	uint64_t by = __atomic_load_n(get_hit_event(g, set), __ATOMIC_SEQ_CST);

	return (struct kt_trigger_hit){
		.at = at,
		.frozen = at ? at + kt_enable_word_freezing(g).after : 0,
		.event = by && by <= g->n_events ? by - 1 : g->n_events,
	};
}

void kt_enable_word_arm(struct kt_enable_word *g)
{
	if (*get_hit_time(g, get_set(g)))
		kt_enable_word_change_mark(g);
	__atomic_store_n(get_hit_event(g, get_set(g)), 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(get_hit_time(g, get_set(g)), 0, __ATOMIC_SEQ_CST);
}

uint32_t kt_enable_word_row(const struct kt_enable_word *g)
{
	return load_word(g);
}

static bool is_complete(struct kt_event_state s)
{
	return s.complete.until == NEVER;
}

/* Events that are complete from now on are complete from this moment, or slightly earlier. */
static void update_complete(struct kt_enable_word *g)
{
	bool second = kt_enable_word_is_second(g);
	uint64_t now = kt_clock_now();
	struct kt_event_state is;
	size_t i;

	for (i = 0; i < g->n_events; i++) {
		is = read_state(g, i, second);
		if (!is_complete(read_state(g, i, !second)) && is_complete(is) &&
		    is.complete.from < now)
			__atomic_store_n(&get_states(g, second)[i].from, now, __ATOMIC_SEQ_CST);
	}
}

/* An event whose program or filter changes was never complete until now. */
static struct kt_time_span compute_complete(struct kt_event_state was, bool is_other, bool complete,
					    uint64_t now)
{
	if (is_other)
		return (struct kt_time_span){now, complete ? NEVER : now};
	return (struct kt_time_span){
		.from = complete && !is_complete(was) ? now : was.complete.from,
		.until = complete           ? NEVER
			 : is_complete(was) ? now
					    : was.complete.until,
	};
}

static struct more make_state(struct kt_event_state was, struct kt_event_state to,
			      struct kt_enable_state as, uint64_t now)
{
	bool records = to.number && as.is_open, complete = records && !as.has_pid_filter;
	struct kt_time_span span = compute_complete(was, to.is_other, complete, now);

	return (struct more){
		.since = !to.number != !was.number ? now : was.since,
		.from = span.from,
		.until = span.until,
		.missed = to.missed,
		.recorder = records ? to.number : 0,
	};
}

/* Prepares the numbers that are not valid yet. Returns whether the event is handed over. */
static bool prepare_event(struct kt_enable_word *g, size_t event, struct kt_event_state to,
			  struct kt_enable_state as, uint64_t now)
{
	bool second = kt_enable_word_is_second(g);
	struct kt_event_state was = read_state(g, event, second);
	struct more *m = &get_states(g, !second)[event];

	*m = make_state(was, to, as, now);
	get_numbers(g)[event] = second ? to.number | (uint32_t)was.number << KT_NUMBER_BITS
				       : was.number | (uint32_t)to.number << KT_NUMBER_BITS;
	if (!was.recorder || !m->recorder || was.recorder == m->recorder)
		return false;
	if (m->until == NEVER)
		m->from = now + HANDOVER_NS;
	return true;
}

void kt_enable_word_change(struct kt_enable_word *g, const struct kt_event_state *to,
			   struct kt_enable_state as, uint64_t now)
{
	struct kt_enable_state opened = kt_enable_word_state(g);
	bool hands_over = false;
	uint64_t over;
	size_t i;

	if (as.is_open && !opened.is_open)
		kt_enable_word_change_mark(g);
	*get_whole(g, !kt_enable_word_is_second(g)) = (struct whole){
		.since = as.is_open != opened.is_open ? now : opened.since,
		.info = as.info,
	};
	for (i = 0; i < g->n_events; i++)
		hands_over |= prepare_event(g, i, to[i], as, now);
	over = KT_ENABLE_SECOND;
	over |= as.is_open != opened.is_open ? KT_ENABLE_SHUT : 0;
	over |= as.has_pid_filter != opened.has_pid_filter ? KT_ENABLE_PID_FILTER : 0;
	over |= hands_over && !kt_enable_word_hands_over(g) ? KT_ENABLE_HANDOVER : 0;
	if (hands_over)
		__atomic_store_n(&get_word(g)[HANDED], now + HANDOVER_NS, __ATOMIC_SEQ_CST);
	__atomic_fetch_xor(get_word(g), over, __ATOMIC_SEQ_CST);
	update_complete(g);
}

bool kt_enable_word_hands_over(const struct kt_enable_word *g)
{
	return load_word(g) & KT_ENABLE_HANDOVER;
}

void kt_enable_word_settle_handover(struct kt_enable_word *g)
{
	struct more *m = get_states(g, kt_enable_word_is_second(g));
	uint64_t now;
	size_t i;

	__atomic_fetch_and(get_word(g), ~KT_ENABLE_HANDOVER, __ATOMIC_SEQ_CST);
	now = kt_clock_now();
	for (i = 0; i < g->n_events; i++)
		if (m[i].from > now)
			__atomic_store_n(&m[i].from, now, __ATOMIC_SEQ_CST);
}

size_t kt_enable_word_events(const struct kt_enable_word *g)
{
	return g->n_events;
}

struct kt_event_state kt_enable_word_event(const struct kt_enable_word *g, size_t event)
{
	return read_state(g, event, kt_enable_word_is_second(g));
}

struct kt_event_state kt_enable_word_event_before(const struct kt_enable_word *g, size_t event)
{
	return read_state(g, event, !kt_enable_word_is_second(g));
}

uint16_t kt_enable_word_last_number(const struct kt_enable_word *g)
{
	return get_word(g)[LAST_NUMBER] & KT_NUMBER_MAX;
}

uint16_t kt_enable_word_next_number(struct kt_enable_word *g)
{
	get_word(g)[LAST_NUMBER] = kt_enable_word_last_number(g) % KT_NUMBER_MAX + 1;
	return kt_enable_word_last_number(g);
}

void kt_enable_word_note_missed(struct kt_enable_word *g, size_t event, uint64_t missed)
{
	__atomic_store_n(&get_states(g, kt_enable_word_is_second(g))[event].missed, missed,
			 __ATOMIC_SEQ_CST);
}
