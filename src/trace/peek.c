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
	bool is_begun, is_done;
};

struct kt_peek *kt_peek_new(const struct kt_ring *ring, uint64_t until, struct kt_error *err)
{
	struct kt_peek *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	p->until = until;
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

static int await_next(struct kt_peek *p, struct kt_packet *packet, struct kt_error *err)
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

/* A ring that is cleared counts anew. */
static void count_lost(struct kt_peek *p, uint64_t told)
{
	if (!p->is_begun)
		p->told = kt_cursor_missed(p->cursor);
	p->lost += told < p->told ? told : told - p->told;
	p->told = told;
	p->is_begun = true;
}

int kt_peek_next(struct kt_peek *p, struct kt_packet *packet, struct kt_error *err)
{
	int ret = p->is_done ? 0 : await_next(p, packet, err);

	p->is_done = ret == 0;
	if (ret <= 0)
		return ret;
	count_lost(p, packet->lost);
	packet->lost = p->lost;
	if (packet->begin > p->until) {
		p->is_done = true;
		packet->size = 0;
		packet->end = packet->begin;
	}
	return 1;
}
