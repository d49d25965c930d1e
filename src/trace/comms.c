// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/comms.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/slots.h"
#include "trace/directory.h"
#include "trace/schema.h"

#define ROSTER KT_DIRECTORY_KTRACE "/" KT_DIRECTORY_ROSTER

/* 15 bytes of a name, each of which may have become one of three, and a 0. */
enum { COMM_SIZE = 3 * 15 + 1 };

struct task {
	char comm[COMM_SIZE];
	bool followed;
	uint64_t since; /* when it has been that */
};

/* A line of the file: of a task, or how many were lost. */
struct row {
	uint64_t time, lost, tid;
	struct task task;
};

struct kt_comms {
	const struct kt_schema *schema;
	int dir;
	bool is_growing, begun;
	bool ended;   /* there is no next one, */
	bool resumed; /* or it is still to be read */
	bool broken;  /* nor will there be */
	struct kt_lines lines;
	struct row next;
	struct kt_slots tasks;
};

struct kt_comms *kt_comms_new(const struct kt_schema *schema, int dir, bool is_growing)
{
	struct kt_comms *c = calloc(1, sizeof(*c));

	if (c) {
		c->schema = schema;
		c->dir = dir;
		c->is_growing = is_growing;
		c->tasks.size = sizeof(struct task);
	}
	return c;
}

static void forget(struct kt_comms *c)
{
	kt_slots_clear(&c->tasks, NULL);
}

void kt_comms_free(struct kt_comms *c)
{
	if (!c)
		return;
	forget(c);
	kt_lines_close(&c->lines);
	free(c);
}

static int read_row(struct kt_comms *c, const struct json_object *o, struct kt_error *err)
{
	struct row *row = &c->next;

	*row = (struct row){.tid = KT_PIDS_MAX};
	if (!kt_json_get_number(o, "time", INT64_MAX, &row->time) ||
	    !kt_json_get_number(o, "lost", INT64_MAX, &row->lost) ||
	    !kt_json_get_number(o, "tid", KT_PIDS_MAX - 1, &row->tid))
		return kt_lines_fail(&c->lines, "a number expected", err);
	if (!row->lost && row->tid == KT_PIDS_MAX)
		return kt_lines_fail(&c->lines, "no task", err);
	if (!kt_json_get_bool(o, "followed", &row->task.followed))
		return kt_lines_fail(&c->lines, "true or false expected", err);
	strncat(row->task.comm, kt_json_get_text(o, "comm"), COMM_SIZE - 1);
	return 0;
}

static int read_head(struct kt_comms *c, const struct json_object *o, struct kt_error *err)
{
	if (kt_schema_is_of(c->schema, kt_json_get_text(o, "trace")))
		return 0;
	return kt_lines_fail(&c->lines, "that of another trace", err);
}

typedef int read_fn(struct kt_comms *c, const struct json_object *o, struct kt_error *err);

static int read_line(struct kt_comms *c, read_fn *read, struct kt_error *err)
{
	struct json_object *o;
	int ret = kt_lines_next(&c->lines, &o, err);

	if (ret > 0) {
		ret = read(c, o, err);
		json_object_put(o);
	} else if (ret == 0) {
		c->ended = true;
	}
	return ret;
}

static int begin(struct kt_comms *c, struct kt_error *err)
{
	int ret = kt_lines_open(&c->lines, c->dir, ROSTER, err);

	c->begun = true;
	if (ret == -ENOENT) {
		c->ended = c->broken = true;
		return 0;
	}
	if (ret == 0)
		ret = read_line(c, read_head, err);
	return ret < 0 || c->ended ? ret : read_line(c, read_row, err);
}

static int set(struct kt_comms *c, const struct row *row, struct kt_error *err)
{
	struct task *task = kt_slots_make(&c->tasks, row->tid);
	uint64_t since;

	if (!task)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	since = task->followed ? task->since : row->time;
	*task = row->task;
	task->since = since;
	return 0;
}

static int apply(struct kt_comms *c, struct kt_error *err)
{
	if (!c->next.lost)
		return set(c, &c->next, err);
	forget(c);
	return 0;
}

void kt_comms_resume(struct kt_comms *c)
{
	c->resumed = c->ended && !c->broken;
	c->ended = c->ended && c->broken;
}

int kt_comms_go_to(struct kt_comms *c, uint64_t time, struct kt_error *err)
{
	int ret = !c->begun ? begin(c, err) : c->resumed ? read_line(c, read_row, err) : 0;

	c->resumed = false;
	while (ret >= 0 && !c->ended && c->next.time <= time) {
		ret = apply(c, err);
		if (ret == 0)
			ret = read_line(c, read_row, err);
	}
	if (ret >= 0)
		return 0;
	c->ended = c->broken = true;
	if (c->is_growing && c->lines.cut)
		return 0;
	forget(c);
	return ret;
}

const char *kt_comms_of(const struct kt_comms *c, uint32_t tid)
{
	const struct task *task = kt_slots_find(&c->tasks, tid);

	return task && *task->comm ? task->comm : NULL;
}

uint64_t kt_comms_followed_since(const struct kt_comms *c, uint32_t tid)
{
	const struct task *task = kt_slots_find(&c->tasks, tid);

	return task && task->followed ? task->since : KT_NEVER;
}
