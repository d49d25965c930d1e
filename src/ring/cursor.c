// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/cursor.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/ring.h"
#include "ring/ring_memory.h"

enum { TRIES = 8 };

struct kt_cursor {
	struct kt_ring_memory memory;
	struct kt_mark at;
	struct kt_mark last; /* start of its last packet */
	char *copy;
};

enum { NOT_THIS = -1 }; /* no ring is cleared up to there */

static struct kt_mark get_start(const struct kt_cursor *c, const struct kt_ring *ring,
				const struct kt_mark *mark)
{
	uint64_t consumed = c->memory.control->consumed;
	uint32_t id = kt_ring_id(ring);
	struct kt_mark at = {.position = consumed, .cleared = consumed, .ring = id};

	if (!mark)
		return at;
	at = *mark;
	if (at.ring != id)
		at.cleared = NOT_THIS;
	return at;
}

struct kt_cursor *kt_cursor_new(const struct kt_ring *ring, const struct kt_mark *mark,
				struct kt_error *err)
{
	struct kt_cursor *c = calloc(1, sizeof(*c));

	if (c) {
		c->memory = kt_ring_memory(ring);
		c->at = get_start(c, ring, mark);
		c->copy = malloc(kt_subbuf_size(c->memory.geometry));
	}
	if (c && c->copy)
		return c;
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_cursor_free(c);
	return NULL;
}

void kt_cursor_free(struct kt_cursor *c)
{
	if (!c)
		return;
	free(c->copy);
	free(c);
}

struct kt_mark kt_cursor_mark(const struct kt_cursor *c)
{
	return c->at;
}

/*
 * Acquire: pairs with the writers' atomic additions (generate/reserve.c). Loads are not moved
 * before earlier ones.
 */
static uint64_t load_acquire(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static uint64_t get_subbuf(const struct kt_cursor *c)
{
	return c->at.position & ~(uint64_t)(kt_subbuf_size(c->memory.geometry) - 1);
}

/*
 * Returns whether no writer has begun to overwrite the sub-buffer, or cleared it, before what was
 * read so far. The fence pairs with the compare-and-swap of `reserved` (generate/reserve.c):
 * earlier reads of records come before these loads.
 */
static bool is_intact(const struct kt_cursor *c)
{
	const struct kt_control *control = c->memory.control;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return load_acquire(&control->reserved) - get_subbuf(c) <= kt_ring_memory_size(c->memory) &&
	       load_acquire(&control->consumed) == c->at.cleared;
}

static bool is_subbuf_written(struct kt_ring_memory m, uint64_t subbuf, uint64_t bytes)
{
	return kt_is_committed(load_acquire(&kt_ring_memory_subbuf(m, subbuf)->committed),
			       kt_ring_memory_committed(m, subbuf, bytes));
}

/*
 * Returns whether everything reserved is written, from *whole on, which advances to the last
 * sub-buffer.
 */
static bool is_all_written(struct kt_ring_memory m, uint64_t *whole, uint64_t reserved)
{
	uint64_t size = kt_subbuf_size(m.geometry), oldest = kt_ring_memory_oldest(m, reserved);

	if (*whole < oldest)
		*whole = oldest;
	for (; reserved - *whole >= size; *whole += size)
		if (!is_subbuf_written(m, *whole, size))
			return false;
	return reserved == *whole || is_subbuf_written(m, *whole, reserved - *whole);
}

/*
 * The number of overwritten records belongs to the oldest record only while no writer is active in
 * the whole ring: a writer that begins a sub-buffer adds to it before it commits the head. Returns
 * 0, -EAGAIN or -ESTALE.
 */
static int go_to_oldest(struct kt_cursor *c)
{
	const struct kt_control *control = c->memory.control;
	uint64_t whole = 0, reserved, cleared, overwritten, before;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		reserved = load_acquire(&control->reserved);
		cleared = load_acquire(&control->consumed);
		if (cleared != c->at.cleared)
			return -ESTALE;
		if (!is_all_written(c->memory, &whole, reserved))
			continue;
		overwritten = load_acquire(&control->overwritten) - control->overwritten_then;
		if (reserved != load_acquire(&control->reserved) ||
		    cleared != load_acquire(&control->consumed))
			continue;
		c->at.position = kt_ring_memory_oldest(c->memory, reserved);
		before = c->at.position == cleared ? 0 : overwritten;
		c->at.missed += before - c->at.before;
		c->at.before = before;
		c->at.taken = 0;
		return 0;
	}
	return -EAGAIN;
}

