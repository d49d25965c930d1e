// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "events/event.h"
#include "events/event_target.h"
#include "events/point.h"
#include "events/syscall_names.h"
#include "handlers/syscall_dispatch_prog.h"
#include "hook/ask/own_tgid.h"
#include "hook/bpffs.h"
#include "hook/probe.h"
#include "hook/program.h"
#include "hook/syscall_dispatch.h"
#include "ring/rings.h"
#include "session/callstack_tables.h"
#include "session/counter_map.h"
#include "session/enable_word.h"
#include "session/followed_pids.h"
#include "session/function_groups.h"
#include "session/nested_hits_map.h"
#include "session/pid_filter.h"
#include "session/probes.h"
#include "session/task_names.h"

struct kt_session {
	struct kt_probes make; /* makes its probes */
	uint64_t began, ended;
	bool placed; /* the rings are in place, where programs find them */
	bool running;
	bool pinned;
	struct kt_enable_word *enable;
	struct kt_counter_map *counters;
	struct kt_rings *rings;
	struct kt_rings *spare;             /* the second buffer set, or NULL */
	struct kt_syscall_dispatch *calls;  /* or NULL */
	struct kt_followed_pids *followed;  /* NULL: all processes */
	struct kt_pid_filter *pids;         /* or NULL */
	bool has_targets;                   /* some event is about another task */
	struct kt_task_names *task_names;   /* NULL: names are not logged */
	struct kt_callstack_tables *stacks; /* NULL: no event has stacks */
	size_t max, n, attached;
	struct kt_event **events;
	struct kt_probe *probes;
	struct kt_probe *seconds; /* probes for nested hits (kt_session_catch_nested); NULL: none */
	struct kt_nested_hits_map nested;
	struct kt_function_groups functions;
	struct kt_untraced untraced;             /* while recording: minus the counts before */
	uint64_t missed_calls, missed_functions; /* while recording: minus those missed before */
	uint64_t *missed;     /* while recording: minus what the kernel had counted for the probe */
	uint64_t *missed_now; /* for kt_session_missed_all() */
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
	s->max = max;
	s->events = calloc(max, sizeof(*s->events));
	s->probes = calloc(max, sizeof(*s->probes));
	s->missed = calloc(max, sizeof(*s->missed));
	s->missed_now = calloc(max, sizeof(*s->missed_now));
	if (!s->events || !s->probes || !s->missed || !s->missed_now) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		goto fail;
	}
	s->enable = kt_enable_word_new(max, err);
	if (!s->enable)
		goto fail;
	s->counters = kt_counter_map_new(max, err);
	if (!s->counters)
		goto fail;
	s->rings = kt_rings_new(geometry, cpus, err);
	if (!s->rings)
		goto fail;
	s->make = (struct kt_probes){
		.geometry = geometry,
		.n_events = max,
		.enable = kt_enable_word_fd(s->enable),
		.counters = kt_counter_map_fd(s->counters),
		.rings = kt_rings_fd(s->rings, KT_MAIN),
		.rare_rings = -1,
		.followed = -1,
		.pid_filter = -1,
		.nested = -1,
		.wakeup = -1,
		.some_cpus = cpus,
	};
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
		if (s->seconds)
			kt_probe_close(&s->seconds[i]);
		kt_probe_close(&s->probes[i]);
		kt_event_free(s->events[i]);
	}
	kt_function_groups_free(&s->functions);
	kt_nested_hits_map_free(&s->nested);
	kt_syscall_dispatch_free(s->calls);
	kt_task_names_free(s->task_names);
	kt_callstack_tables_free(s->stacks);
	kt_pid_filter_free(s->pids);
	kt_followed_pids_free(s->followed);
	kt_rings_free(s->spare);
	kt_rings_free(s->rings);
	kt_counter_map_free(s->counters);
	kt_enable_word_free(s->enable);
	free(s->missed_now);
	free(s->missed);
	free(s->seconds);
	free(s->probes);
	free(s->events);
	free(s);
}

int kt_session_follow(struct kt_session *s, int tracefs, struct kt_btf *btf, struct kt_error *err)
{
	s->followed = kt_followed_pids_new(tracefs, btf, err);
	if (!s->followed)
		return -err->code;
	s->make.followed = kt_followed_pids_fd(s->followed);
	return 0;
}

