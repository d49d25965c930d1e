// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/syscall_dispatch.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "bpf/asm.h"
#include "bpf/ring_layout.h"
#include "ctypes/btf.h"
#include "ctypes/recipe_parser.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "fetch/syscall_fields.h"
#include "generate/pointed_data_copy.h"
#include "generate/syscall_filter_marks.h"
#include "generate/task_state.h"
#include "handlers/syscall_dispatch_prog.h"
#include "hook/bpffs.h"
#include "hook/capabilities.h"
#include "hook/map.h"
#include "hook/program.h"
#include "hook/program_cache.h"
#include "hook/syscall_numbers.h"
#include "hook/task_storage.h"
#include "hook/tracepoint.h"

struct table {
	int fd, program, link; /* or -1 */
};

/* The second table is for programs that succeed running ones. */
struct side {
	struct table tables[KT_CALL_TABLES];
	struct kt_map scratch;
	struct kt_map indices; /* generate/event_index.h */
};

struct kt_syscall_dispatch {
	int tracefs, dir; /* dir -1: nothing is pinned */
	struct kt_btf *btf;
	struct kt_syscall_numbers *numbers; /* NULL until a program is placed */
	struct side sides[KT_SIDES];
	int states; /* map of task states (hook/task_storage.h), or -1 */
	struct kt_map marks;
	struct kt_map untraced; /* one struct kt_untraced; or none */
	struct kt_untraced_counts counts;
	uint32_t excluded;                   /* process whose calls are ignored; 0: none */
	struct kt_program_cache *programs;   /* or NULL */
	bool sets_mark[KT_PROG_ARRAY_SLOTS]; /* by number: the entry's program sets a mark */
};

static const struct kt_untraced_counts no_counts = {.map = -1};

#define MARKS  KT_TABLES "/marks"
#define STATES KT_TABLES "/states"

/* Names of pins by side. */
struct name {
	char text[sizeof(KT_TABLES "/enter:scratch")];
};

static struct kt_syscall_dispatch *new_dispatch(int tracefs, struct kt_btf *btf, int dir,
						struct kt_error *err)
{
	struct kt_syscall_dispatch *c = malloc(sizeof(*c));
	int side, i;

	if (!c) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*c = (struct kt_syscall_dispatch){
		.tracefs = tracefs, .btf = btf, .dir = dir, .states = -1, .counts = no_counts};
	for (side = 0; side < KT_SIDES; side++)
		for (i = 0; i < KT_CALL_TABLES; i++)
			c->sides[side].tables[i] = (struct table){-1, -1, -1};
	return c;
}

struct kt_syscall_dispatch *kt_syscall_dispatch_new(int tracefs, struct kt_btf *btf,
						    struct kt_error *err)
{
	return new_dispatch(tracefs, btf, -1, err);
}

struct kt_syscall_dispatch *kt_syscall_dispatch_open(int dir, int tracefs, struct kt_btf *btf,
						     struct kt_error *err)
{
	return new_dispatch(tracefs, btf, dir, err);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void detach_table(struct table *t)
{
	close_fd(&t->link);
	close_fd(&t->program);
	close_fd(&t->fd);
}

void kt_syscall_dispatch_detach(struct kt_syscall_dispatch *c)
{
	int side, i;

	for (side = 0; side < KT_SIDES; side++) {
		for (i = 0; i < KT_CALL_TABLES; i++)
			detach_table(&c->sides[side].tables[i]);
		kt_map_free(&c->sides[side].scratch);
		kt_map_free(&c->sides[side].indices);
	}
	close_fd(&c->states);
}

void kt_syscall_dispatch_free(struct kt_syscall_dispatch *c)
{
	if (!c)
		return;
	kt_syscall_dispatch_detach(c);
	kt_syscall_numbers_free(c->numbers);
	kt_map_free(&c->marks);
	kt_map_free(&c->untraced);
	kt_program_cache_free(c->programs);
	free(c);
}

static struct kt_expr *parse_expr(const struct kt_btf_target *tp, const char *text,
				  struct kt_error *err)
{
	struct kt_expr *e = kt_expr_parse(tp, text, err);

