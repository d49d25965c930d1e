// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight/ring_peek.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/ring.h"

enum { PATIENCE = 1000000000 }; /* ns to wait for a record being written */

struct kt_ring_peek {
	struct kt_cursor *cursor;
	struct kt_ring_position at;  /* except for the mark, which is the cursor's */
	struct kt_ring_position was; /* before the last packet */
	uint64_t lost;               /* reported in packets of this reader */
	uint64_t was_lost;
};

struct kt_ring_peek *kt_ring_peek_new(const struct kt_ring *ring,
				      const struct kt_ring_position *place, struct kt_error *err)
{
	struct kt_ring_peek *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	p->at = *place;
	p->cursor = kt_cursor_new(ring, place->is_begun ? &place->mark : NULL, err);
	if (p->cursor)
		return p;
	free(p);
	return NULL;
}

void kt_ring_peek_free(struct kt_ring_peek *p)
{
	if (!p)
		return;
	kt_cursor_free(p->cursor);
	free(p);
}

struct kt_ring_position kt_ring_peek_position(const struct kt_ring_peek *p)
{
	struct kt_ring_position place = p->at;

	place.mark = kt_cursor_mark(p->cursor);
	return place;
}

static int await_next(struct kt_ring_peek *p, struct kt_packet *packet, struct kt_error *err)
{
	uint64_t began = kt_clock_now();
	int ret;

	while ((ret = kt_cursor_next(p->cursor, packet, err)) == -EAGAIN) {
		if (kt_clock_now() - began > PATIENCE)
			return kt_fail(err, EBUSY, "a record is being written all the time");
		sched_yield();
	}
	return ret;
}

static void start_reading(struct kt_ring_peek *p)
{
	if (!p->at.is_begun && !p->at.continues)
		p->at.full_length = kt_cursor_mark(p->cursor).missed;
	p->at.is_begun = true;
}

static void count_lost(struct kt_ring_peek *p, struct kt_packet *packet)
{
	p->was = p->at;
	p->was_lost = p->lost;
	p->lost += packet->lost - p->at.full_length;
	p->at.full_length = packet->lost;
	packet->lost = p->lost;
}

int kt_ring_peek_owed(const struct kt_ring_peek *p, uint64_t time, struct kt_packet *packet)
{
	if (!p->at.owed)
		return 0;
	*packet = (struct kt_packet){.begin = time, .end = time, .lost = p->lost + p->at.owed};
	return 1;
}

void kt_ring_peek_forget_owed(struct kt_ring_peek *p)
{
	p->lost += p->at.owed;
	p->at.owed = 0;
}

uint64_t kt_ring_peek_lost(const struct kt_ring_peek *p)
{
	return p->lost;
}

int kt_ring_peek_next(struct kt_ring_peek *p, struct kt_packet *packet, struct kt_error *err)
{
	int ret = await_next(p, packet, err);

	if (ret >= 0)
		start_reading(p);
	if (ret > 0)
		count_lost(p, packet);
	return ret;
}

void kt_ring_peek_keep(struct kt_ring_peek *p, size_t size, size_t n_records)
{
	kt_cursor_step_back(p->cursor, size, n_records);
	if (n_records > 0)
		return;
	p->at = p->was;
	p->lost = p->was_lost;
}