int kt_session_follow_self(struct kt_session *s, struct kt_error *err)
{
	return kt_followed_pids_add_self(s->followed, err);
}

int kt_session_follow_process(struct kt_session *s, pid_t pid, struct kt_error *err)
{
	return kt_followed_pids_add(s->followed, pid, err);
}

void kt_session_probe_in(struct kt_session *s, const pid_t *pids, size_t n)
{
	s->make.processes = (struct kt_probed_processes){pids, n};
}

int kt_session_log_task_names(struct kt_session *s, struct kt_btf *btf, struct kt_error *err)
{
	s->task_names = kt_task_names_new(btf, s->followed, kt_session_sees_all(s), err);
	if (!s->task_names)
		return -err->code;
	if (!s->make.overwrite || kt_task_names_log_ends(s->task_names, btf, err) == 0)
		return 0;
	kt_task_names_free(s->task_names);
	s->task_names = NULL;
	return -err->code;
}

int kt_session_add_dispatch(struct kt_session *s, int tracefs, struct kt_btf *btf, size_t bytes_max,
			    struct kt_error *err)
{
	s->make.bytes_max = bytes_max;
	s->calls = kt_syscall_dispatch_new(tracefs, btf, err);
	s->make.dispatch = s->calls;
	return s->calls ? 0 : -err->code;
}

/* Programs that are only shown do not run. */
static int find_own_number(uint32_t *self, struct kt_error *err)
{
	int program, ret;

	*self = getpid();
	if (kt_program_is_shown())
		return 0;
	program = kt_own_tgid_load(err);
	if (program < 0)
		return program;
	ret = kt_own_tgid_number(program, self, err);
	close(program);
	return ret;
}

int kt_session_exclude_self(struct kt_session *s, struct kt_error *err)
{
	uint32_t self;
	int ret = find_own_number(&self, err);

	if (ret == 0)
		kt_syscall_dispatch_exclude(s->calls, self);
	return ret;
}

int kt_session_catch_nested(struct kt_session *s, struct kt_error *err)
{
	s->seconds = calloc(s->max, sizeof(*s->seconds));
	if (!s->seconds)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (kt_nested_hits_map_make(&s->nested, s->max, err) < 0)
		return -err->code;
	s->make.nested = s->nested.map.fd;
	return 0;
}

int kt_session_count_untraced(struct kt_session *s, bool all_are_added, struct kt_error *err)
{
	return kt_syscall_dispatch_count_untraced(s->calls, s->make.followed, all_are_added, err);
}

struct kt_untraced kt_session_untraced(const struct kt_session *s)
{
	struct kt_untraced u = s->untraced, now;

	if (s->running) {
		now = kt_syscall_dispatch_untraced(s->calls);
		u.compat += now.compat;
		u.unnamed += now.unnamed;
	}
	return u;
}

size_t kt_session_bytes_max(const struct kt_session *s)
{
	return s->make.bytes_max;
}

bool kt_session_sees_all(const struct kt_session *s)
{
	return !s->followed || s->has_targets;
}

struct kt_task_names *kt_session_task_names(const struct kt_session *s)
{
	return s->task_names;
}

void kt_session_set_stacks(struct kt_session *s, struct kt_callstack_tables *stacks)
{
	s->stacks = stacks;
	s->make.stacks = kt_callstack_tables_maps(stacks);
}

int kt_session_set_overwrite(struct kt_session *s, struct kt_error *err)
{
	s->pids = kt_pid_filter_new(err);
	if (!s->pids)
		return -err->code;
	s->make.pid_filter = kt_pid_filter_fd(s->pids);
	s->make.overwrite = true;
	return 0;
}

void kt_session_set_freezing(struct kt_session *s, uint64_t after)
{
	s->make.freezing = (struct kt_freezing){true, after};
	kt_enable_word_set_freezing(s->enable, s->make.freezing);
}

int kt_session_add_rare_rings(struct kt_session *s, struct kt_error *err)
{
	if (kt_rings_add_rare(s->rings, err) < 0)
		return -err->code;
	s->make.rare_rings = kt_rings_fd(s->rings, KT_RARE);
	return 0;
}

bool kt_session_has_rare_rings(const struct kt_session *s)
{
	return s->make.rare_rings >= 0;
}

int kt_session_add_second_set(struct kt_session *s, struct kt_error *err)
{
	s->spare = kt_rings_new_spare(s->rings, err);
	return s->spare ? 0 : -err->code;
}

