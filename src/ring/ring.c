// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/ring.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "hook/map.h"
#include "ring/ring_memory.h"

enum { MIN_SHIFT = 12, MAX_SHIFT = 22, MAX_SIZE = 1u << 30 };

struct kt_ring {
	struct kt_map map;
	struct kt_ring_memory memory; /* the mapped memory */
	uint64_t *consumed;           /* the header's `consumed`, or `position` */
	uint64_t position;
};

static bool is_valid_geometry(struct kt_geometry g)
{
	return g.shift >= MIN_SHIFT && g.shift <= MAX_SHIFT && g.n_subbufs >= 2 &&
	       (g.n_subbufs & (g.n_subbufs - 1)) == 0 &&
	       g.n_subbufs <= (unsigned int)MAX_SIZE >> g.shift;
}

static int check_geometry(struct kt_geometry g, struct kt_error *err)
{
	if (is_valid_geometry(g))
		return 0;
	return kt_fail(err, EINVAL, "a ring of %u sub-buffers of 2^%u bytes cannot be", g.n_subbufs,
		       g.shift);
}

static struct kt_ring *allocate_ring(struct kt_geometry geometry, struct kt_error *err)
{
	struct kt_ring *r = calloc(1, sizeof(*r));

	if (r)
		r->memory.geometry = geometry;
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return r;
}

static void set_memory(struct kt_ring *r)
{
	r->memory.control = r->map.memory;
	r->consumed = &r->memory.control->consumed;
}

struct kt_ring *kt_ring_new(struct kt_geometry geometry, struct kt_error *err)
{
	struct kt_ring *r = allocate_ring(geometry, err);

	if (r && check_geometry(geometry, err) == 0 &&
	    kt_map_make(&r->map, "kt_ring", kt_subbuf_size(geometry), geometry.n_subbufs + 1,
			err) == 0) {
		set_memory(r);
		return r;
	}
	free(r);
	return NULL;
}

struct kt_ring *kt_ring_from(int fd, struct kt_geometry geometry, struct kt_error *err)
{
	struct kt_ring *r = allocate_ring(geometry, err);

	if (!r || check_geometry(geometry, err) < 0)
		close(fd);
	else if (kt_map_from(&r->map, fd, err) == 0) {
		set_memory(r);
		if (r->map.size == kt_subbuf_size(geometry) * (geometry.n_subbufs + 1))
			return r;
		kt_fail(err, EPROTO, "this is a ring of another size");
	}
	kt_ring_free(r);
	return NULL;
}

void kt_ring_free(struct kt_ring *r)
{
	if (!r)
		return;
	kt_map_free(&r->map);
	free(r);
}

int kt_ring_fd(const struct kt_ring *r)
{
	return r->map.fd;
}

struct kt_ring_memory kt_ring_memory(const struct kt_ring *r)
{
	return r->memory;
}

uint32_t kt_ring_id(const struct kt_ring *r)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);

	bpf_obj_get_info_by_fd(kt_ring_fd(r), &info, &size);
	return info.id;
}

int kt_ring_next(struct kt_ring *r, struct kt_packet *packet, struct kt_error *err)
{
	uint64_t position = *r->consumed, size = kt_subbuf_size(r->memory.geometry);
	struct kt_subbuf *s = kt_ring_memory_subbuf(r->memory, position);

	/*
	 * Acquire: pairs with the addition of every writer of this sub-buffer (add_committed in
	 * generate/reserve.c).
	 */
	if (!kt_is_committed(__atomic_load_n(&s->committed, __ATOMIC_ACQUIRE),
			     kt_ring_memory_committed(r->memory, position, size)))
		return 0;
	if (position % size || s->used < sizeof(*s) || s->used > size)
		return kt_fail(err, EBADMSG, "a ring has invalid records");
	*packet = (struct kt_packet){
		.records = s + 1,
		.size = s->used - sizeof(*s),
		.begin = s->begin,
		.end = s->end,
		.lost = s->lost - r->memory.control->lost_then + kt_ring_overwritten(r),
	};
	return 1;
}

void kt_ring_release(struct kt_ring *r)
{
	/*
	 * Release: pairs with the writers' load of `consumed`, so that the packet is read before
	 * they overwrite it.
	 */
	__atomic_store_n(r->consumed, *r->consumed + kt_subbuf_size(r->memory.geometry),
			 __ATOMIC_RELEASE);
}

