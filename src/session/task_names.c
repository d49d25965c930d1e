// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/task_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "fetch/curate.h"
#include "hook/bpffs.h"
#include "hook/probe.h"
#include "session/followed_pids.h"
#include "session/task_name_history.h"
#include "session/task_name_log.h"
#include "session/task_name_ring.h"
#include "session/task_name_scan.h"

/*
 * The events at which names are logged, and the paths to the name. A new task is followed if its
 * creator is; a renamed one if its process is.
 */
static const struct source {
	const char *system, *tracepoint, *fields;
} sources[] = {
	[KT_TASK_NAME_BEGUN] = {"task", "task_newtask",
				"tid=task->pid; pid=task->tgid; as=current->tgid;"
				"comm=task->comm"},
	[KT_TASK_NAME_RENAMED] = {"task", "task_rename",
				  "tid=task->pid; pid=task->tgid; as=task->tgid;"
				  "comm=comm; was=task->comm"},
	[KT_TASK_NAME_ENDED] = {"sched", "sched_process_exit",
				"tid=p->pid; pid=p->tgid; as=p->tgid;"
				"comm=p->comm"},
};

enum { N_SOURCES = sizeof(sources) / sizeof(*sources) };

struct kt_task_names {
	const struct kt_followed_pids *followed; /* NULL: none is followed */
	struct kt_task_name_ring ring;
	struct kt_probe probes[N_SOURCES]; /* by kind */
	struct kt_emit_task_name emit;     /* what they have in common */
	struct kt_task_name_log log;       /* entries not consumed yet, or consumed last time */
	bool is_consumed;
};

static int attach_program(struct kt_task_names *t, const struct kt_event *event,
			  struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_emit_task_name(a, &t->emit, event);
	ret = kt_probe_attach(&t->probes[t->emit.kind], event, a, err);
	kt_asm_free(a);
	return ret;
}

static int attach_source(struct kt_task_names *t, enum kt_task_name_kind kind, struct kt_btf *btf,
			 struct kt_error *err)
{
	static const struct kt_field fields[] = {
		{.name = "tid", .size = 4, .width = 4},
		{.name = "pid", .size = 4, .width = 4},
		{.name = "as", .size = 4, .width = 4},
		{.name = "comm", .type = "__data_loc char[]", .flags = KT_FIELD_DATA_LOC},
		{.name = "was", .size = 16, .type = "char[16]", .flags = KT_FIELD_ARRAY},
	};
	struct kt_event event = {
		.system = sources[kind].system,
		.name = sources[kind].tracepoint,
		.n_fields = kind == KT_TASK_NAME_RENAMED ? 5 : 4,
		.fields = fields,
	};
	int ret = kt_curate_as(&event, sources[kind].fields, btf, err);

	t->emit.kind = kind;
	if (ret == 0)
		ret = attach_program(t, &event, err);
	kt_uncurate(&event);
	return ret;
}

/* In this order: for a task whose start is logged, no name is missed. */
static int attach_sources(struct kt_task_names *t, struct kt_btf *btf, struct kt_error *err)
{
	if (attach_source(t, KT_TASK_NAME_RENAMED, btf, err) < 0)
		return -err->code;
	return attach_source(t, KT_TASK_NAME_BEGUN, btf, err);
}

static int start_logging(struct kt_task_names *t, struct kt_btf *btf, bool all,
			 struct kt_error *err)
{
	t->emit = (struct kt_emit_task_name){.followed = -1, .all = all || !t->followed};
	if (t->followed && kt_followed_pids_self(t->followed, &t->emit.recorder, err) < 0)
		return -err->code;
	if (kt_task_name_ring_make(&t->ring, err) < 0)
		return -err->code;
	t->emit.ring = t->ring.map.fd;
	if (t->followed)
		t->emit.followed = kt_followed_pids_fd(t->followed);
	return attach_sources(t, btf, err);
}

/* Allocates an object without ring and probes. */
static struct kt_task_names *allocate_names(struct kt_error *err)
{
	struct kt_task_names *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	for (i = 0; i < N_SOURCES; i++)
		t->probes[i] = KT_NO_PROBE;
	return t;
}