	if (!e)
		err->typed = NULL;
	return e;
}

void kt_syscall_dispatch_exclude(struct kt_syscall_dispatch *c, uint32_t tgid)
{
	c->excluded = tgid;
}

int kt_syscall_dispatch_count_untraced(struct kt_syscall_dispatch *c, int followed, bool unnamed,
				       struct kt_error *err)
{
	if (kt_map_make(&c->untraced, "kt_untraced", sizeof(struct kt_untraced), 1, err) < 0)
		return -err->code;
	c->counts = (struct kt_untraced_counts){c->untraced.fd, followed, unnamed};
	return 0;
}

struct kt_untraced kt_syscall_dispatch_untraced(const struct kt_syscall_dispatch *c)
{
	const struct kt_untraced *u = c->untraced.memory;

	if (!u)
		return (struct kt_untraced){0};
	return (struct kt_untraced){
		.compat = __atomic_load_n(&u->compat, __ATOMIC_RELAXED),
		.unnamed = __atomic_load_n(&u->unnamed, __ATOMIC_RELAXED),
	};
}

uint64_t kt_syscall_dispatch_missed(const struct kt_syscall_dispatch *c)
{
	uint64_t missed = 0;
	int side, i;

	for (side = 0; side < KT_SIDES; side++)
		for (i = 0; i < KT_CALL_TABLES; i++)
			if (c->sides[side].tables[i].program >= 0)
				missed += kt_program_missed(c->sides[side].tables[i].program);
	return missed;
}

static int load_dispatch(struct table *t, const struct kt_dispatch *d,
			 const struct kt_btf_target *tp, struct kt_error *err)
{
	struct kt_program_kind kind = {
		.type = tp->id ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_RAW_TRACEPOINT,
		.btf_id = tp->id,
		.attach_type = tp->id ? BPF_TRACE_RAW_TP : 0,
	};
	struct kt_asm *a = kt_asm_new();
	char name[32];

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	snprintf(name, sizeof(name), "calls:%s", kt_syscall_tracepoint(d->side));
	kt_emit_syscall_dispatch(a, d);
	t->program = kt_program_load(kind, name, a, err);
	kt_asm_free(a);
	return t->program < 0 ? -err->code : 0;
}

/* Loads the dispatcher of a table. */
static int load_dispatcher(const struct kt_syscall_dispatch *c, enum kt_side side, struct table *t,
			   const struct kt_btf_target *tp, struct kt_error *err)
{
	struct kt_expr *number = parse_expr(tp, kt_syscall_number(side), err);
	struct kt_expr *foreign = number ? parse_expr(tp, kt_syscall_foreign, err) : NULL;
	struct kt_dispatch d = {
		.number = number,
		.foreign = foreign,
		.regs = tp->regs,
		.side = side,
		.table = t->fd,
		.index = t - c->sides[side].tables,
		.states = c->states,
		.counts = side == KT_ENTER ? c->counts : no_counts,
		.excluded = c->excluded,
	};
	int ret = foreign ? load_dispatch(t, &d, tp, err) : -err->code;

	kt_expr_free(number);
	kt_expr_free(foreign);
	return ret;
}

/* Attaches the dispatcher of a table. */
static int attach_dispatcher(struct kt_syscall_dispatch *c, enum kt_side side, struct table *t,
			     struct kt_error *err)
{
	struct kt_btf_target tp;

	if (kt_btf_tracepoint(c->btf, kt_syscall_tracepoint(side), &tp, err) < 0)
		return -err->code;
	kt_btf_tracepoint_cast_regs(&tp);
	if (load_dispatcher(c, side, t, &tp, err) < 0)
		return -err->code;
	if (kt_program_is_shown())
		return 0;
	t->link = kt_tracepoint_attach_raw(tp.id ? NULL : kt_syscall_tracepoint(side), t->program,
					   err);
	return t->link < 0 ? -err->code : 0;
}

static const char *get_side_name(enum kt_side side)
{
	return side == KT_ENTER ? "enter" : "exit";
}

/* Returns a slot of a table that may not exist yet. */
static struct kt_prog_array_slot get_slot(const struct kt_syscall_dispatch *c, enum kt_side side,
					  int i, uint32_t number)
{
	struct kt_prog_array_slot slot = {.table = c->sides[side].tables[i].fd, .number = number};

	snprintf(slot.name, sizeof(slot.name), "%s%c", get_side_name(side), "01"[i]);
	return slot;
}

static struct kt_prog_array_name get_table_name(const struct kt_syscall_dispatch *c,
						enum kt_side side, int i)
{
	return kt_prog_array_name(get_slot(c, side, i, 0).name);
}

static struct name get_scratch_name(enum kt_side side)
{
	struct name name;

