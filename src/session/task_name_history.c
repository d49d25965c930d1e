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
	struct kt_task_name_log *log;
	size_t first, n; /* the ring's entries after the last gap, and their number */
	uint64_t since;  /* nothing is missing from here on */
	bool *named; /* by thread number: the name before its first entry is known, or it did not
			exist */
};

/* Reads all entries up to now; a program that is interrupted for too long leaves a gap. */
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
	const struct kt_task_name *entries = p->log->entries;
	size_t i;

	p->n = p->log->n;
	p->since = began;
	for (i = 0; i < p->n; i++)
		if (entries[i].lost)
			p->first = i + 1;
	if (p->first > 0 && p->first < p->n)
		p->since = entries[p->first].time - 1;
}

/* Adds a name that the task had until then. */
static int add_name(struct past *p, struct kt_task_name entry, uint64_t until)
{
	if (entry.tid >= KT_PIDS_MAX || p->named[entry.tid])
		return 0;
	p->named[entry.tid] = true;
	if (entry.kind == KT_TASK_NAME_BEGUN)
		return 0;
	if (entry.kind == KT_TASK_NAME_RENAMED)
		memcpy(entry.comm, entry.was, sizeof(entry.comm));
	entry.kind = KT_TASK_NAME_RENAMED;
	entry.time = until < p->since ? until : p->since;
	return kt_task_name_log_add(p->log, &entry);
}

static int add_names_before(struct past *p)
{
	const struct kt_task_name *entry;
	size_t i;
	int ret = 0;

	for (i = p->first; i < p->n && ret == 0; i++) {
		entry = &p->log->entries[i];
		ret = add_name(p, *entry, entry->time - 1);
	}
	return ret;
}

/* What was read while entries were missing may be an older name. */
static int add_scanned(struct past *p, const struct kt_task_name_log *scanned, uint64_t asked)
{
	struct kt_task_name entry;
	size_t i;
	int ret = 0;

	if (p->first > 0 && (p->first == p->n || p->log->entries[p->first].time > asked))
		return 0;
	for (i = 0; i < scanned->n && ret == 0; i++) {
		entry = scanned->entries[i];
		entry.kind = KT_TASK_NAME_ENDED; /* as if it ended just now */
		ret = add_name(p, entry, p->since);
	}
	return ret;
}

int kt_task_name_history_read(struct kt_task_name_log *r, struct kt_task_name_ring *ring,
			      uint64_t began)
{
	struct past p = {.log = r, .named = calloc(KT_PIDS_MAX, sizeof(*p.named))};
	struct kt_task_name_log scanned = {0};
	uint64_t asked = kt_clock_now();
	int ret = p.named ? kt_task_name_scan_add(&scanned, 0, NULL, asked) : -ENOMEM;

	if (ret == 0)
		ret = read_ring(r, ring);
	if (ret == 0) {
		find_gap(&p, began);
		ret = add_names_before(&p);
	}
	if (ret == 0)
		ret = add_scanned(&p, &scanned, asked);
	kt_task_name_log_free(&scanned);
	free(p.named);
	return ret;
}