struct kt_task_names *kt_task_names_new(struct kt_btf *btf, const struct kt_followed_pids *followed,
					bool all, struct kt_error *err)
{
	struct kt_task_names *t = allocate_names(err);

	if (!t)
		return NULL;
	t->followed = followed;
	if (start_logging(t, btf, all, err) == 0)
		return t;
	kt_fail_because(err, "cannot log task names");
	kt_task_names_free(t);
	return NULL;
}

int kt_task_names_log_ends(struct kt_task_names *t, struct kt_btf *btf, struct kt_error *err)
{
	if (attach_source(t, KT_TASK_NAME_ENDED, btf, err) == 0)
		return 0;
	return kt_fail_because(err, "cannot log ends of tasks");
}

int kt_task_names_fd(const struct kt_task_names *t)
{
	return t->ring.map.fd;
}

static int report_error(struct kt_error *err, int code)
{
	return kt_fail(err, code, "cannot log task names: %s", strerror(code));
}

struct kt_task_names *kt_task_names_from(int fd, uint64_t began, struct kt_error *err)
{
	struct kt_task_names *t = allocate_names(err);
	int ret;

	if (!t) {
		close(fd);
		return NULL;
	}
	ret = kt_task_name_ring_from(&t->ring, fd, err);
	if (ret == 0) {
		ret = kt_task_name_history_read(&t->log, &t->ring, began);
		if (ret == 0)
			return t;
		report_error(err, -ret);
	}
	kt_task_names_free(t);
	return NULL;
}

/* The pins have a directory of their own: recorded events may have the same names. */
#define DIRECTORY "tasks"
#define RING      "ring"

static int pin_all(struct kt_task_names *t, int dir, struct kt_error *err)
{
	int ret = kt_bpffs_pin(dir, RING, t->ring.map.fd, err);
	struct kt_probe_name name = {0};
	size_t i;

	for (i = 0; i < N_SOURCES && ret == 0; i++) {
		name.system = sources[i].system;
		name.event = sources[i].tracepoint;
		if (t->probes[i].program >= 0)
			ret = kt_probe_pin(&t->probes[i], name, dir, err);
	}
	return ret;
}

int kt_task_names_pin(struct kt_task_names *t, int dir, struct kt_error *err)
{
	int to = kt_bpffs_enter(dir, DIRECTORY, true, err), ret;

	if (to < 0)
		return to;
	ret = pin_all(t, to, err);
	close(to);
	return ret;
}

struct kt_task_names *kt_task_names_open(int dir, uint64_t began, struct kt_error *err)
{
	int in = kt_bpffs_enter(dir, DIRECTORY, false, err), fd;

	if (in < 0)
		return NULL;
	fd = kt_bpffs_get(in, RING, err);
	close(in);
	return fd < 0 ? NULL : kt_task_names_from(fd, began, err);
}

void kt_task_names_free(struct kt_task_names *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < N_SOURCES; i++)
		kt_probe_close(&t->probes[i]);
	kt_task_name_ring_free(&t->ring);
	kt_task_name_log_free(&t->log);
	free(t);
}

static void drop_consumed(struct kt_task_names *t)
{
	if (t->is_consumed)
		t->log.n = 0;
	t->is_consumed = false;
}

/*
 * Their time is that of the start: later changes are in the ring, and what is there now is older.
 */
int kt_task_names_find(struct kt_task_names *t, pid_t pid, struct kt_error *err)
{
	int ret;

	drop_consumed(t);
	ret = kt_task_name_log_read(&t->log, &t->ring);
	if (ret == 0)
		ret = kt_task_name_scan_add(&t->log, pid, t->followed, kt_clock_now());
	return ret < 0 ? report_error(err, -ret) : 0;
}

/* The last names of those that ended are known by then. */
static void drop_ends(struct kt_task_name_log *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		if (r->entries[i].kind != KT_TASK_NAME_ENDED)
			r->entries[n++] = r->entries[i];
	r->n = n;
}

int kt_task_names_consume(struct kt_task_names *t, const struct kt_task_name **entries, size_t *n,
			  struct kt_error *err)
{
	int ret;

	drop_consumed(t);
	ret = kt_task_name_log_read(&t->log, &t->ring);
	if (ret < 0)
		return report_error(err, -ret);
	drop_ends(&t->log);
	kt_task_name_log_sort(&t->log);
	t->is_consumed = true;
	*entries = t->log.entries;
	*n = t->log.n;
	return 0;
}
