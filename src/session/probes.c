// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "events/point.h"
#include "handlers/call_duration.h"
#include "handlers/computed_values.h"
#include "handlers/missed_return_prog.h"
#include "handlers/record_prog.h"
#include "handlers/trigger_prog.h"
#include "hook/ask/vmemmap.h"
#include "hook/capabilities.h"
#include "hook/map.h"
#include "hook/probe.h"
#include "session/function_ways.h"

/* A probe to be made. */
struct task {
	struct kt_enable_number as;
	int globs;                             /* map of its filter's globs, or -1 */
	int calls;                             /* map of calls under way, or -1 */
	int scratch;                           /* map of scratch memory, or -1 */
	const struct kt_event_indices *shared; /* if calls share the program; or NULL */
	int marks;      /* map of marks, if its filter sets or tests them; or -1 */
	bool sets_mark; /* the filter sets the mark: the event is an entry */
	bool attaches;  /* attach it after loading */
	bool second;    /* it is a second probe */
	struct kt_probe *probe;
};

static struct task new_task(struct kt_enable_number as, struct kt_probe *probe)
{
	return (struct task){
		.as = as,
		.globs = -1,
		.calls = -1,
		.scratch = -1,
		.marks = -1,
		.probe = probe,
	};
}

/* Checks that a program can get all fields. */
static int check_fields(const struct kt_event *e, struct kt_error *err)
{
	const struct kt_field *varying = kt_event_varying(e);

	if (varying && !e->curated && strcmp(e->system, "syscalls") == 0)
		return kt_fail(err, EOPNOTSUPP,
			       "the kernel does not pass its field '%s' to programs",
			       varying->name);
	return 0;
}

static int check_size(const struct kt_probes *p, const struct kt_event *e, struct kt_error *err)
{
	size_t size = kt_event_record_max(e, p->geometry);

	if (size > kt_record_max(p->geometry))
		return kt_fail(err, EMSGSIZE,
			       "a record of %zu bytes: a sub-buffer of %zu has room for %zu", size,
			       kt_subbuf_size(p->geometry), kt_record_max(p->geometry));
	return 0;
}

/* Makes the map of the filter's and trigger's globs. The caller frees the map, an empty one too. */
static int make_globs(struct kt_map *m, const struct kt_event *e, struct kt_error *err)
{
	size_t n = kt_filter_globs(e->filter, NULL), i;
	const struct kt_glob **globs;

	*m = (struct kt_map){.fd = -1};
	n += kt_filter_globs(e->trigger, NULL);
	if (!n)
		return 0;
	globs = calloc(n, sizeof(*globs));
	if (!globs)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_filter_globs(e->trigger, globs + kt_filter_globs(e->filter, globs));
	if (kt_map_make(m, "kt_globs", n * sizeof(**globs), 1, err) == 0)
		for (i = 0; i < n; i++)
			memcpy((struct kt_glob *)m->memory + i, globs[i], sizeof(**globs));
	free(globs);
	return m->memory ? 0 : -err->code;
}

/* The map of globs is the program's own. */
static int load_call(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
		     struct kt_asm *code, struct kt_error *err)
{
	int ret = t->shared && t->globs < 0
			  ? kt_probe_load_shared(t->probe, p->dispatch, e, code, err)
			  : kt_probe_load(t->probe, e, code, err);

	return ret == 0 && t->attaches
		       ? kt_probe_place_call(t->probe, p->dispatch, e, t->as.event, err)
		       : ret;
}

static int load_probe(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
		      struct kt_asm *code, struct kt_error *err)
{
	if (e->curated && e->curated->is_call)
		return load_call(p, t, e, code, err);
	return t->attaches ? kt_probe_attach_in(t->probe, e, code, p->processes, err)
			   : kt_probe_load(t->probe, e, code, err);
}

/*
 * Returns whether a second probe helps: a system call's program is run by another program, programs
 * of perf events share one guard (doc/probe.md), and those of points have none.
 */
static bool may_have_second(const struct kt_probes *p, const struct kt_event *e)
{
	bool is_call = e->curated && e->curated->is_call;

	return p->nested >= 0 && !is_call && !e->point &&
	       strcmp(kt_probe_kind(e), "tracepoint") != 0;
}

static enum kt_nested_hits_role choose_role(const struct kt_probes *p, const struct task *t,
					    const struct kt_event *e)
{
	if (!may_have_second(p, e))
		return KT_NESTED_NONE;
	return t->second ? KT_NESTED_SECOND : KT_NESTED_FIRST;
}