bool kt_session_has_second_set(const struct kt_session *s)
{
	return s->spare;
}

/* Returns the enable number of its programs; 0: they have none. */
static unsigned int get_number(const struct kt_session *s)
{
	return s->make.overwrite;
}

/* Returns the enable number of the next event. */
static struct kt_enable_number get_next_number(const struct kt_session *s)
{
	return (struct kt_enable_number){.event = s->n, .number = get_number(s)};
}

static int check_room(const struct kt_session *s, struct kt_error *err)
{
	if (s->n < s->max)
		return 0;
	return kt_fail(err, ENOSPC, "the session has room for %zu events", s->max);
}

int kt_session_try(struct kt_session *s, struct kt_event *e, struct kt_error *refused,
		   struct kt_error *err)
{
	bool attaches = e->point && e->point->function;
	struct kt_probe probe;

	refused->code = 0;
	if (check_room(s, err) < 0 ||
	    (attaches ? kt_probes_attach : kt_probes_load)(&s->make, get_next_number(s), e, &probe,
							   refused, err) < 0)
		return -err->code;
	kt_probe_close(&probe);
	return 0;
}

/* All rings at once, since the kernel waits each time. */
static int place_rings(struct kt_session *s, struct kt_error *err)
{
	if (!s->placed && kt_rings_place(s->rings, s->spare, err) < 0)
		return -err->code;
	s->placed = true;
	return 0;
}

void kt_session_expect(struct kt_session *s, struct kt_event *e)
{
	kt_probes_expect(&s->make, get_next_number(s), e);
	kt_function_groups_expect(&s->functions, &s->make, e);
}

/* Attaches its probe, or adds it to a group. */
static int attach_event(struct kt_session *s, struct kt_event *e, struct kt_error *err)
{
	struct kt_error refused;

	s->probes[s->n] = KT_NO_PROBE;
	if (kt_function_groups_add(&s->functions, &s->make, e, s->n))
		return 0;
	return kt_probes_attach(&s->make, get_next_number(s), e, &s->probes[s->n], &refused, err);
}

int kt_session_add(struct kt_session *s, struct kt_event *e, struct kt_error *err)
{
	if (check_room(s, err) < 0 || place_rings(s, err) < 0 || attach_event(s, e, err) < 0)
		return kt_fail_because(err, "cannot record %s:%s", e->system, e->name);
	if (s->seconds &&
	    kt_probes_attach_second(&s->make, get_next_number(s), e, &s->seconds[s->n], err) < 0) {
		kt_probe_close(&s->probes[s->n]);
		return kt_fail_because(err, "cannot record %s:%s", e->system, e->name);
	}
	s->has_targets |= kt_event_target(e) != NULL;
	s->events[s->n++] = e;
	s->attached = s->n;
	return 0;
}

/* Returns the hits that the kernel has missed for the event's programs, since they exist. */
static uint64_t count_missed(const struct kt_session *s, size_t event)
{
	uint64_t missed = kt_probe_missed(&s->probes[event]);
	uint64_t caught = kt_nested_hits_map_caught(&s->nested, event);

	return missed > caught ? missed - caught : 0;
}

static uint64_t count_missed_calls(const struct kt_session *s)
{
	return s->missed_calls +
	       (s->running && s->calls ? kt_syscall_dispatch_missed(s->calls) : 0);
}

static uint64_t count_missed_functions(const struct kt_session *s)
{
	return s->missed_functions + (s->running ? kt_function_groups_missed(&s->functions) : 0);
}

void kt_session_start(struct kt_session *s)
{
	struct kt_untraced before;
	size_t i;

	for (i = 0; i < s->n; i++)
		s->missed[i] -= count_missed(s, i);
	if (s->calls) {
		kt_syscall_dispatch_end_loading(s->calls);
		before = kt_syscall_dispatch_untraced(s->calls);
		s->untraced = (struct kt_untraced){-before.compat, -before.unnamed};
		s->missed_calls = -kt_syscall_dispatch_missed(s->calls);
	}
	s->missed_functions = -kt_function_groups_missed(&s->functions);
	s->began = kt_clock_now();
	s->running = true;
	kt_enable_word_open(s->enable);
}