	snprintf(name.text, sizeof(name.text), KT_TABLES "/%s:scratch", get_side_name(side));
	return name;
}

static int open_directory(int dir, struct kt_error *err)
{
	int made = kt_bpffs_enter(dir, KT_TABLES, true, err);

	if (made < 0)
		return made;
	close(made);
	return 0;
}

static int open_table(struct kt_syscall_dispatch *c, const char *name, struct table *t,
		      struct kt_error *err)
{
	t->fd = kt_bpffs_get(c->dir, name, err);
	if (t->fd >= 0 && !kt_prog_array_is(t->fd))
		return kt_fail(err, EPROTO, "%s is not a table of ktrace", name);
	return t->fd < 0 ? t->fd : 0;
}

/*
 * If only the table or only the dispatcher's link exists, its creator was killed, or the other was
 * removed: its programs have missed calls, and must not seem complete.
 */
static int make_pinned(struct kt_syscall_dispatch *c, enum kt_side side, int i,
		       struct kt_error *err)
{
	struct table *t = &c->sides[side].tables[i];
	struct kt_prog_array_name name = get_table_name(c, side, i);

	if (kt_bpffs_has(c->dir, name.table) && kt_bpffs_has(c->dir, name.link))
		return open_table(c, name.table, t, err);
	if (open_directory(c->dir, err) < 0 || kt_bpffs_drop(c->dir, name.link, err) < 0 ||
	    kt_bpffs_drop(c->dir, name.table, err) < 0)
		return -err->code;
	t->fd = kt_prog_array_make(err);
	if (t->fd < 0 || kt_bpffs_pin(c->dir, name.table, t->fd, err) < 0 ||
	    attach_dispatcher(c, side, t, err) < 0)
		return -err->code;
	return kt_bpffs_pin(c->dir, name.link, t->link, err);
}

/* Opens the map that all dispatchers share. */
static int open_task_states(struct kt_syscall_dispatch *c, struct kt_error *err)
{
	bool is_pinned = c->dir >= 0 && kt_bpffs_has(c->dir, STATES);

	c->states = is_pinned ? kt_bpffs_get(c->dir, STATES, err) : kt_task_storage_make(err);
	if (c->states < 0)
		return c->states;
	if (is_pinned)
		return kt_task_storage_is(c->states)
			       ? 0
			       : kt_fail(err, EPROTO, STATES " is not a map of ktrace");
	if (c->dir < 0)
		return 0;
	return open_directory(c->dir, err) < 0 ? -err->code
					       : kt_bpffs_pin(c->dir, STATES, c->states, err);
}

int kt_syscall_dispatch_task_states(struct kt_syscall_dispatch *c, struct kt_error *err)
{
	int ret = c->states < 0 ? open_task_states(c, err) : 0;

	if (ret < 0)
		close_fd(&c->states);
	return ret < 0 ? ret : c->states;
}

static int make_table(struct kt_syscall_dispatch *c, enum kt_side side, int i, struct kt_error *err)
{
	struct table *t = &c->sides[side].tables[i];
	int ret;

	if (t->fd >= 0)
		return 0;
	if (kt_syscall_dispatch_task_states(c, err) < 0)
		return -err->code;
	if (c->dir < 0) {
		t->fd = ret = kt_prog_array_make(err);
		if (ret >= 0)
			ret = attach_dispatcher(c, side, t, err);
	} else {
		ret = make_pinned(c, side, i, err);
	}
	if (ret < 0)
		detach_table(t);
	return ret;
}

static int find_number(struct kt_syscall_dispatch *c, const struct kt_event *event,
		       uint32_t *number, struct kt_error *err)
{
	if (!c->numbers)
		c->numbers = kt_syscall_numbers_new(c->tracefs, c->btf, err);
	if (!c->numbers || kt_syscall_numbers_find(c->numbers, event, number, err) < 0)
		return -err->code;
	if (*number < KT_PROG_ARRAY_SLOTS)
		return 0;
	return kt_fail(err, EOPNOTSUPP, "its number, %u, is one of a kind that is not known",
		       *number);
}

/*
 * Checks that the marks that a return's filter tests are set by its entry. For pinned tables
 * session/flight/flight_control.c does that.
 */
static int check_marks(struct kt_syscall_dispatch *c, const struct kt_event *event, uint32_t number,
		       struct kt_error *err)
{
	if (!kt_filter_has(event->filter, KT_FILTER_MARK_TEST) || c->dir >= 0 ||
	    c->sets_mark[number])
		return 0;
	return kt_fail(err, EOPNOTSUPP, "the filter does not select its entry");
}

/*
 * Returns whether the event's call is an exec, whose return can only be recognized by its entry
 * (generate/task_state.h).
 */
static bool is_exec(const struct kt_event *event)
{
	enum kt_side side;

	return kt_syscall_is_exec(kt_syscall_of(event->system, event->name, &side));
}

/* Finds a free slot of the call: for pinned tables the second one if the first is taken. */
static int find_slot(struct kt_syscall_dispatch *c, const struct kt_event *event, uint32_t number,
		     struct kt_prog_array_slot *slot, struct kt_error *err)
{
	enum kt_side side = event->curated->side;
	bool needs_entries = side == KT_EXIT && is_exec(event);
	int n = c->dir < 0 ? 1 : KT_CALL_TABLES, i;

