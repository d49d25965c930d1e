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
 * In the map: the word, how many events there are, the last number that was given out, how long
 * after a hit banks are frozen, from when on events are handed over; of each bank its trigger's
 * hit, and by which event; what chosen calls are marked with; the switches; and what else is known,
 * with the first of their numbers and with the second: of all events, and of each.
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

/* So long nothing is recorded of events while nobody settles their handover. */
#define HANDOVER_NS UINT64_C(1000000000)

/* Since when it is open or shut, and which about tells of it. */
struct whole {
	uint64_t since, about;
};

/*
 * Since when that number stands, from when until when the event is recorded in full, or was when it
 * last was, what the kernel had kept back of earlier programs, and the number where it is recorded.
 */
struct more {
	uint64_t since, from, until, missed, recorder;
};

static size_t switches_size(size_t n_events)
{
	return (n_events * sizeof(uint32_t) + 7) & ~(size_t)7;
}

static size_t size_of(size_t n_events)
{
	return KT_ENABLE_SWITCHES + switches_size(n_events) +
	       2 * (sizeof(struct whole) + n_events * sizeof(struct more));
}

static uint64_t *word(const struct kt_enable_word *g)
{
	return g->map.memory;
}

static uint32_t *switches(const struct kt_enable_word *g)
{
	return (uint32_t *)((char *)g->map.memory + KT_ENABLE_SWITCHES);
}

/* With the first numbers, or the second. */
static struct whole *whole(const struct kt_enable_word *g, bool second)
{
	return (struct whole *)((char *)switches(g) + switches_size(g->n_events)) + second;
}

static struct more *more(const struct kt_enable_word *g, bool second)
{
	return (struct more *)(whole(g, false) + 2) + second * g->n_events;
}

static uint64_t load(const struct kt_enable_word *g)
{
	return __atomic_load_n(word(g), __ATOMIC_SEQ_CST);
}

bool kt_enable_word_is_second(const struct kt_enable_word *g)
{
	return load(g) & KT_ENABLE_SECOND;
}

static size_t bank(const struct kt_enable_word *g)
{
	return load(g) >> KT_ENABLE_BUFFER_SET_SHIFT & 1;
}

static uint64_t *hit_at(const struct kt_enable_word *g, size_t bank)
{
	return word(g) + KT_ENABLE_HIT / sizeof(uint64_t) + bank;
}

/* The event, plus 1; 0: it is not known. */
static uint64_t *hit_by(const struct kt_enable_word *g, size_t bank)
{
	return word(g) + KT_ENABLE_BY / sizeof(uint64_t) + bank;
}

static struct kt_switched read_switch(const struct kt_enable_word *g, size_t event, bool second)
{
	const struct more *m = &more(g, second)[event];
	uint16_t number = switches(g)[event] >> (second ? KT_NUMBER_BITS : 0) & KT_NUMBER_MAX;
	uint64_t from = __atomic_load_n(&m->from, __ATOMIC_SEQ_CST);

	return (struct kt_switched){
		.number = number,
		.since = m->since,
		.missed = __atomic_load_n(&m->missed, __ATOMIC_SEQ_CST),
		.complete = {from, m->until},
		.recorder = m->recorder,
	};
}

static struct kt_enable_word *gate_of(struct kt_map map, struct kt_error *err)
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

	if (kt_map_make(&map, "kt_gate", size_of(n_events), 1, err) < 0)
		return NULL;
	g = gate_of(map, err);
	if (!g)
		return NULL;
	g->n_events = word(g)[N_EVENTS] = n_events;
	word(g)[LAST_NUMBER] = 1;
	word(g)[AFTER] = NEVER;
	word(g)[MARK] = 1;
	for (i = 0; i < n_events; i++) {
		switches(g)[i] = 1 | 1 << KT_NUMBER_BITS;
		more(g, false)[i] = more(g, true)[i] = (struct more){.until = NEVER, .recorder = 1};
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
	g = gate_of(map, err);
	if (!g)
		return NULL;
	if (map.size >= size_of(0)) {
		g->n_events = word(g)[N_EVENTS];
		if (n_events <= g->n_events && g->n_events <= KT_EVENTS_MAX &&
		    map.size == size_of(g->n_events))
			return g;
	}
	kt_fail(err, EPROTO, "this is the gate of another session");
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
	__atomic_fetch_and(word(g), ~KT_ENABLE_SHUT, __ATOMIC_SEQ_CST);
}

