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
	struct kt_mark last; /* where its last packet begins */
	char *copy;
};

enum { NOT_THIS = -1 }; /* no ring is cleared up to there */

static struct kt_mark place(const struct kt_cursor *c, const struct kt_ring *ring,
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
		c->at = place(c, ring, mark);
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

/* In this order, as all loads here: none goes before one that stands above it. */
static uint64_t load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static uint64_t subbuf_at(const struct kt_cursor *c)
{
	return c->at.position & ~(uint64_t)(kt_subbuf_size(c->memory.geometry) - 1);
}

/* Whether nobody has begun to write over it, or cleared it, before what was read until now. */
static bool is_there(const struct kt_cursor *c)
{
	const struct kt_control *control = c->memory.control;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return load(&control->reserved) - subbuf_at(c) <= kt_ring_memory_size(c->memory) &&
	       load(&control->consumed) == c->at.cleared;
}

static bool is_written(struct kt_ring_memory m, uint64_t subbuf, uint64_t bytes)
{
	return kt_is_committed(load(&kt_ring_memory_subbuf(m, subbuf)->committed),
			       kt_ring_memory_committed(m, subbuf, bytes));
}

/* Whether all that is reserved is written, from *whole on, which goes up to the last sub-buffer. */
static bool are_written(struct kt_ring_memory m, uint64_t *whole, uint64_t reserved)
{
	uint64_t size = kt_subbuf_size(m.geometry), oldest = kt_ring_memory_oldest(m, reserved);

	if (*whole < oldest)
		*whole = oldest;
	for (; reserved - *whole >= size; *whole += size)
		if (!is_written(m, *whole, size))
			return false;
	return reserved == *whole || is_written(m, *whole, reserved - *whole);
}

/*
 * What was overwritten is known to be what lay before the oldest record where nobody is at work in
 * the whole ring: who begins a sub-buffer adds to it before he commits its head. 0; -EAGAIN, or
 * -ESTALE.
 */
static int go_to_oldest(struct kt_cursor *c)
{
	const struct kt_control *control = c->memory.control;
	uint64_t whole = 0, reserved, cleared, overwritten, before;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		reserved = load(&control->reserved);
		cleared = load(&control->consumed);
		if (cleared != c->at.cleared)
			return -ESTALE;
		if (!are_written(c->memory, &whole, reserved))
			continue;
		overwritten = load(&control->overwritten) - control->overwritten_then;
		if (reserved != load(&control->reserved) || cleared != load(&control->consumed))
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

/* What its sub-buffer has as yet. */
struct content {
	size_t used; /* bytes, its head among them */
	size_t n;    /* records */
	bool is_whole;
};

/* 1; 0: nothing new; or -EAGAIN. */
static int find_content(const struct kt_cursor *c, const struct kt_subbuf *s, struct content *has)
{
	uint64_t size = kt_subbuf_size(c->memory.geometry), at = subbuf_at(c), reserved;
	uint64_t committed = load(&s->committed);

	has->is_whole = kt_is_committed(committed, kt_ring_memory_committed(c->memory, at, size));
	has->used = s->used;
	if (!has->is_whole) {
		reserved = load(&c->memory.control->reserved);
		if (reserved == c->at.position)
			return 0;
		has->used = reserved - at;
		committed = load(&s->committed);
		/* Where nobody has taken room meanwhile, what is written is what was taken. */
		if (has->used >= size || load(&c->memory.control->reserved) != reserved ||
		    !kt_is_committed(committed, kt_ring_memory_committed(c->memory, at, has->used)))
			return -EAGAIN;
	}
	has->n = committed >> KT_COUNT_SHIFT;
	return 1;
}

/* From that byte on; whether no program of ours would have written that. */
static bool is_foreign(const struct kt_cursor *c, const struct content *has, size_t from)
{
	return has->used > kt_subbuf_size(c->memory.geometry) || has->used < from ||
	       has->n < c->at.taken ||
	       (has->used > from && has->used - from < sizeof(struct kt_record));
}

static struct kt_packet copy(const struct kt_cursor *c, const struct kt_subbuf *s,
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

/* 1, 0 or -EBADMSG; or -EAGAIN: it has gone on without a packet, or has to find its place anew. */
static int copy_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err)
{
	const struct kt_subbuf *s = kt_ring_memory_subbuf(c->memory, c->at.position);
	uint64_t at = subbuf_at(c);
	size_t from = c->at.position > at ? c->at.position - at : sizeof(*s);
	struct content has;
	int ret = find_content(c, s, &has);
	bool foreign;

	if (ret <= 0)
		return ret;
	foreign = is_foreign(c, &has, from);
	if (!foreign && has.used > from)
		*packet = copy(c, s, &has, from);
	if (!is_there(c))
		return -EAGAIN;
	if (foreign)
		return kt_fail(err, EBADMSG, "a ring holds what is not ours");
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
		ret = is_there(c) ? 0 : go_to_oldest(c);
		if (ret == 0)
			ret = copy_next(c, packet, err);
	}
	if (ret == -EAGAIN)
		return kt_fail(err, EAGAIN, "it is being written");
	return ret == -ESTALE ? kt_fail(err, ESTALE, "it was cleared") : ret;
}

void kt_cursor_keep(struct kt_cursor *c, size_t size, size_t n_records)
{
	c->at = c->last;
	c->at.position += size;
	c->at.taken += n_records;
	c->at.before += n_records;
}