	for (i = 0; i < n; i++) {
		if ((needs_entries && make_table(c, KT_ENTER, i, err) < 0) ||
		    make_table(c, side, i, err) < 0)
			return -err->code;
		*slot = get_slot(c, side, i, number);
		if (!kt_prog_array_slot_has(slot))
			return 0;
	}
	return kt_fail(err, EEXIST, "there is a program for that call already");
}

/* Shared programs that run from now on find the event by the call's number. */
static void set_index(struct kt_map *indices, uint32_t number, uint32_t index)
{
	if (indices->memory)
		__atomic_store_n((uint32_t *)indices->memory + number, index, __ATOMIC_RELAXED);
}

int kt_syscall_dispatch_place(struct kt_syscall_dispatch *c, const struct kt_event *event,
			      size_t index, int program, struct kt_prog_array_slot *slot,
			      struct kt_error *err)
{
	uint32_t number;

	*slot = KT_NO_PROG_ARRAY_SLOT;
	if (find_number(c, event, &number, err) < 0 || check_marks(c, event, number, err) < 0 ||
	    find_slot(c, event, number, slot, err) < 0)
		return -err->code;
	if (kt_filter_has(event->filter, KT_FILTER_MARK_SET))
		c->sets_mark[number] = true;
	set_index(&c->sides[event->curated->side].indices, number, index);
	if (kt_program_is_shown() || c->dir >= 0)
		return 0;
	return kt_prog_array_slot_take(slot, program, err);
}

bool kt_syscall_dispatch_shares(const struct kt_syscall_dispatch *c)
{
	return c->dir < 0;
}

int kt_syscall_dispatch_indices(struct kt_syscall_dispatch *c, enum kt_side side,
				struct kt_error *err)
{
	struct kt_map *m = &c->sides[side].indices;

