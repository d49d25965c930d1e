// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/trace_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "trace/read/event_counts_reader.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stacks_reader.h"
#include "trace/read/task_names_reader.h"
#include "trace/trace_directory.h"

/* A CPU's stream with its next record. */
struct lane {
	struct kt_stream_reader *source;
	struct kt_hit hit;
	bool is_gap; /* records are missing after the last one that was returned */
};

/*
 * The first n_sorted lanes are a heap: each is not before the one at (i - 1) / 2. Lanes after them,
 * up to n_lanes, have no record yet; lanes at their end are moved after these.
 */
struct kt_trace_reader {
	DIR *dir;
	struct kt_metadata *metadata;
	struct kt_task_names_reader *task_names;
	struct kt_stacks_reader *stacks;
	struct lane *lanes;
	size_t memory; /* bytes of all packets that are held */
	size_t n_all, n_lanes, n_sorted;
	bool is_growing;
	bool has_names_to_read; /* some may have come */
	size_t n_gaps;          /* lanes that are in a gap */
	uint64_t last_gap;
	uint64_t ended; /* when the first CPU of the main channel ended; KT_NEVER: none yet */
	bool is_given;  /* the first lane's record was returned */
	uint64_t until; /* later records are held back */
	uint64_t
		begin; /* of the main channel, when every lane has a record; 0: it has no records */
};

static int add_stream(struct kt_trace_reader *r, int dir, const char *name, struct kt_error *err)
{
	struct lane *lanes = reallocarray(r->lanes, r->n_all + 1, sizeof(*lanes));

	if (!lanes)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	r->lanes = lanes;
	lanes[r->n_all] = (struct lane){0};
	lanes[r->n_all].source = kt_stream_reader_open(r->metadata, dir, name, &r->memory, err);
	if (!lanes[r->n_all].source)
		return -err->code;
	r->n_lanes = ++r->n_all;
	return 0;
}

static int add_streams(struct kt_trace_reader *r, struct kt_error *err)
{
	struct dirent *e;
	int ret = 0;

	while (ret == 0 && (e = readdir(r->dir)))
		if (kt_trace_directory_may_be_stream(dirfd(r->dir), e->d_name))
			ret = add_stream(r, dirfd(r->dir), e->d_name, err);
	return ret;
}

