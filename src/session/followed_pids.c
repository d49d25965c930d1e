// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/followed_pids.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pids.h"
#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "fetch/curate.h"
#include "generate/fork_tracking.h"
#include "hook/ask/own_tgid.h"
#include "hook/probe.h"
#include "hook/program.h"
#include "session/tid_bitmap.h"

struct kt_followed_pids {
	struct kt_tid_bitmap tids;
	struct kt_probe fork;
	int self; /* program */
};

int kt_followed_pids_fd(const struct kt_followed_pids *f)
{
	return f->tids.map.fd;
}

static int attach_program(struct kt_followed_pids *f, const struct kt_event *fork,
			  struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_emit_fork(a, kt_followed_pids_fd(f), fork);
	ret = kt_probe_attach(&f->fork, fork, a, err);
	kt_asm_free(a);
	return ret;
}

static const struct kt_event_name fork_name = {"sched", "sched_process_fork"};

/* Attaches to the tracepoint's arguments. */
static int attach_typed(struct kt_followed_pids *f, struct kt_btf *btf, struct kt_error *err)
{
	static const struct kt_field child = {.name = "child_pid", .size = 4, .width = 4};
	struct kt_event fork = {
		.system = fork_name.system,
		.name = fork_name.event,
		.n_fields = 1,
		.fields = &child,
	};
	int ret = kt_curate_as(&fork, "child_pid=child->pid", btf, err);

	if (ret == 0)
		ret = attach_program(f, &fork, err);
	kt_uncurate(&fork);
	return ret;
}

/* Attaches to the tracepoint's record. */
static int attach_usual(struct kt_followed_pids *f, int tracefs, struct kt_error *err)
{
	struct kt_event *fork = kt_event_read(tracefs, &fork_name, err);
	int ret = fork ? attach_program(f, fork, err) : -err->code;

	kt_event_free(fork);
	return ret;
}

static int attach_fork(struct kt_followed_pids *f, int tracefs, struct kt_btf *btf,
		       struct kt_error *err)
{
	if (btf && attach_typed(f, btf, err) == 0)
		return 0;
	return attach_usual(f, tracefs, err);
}

struct kt_followed_pids *kt_followed_pids_new(int tracefs, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_followed_pids *f = malloc(sizeof(*f));

	if (!f) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*f = (struct kt_followed_pids){.fork = KT_NO_PROBE, .self = -1};
	if (kt_tid_bitmap_make(&f->tids, "kt_followed", err) < 0 ||
	    attach_fork(f, tracefs, btf, err) < 0 || (f->self = kt_own_tgid_load(err)) < 0) {
		kt_fail_because(err, "cannot follow processes");
		kt_followed_pids_free(f);
		return NULL;
	}
	return f;
}

void kt_followed_pids_free(struct kt_followed_pids *f)
{
	if (!f)
		return;
	kt_probe_close(&f->fork);
	if (f->self >= 0)
		close(f->self);
	kt_tid_bitmap_free(&f->tids);
	free(f);
}

/*
 * Adds the present threads; the program at fork knows later ones. A thread that has ended by now
 * may have left its number to another task.
 */
static int add_threads(struct kt_followed_pids *f, pid_t process, struct kt_error *err)
{
	DIR *d = kt_pids_open(process);
	char name[16];
	pid_t tid;

	if (!d)
		return kt_fail(err, errno, "cannot follow %d: /proc/%d/task: %s", process, process,
			       strerror(errno));
	while ((tid = kt_pids_next(d))) {
		if (tid == process)
			continue;
		kt_tid_bitmap_add(&f->tids, tid);
		snprintf(name, sizeof(name), "%d", tid);
		if (faccessat(dirfd(d), name, F_OK, 0) < 0)
			kt_tid_bitmap_remove(&f->tids, tid);
	}
	closedir(d);
	return 0;
}

int kt_followed_pids_self(const struct kt_followed_pids *f, uint32_t *self, struct kt_error *err)
{
	return kt_own_tgid_number(f->self, self, err);
}

int kt_followed_pids_add_self(struct kt_followed_pids *f, struct kt_error *err)
{
	uint32_t self;

	if (kt_followed_pids_self(f, &self, err) < 0)
		return -err->code;
	kt_tid_bitmap_add(&f->tids, self);
	return 0;
}

int kt_followed_pids_add(struct kt_followed_pids *f, pid_t pid, struct kt_error *err)
{
	if (!kt_pids_are_the_kernels())
		return kt_fail(err, EOPNOTSUPP,
			       "cannot follow %d: in a container (PID namespace) the kernel's "
			       "number is unknown; run ktrace outside",
			       pid);
	if (pid < 1 || pid >= KT_PIDS_MAX)
		return kt_fail(err, ESRCH, "no process %d", pid);
	kt_tid_bitmap_add(&f->tids, pid);
	return add_threads(f, pid, err);
}

bool kt_followed_pids_has(const struct kt_followed_pids *f, uint32_t task)
{
	return kt_tid_bitmap_has(&f->tids, task);
}

uint64_t kt_followed_pids_missed(const struct kt_followed_pids *f)
{
	return kt_probe_missed(&f->fork);
}
