// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/task_names_reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/json.h"
#include "trace/read/json_lines.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/task_table.h"
#include "trace/trace_directory.h"

#define TASKS_FILE KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_NAMES

/* 15 bytes of a name, each possibly replaced by three, and a NUL. */
enum { COMM_SIZE = 3 * 15 + 1 };

/* A task, as far as rows up to now tell. */
struct task {
	char comm[COMM_SIZE];
	int32_t pid; /* -1: unknown */
	bool followed;
	uint64_t since; /* since when it is followed */
};

/* The task that has a number now. */
struct holder {
	struct task task;
	bool is_known;     /* there was a row or a hit */
	uint64_t seen;     /* time of the first one */
	uint32_t ended;    /* number of earlier tasks with this number */
	size_t first, now; /* indexes in the list: the first task of this number, and this one */
};

/* A task whose number was used more than once. */
struct shared {
	uint32_t tid;
	struct task task; /* its end */
};

static const struct task unknown = {.pid = -1};

/* Ids of shared tasks are their indexes in the list, above all numbers. */
#define SHARED (UINT32_C(1) << 31)

/* A line of the file: an entry of a task, or a number of lost entries. */
struct row {
	uint64_t time, lost, tid;
	bool begun; /* a new task has the number from here on */
	struct task task;
};

struct kt_task_names_reader {
	const struct kt_metadata *metadata;
	int dir;
	bool is_growing, begun;
	bool ended;   /* there is no next row */
	bool resumed; /* the next row must still be read */
	bool broken;  /* the file is damaged */
	struct kt_json_lines lines;
	struct row next;
	uint64_t time;                   /* the reader has advanced to this time */
	struct kt_task_table task_names; /* struct holder by number */
	struct shared *shared;
	size_t n_shared;
};

struct kt_task_names_reader *kt_task_names_reader_new(const struct kt_metadata *metadata, int dir,
						      bool is_growing)
{
	struct kt_task_names_reader *c = calloc(1, sizeof(*c));

	if (c) {
		c->metadata = metadata;
		c->dir = dir;
		c->is_growing = is_growing;
		c->task_names.size = sizeof(struct holder);
	}
	return c;
}

/* Forgets all names; ids of tasks remain. */
static void forget_names(struct kt_task_names_reader *c)
{
	struct holder *h;
	uint32_t tid;

	for (tid = 0; (h = kt_task_table_next(&c->task_names, &tid)); tid++)
		h->task = unknown;
}

void kt_task_names_reader_free(struct kt_task_names_reader *c)
{
	if (!c)
		return;
	kt_task_table_clear(&c->task_names, NULL);
	free(c->shared);
	kt_json_lines_close(&c->lines);
	free(c);
}

static int read_row(struct kt_task_names_reader *c, const struct json_object *o,
		    struct kt_error *err)
{
	struct row *row = &c->next;
	uint64_t pid = KT_PIDS_MAX;

	*row = (struct row){.tid = KT_PIDS_MAX};
	if (!kt_json_get_number(o, "time", INT64_MAX, &row->time) ||
	    !kt_json_get_number(o, "lost", INT64_MAX, &row->lost) ||
	    !kt_json_get_number(o, "tid", KT_PIDS_MAX - 1, &row->tid) ||
	    !kt_json_get_number(o, "pid", KT_PIDS_MAX - 1, &pid))
		return kt_json_lines_fail(&c->lines, "expected a number", err);
	if (!row->lost && row->tid == KT_PIDS_MAX)
		return kt_json_lines_fail(&c->lines, "no task", err);
	if (!kt_json_get_bool(o, "followed", &row->task.followed) ||
	    !kt_json_get_bool(o, "begun", &row->begun))
		return kt_json_lines_fail(&c->lines, "expected true or false", err);
	row->task.pid = pid < KT_PIDS_MAX ? (int32_t)pid : -1;
	strncat(row->task.comm, kt_json_get_text(o, "comm"), COMM_SIZE - 1);
	return 0;
}

static int check_header(struct kt_task_names_reader *c, const struct json_object *o,
			struct kt_error *err)
{
	if (kt_metadata_has_uuid(c->metadata, kt_json_get_text(o, "trace")))
		return 0;
	return kt_json_lines_fail(&c->lines, "belongs to another trace", err);
}

typedef int read_fn(struct kt_task_names_reader *c, const struct json_object *o,
		    struct kt_error *err);

static int read_line(struct kt_task_names_reader *c, read_fn *read, struct kt_error *err)
{
	struct json_object *o;
	int ret = kt_json_lines_next(&c->lines, &o, err);

	if (ret > 0) {
		ret = read(c, o, err);
		json_object_put(o);
	} else if (ret == 0) {
		c->ended = true;
	}
	return ret;
}

static int read_begin(struct kt_task_names_reader *c, struct kt_error *err)
{
	int ret = kt_json_lines_open(&c->lines, c->dir, TASKS_FILE, err);

	c->begun = true;
	if (ret == -ENOENT) {
		c->ended = c->broken = true;
		return 0;
	}
	if (ret == 0)
		ret = read_line(c, check_header, err);
	return ret < 0 || c->ended ? ret : read_line(c, read_row, err);
}

