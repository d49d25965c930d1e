// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/filter.h"
#include "catalog/target.h"
#include "emit/asm.h"
#include "emit/record.h"
#include "hook/bpffs.h"
#include "hook/map.h"
#include "hook/probe.h"
#include "hook/program.h"
#include "hook/vmemmap.h"
#include "ring/rings.h"
#include "session/followed.h"
#include "session/gate.h"
#include "session/ledger.h"
#include "session/tasks.h"

struct kt_session {
	struct kt_geometry geometry;
	uint64_t began, ended;
	bool running;
	bool overwrite;
	bool pinned;
	uint64_t vmemmap; /* 0: nobody has asked for it */
	struct kt_gate *gate;
	struct kt_ledger *ledger;
	struct kt_rings *rings;
	struct kt_rings *spare;       /* or NULL */
	bool some_cpus;               /* have one, as the others do not count */
	struct kt_followed *followed; /* NULL: all */
	bool has_targets;             /* some event has one */
	struct kt_tasks *tasks;       /* NULL: they have no names */
	size_t max, n, attached;
	struct kt_event **events;
	struct kt_probe *probes;
	uint64_t *missed;     /* while it runs, less what the kernel has counted for the probe */
	uint64_t *missed_now; /* for kt_session_missed_all */
};

struct kt_session *kt_session_new(struct kt_geometry geometry, size_t max, const bool *cpus,
				  struct kt_error *err)
{
	struct kt_session *s;

	if (max < 1 || max > KT_EVENTS_MAX) {
		kt_fail(err, EINVAL, "a session of %zu events: it can have 1 to %d", max,
			KT_EVENTS_MAX);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->geometry = geometry;
	s->some_cpus = cpus;
	s->max = max;
	s->events = calloc(max, sizeof(*s->events));
	s->probes = calloc(max, sizeof(*s->probes));
	s->missed = calloc(max, sizeof(*s->missed));
	s->missed_now = calloc(max, sizeof(*s->missed_now));
	if (!s->events || !s->probes || !s->missed || !s->missed_now) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		goto fail;
	}
	s->gate = kt_gate_new(max, err);
	if (!s->gate)
		goto fail;
	s->ledger = kt_ledger_new(max, err);
	if (!s->ledger)
		goto fail;
	s->rings = kt_rings_new(geometry, cpus, err);
	if (!s->rings)
		goto fail;
	return s;
fail:
	kt_session_free(s);
	return NULL;
}

void kt_session_free(struct kt_session *s)
{
	size_t i;

	if (!s)
		return;
	if (!s->pinned)
		kt_session_stop(s);
	kt_session_detach(s);
	for (i = 0; i < s->n; i++) {
		kt_probe_close(&s->probes[i]);
		kt_event_free(s->events[i]);
	}
	kt_tasks_free(s->tasks);
	kt_followed_free(s->followed);
	kt_rings_free(s->spare);
	kt_rings_free(s->rings);
	kt_ledger_free(s->ledger);
	kt_gate_free(s->gate);
	free(s->missed_now);
	free(s->missed);
	free(s->probes);
	free(s->events);
	free(s);
}

int kt_session_follow(struct kt_session *s, int tracefs, struct kt_btf *btf, struct kt_error *err)
{
	s->followed = kt_followed_new(tracefs, btf, err);
	return s->followed ? 0 : -err->code;
}

int kt_session_follow_self(struct kt_session *s, struct kt_error *err)
{
	return kt_followed_add_self(s->followed, err);
}

int kt_session_follow_process(struct kt_session *s, pid_t pid, struct kt_error *err)
{
	return kt_followed_add(s->followed, pid, err);
}

int kt_session_name_tasks(struct kt_session *s, struct kt_btf *btf, struct kt_error *err)
{
	s->tasks = kt_tasks_new(btf, s->followed, kt_session_sees_all(s), err);
	if (!s->tasks)
		return -err->code;
	if (!s->overwrite || kt_tasks_tell_ends(s->tasks, btf, err) == 0)
		return 0;
	kt_tasks_free(s->tasks);
	s->tasks = NULL;
	return -err->code;
}

bool kt_session_sees_all(const struct kt_session *s)
{
	return !s->followed || s->has_targets;
}

