// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/tail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/clock.h"
#include "base/error.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/banks.h"
#include "session/excerpt.h"
#include "session/flight.h"
#include "trace/peek.h"
#include "trace/recording.h"

enum { AT_ONCE = 4 << 20 }; /* bytes of a ring, before it is another one's turn */

struct kt_tail {
	struct kt_excerpt of;
	uint64_t until;
	struct kt_recording *recording;
	size_t n;
	struct kt_peek *peeks[]; /* of each ring; NULL where there is none */
};

/* All that was hit by a time at which it was written went there. The time; 0: that is not known. */
static uint64_t find_written(const struct kt_banks *b, size_t *bank)
{
	uint64_t began, now;

	*bank = kt_banks_written(b);
	began = kt_banks_began(b, *bank);
	now = kt_clock_now();
	return kt_banks_written(b) == *bank && kt_banks_began(b, *bank) == began ? now : 0;
}

static int fail_turned(struct kt_error *err)
{
	return kt_fail(err, EAGAIN, "it was turned meanwhile");
}

static int begin_peeks(struct kt_tail *t, struct kt_error *err)
{
	const struct kt_rings *rings = t->of.origin.rings;
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (!kt_rings_at(rings, i))
			continue;
		t->peeks[i] = kt_peek_new(kt_rings_at(rings, i), err);
		if (!t->peeks[i])
			return -err->code;
	}
	return 0;
}

static int begin(struct kt_tail *t, const struct kt_flight *f, size_t bank, uint64_t now,
		 int tracefs, const char *version, int dir, struct kt_error *err)
{
	if (flock(dir, LOCK_EX | LOCK_NB) < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	if (kt_excerpt_read(&t->of, f, bank, now, tracefs, err) < 0 || begin_peeks(t, err) < 0)
		return -err->code;
	t->recording = kt_recording_empty(&t->of.origin, version, dir, err);
	return t->recording ? 0 : -err->code;
}

struct kt_tail *kt_tail_new(const struct kt_flight *f, int tracefs, const char *version, int dir,
			    struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	const struct kt_rings *rings;
	struct kt_tail *t;
	uint64_t now;
	size_t bank, n;

	now = find_written(b, &bank);
	rings = kt_banks_rings(b, bank);
	if (!now || !rings || !kt_banks_are_current(b)) {
		fail_turned(err);
		return NULL;
	}
	n = kt_rings_count(rings);
	t = calloc(1, sizeof(*t) + n * sizeof(struct kt_peek *));
	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	t->n = n;
	if (begin(t, f, bank, now, tracefs, version, dir, err) == 0)
		return t;
	kt_tail_free(t);
	return NULL;
}

void kt_tail_free(struct kt_tail *t)
{
	size_t i;

	if (!t)
		return;
	kt_recording_free(t->recording);
	for (i = 0; i < t->n; i++)
		kt_peek_free(t->peeks[i]);
	kt_excerpt_clear(&t->of);
	free(t);
}

/* Whether there may be more: 1, or 0. */
static int copy_of(struct kt_tail *t, size_t ring, struct kt_error *err)
{
	const struct kt_rings *rings = t->of.origin.rings;
	struct kt_packet packet;
	size_t size = 0;
	int ret;

	while (size < AT_ONCE) {
		ret = kt_peek_next(t->peeks[ring], &packet, err);
		if (ret < 0)
			return kt_fail_because(err, "CPU %zu", ring % kt_rings_cpus(rings));
		if (ret == 0)
			return 0;
		if (kt_recording_add(t->recording, ring, &packet, err) < 0)
			return -err->code;
		size += packet.size;
	}
	return 1;
}

static int copy_all(struct kt_tail *t, struct kt_error *err)
{
	size_t i;
	int ret, more;

	do {
		more = 0;
		for (i = 0; i < t->n; i++) {
			if (!t->peeks[i])
				continue;
			ret = copy_of(t, i, err);
			if (ret < 0)
				return ret;
			more |= ret;
		}
	} while (more);
	return 0;
}

int kt_tail_copy(struct kt_tail *t, const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_banks *b = kt_flight_banks(f);
	size_t bank, i;
	uint64_t now;

	now = find_written(b, &bank);
	if (!now || kt_banks_began(b, bank) != t->of.origin.began)
		return fail_turned(err);
	for (i = 0; i < t->n; i++)
		if (t->peeks[i])
			kt_peek_go_on(t->peeks[i], now);
	t->until = now;
	return copy_all(t, err);
}

uint64_t kt_tail_until(const struct kt_tail *t)
{
	return t->until;
}

struct kt_recording *kt_tail_recording(const struct kt_tail *t)
{
	return t->recording;
}
