// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/filter_check.h"

#include <stdbool.h>
#include <stdint.h>

#include "bpf/asm.h"
#include "bpf/copy_bytes.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "events/point.h"
#include "generate/curated_fields.h"
#include "generate/data_loc.h"
#include "generate/expr_value.h"
#include "generate/field_value.h"
#include "generate/reserve.h"
#include "generate/syscall_filter_marks.h"
#include "generate/text_copy.h"

enum { CONTEXT = BPF_REG_6, POINTER = BPF_REG_7, VALUE = BPF_REG_1, NUMBER = BPF_REG_2 };

struct filter {
	const struct kt_reserve *r;
	const struct kt_event *event;
	struct kt_emit_expr x;
	size_t n_globs; /* globs emitted so far */
};

/* VALUE = the value that the test looks at. */
static void load_value(struct filter *f, const struct kt_filter *test)
{
	struct kt_asm *a = f->x.a;

	switch (test->source) {
	case KT_FILTER_FIELD:
		kt_emit_field(&f->x, f->event, &f->event->fields[test->field]);
		return;
	case KT_FILTER_PID:
		kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
		kt_asm_alu_imm(a, BPF_RSH, BPF_REG_0, 32);
		break;
	case KT_FILTER_TID:
		kt_asm_call(a, BPF_FUNC_get_current_pid_tgid);
		kt_emit_widen(a, BPF_REG_0, 4, false);
		break;
	case KT_FILTER_CPU:
		kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
		break;
	case KT_FILTER_EXPR:
		kt_emit_value(&f->x, test->expr, VALUE);
		return;
	case KT_FILTER_COMM:
		return; /* not a number */
	}
	kt_asm_move(a, VALUE, BPF_REG_0);
}

static bool is_signed_source(const struct filter *f, const struct kt_filter *test)
{
	if (test->source == KT_FILTER_EXPR)
		return test->expr->path.is_signed;
	return test->source == KT_FILTER_FIELD &&
	       f->event->fields[test->field].flags & KT_FIELD_SIGNED;
}

/* Returns the jump that is taken if the test is true, or false. */
static int choose_jump(const struct filter *f, const struct kt_filter *test, bool so)
{
	bool is_signed = is_signed_source(f, test);

	switch (test->op) {
	case KT_FILTER_LESS:
		if (is_signed)
			return so ? BPF_JSLT : BPF_JSGE;
		return so ? BPF_JLT : BPF_JGE;
	case KT_FILTER_AT_MOST:
		if (is_signed)
			return so ? BPF_JSLE : BPF_JSGT;
		return so ? BPF_JLE : BPF_JGT;
	case KT_FILTER_BITS:
		return BPF_JSET; /* has no opposite */
	default:
		return so ? BPF_JEQ : BPF_JNE;
	}
}

static void test_number(struct filter *f, const struct kt_filter *test, bool so, int label)
{
	struct kt_asm *a = f->x.a;
	int over;

	load_value(f, test);
	if (test->op != KT_FILTER_BITS || so) {
		kt_asm_jump_imm64(a, choose_jump(f, test, so), VALUE, test->number, NUMBER, label);
		return;
	}
	over = kt_asm_label(a, "has");
	kt_asm_jump_imm64(a, BPF_JSET, VALUE, test->number, NUMBER, over);
	kt_asm_jump(a, label);
	kt_asm_place(a, over);
}

/* A text, and how many bytes of it are compared. */
struct text {
	const struct kt_field *field;
	size_t n;
};

/* Copies a curated text to KT_STACK_TEXT; of a varying one, one more byte than is compared. */
static void copy_expr_text(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	const struct text *t = with;

	if (e->op == KT_EXPR_CHOICE) {
		kt_emit_choice(x, e, copy_expr_text, t);
	} else if (e->op == KT_EXPR_TEXT) {
		kt_emit_text_put(x->a, e->text, t->n + 1);
	} else if (e->op == KT_EXPR_STRING) {
		kt_emit_value(x, e->of[0], BPF_REG_3);
		kt_emit_text_load(x->a, BPF_FUNC_probe_read_user_str, t->n + 1);
	} else if (kt_field_varies(t->field)) {
		kt_emit_text_read(x, &e->path, t->n + 1);
	} else {
		kt_emit_base(x, &e->path);
		kt_emit_copy_bytes(x->a, BPF_REG_10, KT_STACK_TEXT, x->pointer,
				   e->path.offsets[e->path.n - 1], t->n);
	}
}

/* Copies a text of the tracepoint's record, and ends it. */
static void copy_record_text(struct kt_asm *a, const struct text *t)
{
	int whole = kt_asm_label(a, "whole");

	kt_emit_data_place(a, BPF_REG_3, t->field);
	kt_asm_alu(a, BPF_ADD, BPF_REG_3, CONTEXT);
	kt_emit_text_load(a, BPF_FUNC_probe_read_kernel_str, t->n + 1);
	kt_emit_data_length(a, BPF_REG_1, t->field);
	kt_asm_jump_imm(a, BPF_JGE, BPF_REG_1, t->n, whole);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_10);
	kt_asm_store_imm(a, BPF_B, BPF_REG_1, KT_STACK_TEXT, 0);
	kt_asm_place(a, whole);
}

static void copy_comm(struct kt_asm *a)
{
	kt_asm_move(a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, KT_STACK_TEXT);
	kt_asm_move_imm(a, BPF_REG_2, KT_FILTER_COMM_MAX + 1);
	kt_asm_call(a, BPF_FUNC_get_current_comm);
}

/* The kernel lets no program load through a pointer to a pointer. */
static void copy_path_text(struct filter *f, const struct kt_member_path *path,
			   const struct text *t)
{
	bool probes = f->x.probes;

	f->x.probes |= path->is_guarded;
	kt_emit_text_read(&f->x, path, t->n + 1);
	f->x.probes = probes;
	if (path->is_guarded)
		f->x.base = NULL;
}