struct kt_reserve kt_probes_reserve(const struct kt_probes *p, enum kt_channel channel)
{
	bool is_rare = channel == KT_RARE;

	return (struct kt_reserve){
		.counters = p->counters,
		.rings = is_rare ? p->rare_rings : p->rings,
		.enable = p->enable,
		.followed = p->followed,
		.pid_filter = p->pid_filter,
		.some_cpus = p->some_cpus,
		.globs = -1,
		.calls = -1,
		.scratch = -1,
		.marks = -1,
		.overwrite = p->overwrite,
		.geometry = is_rare ? kt_geometry_rare(p->geometry) : p->geometry,
		.freezing = p->freezing,
		.stacks = p->stacks,
	};
}

static struct kt_reserve get_reserve(const struct kt_probes *p, const struct task *t,
				     const struct kt_event *e)
{
	struct kt_reserve r = kt_probes_reserve(p, e->channel);

	r.globs = t->globs;
	r.calls = t->calls;
	r.scratch = t->scratch;
	r.marks = t->marks;
	r.sets_mark = t->sets_mark;
	r.event = t->as.event;
	r.shared = t->shared;
	r.number = t->as.number;
	r.succeeds = t->as.succeeds;
	r.nested = (struct kt_nested_hits){.role = choose_role(p, t, e), .map = p->nested};
	return r;
}

/* Returns the code of a probe, or NULL without memory. */
static struct kt_asm *generate_code(const struct kt_probes *p, const struct task *t,
				    const struct kt_event *e)
{
	struct kt_reserve r = get_reserve(p, t, e);
	struct kt_asm *a = kt_asm_new();

	if (!a)
		return NULL;
	if (e->point && e->point->by_multi && e->point->is_return)
		kt_emit_call_entry(a, e);
	if (p->wakeup >= 0)
		kt_emit_trigger_prog(a, r, p->wakeup, e);
	else
		kt_emit_record(a, r, e);
	return a;
}

/* A second program of a point. */
struct companion {
	enum kt_companion as;
	void (*emit)(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);
};

static int attach_companion(const struct kt_probes *p, const struct task *t,
			    const struct kt_event *e, struct companion program, struct kt_links *to,
			    struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();
	struct kt_links links = {0};
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	program.emit(a, get_reserve(p, t, e), e);
	ret = kt_probe_attach_companion(&links, e, program.as, a, p->processes, err);
	kt_asm_free(a);
	return ret == 0 ? kt_links_move(to, &links, err) : ret;
}

/* Attaches the program that counts the calls whose return will be missed, if there may be any. */
static int attach_missed(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
			 struct kt_links *links, struct kt_error *err)
{
	const struct companion program = {KT_COMPANION_ENTRY, kt_emit_missed_return};

	if (!t->attaches || p->wakeup >= 0 || !e->point || !e->point->is_return ||
	    e->point->function)
		return 0;
	return attach_companion(p, t, e, program, links, err);
}

/* Attaches the program that measures calls, if the kernel can at both ends, else at the entry. */
static int attach_timer(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
			struct kt_error *err)
{
	const struct companion both = {KT_COMPANION_BOTH_ENDS, kt_emit_call_session};
	const struct companion entry = {KT_COMPANION_ENTRY, kt_emit_call_start};
	struct kt_error refused;

	if (!t->attaches || t->calls < 0)
		return 0;
	e->curated->is_timed_by_session =
		e->curated->timing.cookie && !e->point->by_registers &&
		attach_companion(p, t, e, both, &t->probe->links, &refused) == 0;
	return e->curated->is_timed_by_session
		       ? 0
		       : attach_companion(p, t, e, entry, &t->probe->links, err);
}

/* Attaches the program that makes the kernel read what is not in memory, if that may be so. */
static int attach_page_in(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
			  struct kt_error *err)
{
	const struct companion program = {KT_COMPANION_SLEEPS, kt_emit_page_in};

	if (!t->attaches || !e->point || !e->curated->reads_user)
		return 0;
	return attach_companion(p, t, e, program, &t->probe->links, err);
}

/*
 * What counts missed returns comes first: between the two, none may be lost. What pages in or
 * measures calls comes last, and so runs first.
 */
