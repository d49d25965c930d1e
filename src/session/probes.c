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
#include "handlers/record_prog.h"
#include "handlers/trigger_prog.h"
#include "hook/map.h"
#include "hook/probe.h"
#include "hook/vmemmap.h"

/* One that is to be made. */
struct task {
	struct kt_switch as;
	int globs;      /* map of its filter's patterns, or -1 */
	int scratch;    /* of its pointees, or -1 */
	int marks;      /* where its filter has to do with the call's other event, or -1 */
	bool sets_mark; /* it is an entry's */
	bool attaches;  /* it, once it is loaded */
	bool second;    /* it is that of an event which has a first one */
	struct kt_probe *probe;
};

/* Whether its program gets all of its fields. */
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
			       "a record takes %zu bytes, and a sub-buffer of %zu has room for %zu",
			       size, kt_subbuf_size(p->geometry), kt_record_max(p->geometry));
	return 0;
}

/* The patterns of its filter, and its trigger's. The caller frees the map, also an empty one. */
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

static int load(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
		struct kt_asm *code, struct kt_error *err)
{
	if (!t->attaches)
		return kt_probe_load(t->probe, e, code, err);
	if (e->curated && e->curated->is_call)
		return kt_probe_attach_call(t->probe, p->dispatch, e, code, err);
	return kt_probe_attach(t->probe, e, code, err);
}

/*
 * A call's program is run by another one, and programs of perf events have one guard for all of
 * them (doc/probe.md).
 */
static bool may_have_second(const struct kt_probes *p, const struct kt_event *e)
{
	bool is_call = e->curated && e->curated->is_call;

	return p->nested >= 0 && !is_call && strcmp(kt_probe_kind(e), "tracepoint") != 0;
}

static enum kt_nested_hits_role role_of(const struct kt_probes *p, const struct task *t,
					const struct kt_event *e)
{
	if (!may_have_second(p, e))
		return KT_NESTED_NONE;
	return t->second ? KT_NESTED_SECOND : KT_NESTED_FIRST;
}

static int make_probe(const struct kt_probes *p, const struct task *t, const struct kt_event *e,
		      struct kt_error *err)
{
	bool is_kept = e->channel == KT_RARE;
	struct kt_reserve r = {
		.counters = p->counters,
		.rings = is_kept ? p->rare_rings : p->rings,
		.enable = p->enable,
		.followed = p->followed,
		.pid_filter = p->pid_filter,
		.some_cpus = p->some_cpus,
		.globs = t->globs,
		.scratch = t->scratch,
		.marks = t->marks,
		.sets_mark = t->sets_mark,
		.overwrite = p->overwrite,
		.geometry = is_kept ? kt_geometry_rare(p->geometry) : p->geometry,
		.event = t->as.event,
		.number = t->as.number,
		.succeeds = t->as.succeeds,
		.freezing = p->freezing,
		.nested = {.role = role_of(p, t, e), .map = p->nested},
	};
	struct kt_asm *a = kt_asm_new();
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (p->wakeup >= 0)
		kt_emit_trigger_prog(a, r, p->wakeup, e);
	else
		kt_emit_record(a, r, e);
	ret = load(p, t, e, a, err);
	kt_asm_free(a);
	return ret;
}

/* What its fields are computed with. */
static int know(struct kt_probes *p, struct kt_curated *c, struct kt_error *err)
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

/* Whether its filter is to choose the call's return; of one that has none nothing is to be left. */
static bool chooses(const struct kt_event *e)
{
	enum kt_side side;
	const char *call = kt_syscall_of(e->system, e->name, &side);

	return call && kt_syscall_returns(call) && kt_filter_has(e->filter, KT_FILTER_MARK_SET);
}

static int make_curated(struct kt_probes *p, struct task t, const struct kt_event *e,
			struct kt_error *err)
{
	if (e->curated->is_call && !p->dispatch)
		return kt_fail(err, EOPNOTSUPP, "there is no table of calls");
	if (e->curated->n_pointees) {
		t.scratch = kt_syscall_dispatch_scratch(p->dispatch, e->curated->side, err);
		if (t.scratch < 0)
			return t.scratch;
	}
	t.sets_mark = chooses(e);
	if (t.sets_mark || kt_filter_has(e->filter, KT_FILTER_MARK_TEST)) {
		t.marks = kt_syscall_dispatch_marks(p->dispatch, err);
		if (t.marks < 0)
			return t.marks;
	}
	if (know(p, e->curated, err) < 0)
		return -err->code;
	return make_probe(p, &t, e, err);
}

/* Whether its filter, or its trigger, has fields that it has no more. */
static bool has_none_of(const struct kt_filter *f, const struct kt_event *e)
{
	if (!f)
		return false;
	return (f->source == KT_FILTER_FIELD && f->field >= e->n_fields) ||
	       has_none_of(f->of[0], e) || has_none_of(f->of[1], e);
}

/* What is curated no more has no copies of what it points to. */
static int make_uncurated(const struct kt_probes *p, const struct task *t, struct kt_event *e,
			  const struct kt_error *refused, struct kt_error *err)
{
	int ret = check_fields(e, err);

	if (ret < 0)
		return ret;
	if (has_none_of(e->filter, e) || has_none_of(e->trigger, e))
		return kt_fail(err, EOPNOTSUPP,
			       "its filter needs text that an argument points to: %s",
			       refused->text);
	if (kt_filter_has(e->filter, KT_FILTER_MARK_TEST))
		return kt_fail(err, EOPNOTSUPP, "its filter is one of the call's arguments: %s",
			       refused->text);
	return make_probe(p, t, e, err);
}

/* By its tracepoint's record where the other way fails. */
static int make(struct kt_probes *p, struct task t, struct kt_event *e, struct kt_error *refused,
		struct kt_error *err)
{
	struct kt_map globs;
	int ret = p->wakeup < 0 ? check_size(p, e, err) : 0;

	refused->code = 0;
	if (ret == 0)
		ret = make_globs(&globs, e, err);
	if (ret < 0)
		return ret;
	t.globs = globs.fd;
	if (e->curated) {
		ret = make_curated(p, t, e, err);
		if (ret < 0 && !t.second) {
			*refused = *err;
			kt_uncurate(e);
		}
	}
	if (!e->curated)
		ret = make_uncurated(p, &t, e, refused, err);
	kt_map_free(&globs);
	return ret;
}

int kt_probes_attach(struct kt_probes *p, struct kt_switch as, struct kt_event *e,
		     struct kt_probe *probe, struct kt_error *refused, struct kt_error *err)
{
	struct task t = {.as = as, .scratch = -1, .marks = -1, .attaches = true, .probe = probe};

	return make(p, t, e, refused, err);
}

int kt_probes_attach_second(struct kt_probes *p, struct kt_switch as, struct kt_event *e,
			    struct kt_probe *probe, struct kt_error *err)
{
	struct task t = {
		.as = as,
		.scratch = -1,
		.marks = -1,
		.attaches = true,
		.second = true,
		.probe = probe,
	};
	struct kt_error refused;

	*probe = KT_NO_PROBE;
	return may_have_second(p, e) ? make(p, t, e, &refused, err) : 0;
}

int kt_probes_load(struct kt_probes *p, struct kt_switch as, struct kt_event *e,
		   struct kt_probe *probe, struct kt_error *refused, struct kt_error *err)
{
	struct task t = {.as = as, .scratch = -1, .marks = -1, .probe = probe};

	return make(p, t, e, refused, err);
}