static void copy_text(struct filter *f, const struct kt_filter *test, const struct text *t)
{
	struct kt_asm *a = f->x.a;

	if (test->source == KT_FILTER_COMM)
		copy_comm(a);
	else if (test->source == KT_FILTER_EXPR)
		copy_path_text(f, &test->expr->path, t);
	else if (f->event->curated)
		copy_expr_text(&f->x, f->event->curated->exprs[test->field], t);
	else if (kt_field_varies(t->field))
		copy_record_text(a, t);
	else
		kt_emit_copy_bytes(a, BPF_REG_10, KT_STACK_TEXT, CONTEXT, t->field->offset, t->n);
}

/* Returns how many bytes of the source's text may be read. */
static size_t get_text_room(const struct kt_filter *test, const struct kt_field *field)
{
	if (test->source == KT_FILTER_COMM)
		return KT_FILTER_COMM_MAX + 1;
	if (test->source == KT_FILTER_EXPR)
		return test->expr->path.is_array ? test->expr->path.size : KT_FILTER_SEEN_MAX;
	return kt_field_varies(field) ? KT_FILTER_SEEN_MAX : field->size;
}

static void test_text(struct filter *f, const struct kt_filter *test, bool so, int label)
{
	struct text t = {
		.field = test->source == KT_FILTER_FIELD ? &f->event->fields[test->field] : NULL,
		.n = test->op == KT_FILTER_LIKE ? KT_FILTER_SEEN_MAX
						: test->len + (test->op == KT_FILTER_IS),
	};
	size_t max = get_text_room(test, t.field);

	if (t.n > max)
		t.n = max;
	copy_text(f, test, &t);
	if (test->op == KT_FILTER_LIKE)
		kt_emit_text_like(f->x.a, test->glob, f->r->globs,
				  f->n_globs++ * sizeof(*test->glob), t.n, so, label);
	else
		kt_emit_text_is(f->x.a, test->text, t.n, so, label);
}

static bool is_text_test(const struct kt_filter *test)
{
	return test->op >= KT_FILTER_IS;
}

static void emit_part(struct filter *f, const struct kt_filter *part, bool so, int label);

/* Returns the stack offset of the thread's number at the entry of an exec; 0 for other calls. */
static int16_t find_entry_tid(const struct filter *f)
{
	const struct kt_curated *c = f->event->curated;

	return c && c->takes[KT_BTF_ENTERED] ? kt_emit_global_at(&f->x, KT_BTF_ENTERED) : 0;
}

/* Sets the mark of a call, or tests it. Without a map of marks it emits nothing. */
static void emit_mark(struct filter *f, const struct kt_filter *part, bool so, int label)
{
	int other = so ? kt_asm_label(f->x.a, "not_meant") : label;

	emit_part(f, part->of[0], false, other);
	if (f->r->sets_mark)
		kt_emit_set_filter_mark(f->x.a, f->r->marks, f->r->enable);
	if (!so)
		return;
	kt_asm_jump(f->x.a, label);
	kt_asm_place(f->x.a, other);
	f->x.base = NULL;
}

/*
 * Jumps to the label if the part is true, or false. The first operand can decide: a false one
 * of '&&', a true one of '||'.
 */
static void emit_part(struct filter *f, const struct kt_filter *part, bool so, int label)
{
	bool settles;
	int known;

	if (part->op == KT_FILTER_NOT) {
		emit_part(f, part->of[0], !so, label);
		return;
	}
	if (part->op == KT_FILTER_MARK_SET) {
		emit_mark(f, part, so, label);
		return;
	}
	if (part->op == KT_FILTER_MARK_TEST) {
		kt_emit_filter_mark_test(f->x.a, f->r->marks, f->r->enable, find_entry_tid(f), so,
					 label);
		return;
	}
	if (part->op != KT_FILTER_AND && part->op != KT_FILTER_OR) {
		if (is_text_test(part))
			test_text(f, part, so, label);
		else
			test_number(f, part, so, label);
		return;
	}
	settles = part->op == KT_FILTER_OR;
	if (so == settles) {
		emit_part(f, part->of[0], so, label);
		emit_part(f, part->of[1], so, label);
		return;
	}
	known = kt_asm_label(f->x.a, "known");
	emit_part(f, part->of[0], settles, known);
	emit_part(f, part->of[1], so, label);
	kt_asm_place(f->x.a, known);
	f->x.base = NULL;
}

/* Jumps to the label unless the filter matches; n_globs are in front of its own. */
static void emit_check(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event,
		       const struct kt_filter *filter, size_t n_globs, int label)
{
	struct filter f = {
		.r = r,
		.event = event,
		.n_globs = n_globs,
		.x = {.a = a,
		      .pointer = POINTER,
		      .stack = KT_STACK_EXPR,
		      .probes = event->point && event->point->by_registers},
	};

	if (event->curated)
		f.x.vmemmap = event->curated->vmemmap;
	kt_asm_load(a, BPF_DW, CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	emit_part(&f, filter, false, label);
}

void kt_emit_filter_check(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event)
{
	kt_asm_note(a, "the filter");
	emit_check(a, r, event, event->filter, 0, r->other);
}

void kt_emit_trigger(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event,
		     int no_trigger)
{
	kt_emit_armed(a, r->enable, no_trigger);
	if (event->trigger) {
		kt_asm_note(a, "the trigger's filter");
		emit_check(a, r, event, event->trigger, kt_filter_globs(event->filter, NULL),
			   no_trigger);
	}
	kt_emit_freeze(a, r->enable, kt_reserve_index(r), no_trigger);
}