	if (!m->memory &&
	    kt_map_make(m, "kt_indices", KT_SHARED_CALLS * sizeof(uint32_t), 1, err) < 0)
		return -err->code;
	return m->fd;
}

static struct kt_program_cache *get_programs(struct kt_syscall_dispatch *c, struct kt_error *err)
{
	if (!c->programs)
		c->programs = kt_program_cache_new(err);
	return c->programs;
}

int kt_syscall_dispatch_load(struct kt_syscall_dispatch *c, struct kt_program_kind kind,
			     const char *event, struct kt_asm *code, struct kt_error *err)
{
	return get_programs(c, err) ? kt_program_cache_load(c->programs, kind, event, code, err)
				    : -err->code;
}

void kt_syscall_dispatch_expect(struct kt_syscall_dispatch *c, struct kt_program_kind kind,
				const char *event, struct kt_asm *code)
{
	struct kt_error ignored;

	if (get_programs(c, &ignored))
		kt_program_cache_expect(c->programs, kind, event, code);
	else
		kt_asm_free(code);
}

void kt_syscall_dispatch_end_loading(struct kt_syscall_dispatch *c)
{
	kt_program_cache_free(c->programs);
	c->programs = NULL;
}

static int make_scratch(struct kt_map *m, struct kt_error *err)
{
	int n_cpus = kt_cpus_possible(err);

	if (n_cpus < 0)
		return n_cpus;
	return kt_map_make(m, "kt_scratch", KT_SCRATCH_SIZE, (size_t)n_cpus * KT_BUFFER_SETS, err);
}

static int open_scratch(struct kt_map *m, int dir, const char *name, struct kt_error *err)
{
	int fd;

	if (kt_bpffs_has(dir, name)) {
		fd = kt_bpffs_get(dir, name, err);
		return fd < 0 ? fd : kt_map_from(m, fd, err);
	}
	if (make_scratch(m, err) < 0 || open_directory(dir, err) < 0)
		return -err->code;
	return kt_bpffs_pin(dir, name, m->fd, err);
}

int kt_syscall_dispatch_scratch(struct kt_syscall_dispatch *c, enum kt_side side,
				struct kt_error *err)
{
	struct kt_map *m = &c->sides[side].scratch;
	int ret = 0;

	if (!m->memory)
		ret = c->dir < 0 ? make_scratch(m, err)
				 : open_scratch(m, c->dir, get_scratch_name(side).text, err);
	return ret < 0 ? ret : m->fd;
}

static int pin_side(const struct kt_syscall_dispatch *c, enum kt_side side, int dir,
		    struct kt_error *err)
{
	const struct side *s = &c->sides[side];
	const struct table *t = &s->tables[0];
	struct kt_prog_array_name name = get_table_name(c, side, 0);

	if (t->fd < 0)
		return 0;
	if (open_directory(dir, err) < 0 || kt_bpffs_pin(dir, name.table, t->fd, err) < 0 ||
	    kt_bpffs_pin(dir, name.link, t->link, err) < 0)
		return -err->code;
	if (!s->scratch.memory)
		return 0;
	return kt_bpffs_pin(dir, get_scratch_name(side).text, s->scratch.fd, err);
}

static int pin_marks(const struct kt_syscall_dispatch *c, int dir, struct kt_error *err)
{
	if (!c->marks.memory)
		return 0;
	return open_directory(dir, err) < 0 ? -err->code
					    : kt_bpffs_pin(dir, MARKS, c->marks.fd, err);
}

int kt_syscall_dispatch_pin(const struct kt_syscall_dispatch *c, int dir, struct kt_error *err)
{
	int side, ret = 0;

	for (side = 0; side < KT_SIDES && ret == 0; side++)
		ret = pin_side(c, side, dir, err);
	if (ret == 0 && c->states >= 0)
		ret = open_directory(dir, err) < 0 ? -err->code
						   : kt_bpffs_pin(dir, STATES, c->states, err);
	return ret == 0 ? pin_marks(c, dir, err) : ret;
}

/* Created with the first programs, since programs cannot change their map. */
static int open_marks(struct kt_syscall_dispatch *c, struct kt_error *err)
{
	int fd = kt_bpffs_get(c->dir, MARKS, err);

	return fd < 0 ? fd : kt_map_from(&c->marks, fd, err);
}

int kt_syscall_dispatch_marks(struct kt_syscall_dispatch *c, struct kt_error *err)
{
	int ret = 0;

	if (!c->marks.memory)
		ret = c->dir < 0
			      ? kt_map_make(&c->marks, "kt_call_marks", KT_CALL_MARKS_SIZE, 1, err)
			      : open_marks(c, err);
	return ret < 0 ? ret : c->marks.fd;
}