static void close_subbuf(struct kt_subbuf *s, uint64_t time, uint64_t used, uint64_t size)
{
	s->used = used;
	s->end = time;
	/* Pairs with the acquire in kt_ring_next(): `used` and `end` are visible before it. */
	__atomic_fetch_add(&s->committed, size - used, __ATOMIC_SEQ_CST);
}

/* Does what a program does that finds no room. */
void kt_ring_flush(struct kt_ring *r)
{
	uint64_t position, offset, time, size = kt_subbuf_size(r->memory.geometry);

	do {
		position = kt_ring_reserved(r);
		offset = position & (size - 1);
		if (offset == 0)
			return;
		time = kt_clock_now();
		/* Pairs with the programs' compare-and-swap (swap_reserved in generate/reserve.c).
		 */
	} while (!__atomic_compare_exchange_n(&r->memory.control->reserved, &position,
					      position + size - offset, false, __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	close_subbuf(kt_ring_memory_subbuf(r->memory, position), time, offset, size);
}

uint64_t kt_ring_reserved(const struct kt_ring *r)
{
	/* Acquire: pairs with the programs' compare-and-swap (swap_reserved in generate/reserve.c).
	 */
	return __atomic_load_n(&r->memory.control->reserved, __ATOMIC_ACQUIRE);
}

bool kt_ring_is_released(const struct kt_ring *r, uint64_t place)
{
	return *r->consumed >= place;
}

/* At a boundary, an earlier writer has ended: what is missing there is the rest. */
void kt_ring_mend(struct kt_ring *r)
{
	uint64_t reserved = r->memory.control->reserved, size = kt_subbuf_size(r->memory.geometry),
		 offset;
	struct kt_subbuf *s = kt_ring_memory_subbuf(r->memory, reserved - 1);

	if (reserved == 0 || reserved % size)
		return;
	offset = s->committed & (size - 1);
	if (offset)
		close_subbuf(s, kt_clock_now(), offset, size);
}

void kt_ring_rewind(struct kt_ring *r)
{
	r->position = kt_ring_memory_oldest(r->memory, r->memory.control->reserved);
	r->consumed = &r->position;
}

/*
 * Clears the positions before the counts: a cursor then sees that its records no longer count. The
 * store of `consumed` pairs with the load in is_intact() (ring/cursor.c).
 */
void kt_ring_clear(struct kt_ring *r)
{
	struct kt_control *c = r->memory.control;
	uint64_t size = kt_subbuf_size(r->memory.geometry), i;

	__atomic_store_n(&c->consumed, c->reserved, __ATOMIC_SEQ_CST);
	for (i = 0; i < r->memory.geometry.n_subbufs; i++)
		kt_ring_memory_subbuf(r->memory, i * size)->committed &=
			(UINT64_C(1) << KT_COUNT_SHIFT) - 1;
	c->lost_then = c->lost;
	c->overwritten_then = c->overwritten;
	r->consumed = &c->consumed;
}

/*
 * A begin time is valid if its sub-buffer still is the oldest after the time was read: the acquires
 * keep the loads in order, and pair with the programs' compare-and-swap of `reserved`.
 */
struct kt_held kt_ring_held(const struct kt_ring *r)
{
	uint64_t from, reserved = __atomic_load_n(&r->memory.control->reserved, __ATOMIC_ACQUIRE);
	struct kt_held e;

	do {
		from = kt_ring_memory_oldest(r->memory, reserved);
		e.bytes = reserved - from;
		e.since = 0;
		if (from != r->memory.control->consumed)
			e.since = __atomic_load_n(&kt_ring_memory_subbuf(r->memory, from)->begin,
						  __ATOMIC_ACQUIRE);
		reserved = __atomic_load_n(&r->memory.control->reserved, __ATOMIC_ACQUIRE);
	} while (kt_ring_memory_oldest(r->memory, reserved) != from);
	return e;
}

uint64_t kt_ring_lost(const struct kt_ring *r)
{
	return __atomic_load_n(&r->memory.control->lost, __ATOMIC_RELAXED) -
	       r->memory.control->lost_then;
}

uint64_t kt_ring_overwritten(const struct kt_ring *r)
{
	return __atomic_load_n(&r->memory.control->overwritten, __ATOMIC_RELAXED) -
	       kt_ring_overwritten_before(r);
}

uint64_t kt_ring_overwritten_before(const struct kt_ring *r)
{
	return r->memory.control->overwritten_then;
}