static bool add_shared(struct kt_task_names_reader *c, uint32_t tid, const struct task *task,
		       size_t *place)
{
	struct shared *grown = kt_grow(c->shared, c->n_shared, sizeof(*grown));

	if (!grown || c->n_shared == SHARED)
		return false;
	c->shared = grown;
	c->shared[c->n_shared] = (struct shared){tid, *task};
	*place = c->n_shared++;
	return true;
}

/* Gives the number to another task; the one that had it has ended. Returns false without memory. */
static bool replace_holder(struct kt_task_names_reader *c, struct holder *h, uint32_t tid)
{
	if (h->ended)
		c->shared[h->now].task = h->task;
	else if (!add_shared(c, tid, &h->task, &h->first))
		return false;
	h->ended++;
	h->is_known = false;
	h->task = unknown;
	return add_shared(c, tid, &h->task, &h->now);
}

static void note_seen(struct holder *h, uint64_t time)
{
	if (!h->is_known)
		h->seen = time;
	h->is_known = true;
}

/*
 * Returns whether the row is about another task than the one that has the number: rows may come
 * after later hits.
 */
static bool is_another(const struct holder *h, const struct row *row)
{
	return h->is_known && h->seen < row->time;
}

static int apply_row(struct kt_task_names_reader *c, const struct row *row, struct kt_error *err)
{
	struct holder *h = kt_task_table_make(&c->task_names, row->tid);
	uint64_t since;

	if (!h || (row->begun && is_another(h, row) && !replace_holder(c, h, row->tid)))
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	note_seen(h, row->time);
	since = h->task.followed ? h->task.since : row->time;
	h->task = row->task;
	h->task.since = since;
	return 0;
}

static int apply_rows(struct kt_task_names_reader *c, struct kt_error *err)
{
	if (!c->next.lost)
		return apply_row(c, &c->next, err);
	forget_names(c);
	return 0;
}

void kt_task_names_reader_resume(struct kt_task_names_reader *c)
{
	c->resumed = c->ended && !c->broken;
	c->ended = c->ended && c->broken;
}

int kt_task_names_reader_advance(struct kt_task_names_reader *c, uint64_t time,
				 struct kt_error *err)
{
	int ret = !c->begun ? read_begin(c, err) : c->resumed ? read_line(c, read_row, err) : 0;

	c->resumed = false;
	c->time = time;
	while (ret >= 0 && !c->ended && c->next.time <= time) {
		ret = apply_rows(c, err);
		if (ret == 0)
			ret = read_line(c, read_row, err);
	}
	if (ret >= 0)
		return 0;
	c->ended = c->broken = true;
	if (c->is_growing && c->lines.cut)
		return 0;
	forget_names(c);
	return ret;
}

static const char *get_name(const struct task *t)
{
	return *t->comm ? t->comm : NULL;
}

static uint64_t get_followed_since(const struct task *t)
{
	return t->followed ? t->since : KT_NEVER;
}

const char *kt_task_names_reader_comm(const struct kt_task_names_reader *c, uint32_t tid)
{
	const struct holder *h = kt_task_table_find(&c->task_names, tid);

	return h ? get_name(&h->task) : NULL;
}

uint64_t kt_task_names_reader_followed_since(const struct kt_task_names_reader *c, uint32_t tid)
{
	const struct holder *h = kt_task_table_find(&c->task_names, tid);

	return h ? get_followed_since(&h->task) : KT_NEVER;
}

struct kt_task_now kt_task_names_reader_now(struct kt_task_names_reader *c, uint32_t tid)
{
	struct kt_task_now now = {.task = tid, .pid = -1};
	struct holder *h = kt_task_table_make(&c->task_names, tid);

	if (!h)
		return now;
	if (!h->is_known)
		h->task.pid = -1;
	note_seen(h, c->time);
	if (h->ended)
		now.task = SHARED | h->now;
	now.pid = h->task.pid;
	now.comm = get_name(&h->task);
	return now;
}

/* Returns whether the holder of the number is the task of that index, and has not ended. */
static bool is_current(const struct holder *h, size_t place)
{
	return h && h->ended && h->now == place;
}

static const struct task *find_task(const struct kt_task_names_reader *c, uint32_t id,
				    uint32_t *tid)
{
	size_t place = id & ~SHARED;
	const struct holder *h;

	*tid = id;
	if (id & SHARED && place < c->n_shared) {
		*tid = c->shared[place].tid;
		h = kt_task_table_find(&c->task_names, *tid);
		return is_current(h, place) ? &h->task : &c->shared[place].task;
	}
	h = kt_task_table_find(&c->task_names, id);
	if (!h)
		return &unknown;
	return h->ended ? &c->shared[h->first].task : &h->task;
}

struct kt_known_task kt_task_names_reader_known(const struct kt_task_names_reader *c, uint32_t id)
{
	struct kt_known_task known;
	const struct task *task = find_task(c, id, &known.tid);

	known.comm = get_name(task);
	known.followed_since = get_followed_since(task);
	return known;
}