static int open_all(struct kt_trace_reader *r, const char *path, struct kt_error *err)
{
	r->until = UINT64_MAX;
	r->ended = KT_NEVER;
	r->dir = opendir(path);
	if (!r->dir)
		return kt_fail(err, errno, "%s", strerror(errno));
	/* Must be asked first: what is being written now may be complete by then. */
	r->is_growing = kt_trace_directory_is_busy(dirfd(r->dir));
	r->metadata = kt_metadata_read(dirfd(r->dir), err);
	if (!r->metadata)
		return -err->code;
	r->task_names = kt_task_names_reader_new(r->metadata, dirfd(r->dir), r->is_growing);
	r->stacks = kt_stacks_reader_new(r->metadata, dirfd(r->dir));
	return r->task_names && r->stacks ? add_streams(r, err)
					  : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

struct kt_trace_reader *kt_trace_reader_open(const char *path, struct kt_error *err)
{
	struct kt_trace_reader *r = calloc(1, sizeof(*r));

	if (!r)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else if (open_all(r, path, err) == 0)
		return r;
	kt_fail_because(err, "cannot read the trace %s", path);
	kt_trace_reader_free(r);
	return NULL;
}

void kt_trace_reader_free(struct kt_trace_reader *r)
{
	if (!r)
		return;
	while (r->n_all > 0)
		kt_stream_reader_free(r->lanes[--r->n_all].source);
	free(r->lanes);
	kt_task_names_reader_free(r->task_names);
	kt_stacks_reader_free(r->stacks);
	kt_metadata_free(r->metadata);
	if (r->dir)
		closedir(r->dir);
	free(r);
}

const struct kt_metadata *kt_trace_reader_metadata(const struct kt_trace_reader *r)
{
	return r->metadata;
}

static bool is_before(const struct kt_hit *a, const struct kt_hit *b)
{
	return a->time != b->time ? a->time < b->time : a->cpu < b->cpu;
}

static void swap_lanes(struct lane *a, struct lane *b)
{
	struct lane c = *a;

	*a = *b;
	*b = c;
}

static void sift_up(struct lane *lanes, size_t i)
{
	for (; i > 0 && is_before(&lanes[i].hit, &lanes[(i - 1) / 2].hit); i = (i - 1) / 2)
		swap_lanes(&lanes[i], &lanes[(i - 1) / 2]);
}

static void sift_down(struct lane *lanes, size_t n)
{
	size_t i = 0, least, child;

	for (;;) {
		least = i;
		for (child = 2 * i + 1; child < n && child <= 2 * i + 2; child++)
			if (is_before(&lanes[child].hit, &lanes[least].hit))
				least = child;
		if (least == i)
			return;
		swap_lanes(&lanes[i], &lanes[least]);
		i = least;
	}
}

/* A lane is in a gap from the record before a loss until after the loss. */
static void set_gap(struct kt_trace_reader *r, struct lane *l, bool is_gap)
{
	r->n_gaps += is_gap - l->is_gap;
	l->is_gap = is_gap;
}

/* Notes the end of a lane, or where it is damaged: records of that CPU are missing from there on.
 */
static void note_end(struct kt_trace_reader *r, const struct lane *l)
{
	struct kt_stream_share share = kt_stream_reader_share(l->source);

	if (share.channel == KT_MAIN && share.extent.end && share.extent.end < r->ended)
		r->ended = share.extent.end;
}

/* Advances a lane to its next record; if there is none, the last lane takes its place. */
static int advance_lane(struct kt_trace_reader *r, struct lane *l, struct kt_error *err)
{
	int ret = kt_stream_reader_next(l->source, &l->hit, err);

	if (ret == -ENODATA && r->is_growing)
		ret = 0;
	set_gap(r, l, ret > 0 && !l->hit.event);
	if (ret <= 0) {
		note_end(r, l);
		swap_lanes(l, &r->lanes[--r->n_lanes]);
	}
	return ret;
}

/* Advances the first lane. */
static int advance_first(struct kt_trace_reader *r, struct kt_error *err)
{
	int ret = advance_lane(r, r->lanes, err);

	r->is_given = false;
	r->n_sorted -= ret <= 0;
	sift_down(r->lanes, r->n_sorted);
	return ret;
}

/* Reads the first record of a lane that has none yet. */
static int begin_lane(struct kt_trace_reader *r, struct kt_error *err)
{
	int ret = advance_lane(r, &r->lanes[r->n_sorted], err);

	if (ret > 0)
		sift_up(r->lanes, r->n_sorted++);
	return ret;
}

bool kt_trace_reader_share(const struct kt_trace_reader *r, size_t i, struct kt_stream_share *share)
{
	if (i < r->n_all)
		*share = kt_stream_reader_share(r->lanes[i].source);
	return i < r->n_all;
}

unsigned int kt_trace_reader_progress(const struct kt_trace_reader *r)
{
	struct kt_stream_share share;
	uint64_t bytes = 0, size = 0;
	size_t i;

	for (i = 0; kt_trace_reader_share(r, i, &share); i++) {
		bytes += share.bytes;
		size += share.size;
	}
	return bytes < size ? (unsigned __int128)bytes * 1000 / size : 1000;
}

static void extend_extent(struct kt_extent *sum, const struct kt_extent *e)
{
	if (e->end && e->begin > sum->begin)
		sum->begin = e->begin;
	if (e->end > sum->end)
		sum->end = e->end;
}

bool kt_trace_reader_extent(const struct kt_trace_reader *r, enum kt_channel channel,
			    struct kt_extent *extent)
{
	struct kt_stream_share share;
	size_t i;

	*extent = (struct kt_extent){0};
	for (i = 0; kt_trace_reader_share(r, i, &share); i++)
		if (share.channel == channel)
			extend_extent(extent, &share.extent);
	return extent->end > 0;
}

static void find_begin(struct kt_trace_reader *r)
{
	struct kt_extent extent;

	if (kt_trace_reader_extent(r, KT_MAIN, &extent))
		r->begin = extent.begin;
}

void kt_trace_reader_resume(struct kt_trace_reader *r, uint64_t until)
{
	r->until = until;
	r->ended = KT_NEVER;
	for (; r->n_lanes < r->n_all; r->n_lanes++)
		kt_stream_reader_resume(r->lanes[r->n_lanes].source);
	kt_task_names_reader_resume(r->task_names);
	r->has_names_to_read = r->is_growing;
}

void kt_trace_reader_forget(struct kt_trace_reader *r)
{
	size_t i;

	for (i = 0; i < r->n_all; i++)
		kt_stream_reader_forget(r->lanes[i].source);
}

/* Handles the end: names are read up to there, as later records have later times. */
static int finish_reading(struct kt_trace_reader *r, struct kt_error *err)
{
	return r->until == UINT64_MAX ? 0
				      : kt_task_names_reader_advance(r->task_names, r->until, err);
}

static void set_task(struct kt_trace_reader *r, struct kt_hit *hit)
{
	struct kt_task_now now = kt_task_names_reader_now(r->task_names, hit->tid);

	hit->comm = now.comm;
	hit->task = now.task;
	hit->pid = now.pid;
}

static int find_stacks(struct kt_trace_reader *r, struct kt_hit *hit, struct kt_error *err)
{
	enum kt_callstack_kind kind;
	struct kt_stack stack;
	int ret;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++) {
		if (!hit->event->stacks[kind].is_there || hit->stacks[kind].id < KT_CALLSTACK_FIRST)
			continue;
		ret = kt_stacks_reader_find(r->stacks, hit->stacks[kind].id, &stack, err);
		if (ret < 0)
			return ret;
		if (!ret)
			stack = (struct kt_stack){0};
		hit->stacks[kind].n = stack.n;
		hit->stacks[kind].frames = stack.frames;
		hit->stacks[kind].is_cut = stack.is_cut;
	}
	return 0;
}