void kt_session_stop(struct kt_session *s)
{
	size_t i;

	if (!s->running)
		return;
	s->ended = kt_clock_now();
	kt_enable_word_shut(s->enable);
	kt_rings_settle(s->rings);
	kt_rings_flush(s->rings);
	for (i = 0; i < s->n; i++)
		s->missed[i] = kt_session_missed(s, i);
	if (s->calls)
		s->untraced = kt_session_untraced(s);
	s->missed_calls = count_missed_calls(s);
	s->missed_functions = count_missed_functions(s);
	s->running = false;
}

size_t kt_session_slow_links(const struct kt_session *s, int *links)
{
	size_t i, n = 0;

	for (i = 0; i < s->attached; i++)
		if (s->probes[i].links.n && kt_probe_is_slow(s->events[i]))
			links[n++] = s->probes[i].links.fds[0];
	return n;
}

size_t kt_session_detach_one(struct kt_session *s)
{
	if (s->attached) {
		s->attached--;
		if (s->seconds)
			kt_probe_detach(&s->seconds[s->attached]);
		kt_probe_detach(&s->probes[s->attached]);
	}
	if (!s->attached && s->calls)
		kt_syscall_dispatch_detach(s->calls);
	if (!s->attached)
		kt_function_groups_detach(&s->functions);
	return s->attached;
}

void kt_session_detach(struct kt_session *s)
{
	while (kt_session_detach_one(s))
		;
}

static int pin_probes(const struct kt_session *s, int dir, struct kt_error *err)
{
	struct kt_probe_name name;
	size_t i;
	int ret = 0;

	for (i = 0; i < s->n && ret == 0; i++) {
		name = (struct kt_probe_name){
			.system = s->events[i]->system,
			.event = s->events[i]->name,
			.number = get_number(s),
			.has_point = s->events[i]->point,
			.index = i,
		};
		ret = kt_probe_pin(&s->probes[i], name, dir, err);
	}
	return ret;
}

int kt_session_pin(struct kt_session *s, int dir, struct kt_error *err)
{
	if (kt_bpffs_pin(dir, "enable", kt_enable_word_fd(s->enable), err) < 0 ||
	    kt_bpffs_pin(dir, "counters", kt_counter_map_fd(s->counters), err) < 0 ||
	    (s->pids && kt_pid_filter_pin(s->pids, dir, err) < 0) ||
	    kt_rings_pin(s->rings, dir, err) < 0 ||
	    (s->spare && kt_rings_pin(s->spare, dir, err) < 0) ||
	    (s->task_names && kt_task_names_pin(s->task_names, dir, err) < 0) ||
	    (s->stacks && kt_callstack_tables_pin(s->stacks, dir, err) < 0) ||
	    (s->calls && kt_syscall_dispatch_pin(s->calls, dir, err) < 0) ||
	    pin_probes(s, dir, err) < 0)
		return -err->code;
	s->pinned = true;
	return 0;
}

static bool is_entry(const struct kt_event *e)
{
	enum kt_side side;

	return kt_syscall_of(e->system, e->name, &side) && side == KT_ENTER;
}

const struct kt_event *kt_session_entry(const struct kt_session *s, uint32_t number)
{
	const struct kt_prog_array_slot *slot;
	size_t i;

	for (i = 0; i < s->n; i++) {
		slot = &s->probes[i].slot;
		if (slot->is_used && slot->number == number && is_entry(s->events[i]))
			return s->events[i];
	}
	return NULL;
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
	return s->make.geometry;
}

struct kt_trace_source kt_session_trace_source(const struct kt_session *s)
{
	return (struct kt_trace_source){
		.events = kt_session_events(s),
		.n_events = s->n,
		.follows = s->followed,
		.task_names = s->task_names,
		.stacks = s->stacks,
		.rings = s->rings,
		.counters = s->counters,
		.began = s->began,
	};
}

const struct kt_rings *kt_session_rings(const struct kt_session *s)
{
	return s->rings;
}

const struct kt_counter_map *kt_session_counters(const struct kt_session *s)
{
	return s->counters;
}

uint64_t kt_session_missed(const struct kt_session *s, size_t event)
{
	return s->missed[event] + (s->running ? count_missed(s, event) : 0);
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
		.forks = s->followed ? kt_followed_pids_missed(s->followed) : 0,
		.functions = count_missed_functions(s),
		.calls = count_missed_calls(s),
	};
}