void kt_enable_word_shut(struct kt_enable_word *g)
{
	__atomic_fetch_or(word(g), KT_ENABLE_SHUT, __ATOMIC_SEQ_CST);
}

void kt_enable_word_forget_chosen(struct kt_enable_word *g)
{
	__atomic_store_n(&word(g)[MARK], word(g)[MARK] % KT_MARK_MAX + 1, __ATOMIC_SEQ_CST);
}

struct kt_opened kt_enable_word_opened(const struct kt_enable_word *g)
{
	uint64_t word;
	struct kt_opened o;

	do {
		word = load(g);
		o = (struct kt_opened){
			.is_open = !(word & KT_ENABLE_SHUT),
			.is_focused = word & KT_ENABLE_FOCUSED,
			.about = whole(g, word & KT_ENABLE_SECOND)->about,
			.since = whole(g, word & KT_ENABLE_SECOND)->since,
		};
	} while ((load(g) ^ word) & (KT_ENABLE_SHUT | KT_ENABLE_FOCUSED | KT_ENABLE_SECOND));
	return o;
}

void kt_enable_word_turn(struct kt_enable_word *g, uint32_t row, uint64_t now)
{
	size_t from = bank(g), to = !from;
	struct kt_trigger_hit hit = kt_enable_word_hit(g, from);
	bool goes_on = hit.at && hit.frozen > now;

	if (hit.at && !goes_on)
		kt_enable_word_forget_chosen(g);
	*hit_by(g, to) = goes_on ? *hit_by(g, from) : 0;
	*hit_at(g, to) = goes_on ? hit.at : 0;
	__atomic_store_n(word(g),
			 (load(g) & (KT_ENABLE_SECOND | KT_ENABLE_SHUT | KT_ENABLE_FOCUSED |
				     KT_ENABLE_HANDOVER)) |
				 (to ? KT_ENABLE_BUFFER_SET : 0) | row,
			 __ATOMIC_SEQ_CST);
}

/* Where it is frozen at the hit itself the bank before has all that it was to have. */
void kt_enable_word_settle(struct kt_enable_word *g, uint64_t turned)
{
	size_t to = bank(g), from = !to;
	struct kt_trigger_hit hit = kt_enable_word_hit(g, from);
	uint64_t none = 0;

	if (hit.at && hit.frozen > hit.at && hit.frozen > turned &&
	    __atomic_compare_exchange_n(hit_at(g, to), &none, hit.at, false, __ATOMIC_SEQ_CST,
					__ATOMIC_SEQ_CST))
		*hit_by(g, to) = *hit_by(g, from);
}

void kt_enable_word_set_freezing(struct kt_enable_word *g, struct kt_freezing f)
{
	word(g)[AFTER] = f.can ? f.after : NEVER;
}

struct kt_freezing kt_enable_word_freezing(const struct kt_enable_word *g)
{
	uint64_t after = word(g)[AFTER];

	return (struct kt_freezing){after != NEVER, after};
}

struct kt_trigger_hit kt_enable_word_hit(const struct kt_enable_word *g, size_t bank)
{
	uint64_t at = __atomic_load_n(hit_at(g, bank), __ATOMIC_SEQ_CST);
	uint64_t by = __atomic_load_n(hit_by(g, bank), __ATOMIC_SEQ_CST);

	return (struct kt_trigger_hit){
		.at = at,
		.frozen = at ? at + kt_enable_word_freezing(g).after : 0,
		.event = by && by <= g->n_events ? by - 1 : g->n_events,
	};
}

