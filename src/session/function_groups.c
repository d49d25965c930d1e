// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/function_groups.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "bpf/asm.h"
#include "events/event.h"
#include "events/point.h"
#include "handlers/call_duration.h"
#include "handlers/function_group_prog.h"
#include "handlers/record_prog.h"
#include "hook/ask/preemption.h"
#include "hook/kernel_function.h"
#include "hook/kprobe_multi.h"
#include "hook/links.h"
#include "hook/map.h"
#include "hook/program.h"
#include "session/function_ways.h"
#include "session/probes.h"

struct member {
	struct kt_event *event; /* the caller's; NULL once it is added */
	size_t class;
};

/* A class of functions (handlers/function_group_prog.h). */
struct class
{
	struct kt_asm *code; /* of a program of one of them */
	const struct bpf_insn *insns;
	size_t n_insns;
};

struct kt_function_group {
	bool is_return;
	unsigned int stacks; /* of each of its events (bpf/callstacks.h) */
	bool is_closed;      /* it was tried to attach it: it takes no further members */
	bool is_attached;    /* so that its events can be added */
	size_t n, n_left;    /* of its members; of those that are not added yet */
	size_t n_sites;
	struct member members[KT_SHARED_CALLS];
	struct kt_map indices; /* of its members' events in the session (generate/event_index.h) */
	int program, link;     /* descriptors, or -1 */
	uint64_t missed;       /* by a link that is detached */
	size_t n_classes;
	struct class classes[KT_FUNCTION_CLASSES_MAX];
	const struct kt_event *of_class[KT_FUNCTION_CLASSES_MAX];
};

/* Returns whether all of an event's functions have an address, which no other member has. */
static bool has_own_sites(const struct kt_function_group *group, const struct kt_point *point)
{
	size_t i, j, k;
	const struct kt_point *other;

	for (i = 0; i < point->n; i++)
		if (!point->sites[i].offset)
			return false;
	for (i = 0; i < group->n; i++) {
		other = group->members[i].event->point;
		for (j = 0; j < other->n; j++)
			for (k = 0; k < point->n; k++)
				if (other->sites[j].offset == point->sites[k].offset)
					return false;
	}
	return true;
}

static bool can_be_member(const struct kt_probes *p, const struct kt_event *e)
{
	return p->wakeup < 0 && !p->overwrite && kt_function_group_can_have(e) &&
	       kt_function_way_is_multi(e);
}

static bool takes(const struct kt_function_group *group, const struct kt_event *e)
{
	return group->is_return == e->point->is_return && group->stacks == e->stacks &&
	       !group->is_closed && group->n < KT_SHARED_CALLS;
}

/* Returns a group that takes the event, or NULL without memory. */
static struct kt_function_group *find_open(struct kt_function_groups *g, const struct kt_event *e)
{
	struct kt_function_group *group, **larger;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (takes(g->of[i], e))
			return g->of[i];
	larger = kt_grow(g->of, g->n, sizeof(*larger));
	if (larger)
		g->of = larger;
	group = larger ? calloc(1, sizeof(*group)) : NULL;
	if (!group)
		return NULL;
	group->is_return = e->point->is_return;
	group->stacks = e->stacks;
	group->program = group->link = -1;
	g->of[g->n++] = group;
	return group;
}

void kt_function_groups_expect(struct kt_function_groups *g, const struct kt_probes *p,
			       struct kt_event *e)
{
	struct kt_function_group *group;

	if (!can_be_member(p, e))
		return;
	group = find_open(g, e);
	if (!group || !has_own_sites(group, e->point))
		return;
	group->members[group->n++].event = e;
	group->n_left++;
	group->n_sites += e->point->n;
}

/* Emits the event's own program, as if it were the session's first event. */
static void emit_own(struct kt_asm *a, const struct kt_probes *p, const struct kt_event *e)
{
	if (e->point->is_return)
		kt_emit_call_entry(a, e);
	kt_emit_record(a, kt_probes_reserve(p, KT_MAIN), e);
}

/* Stores the member's class, which may be a new one. Returns false if there are too many. */
static bool classify(struct kt_function_group *group, const struct kt_probes *p, struct member *m,
		     struct kt_error *err)
{
	struct class new = {.code = kt_asm_new()}, *c = group->classes;
	size_t i = 0;

	if (!new.code)
		return false;
	emit_own(new.code, p, m->event);
	new.insns = kt_asm_link(new.code, &new.n_insns, err);
	while (new.insns && i < group->n_classes &&
	       (c[i].n_insns != new.n_insns ||
		memcmp(c[i].insns, new.insns, new.n_insns * sizeof(*new.insns))))
		i++;
	if (new.insns && i == group->n_classes &&i < KT_FUNCTION_CLASSES_MAX) {
		group->of_class[i] = m->event;
		c[group->n_classes++] = new;
		new.code = NULL;
	}
	kt_asm_free(new.code);
	m->class = i;
	return new.insns &&i < group->n_classes;
}

static bool classify_all(struct kt_function_group *group, const struct kt_probes *p,
			 struct kt_error *err)
{
	static const struct kt_error none;
	struct member *m = group->members, *end = m + group->n;

	for (; m < end; m++)
		if (kt_function_way_take(m->event, KT_FUNCTION_BY_MULTI, &none, err) < 0 ||
		    !classify(group, p, m, err))
			return false;
	return true;
}