static int attach_probes(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
			 struct kt_asm *a, struct kt_error *err)
{
	struct kt_links missed = {0};
	int ret = attach_missed(p, t, e, &missed, err);

	if (ret == 0)
		ret = load_probe(p, t, e, a, err);
	if (ret < 0) {
		kt_links_close(&missed);
		return ret;
	}
	ret = kt_links_move(&t->probe->links, &missed, err);
	if (ret == 0)
		ret = attach_page_in(p, t, e, err);
	if (ret == 0)
		ret = attach_timer(p, t, e, err);
	if (ret < 0)
		kt_probe_close(t->probe);
	return ret;
}

static int make_probe(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
		      struct kt_error *err)
{
	struct kt_asm *a = generate_code(p, t, e);
	int ret = a ? attach_probes(p, t, e, a, err) : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	kt_asm_free(a);
	return ret;
}

/* Provides the values that curated fields need. */
static int provide_values(struct kt_probes *p, struct kt_curated *c, struct kt_error *err)
{
	c->bytes_max = p->bytes_max;
	if (c->notes_late || c->takes[KT_BTF_ENTERED] || c->takes[KT_BTF_LATE]) {
		c->states = kt_syscall_dispatch_task_states(p->dispatch, err);
		if (c->states < 0)
			return c->states;
	}
	if (!c->takes[KT_BTF_VMEMMAP])
		return 0;
	if (!p->vmemmap && kt_vmemmap_find(&c->page, c->page_size, &p->vmemmap, err) < 0)
		return -err->code;
	c->vmemmap = p->vmemmap;
	return 0;
}

/*
 * Returns whether the filter should mark calls for their return. A call without a return is not
 * marked.
 */
static bool should_mark(const struct kt_event *e)
{
	enum kt_side side;
	const char *call = kt_syscall_of(e->system, e->name, &side);

	return call && kt_syscall_returns(call) && kt_filter_has(e->filter, KT_FILTER_MARK_SET);
}

/* Sets what the program of a curated event needs. */
static int prepare_curated(struct kt_probes *p, struct task *t, const struct kt_event *e,
			   struct kt_event_indices *indices, struct kt_error *err)
{
	if (e->curated->is_call && !p->dispatch)
		return kt_fail(err, EOPNOTSUPP, "there is no table of calls");
	if (e->curated->n_pointed) {
		t->scratch = kt_syscall_dispatch_scratch(p->dispatch, e->curated->side, err);
		if (t->scratch < 0)
			return t->scratch;
	}
	t->sets_mark = should_mark(e);
	if (t->sets_mark || kt_filter_has(e->filter, KT_FILTER_MARK_TEST)) {
		t->marks = kt_syscall_dispatch_marks(p->dispatch, err);
		if (t->marks < 0)
			return t->marks;
	}
	if (e->curated->is_call && kt_syscall_dispatch_shares(p->dispatch)) {
		indices->map = kt_syscall_dispatch_indices(p->dispatch, e->curated->side, err);
		if (indices->map < 0)
			return indices->map;
		t->shared = indices;
	}
	return provide_values(p, e->curated, err);
}

static int make_curated(struct kt_probes *p, struct task t, const struct kt_event *e,
			struct kt_error *err)
{
	struct kt_event_indices indices = {.n = p->n_events};

	if (prepare_curated(p, &t, e, &indices, err) < 0)
		return -err->code;
	return make_probe(p, &t, e, err);
}

/* Makes the map of a function's calls under way. The caller frees the map, an empty one too. */
static int make_calls(struct kt_map *m, const struct kt_event *e, struct kt_error *err)
{
	*m = (struct kt_map){.fd = -1};
	return e->curated->takes[KT_BTF_DURATION] && !e->point->by_multi
		       ? kt_map_make(m, "kt_calls", KT_CALLS_SIZE, 1, err)
		       : 0;
}

/* The program has a map of its own, which keeps nothing of another one that was tried. */
static int make_one_way(struct kt_probes *p, struct task t, struct kt_event *e,
			struct kt_error *err)
{
	struct kt_map calls;
	int ret = make_calls(&calls, e, err);

	if (ret < 0)
		return ret;
	t.calls = calls.fd;
	ret = make_curated(p, t, e, err);
	kt_map_free(&calls);
	return ret;
}

static int make_way(struct kt_probes *p, struct task t, struct kt_event *e,
		    enum kt_function_way way, struct kt_error *err)
{
	int ret;