void kt_enable_word_arm(struct kt_enable_word *g)
{
	if (*hit_at(g, bank(g)))
		kt_enable_word_forget_chosen(g);
	__atomic_store_n(hit_by(g, bank(g)), 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(hit_at(g, bank(g)), 0, __ATOMIC_SEQ_CST);
}

uint32_t kt_enable_word_row(const struct kt_enable_word *g)
{
	return load(g);
}

static bool is_complete(struct kt_switched s)
{
	return s.complete.until == NEVER;
}

/* Events that are complete since just now are so from here on, or a moment earlier. */
static void note_complete(struct kt_enable_word *g)
{
	bool second = kt_enable_word_is_second(g);
	uint64_t now = kt_clock_now();
	struct kt_switched is;
	size_t i;

	for (i = 0; i < g->n_events; i++) {
		is = read_switch(g, i, second);
		if (!is_complete(read_switch(g, i, !second)) && is_complete(is) &&
		    is.complete.from < now)
			__atomic_store_n(&more(g, second)[i].from, now, __ATOMIC_SEQ_CST);
	}
}

/* What is another one now was complete at no time until now. */
static struct kt_time_span completed(struct kt_switched was, bool is_other, bool complete,
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

static struct more switched(struct kt_switched was, struct kt_switched to, struct kt_opened as,
			    uint64_t now)
{
	bool records = to.number && as.is_open, complete = records && !as.is_focused;
	struct kt_time_span span = completed(was, to.is_other, complete, now);

	return (struct more){
		.since = !to.number != !was.number ? now : was.since,
		.from = span.from,
		.until = span.until,
		.missed = to.missed,
		.recorder = records ? to.number : 0,
	};
}

/* With the numbers that do not hold yet. Whether it is handed over then. */
static bool prepare(struct kt_enable_word *g, size_t event, struct kt_switched to,
		    struct kt_opened as, uint64_t now)
{
	bool second = kt_enable_word_is_second(g);
	struct kt_switched was = read_switch(g, event, second);
	struct more *m = &more(g, !second)[event];

	*m = switched(was, to, as, now);
	switches(g)[event] = second ? to.number | (uint32_t)was.number << KT_NUMBER_BITS
				    : was.number | (uint32_t)to.number << KT_NUMBER_BITS;
	if (!was.recorder || !m->recorder || was.recorder == m->recorder)
		return false;
	if (m->until == NEVER)
		m->from = now + HANDOVER_NS;
	return true;
}

void kt_enable_word_switch(struct kt_enable_word *g, const struct kt_switched *to,
			   struct kt_opened as, uint64_t now)
{
	struct kt_opened opened = kt_enable_word_opened(g);
	bool hands_over = false;
	uint64_t over;
	size_t i;

	if (as.is_open && !opened.is_open)
		kt_enable_word_forget_chosen(g);
	*whole(g, !kt_enable_word_is_second(g)) = (struct whole){
		.since = as.is_open != opened.is_open ? now : opened.since,
		.about = as.about,
	};
	for (i = 0; i < g->n_events; i++)
		hands_over |= prepare(g, i, to[i], as, now);
	over = KT_ENABLE_SECOND;
	over |= as.is_open != opened.is_open ? KT_ENABLE_SHUT : 0;
	over |= as.is_focused != opened.is_focused ? KT_ENABLE_FOCUSED : 0;
	over |= hands_over && !kt_enable_word_hands_over(g) ? KT_ENABLE_HANDOVER : 0;
	if (hands_over)
		__atomic_store_n(&word(g)[HANDED], now + HANDOVER_NS, __ATOMIC_SEQ_CST);
	__atomic_fetch_xor(word(g), over, __ATOMIC_SEQ_CST);
	note_complete(g);
}

bool kt_enable_word_hands_over(const struct kt_enable_word *g)
{
	return load(g) & KT_ENABLE_HANDOVER;
}

void kt_enable_word_settle_handover(struct kt_enable_word *g)
{
	struct more *m = more(g, kt_enable_word_is_second(g));
	uint64_t now;
	size_t i;

	__atomic_fetch_and(word(g), ~KT_ENABLE_HANDOVER, __ATOMIC_SEQ_CST);
	now = kt_clock_now();
	for (i = 0; i < g->n_events; i++)
		if (m[i].from > now)
			__atomic_store_n(&m[i].from, now, __ATOMIC_SEQ_CST);
}

size_t kt_enable_word_events(const struct kt_enable_word *g)
{
	return g->n_events;
}

struct kt_switched kt_enable_word_switched(const struct kt_enable_word *g, size_t event)
{
	return read_switch(g, event, kt_enable_word_is_second(g));
}

struct kt_switched kt_enable_word_before(const struct kt_enable_word *g, size_t event)
{
	return read_switch(g, event, !kt_enable_word_is_second(g));
}

uint16_t kt_enable_word_last_number(const struct kt_enable_word *g)
{
	return word(g)[LAST_NUMBER] & KT_NUMBER_MAX;
}

uint16_t kt_enable_word_next_number(struct kt_enable_word *g)
{
	word(g)[LAST_NUMBER] = kt_enable_word_last_number(g) % KT_NUMBER_MAX + 1;
	return kt_enable_word_last_number(g);
}

void kt_enable_word_note_missed(struct kt_enable_word *g, size_t event, uint64_t missed)
{
	__atomic_store_n(&more(g, kt_enable_word_is_second(g))[event].missed, missed,
			 __ATOMIC_SEQ_CST);
}