static int load_program(struct kt_function_group *group, const struct kt_probes *p,
			struct kt_error *err)
{
	const struct kt_event_indices indices = {group->indices.fd, p->n_events, true};
	struct kt_reserve r = kt_probes_reserve(p, KT_MAIN);
	struct kt_asm *a = kt_asm_new();

	if (!a)
		return -1;
	r.shared = &indices;
	kt_emit_function_group(a, r,
			       (struct kt_function_classes){group->of_class, group->n_classes});
	group->program =
		kt_program_load(kt_kernel_function_kind(group->of_class[0]), "func:group", a, err);
	kt_asm_free(a);
	return group->program;
}

static uint64_t make_cookie(const struct kt_function_group *group, size_t member)
{
	const struct member *m = &group->members[member];

	return member | (uint64_t)m->class << KT_COOKIE_CLASS |
	       (uint64_t)kt_function_group_record_size(m->event) << KT_COOKIE_SIZE;
}

static int link_sites(struct kt_function_group *group, uint64_t *addresses, uint64_t *cookies)
{
	const struct kt_kprobe_sites sites = {
		.n = group->n_sites, .addresses = addresses, .cookies = cookies};
	const struct kt_point *point;
	size_t i, j, n = 0;

	for (i = 0; i < group->n; i++) {
		point = group->members[i].event->point;
		for (j = 0; j < point->n; j++, n++) {
			addresses[n] = point->sites[j].offset;
			cookies[n] = make_cookie(group, i);
		}
	}
	return kt_kprobe_multi_attach(group->program,
				      kt_kernel_function_multi_type(group->is_return), sites);
}

static int attach_program(struct kt_function_group *group)
{
	uint64_t *addresses = calloc(2 * group->n_sites, sizeof(*addresses));

	if (addresses)
		group->link = link_sites(group, addresses, addresses + group->n_sites);
	free(addresses);
	return group->link;
}

static void free_classes(struct kt_function_group *group)
{
	while (group->n_classes)
		kt_asm_free(group->classes[--group->n_classes].code);
}

/* Where programs that get the arguments are not wanted, a group costs no more per hit. */
static size_t get_least(void)
{
	return kt_kernel_preempts() ? 2 : KT_FUNCTION_GROUP_MIN;
}

/* If the kernel refuses a function, it does not say which one: each then is on its own. */
static void attach(struct kt_function_group *group, const struct kt_probes *p)
{
	struct kt_error ignored;

	group->is_closed = true;
	if (group->n < get_least() ||
	    kt_map_make(&group->indices, "kt_functions", KT_SHARED_CALLS * sizeof(uint32_t), 1,
			&ignored) < 0)
		return;
	memset(group->indices.memory, 0xff, group->indices.size); /* no event's */
	group->is_attached = classify_all(group, p, &ignored) &&
			     load_program(group, p, &ignored) >= 0 &&
			     (kt_program_is_shown() || attach_program(group) >= 0);
	free_classes(group);
}

static struct member *find_member(struct kt_function_group *group, const struct kt_event *e)
{
	struct member *m = group->members, *end = m + (group->n_left ? group->n : 0);

	while (m < end && m->event != e)
		m++;
	return m < end ? m : NULL;
}

static bool add_member(struct kt_function_group *group, const struct kt_probes *p, struct member *m,
		       uint32_t index)
{
	uint32_t *indices;

	if (!group->is_closed)
		attach(group, p);
	m->event = NULL;
	group->n_left--;
	if (!group->is_attached)
		return false;
	indices = group->indices.memory;
	__atomic_store_n(&indices[m - group->members], index, __ATOMIC_RELAXED);
	return true;
}

bool kt_function_groups_add(struct kt_function_groups *g, const struct kt_probes *p,
			    const struct kt_event *e, size_t index)
{
	struct member *m;
	size_t i;

	for (i = 0; e->point && i < g->n; i++) {
		m = find_member(g->of[i], e);
		if (m)
			return add_member(g->of[i], p, m, index);
	}
	return false;
}

static uint64_t count_link_missed(const struct kt_function_group *group)
{
	return group->link >= 0 ? kt_link_missed(group->link, group->program) : 0;
}

uint64_t kt_function_groups_missed(const struct kt_function_groups *g)
{
	const struct kt_function_group *group;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < g->n; i++) {
		group = g->of[i];
		if (group->is_attached)
			sum += group->missed + kt_program_missed(group->program) +
			       count_link_missed(group);
	}
	return sum;
}

void kt_function_groups_detach(struct kt_function_groups *g)
{
	struct kt_function_group *group;
	size_t i;

	for (i = 0; i < g->n; i++) {
		group = g->of[i];
		group->missed += count_link_missed(group);
		if (group->link >= 0)
			close(group->link);
		group->link = -1;
	}
}

void kt_function_groups_free(struct kt_function_groups *g)
{
	struct kt_function_group *group;

	kt_function_groups_detach(g);
	while (g->n) {
		group = g->of[--g->n];
		if (group->program >= 0)
			close(group->program);
		if (group->indices.memory)
			kt_map_free(&group->indices);
		free(group);
	}
	free(g->of);
	g->of = NULL;
}
