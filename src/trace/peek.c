// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/peek.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/cursor.h"
#include "ring/ring.h"

enum { PATIENCE = 1000000000 }; /* ns for a record to be written */

struct kt_peek {
	struct kt_cursor *cursor;
	uint64_t until;
	uint64_t told; /* by the cursor, of what is missing */
	uint64_t lost; /* of it */
	uint64_t said; /* of that, by a packet that was given, */
	uint64_t end;  /* which ends there */
	bool is_begun, is_done;
	bool is_held;            /* the next one was later, */
	struct kt_packet packet; /* and is this */
};

struct kt_peek *kt_peek_new(const struct kt_ring *ring, struct kt_error *err)
{
	struct kt_peek *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	p->is_done = true;
	p->cursor = kt_cursor_new(ring, err);
	if (p->cursor)
		return p;
	free(p);
	return NULL;
}

void kt_peek_free(struct kt_peek *p)
{
	if (!p)
		return;
	kt_cursor_free(p->cursor);
	free(p);
}

void kt_peek_go_on(struct kt_peek *p, uint64_t until)
{
	p->until = until;
	p->is_done = false;
}

static int await_next(struct kt_peek *p, struct kt_error *err)
{
	uint64_t began = kt_clock_now();
	int ret;

	while ((ret = kt_cursor_next(p->cursor, &p->packet, err)) == -EAGAIN) {
		if (kt_clock_now() - began > PATIENCE)
			return kt_fail(err, EBUSY, "a record is being written all the time");
		sched_yield();
	}
	return ret;
}

/* A ring that is cleared counts anew. */
static void count_lost(struct kt_peek *p)
{
	uint64_t told = p->packet.lost;

	if (!p->is_begun)
		p->told = kt_cursor_missed(p->cursor);
	p->lost += told < p->told ? told : told - p->told;
	p->told = told;
	p->is_begun = true;
	p->packet.lost = p->lost;
}

static int give(struct kt_peek *p, struct kt_packet packet, struct kt_packet *to)
{
	p->said = packet.lost;
	p->end = packet.end;
	*to = packet;
	return 1;
}

/*
 * Of the next one nothing but what is lost before it by now, 1; or 0 where nothing is: what is lost
 * behind a packet that ends later is later itself.
 */
static int hold_back(struct kt_peek *p, struct kt_packet *packet)
{
	struct kt_packet mark = {.begin = p->until, .end = p->until, .lost = p->lost};

	p->is_held = p->is_done = true;
	return p->lost == p->said || p->end > p->until ? 0 : give(p, mark, packet);
}

int kt_peek_next(struct kt_peek *p, struct kt_packet *packet, struct kt_error *err)
{
	int ret = p->is_done ? 0 : p->is_held ? 1 : await_next(p, err);

	p->is_done = ret == 0;
	if (ret <= 0)
		return ret;
	if (!p->is_held)
		count_lost(p);
	if (p->packet.begin > p->until)
		return hold_back(p, packet);
	p->is_held = false;
	return give(p, p->packet, packet);
}