struct kt_tasks *kt_session_tasks(const struct kt_session *s)
{
	return s->tasks;
}

void kt_session_overwrite(struct kt_session *s)
{
	s->overwrite = true;
}

int kt_session_spare(struct kt_session *s, struct kt_error *err)
{
	s->spare = kt_rings_beside(s->rings, err);
	return s->spare ? 0 : -err->code;
}

bool kt_session_has_spare(const struct kt_session *s)
{
	return s->spare;
}

static int check(const struct kt_session *s, const struct kt_event *e, struct kt_error *err)
{
	size_t size = kt_event_record_max(e, s->geometry);
	const struct kt_field *varying = kt_event_varying(e);

	if (s->n == s->max)
		return kt_fail(err, ENOSPC, "the session has room for %zu events", s->max);
	if (varying && strcmp(e->system, "syscalls") == 0)
		return kt_fail(err, EOPNOTSUPP,
			       "the kernel does not pass its field '%s' to programs",
			       varying->name);
	if (size > kt_record_max(s->geometry))
		return kt_fail(err, EMSGSIZE,
			       "a record takes %zu bytes, and a sub-buffer of %zu has room for %zu",
			       size, kt_subbuf_size(s->geometry), kt_record_max(s->geometry));
	return 0;
}

/* For the probe of e, the patterns of its filter. The caller frees the map, also an empty one. */
static int make_globs(struct kt_map *m, const struct kt_event *e, struct kt_error *err)
{
	size_t n = e->filter ? kt_filter_globs(e->filter, NULL) : 0, i;
	const struct kt_glob **globs;

	*m = (struct kt_map){.fd = -1};
	if (!n)
		return 0;
	globs = calloc(n, sizeof(*globs));
	if (!globs)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_filter_globs(e->filter, globs);
	if (kt_map_make(m, "kt_globs", n * sizeof(**globs), 1, err) == 0)
		for (i = 0; i < n; i++)
			memcpy((struct kt_glob *)m->memory + i, globs[i], sizeof(**globs));
	free(globs);
	return m->memory ? 0 : -err->code;
}

typedef int with_probe(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		       struct kt_error *err);

static int make_probe(struct kt_session *s, const struct kt_event *e, int globs, with_probe *then,
		      struct kt_error *err)
{
	struct kt_reserve r = {
		.ledger = kt_ledger_fd(s->ledger),
		.rings = kt_rings_fd(s->rings),
		.gate = kt_gate_fd(s->gate),
		.followed = s->followed ? kt_followed_fd(s->followed) : -1,
		.some_cpus = s->some_cpus,
		.globs = globs,
		.overwrite = s->overwrite,
		.geometry = s->geometry,
		.event = s->n,
		.number = s->overwrite,
	};
	struct kt_asm *a = kt_asm_new();
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_emit_record(a, r, e);
	ret = then(&s->probes[s->n], e, a, err);
	kt_asm_free(a);
	return ret;
}

/* What its fields are computed with. */
static int know(struct kt_session *s, struct kt_curated *c, struct kt_error *err)
{
	if (!c->takes[KT_BTF_VMEMMAP])
		return 0;
	if (!s->vmemmap && kt_vmemmap_find(&c->page, c->page_size, &s->vmemmap, err) < 0)
		return -err->code;
	c->vmemmap = s->vmemmap;
	return 0;
}

static int make_curated(struct kt_session *s, struct kt_event *e, int globs, with_probe *then,
			struct kt_error *err)
{
	int ret = know(s, e->curated, err);

	return ret < 0 ? ret : make_probe(s, e, globs, then, err);
}

/* That of the session's next event: by its tracepoint's record where the other way fails. */
static int probe(struct kt_session *s, struct kt_event *e, with_probe *then,
		 struct kt_error *refused, struct kt_error *err)
{
	struct kt_map globs;
	int ret = check(s, e, err);

	refused->code = 0;
	if (ret == 0)
		ret = make_globs(&globs, e, err);
	if (ret < 0)
		return ret;
	if (e->curated) {
		ret = make_curated(s, e, globs.fd, then, err);
		if (ret < 0) {
			*refused = *err;
			kt_uncurate(e);
		}
	}
	if (!e->curated)
		ret = make_probe(s, e, globs.fd, then, err);
	kt_map_free(&globs);
	return ret;
}