/* The present contents of the sub-buffer. */
struct content {
	size_t used; /* bytes, including the head */
	size_t n;    /* records */
	bool is_whole;
};

/* Returns 1; 0 if there is nothing new; or -EAGAIN. */
static int find_content(const struct kt_cursor *c, const struct kt_subbuf *s, struct content *has)
{
	uint64_t size = kt_subbuf_size(c->memory.geometry), at = get_subbuf(c), reserved;
	uint64_t committed = load_acquire(&s->committed);

	has->is_whole = kt_is_committed(committed, kt_ring_memory_committed(c->memory, at, size));
	has->used = s->used;
	if (!has->is_whole) {
		reserved = load_acquire(&c->memory.control->reserved);
		if (reserved == c->at.position)
			return 0;
		has->used = reserved - at;
		committed = load_acquire(&s->committed);
		/*
		 * If nobody has reserved room meanwhile, what is written equals what was reserved.
		 */
		if (has->used >= size || load_acquire(&c->memory.control->reserved) != reserved ||
		    !kt_is_committed(committed, kt_ring_memory_committed(c->memory, at, has->used)))
			return -EAGAIN;
	}
	has->n = committed >> KT_COUNT_SHIFT;
	return 1;
}

/* Returns whether data from that byte on cannot come from our programs. */
static bool is_foreign(const struct kt_cursor *c, const struct content *has, size_t from)
{
	return has->used > kt_subbuf_size(c->memory.geometry) || has->used < from ||
	       has->n < c->at.taken ||
	       (has->used > from && has->used - from < sizeof(struct kt_record));
}

static struct kt_packet copy_packet(const struct kt_cursor *c, const struct kt_subbuf *s,
				    const struct content *has, size_t from)
{
	struct kt_packet p = {
		.records = c->copy,
		.size = has->used - from,
		.is_open = !has->is_whole,
	};
	uint64_t head;

	memcpy(c->copy, (const char *)s + from, p.size);
	memcpy(&head, c->copy, sizeof(head));
	p.begin = kt_record_time(head, s->begin);
	p.end = has->is_whole ? s->end : kt_clock_now();
	p.lost = s->lost - c->memory.control->lost_then + c->at.missed;
	return p;
}

/*
 * Returns 1, 0 or -EBADMSG; or -EAGAIN if the cursor moved without a packet, or must find its place
 * again.
 */
static int copy_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err)
{
	const struct kt_subbuf *s = kt_ring_memory_subbuf(c->memory, c->at.position);
	uint64_t at = get_subbuf(c);
	size_t from = c->at.position > at ? c->at.position - at : sizeof(*s);
	struct content has;
	int ret = find_content(c, s, &has);
	bool foreign;

	if (ret <= 0)
		return ret;
	foreign = is_foreign(c, &has, from);
	if (!foreign && has.used > from)
		*packet = copy_packet(c, s, &has, from);
	if (!is_intact(c))
		return -EAGAIN;
	if (foreign)
		return kt_fail(err, EBADMSG, "a ring has invalid records");
	c->last = c->at;
	c->last.position = at + from;
	c->at.before += has.n - c->at.taken;
	c->at.taken = has.is_whole ? 0 : has.n;
	c->at.position = at + (has.is_whole ? kt_subbuf_size(c->memory.geometry) : has.used);
	return has.used > from ? 1 : -EAGAIN;
}

int kt_cursor_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err)
{
	int tries, ret = -EAGAIN;

	for (tries = 0; tries < TRIES && ret == -EAGAIN; tries++) {
		ret = is_intact(c) ? 0 : go_to_oldest(c);
		if (ret == 0)
			ret = copy_next(c, packet, err);
	}
	if (ret == -EAGAIN)
		return kt_fail(err, EAGAIN, "ring is being written");
	return ret == -ESTALE ? kt_fail(err, ESTALE, "it was cleared") : ret;
}

void kt_cursor_step_back(struct kt_cursor *c, size_t size, size_t n_records)
{
	c->at = c->last;
	c->at.position += size;
	c->at.taken += n_records;
	c->at.before += n_records;
}
