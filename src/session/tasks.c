// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/pids.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "emit/asm.h"
#include "hook/probe.h"
#include "session/followed.h"
#include "session/namings.h"

/*
 * Where tasks are named, and how the name is had from there. What begins is followed as who begins
 * it is; what is renamed as its process is, whoever does it.
 */
static const struct source {
	const char *tracepoint, *fields;
} sources[] = {
	{"task_newtask", "tid=task->pid; pid=task->tgid; as=current->tgid; comm=task->comm"},
	{"task_rename", "tid=task->pid; pid=task->tgid; as=task->tgid; comm=comm"},
};

enum { N_SOURCES = sizeof(sources) / sizeof(*sources) };

struct kt_tasks {
	const struct kt_followed *followed; /* NULL: nobody is */
	struct kt_namings ring;
	struct kt_probe probes[N_SOURCES];
	struct kt_naming *namings; /* that were not taken yet, or were the last time */
	size_t n, size;
	bool taken;
	uint64_t last; /* time of them */
};

/* What was taken is forgotten with the first that comes after it. */
static int add(struct kt_tasks *t, const struct kt_naming *naming)
{
	size_t size = t->size ? 2 * t->size : 64;
	struct kt_naming *namings;

	if (t->taken)
		t->n = 0;
	t->taken = false;
	if (t->n == t->size) {
		namings = reallocarray(t->namings, size, sizeof(*namings));
		if (!namings)
			return -ENOMEM;
		t->namings = namings;
		t->size = size;
	}
	t->namings[t->n++] = *naming;
	if (t->last < naming->time)
		t->last = naming->time;
	return 0;
}

/* What the ring has. Those that are missing are by the time of the last one before them. */
static int take(struct kt_tasks *t)
{
	struct kt_naming naming;
	int ret = 0;

	while (ret == 0 && kt_namings_next(&t->ring, &naming)) {
		if (naming.lost)
			naming.time = t->last;
		ret = add(t, &naming);
	}
	return ret;
}

static int attach(struct kt_tasks *t, const struct kt_event *event, const struct kt_emit_naming *n,
		  struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_emit_naming(a, n, event);
	ret = kt_probe_attach(&t->probes[event->id], event, a, err);
	kt_asm_free(a);
	return ret;
}

static int attach_source(struct kt_tasks *t, size_t i, struct kt_btf *btf,
			 const struct kt_emit_naming *n, struct kt_error *err)
{
	static const struct kt_field fields[] = {
		{.name = "tid", .size = 4, .width = 4},
		{.name = "pid", .size = 4, .width = 4},
		{.name = "as", .size = 4, .width = 4},
		{.name = "comm", .type = "__data_loc char[]", .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_event event = {
		.system = "task",
		.name = sources[i].tracepoint,
		.id = i,
		.n_fields = sizeof(fields) / sizeof(*fields),
		.fields = fields,
	};
	int ret = kt_curate_as(&event, sources[i].fields, btf, err);

	if (ret == 0)
		ret = attach(t, &event, n, err);
	kt_uncurate(&event);
	return ret;
}

static int begin(struct kt_tasks *t, struct kt_btf *btf, bool all, struct kt_error *err)
{
	struct kt_emit_naming n = {.followed = -1, .all = all || !t->followed};
	size_t i;

	if (t->followed && kt_followed_self(t->followed, &n.recorder, err) < 0)
		return -err->code;
	if (kt_namings_make(&t->ring, err) < 0)
		return -err->code;
	n.ring = t->ring.map.fd;
	if (t->followed)
		n.followed = kt_followed_fd(t->followed);
	for (i = 0; i < N_SOURCES; i++)
		if (attach_source(t, i, btf, &n, err) < 0)
			return -err->code;
	return 0;
}

struct kt_tasks *kt_tasks_new(struct kt_btf *btf, const struct kt_followed *followed, bool all,
			      struct kt_error *err)
{
	struct kt_tasks *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	t->followed = followed;
	for (i = 0; i < N_SOURCES; i++)
		t->probes[i] = (struct kt_probe){-1, -1};
	if (begin(t, btf, all, err) == 0)
		return t;
	kt_fail_because(err, "cannot name tasks");
	kt_tasks_free(t);
	return NULL;
}

void kt_tasks_free(struct kt_tasks *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < N_SOURCES; i++)
		kt_probe_close(&t->probes[i]);
	kt_namings_free(&t->ring);
	free(t->namings);
	free(t);
}

/*
 * A worker of the kernel's has "kworker/1:2-events" there, what it works on behind the name that it
 * has everywhere else.
 */
static void cut_to_name(char *comm)
{
	static const char worker[] = "kworker/";
	if (strncmp(comm, worker, strlen(worker)) == 0 && comm[strlen(worker)] != 'R')
		comm[strcspn(comm, "-+")] = '\0';
}

/* One that has ended in the meantime is none. */
static int find_task(struct kt_tasks *t, int dir, struct kt_naming *naming)
{
	char path[32], comm[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%u/comm", naming->tid);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, comm, sizeof(comm));
	close(fd);
	if (n <= 0)
		return 0;
	comm[n - 1] = '\0'; /* the end of the line */
	cut_to_name(comm);
	memset(naming->comm, 0, sizeof(naming->comm));
	memcpy(naming->comm, comm, strnlen(comm, sizeof(naming->comm) - 1));
	naming->followed = t->followed && kt_followed_has(t->followed, naming->pid);
	return add(t, naming);
}

static int find_process(struct kt_tasks *t, pid_t pid, struct kt_naming *naming)
{
	DIR *d = kt_pids_open(pid);
	int ret = 0;

	if (!d)
		return 0;
	naming->pid = pid;
	while (ret == 0 && (naming->tid = kt_pids_next(d)))
		ret = find_task(t, dirfd(d), naming);
	closedir(d);
	return ret;
}

static int find_all(struct kt_tasks *t, struct kt_naming *naming)
{
	DIR *d = kt_pids_open(0);
	int ret = 0;
	pid_t pid;

	if (!d)
		return 0;
	while (ret == 0 && (pid = kt_pids_next(d)))
		ret = find_process(t, pid, naming);
	closedir(d);
	return ret;
}

/*
 * All by the time of the beginning: what changes from then on is in the ring, and what is there by
 * now is older, and not missing any more.
 */
int kt_tasks_find(struct kt_tasks *t, pid_t pid, struct kt_error *err)
{
	struct kt_naming naming = {0};
	int ret;

	if (!kt_pids_are_the_kernels())
		return 0;
	ret = take(t);
	naming.time = kt_clock_now();
	if (ret == 0)
		ret = pid ? find_process(t, pid, &naming) : find_all(t, &naming);
	return ret < 0 ? kt_fail(err, -ret, "%s", strerror(-ret)) : 0;
}

/* Those that are missing behind those of their time. */
static int compare(const void *a, const void *b)
{
	const struct kt_naming *m = a, *n = b;

	if (m->time != n->time)
		return m->time < n->time ? -1 : 1;
	return (m->lost > 0) - (n->lost > 0);
}

int kt_tasks_take(struct kt_tasks *t, const struct kt_naming **namings, size_t *n,
		  struct kt_error *err)
{
	int ret = take(t);

	if (ret < 0)
		return kt_fail(err, -ret, "cannot name tasks: %s", strerror(-ret));
	if (t->taken)
		t->n = 0;
	t->taken = true;
	if (t->n)
		qsort(t->namings, t->n, sizeof(*t->namings), compare);
	*namings = t->namings;
	*n = t->n;
	return 0;
}
