// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/cursor.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/memory.h"
#include "ring/ring.h"

enum { TRIES = 8 };

struct kt_cursor {
	struct kt_memory memory;
	uint64_t position; /* of the next record, or a boundary */
	uint64_t taken;    /* records that its sub-buffer has before it */
	uint64_t before;   /* records before it since the ring was cleared */
	uint64_t missed;   /* those of them that were not read */
	uint64_t cleared;  /* up to where the ring was, then */
	char *copy;
};

struct kt_cursor *kt_cursor_new(const struct kt_ring *ring, struct kt_error *err)
{
	struct kt_cursor *c = calloc(1, sizeof(*c));

	if (c) {
		c->memory = kt_ring_memory(ring);
		c->position = c->cleared = c->memory.control->consumed;
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

uint64_t kt_cursor_missed(const struct kt_cursor *c)
{
	return c->missed;
}

/* In this order, as all loads here: none goes before one that stands above it. */
static uint64_t load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static uint64_t subbuf_at(const struct kt_cursor *c)
{
	return c->position & ~(uint64_t)(kt_subbuf_size(c->memory.geometry) - 1);
}

/* Whether nobody has begun to write over it, or cleared it, before what was read until now. */
static bool is_there(const struct kt_cursor *c)
{
	const struct kt_control *control = c->memory.control;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return load(&control->reserved) - subbuf_at(c) <= kt_memory_size(c->memory) &&
	       load(&control->consumed) == c->cleared;
}

static bool is_written(struct kt_memory m, uint64_t subbuf, uint64_t bytes)
{
	return kt_is_committed(load(&kt_memory_subbuf(m, subbuf)->committed),
			       kt_memory_committed(m, subbuf, bytes));
}

/* Whether all that is reserved is written, from *whole on, which goes up to the last sub-buffer. */
static bool are_written(struct kt_memory m, uint64_t *whole, uint64_t reserved)
{
	uint64_t size = kt_subbuf_size(m.geometry), oldest = kt_memory_oldest(m, reserved);

	if (*whole < oldest)
		*whole = oldest;
	for (; reserved - *whole >= size; *whole += size)
		if (!is_written(m, *whole, size))
			return false;
	return reserved == *whole || is_written(m, *whole, reserved - *whole);
}

/*
 * What was overwritten is known to be what lay before the oldest record where nobody is at work in
 * the whole ring: who begins a sub-buffer adds to it before he commits its head. 0 or -EAGAIN.
 */
static int go_to_oldest(struct kt_cursor *c)
{
	const struct kt_control *control = c->memory.control;
	uint64_t whole = 0, reserved, cleared, overwritten, before;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		reserved = load(&control->reserved);
		cleared = load(&control->consumed);
		if (!are_written(c->memory, &whole, reserved))
			continue;
		overwritten = load(&control->overwritten) - control->overwritten_then;
		if (reserved != load(&control->reserved) || cleared != load(&control->consumed))
			continue;
		if (cleared != c->cleared)
			c->before = c->missed = 0;
		c->cleared = cleared;
		c->position = kt_memory_oldest(c->memory, reserved);
		before = c->position == cleared ? 0 : overwritten;
		c->missed += before - c->before;
		c->before = before;
		c->taken = 0;
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

	has->is_whole = kt_is_committed(committed, kt_memory_committed(c->memory, at, size));
	has->used = s->used;
	if (!has->is_whole) {
		reserved = load(&c->memory.control->reserved);
		if (reserved == c->position)
			return 0;
		has->used = reserved - at;
		committed = load(&s->committed);
		/* Where nobody has taken room meanwhile, what is written is what was taken. */
		if (has->used >= size || load(&c->memory.control->reserved) != reserved ||
		    !kt_is_committed(committed, kt_memory_committed(c->memory, at, has->used)))
			return -EAGAIN;
	}
	has->n = committed >> KT_COUNT_SHIFT;
	return 1;
}

/* From that byte on; whether no program of ours would have written that. */
static bool is_foreign(const struct kt_cursor *c, const struct content *has, size_t from)
{
	return has->used > kt_subbuf_size(c->memory.geometry) || has->used < from ||
	       has->n < c->taken ||
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
	p.lost = s->lost - c->memory.control->lost_then + c->missed;
	return p;
}

/* 1, 0 or -EBADMSG; or -EAGAIN: it has gone on without a packet, or has to find its place anew. */
static int copy_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err)
{
	const struct kt_subbuf *s = kt_memory_subbuf(c->memory, c->position);
	uint64_t at = subbuf_at(c);
	size_t from = c->position > at ? c->position - at : sizeof(*s);
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
	c->before += has.n - c->taken;
	c->taken = has.is_whole ? 0 : has.n;
	c->position = at + (has.is_whole ? kt_subbuf_size(c->memory.geometry) : has.used);
	return has.used > from ? 1 : -EAGAIN;
}

int kt_cursor_next(struct kt_cursor *c, struct kt_packet *packet, struct kt_error *err)
{
	int tries, ret = -EAGAIN;

	for (tries = 0; tries < TRIES && ret == -EAGAIN; tries++)
		if (is_there(c) || go_to_oldest(c) == 0)
			ret = copy_next(c, packet, err);
	return ret == -EAGAIN ? kt_fail(err, EAGAIN, "it is being written") : ret;
}