int kt_session_try(struct kt_session *s, struct kt_event *e, struct kt_error *refused,
		   struct kt_error *err)
{
	int ret = probe(s, e, kt_probe_load, refused, err);

	if (ret == 0)
		kt_probe_close(&s->probes[s->n]);
	return ret;
}

int kt_session_add(struct kt_session *s, struct kt_event *e, struct kt_error *err)
{
	struct kt_error refused;

	if (probe(s, e, kt_probe_attach, &refused, err) < 0)
		return kt_fail_because(err, "cannot record %s:%s", e->system, e->name);
	s->has_targets |= kt_event_target(e) != NULL;
	s->events[s->n++] = e;
	s->attached = s->n;
	return 0;
}

void kt_session_start(struct kt_session *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		s->missed[i] -= kt_program_missed(s->probes[i].program);
	s->began = kt_clock_now();
	s->running = true;
	kt_gate_open(s->gate);
}

void kt_session_stop(struct kt_session *s)
{
	size_t i;

	if (!s->running)
		return;
	s->ended = kt_clock_now();
	kt_gate_shut(s->gate);
	kt_rings_settle(s->rings);
	kt_rings_flush(s->rings);
	for (i = 0; i < s->n; i++)
		s->missed[i] = kt_session_missed(s, i);
	s->running = false;
}

size_t kt_session_detach_one(struct kt_session *s)
{
	if (s->attached)
		kt_probe_detach(&s->probes[--s->attached]);
	return s->attached;
}

void kt_session_detach(struct kt_session *s)
{
	while (kt_session_detach_one(s))
		;
}

static int pin_probes(const struct kt_session *s, int dir, struct kt_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < s->n && ret == 0; i++)
		ret = kt_probe_pin(&s->probes[i], s->events[i]->system, s->events[i]->name, dir,
				   err);
	return ret;
}

int kt_session_pin(struct kt_session *s, int dir, struct kt_error *err)
{
	if (kt_bpffs_pin(dir, "gate", kt_gate_fd(s->gate), err) < 0 ||
	    kt_bpffs_pin(dir, "ledger", kt_ledger_fd(s->ledger), err) < 0 ||
	    kt_rings_pin(s->rings, dir, err) < 0 ||
	    (s->spare && kt_rings_pin(s->spare, dir, err) < 0) ||
	    (s->tasks && kt_tasks_pin(s->tasks, dir, err) < 0) || pin_probes(s, dir, err) < 0)
		return -err->code;
	s->pinned = true;
	return 0;
}

size_t kt_session_count(const struct kt_session *s)
{
	return s->n;
}

const struct kt_event *const *kt_session_events(const struct kt_session *s)
{
	return (const struct kt_event *const *)s->events;
}

uint64_t kt_session_began(const struct kt_session *s)
{
	return s->began;
}

uint64_t kt_session_ended(const struct kt_session *s)
{
	return s->ended;
}

struct kt_geometry kt_session_geometry(const struct kt_session *s)
{
	return s->geometry;
}

struct kt_origin kt_session_origin(const struct kt_session *s)
{
	return (struct kt_origin){
		.events = kt_session_events(s),
		.n_events = s->n,
		.follows = s->followed,
		.tasks = s->tasks,
		.rings = s->rings,
		.ledger = s->ledger,
		.began = s->began,
	};
}

const struct kt_rings *kt_session_rings(const struct kt_session *s)
{
	return s->rings;
}

const struct kt_ledger *kt_session_ledger(const struct kt_session *s)
{
	return s->ledger;
}

uint64_t kt_session_missed(const struct kt_session *s, size_t event)
{
	uint64_t counted = s->running ? kt_program_missed(s->probes[event].program) : 0;

	return s->missed[event] + counted;
}

uint64_t kt_session_missed_before(const struct kt_session *s, size_t event)
{
	return -s->missed[event];
}

struct kt_missed kt_session_missed_all(const struct kt_session *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		s->missed_now[i] = kt_session_missed(s, i);
	return (struct kt_missed){
		.events = s->missed_now,
		.forks = s->followed ? kt_followed_missed(s->followed) : 0,
	};
}
