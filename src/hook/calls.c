// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/calls.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "catalog/btf.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/expr.h"
#include "catalog/filter.h"
#include "emit/asm.h"
#include "emit/chosen.h"
#include "emit/dispatch.h"
#include "emit/pointees.h"
#include "hook/map.h"
#include "hook/numbers.h"
#include "hook/program.h"
#include "hook/rights.h"
#include "hook/tracepoint.h"

/* Places in a table: twice as many as there are calls in 2026. */
enum { N_PLACES = 1024 };

struct side {
	int table, program, link; /* descriptors, or -1 */
	struct kt_map scratch;
};

struct kt_calls {
	int tracefs;
	struct kt_btf *btf;
	struct kt_numbers *numbers; /* NULL: no event was placed */
	struct side sides[KT_SIDES];
	struct kt_map chosen;
	bool chooses[N_PLACES]; /* the program of a call's entry */
};

struct kt_calls *kt_calls_new(int tracefs, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_calls *c = malloc(sizeof(*c));

	if (c)
		*c = (struct kt_calls){
			.tracefs = tracefs,
			.btf = btf,
			.sides = {{.table = -1, .program = -1, .link = -1},
				  {.table = -1, .program = -1, .link = -1}},
		};
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return c;
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void detach(struct side *s)
{
	drop(&s->link);
	drop(&s->program);
	drop(&s->table);
	kt_map_free(&s->scratch);
}

void kt_calls_detach(struct kt_calls *c)
{
	int side;

	for (side = 0; side < KT_SIDES; side++)
		detach(&c->sides[side]);
}

void kt_calls_free(struct kt_calls *c)
{
	if (!c)
		return;
	kt_calls_detach(c);
	kt_numbers_free(c->numbers);
	kt_map_free(&c->chosen);
	free(c);
}

/* What looks into the table. */
static int load(struct side *s, const char *tracepoint, const char *number,
		const struct kt_btf_tracepoint *tp, struct kt_error *err)
{
	struct kt_program_kind kind = {BPF_PROG_TYPE_TRACING, tp->id};
	struct kt_expr *e = kt_expr_parse(tp, number, err);
	struct kt_asm *a;
	char name[32];

	snprintf(name, sizeof(name), "calls:%s", tracepoint);
	if (!e) {
		err->typed = NULL;
		return -err->code;
	}
	a = kt_asm_new();
	if (a) {
		kt_emit_dispatch(a, e, s->table);
		s->program = kt_program_load(kind, name, a, err);
	} else {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	kt_asm_free(a);
	kt_expr_free(e);
	return s->program < 0 ? -err->code : 0;
}

static int attach(struct kt_calls *c, enum kt_side side, struct kt_error *err)
{
	const char *tracepoint = kt_syscall_tracepoint(side);
	struct side *s = &c->sides[side];
	struct kt_btf_tracepoint tp;

	if (s->table >= 0)
		return 0;
	if (kt_btf_tracepoint(c->btf, tracepoint, &tp, err) < 0)
		return -err->code;
	s->table = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "kt_calls", sizeof(uint32_t),
				  sizeof(uint32_t), N_PLACES, NULL);
	if (s->table < 0)
		return kt_rights_fail(err, -s->table, "cannot make a BPF map of programs");
	if (load(s, tracepoint, kt_syscall_number(side), &tp, err) == 0) {
		if (kt_program_is_shown())
			return 0;
		s->link = kt_tracepoint_attach_raw(NULL, s->program, err);
		if (s->link >= 0)
			return 0;
	}
	detach(s);
	return -err->code;
}

static int find_number(struct kt_calls *c, const struct kt_event *event, uint32_t *number,
		       struct kt_error *err)
{
	if (!c->numbers)
		c->numbers = kt_numbers_new(c->tracefs, c->btf, err);
	if (!c->numbers || kt_numbers_find(c->numbers, event, number, err) < 0)
		return -err->code;
	if (*number < N_PLACES)
		return 0;
	return kt_fail(err, EOPNOTSUPP, "its number, %u, is one of a kind that is not known",
		       *number);
}

/* Whether the event's filter has what it needs of the other side. */
static int check_choice(struct kt_calls *c, const struct kt_event *event, uint32_t number,
			struct kt_error *err)
{
	if (!kt_filter_has(event->filter, KT_FILTER_CHOSEN) || c->chooses[number])
		return 0;
	return kt_fail(err, EOPNOTSUPP, "its entry is not recorded by that filter");
}

int kt_calls_place(struct kt_calls *c, const struct kt_event *event, int program,
		   struct kt_place *place, struct kt_error *err)
{
	enum kt_side side = event->curated->side;
	uint32_t there;
	int ret;

	if (find_number(c, event, &place->number, err) < 0 ||
	    check_choice(c, event, place->number, err) < 0 || attach(c, side, err) < 0)
		return -err->code;
	if (kt_filter_has(event->filter, KT_FILTER_CHOOSES))
		c->chooses[place->number] = true;
	place->table = c->sides[side].table;
	if (kt_program_is_shown())
		return 0;
	if (bpf_map_lookup_elem(place->table, &place->number, &there) == 0)
		return kt_fail(err, EEXIST, "there is a program for that call already");
	ret = bpf_map_update_elem(place->table, &place->number, &program, BPF_ANY);
	if (ret < 0)
		return kt_rights_fail(err, -ret, "cannot put a program into the table of calls");
	return 0;
}

int kt_calls_scratch(struct kt_calls *c, enum kt_side side, struct kt_error *err)
{
	struct kt_map *m = &c->sides[side].scratch;
	int n_cpus = kt_cpus(err);

	if (n_cpus < 0)
		return n_cpus;
	if (!m->memory && kt_map_make(m, "kt_scratch", KT_SCRATCH_SIZE, n_cpus, err) < 0)
		return -err->code;
	return m->fd;
}

int kt_calls_chosen(struct kt_calls *c, struct kt_error *err)
{
	if (!c->chosen.memory && kt_map_make(&c->chosen, "kt_chosen", KT_CHOSEN_SIZE, 1, err) < 0)
		return -err->code;
	return c->chosen.fd;
}

void kt_calls_leave(struct kt_place place)
{
	bpf_map_delete_elem(place.table, &place.number);
}