	if (way == KT_FUNCTION_BY_ARGUMENTS && p->no_fentry)
		return kt_capabilities_fail(err, EPERM, "bpf");
	ret = make_one_way(p, t, e, err);
	p->no_fentry |= way == KT_FUNCTION_BY_ARGUMENTS && ret == -EPERM;
	return ret;
}

/*
 * Once the kernel has refused a program that gets the arguments with -EPERM, it is not asked again:
 * no function will do.
 */
static int make_function(struct kt_probes *p, struct task t, struct kt_event *e,
			 struct kt_error *refused, struct kt_error *err)
{
	enum kt_function_way ways[KT_FUNCTION_WAYS];
	size_t n = kt_function_ways(e, p->nested >= 0, ways, refused), i;

	for (i = 0; i < n; i++) {
		if (kt_function_way_take(e, ways[i], refused, err) < 0)
			return -err->code;
		if (make_way(p, t, e, ways[i], err) == 0)
			return 0;
		kt_function_way_fail(refused, kt_probe_kind(e), err);
	}
	if (strstr(refused->text, "; "))
		*err = *refused;
	return -err->code;
}

/* An event that is no longer curated has no pointed-to data. */
static int make_uncurated(const struct kt_probes *p, const struct task *t, struct kt_event *e,
			  const struct kt_error *refused, struct kt_error *err)
{
	int ret = check_fields(e, err);

	if (ret < 0)
		return ret;
	if (kt_event_tests_missing(e))
		return kt_fail(err, EOPNOTSUPP,
			       "its filter needs text that an argument points to: %s",
			       refused->text);
	if (kt_filter_has(e->filter, KT_FILTER_MARK_TEST))
		return kt_fail(err, EOPNOTSUPP, "its filter needs arguments of the call: %s",
			       refused->text);
	return make_probe(p, t, e, err);
}

/* Falls back to the tracepoint's record if the curated program is refused. */
static int make_probe_or_fallback(struct kt_probes *p, struct task t, struct kt_event *e,
				  struct kt_error *refused, struct kt_error *err)
{
	struct kt_map globs;
	int ret = p->wakeup < 0 ? check_size(p, e, err) : 0;

	refused->code = 0;
	if (ret == 0)
		ret = make_globs(&globs, e, err);
	if (ret < 0)
		return ret;
	t.globs = globs.fd;
	if (e->point && e->point->function) {
		ret = make_function(p, t, e, refused, err);
	} else if (e->curated) {
		ret = make_curated(p, t, e, err);
		if (ret < 0 && !t.second && !e->point) {
			*refused = *err;
			kt_uncurate(e);
		}
	}
	if (!e->curated)
		ret = make_uncurated(p, &t, e, refused, err);
	kt_map_free(&globs);
	return ret;
}

void kt_probes_expect(struct kt_probes *p, struct kt_enable_number as, const struct kt_event *e)
{
	struct kt_event_indices indices = {.n = p->n_events};
	struct task t = new_task(as, NULL);
	struct kt_error ignored;
	struct kt_asm *code;

	if (!e->curated || !e->curated->is_call || !p->dispatch || p->wakeup >= 0 || e->filter ||
	    e->trigger || prepare_curated(p, &t, e, &indices, &ignored) < 0 || !t.shared)
		return;
	code = generate_code(p, &t, e);
	if (code)
		kt_probe_expect_shared(p->dispatch, e, code);
}

int kt_probes_attach(struct kt_probes *p, struct kt_enable_number as, struct kt_event *e,
		     struct kt_probe *probe, struct kt_error *refused, struct kt_error *err)
{
	struct task t = new_task(as, probe);

	t.attaches = true;
	return make_probe_or_fallback(p, t, e, refused, err);
}

int kt_probes_attach_second(struct kt_probes *p, struct kt_enable_number as, struct kt_event *e,
			    struct kt_probe *probe, struct kt_error *err)
{
	struct task t = new_task(as, probe);
	struct kt_error refused;

	t.attaches = t.second = true;
	*probe = KT_NO_PROBE;
	return may_have_second(p, e) ? make_probe_or_fallback(p, t, e, &refused, err) : 0;
}

int kt_probes_load(struct kt_probes *p, struct kt_enable_number as, struct kt_event *e,
		   struct kt_probe *probe, struct kt_error *refused, struct kt_error *err)
{
	struct task t = new_task(as, probe);

	return make_probe_or_fallback(p, t, e, refused, err);
}
