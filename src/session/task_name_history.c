// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/task_name_history.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/pids.h"
#include "handlers/task_name_prog.h"
#include "session/task_name_log.h"
#include "session/task_name_ring.h"
#include "session/task_name_scan.h"

enum { WAIT_MS = 1, WAITS = 100 };

struct past {
	struct kt_task_name_log *roll;
	size_t first, n; /* of the ring's: behind all that are missing, and how many there are */
	uint64_t since;  /* from there on none is missing */
	bool *named;     /* by tid: before its first naming, or it was not there */
};

/* All that have taken their place by now; a program that stands still for so long leaves a gap. */
static int read_ring(struct kt_task_name_log *r, struct kt_task_name_ring *ring)
{
	const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000};
	uint64_t until = kt_task_name_ring_written(ring);
	struct kt_task_name gap;
	int ret, waits = 0;

	while ((ret = kt_task_name_log_read(r, ring)) == 0 && ring->position < until) {
		if (waits++ < WAITS) {
			nanosleep(&pause, NULL);
			continue;
		}
		kt_task_name_ring_skip(ring, &gap);
		ret = kt_task_name_log_add(r, &gap);
		if (ret < 0)
			break;
	}
	return ret;
}

static void find_gap(struct past *p, uint64_t began)
{
	const struct kt_task_name *namings = p->roll->namings;
	size_t i;

	p->n = p->roll->n;
	p->since = began;
	for (i = 0; i < p->n; i++)
		if (namings[i].lost)
			p->first = i + 1;
	if (p->first > 0 && p->first < p->n)
		p->since = namings[p->first].time - 1;
}

/* The task had that name until then. */
static int add(struct past *p, struct kt_task_name naming, uint64_t until)
{
	if (naming.tid >= KT_PIDS_MAX || p->named[naming.tid])
		return 0;
	p->named[naming.tid] = true;
	if (naming.kind == KT_TASK_NAME_BEGUN)
		return 0;
	if (naming.kind == KT_TASK_NAME_RENAMED)
		memcpy(naming.comm, naming.was, sizeof(naming.comm));
	naming.kind = KT_TASK_NAME_RENAMED;
	naming.time = until < p->since ? until : p->since;
	return kt_task_name_log_add(p->roll, &naming);
}

static int add_those_before(struct past *p)
{
	const struct kt_task_name *naming;
	size_t i;
	int ret = 0;

	for (i = p->first; i < p->n && ret == 0; i++) {
		naming = &p->roll->namings[i];
		ret = add(p, *naming, naming->time - 1);
	}
	return ret;
}

/* What was read while some went missing may be a name from before that. */
static int add_living(struct past *p, const struct kt_task_name_log *living, uint64_t asked)
{
	struct kt_task_name naming;
	size_t i;
	int ret = 0;

	if (p->first > 0 && (p->first == p->n || p->roll->namings[p->first].time > asked))
		return 0;
	for (i = 0; i < living->n && ret == 0; i++) {
		naming = living->namings[i];
		naming.kind = KT_TASK_NAME_ENDED; /* as if it were just now */
		ret = add(p, naming, p->since);
	}
	return ret;
}

int kt_task_name_history_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring,
			      uint64_t began)
{
	struct past p = {.roll = r, .named = calloc(KT_PIDS_MAX, sizeof(*p.named))};
	struct kt_task_name_log living = {0};
	uint64_t asked = kt_clock_now();
	int ret = p.named ? kt_task_name_scan_add(&living, 0, NULL, asked) : -ENOMEM;

	if (ret == 0)
		ret = read_ring(r, ring);
	if (ret == 0) {
		find_gap(&p, began);
		ret = add_those_before(&p);
	}
	if (ret == 0)
		ret = add_living(&p, &living, asked);
	kt_task_name_log_free(&living);
	free(p.named);
	return ret;
}