/* Reads the names of functions; an error is returned once. */
static int read_names(struct kt_trace_reader *r, struct kt_error *err)
{
	if (!r->has_names_to_read)
		return 0;
	r->has_names_to_read = false;
	return kt_stacks_reader_read_names(r->stacks, err);
}

int kt_trace_reader_next(struct kt_trace_reader *r, struct kt_hit *hit, struct kt_error *err)
{
	int ret = read_names(r, err);

	if (ret < 0)
		return ret;
	if (r->is_given)
		ret = advance_first(r, err);
	while (ret >= 0 && r->n_sorted < r->n_lanes)
		ret = begin_lane(r, err);
	if (ret < 0)
		return ret;
	if (!r->begin)
		find_begin(r);
	if (r->n_sorted == 0 || r->lanes[0].hit.time > r->until)
		return finish_reading(r, err);
	if (kt_task_names_reader_advance(r->task_names, r->lanes[0].hit.time, err) < 0)
		return -err->code;
	*hit = r->lanes[0].hit;
	if (hit->event && find_stacks(r, hit, err) < 0)
		return -err->code;
	hit->is_early = hit->time < r->begin;
	if (r->n_gaps > 0 || hit->time > r->ended)
		r->last_gap = hit->time;
	if (hit->event)
		set_task(r, hit);
	r->is_given = true;
	return 1;
}

uint64_t kt_trace_reader_begin(const struct kt_trace_reader *r)
{
	return r->begin;
}

uint64_t kt_trace_reader_rare_from(const struct kt_trace_reader *r)
{
	struct kt_extent extent;

	kt_trace_reader_extent(r, KT_RARE, &extent);
	return extent.begin;
}

uint64_t kt_trace_reader_last_gap(const struct kt_trace_reader *r)
{
	return r->last_gap;
}

const char *kt_trace_reader_comm(const struct kt_trace_reader *r, uint32_t tid)
{
	return kt_task_names_reader_comm(r->task_names, tid);
}

uint32_t kt_trace_reader_task(const struct kt_trace_reader *r, uint32_t tid)
{
	return kt_task_names_reader_now(r->task_names, tid).task;
}

struct kt_known_task kt_trace_reader_known(const struct kt_trace_reader *r, uint32_t task)
{
	return kt_task_names_reader_known(r->task_names, task);
}

struct kt_event_counts *kt_trace_reader_counts(const struct kt_trace_reader *r,
					       struct kt_error *err)
{
	return kt_event_counts_read(dirfd(r->dir), r->metadata, err);
}

bool kt_trace_reader_is_growing(const struct kt_trace_reader *r)
{
	return r->is_growing;
}
