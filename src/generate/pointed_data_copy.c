// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/pointed_data_copy.h"

#include <stddef.h>
#include <sys/uio.h>

#include "bpf/asm.h"
#include "bpf/map_lookup.h"
#include "ctypes/recipe_expr.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/curated_fields.h"
#include "generate/enable_check.h"
#include "generate/expr_value.h"
#include "generate/fd_path.h"
#include "generate/pointed_buffers.h"
#include "generate/pointed_field.h"
#include "generate/task_state.h"

static int16_t get_count_slot(size_t pointed)
{
	return KT_POINTED_COUNTS + 8 * pointed;
}

void kt_emit_pointed_data_count(struct kt_asm *a, int dst, size_t pointed)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, get_count_slot(pointed));
}

static int16_t get_early_slot(const struct kt_event *event, size_t field)
{
	int16_t at = KT_POINTED_LISTED;
	size_t i;

	for (i = 0; i < field; i++)
		if (kt_expr_is_early(event->curated->exprs[i]))
			at += 8;
	return at;
}

void kt_emit_early_value(struct kt_asm *a, int dst, const struct kt_event *event, size_t field)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, get_early_slot(event, field));
}

/* Returns the slot of the kind of socket; 0 if the event has none. */
static int16_t get_socket_slot(const struct kt_event *event)
{
	size_t i = kt_curated_socket(event->curated);

	return i < event->curated->n ? get_early_slot(event, i) : 0;
}

/* Marks a text as late, unless the pointer is NULL. */
static void note_late(struct kt_emit_expr *x, const struct kt_expr *e)
{
	int null = kt_asm_label(x->a, "null");

	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_jump_imm(x->a, BPF_JEQ, BPF_REG_3, 0, null);
	kt_emit_task_set_late(x->a, x->states);
	kt_asm_place(x->a, null);
}

/* Rereads the byte after c->max, which the helper replaced by a NUL. */
static void read_last(struct kt_emit_expr *x, const struct kt_expr *e,
		      const struct kt_pointed_field *c)
{
	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_3, c->max);
	kt_asm_move_imm(x->a, BPF_REG_2, 1);
	kt_emit_pointed_end(x->a, BPF_REG_1);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, c->max);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user);
	kt_emit_pointed_end(x->a, BPF_REG_1);
	kt_asm_load(x->a, BPF_B, BPF_REG_1, BPF_REG_1, c->max);
}

/*
 * r0 = bytes copied, with the NUL, or c->max if there are more. Reads no further than the byte that
 * must be NUL: the kernel does not look at the 4097th of a path, and it may lie on an unmapped
 * page.
 */
static void copy_string(struct kt_emit_expr *x, const struct kt_expr *e,
			const struct kt_pointed_field *c)
{
	int some = kt_asm_label(x->a, "some"), whole = kt_asm_label(x->a, "whole");

	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_move_imm(x->a, BPF_REG_2, c->max + 1);
	kt_emit_pointed_append(x->a, BPF_FUNC_probe_read_user_str);
	kt_asm_jump_imm(x->a, BPF_JSGT, BPF_REG_0, 0, some);
	if (c->notes_late)
		note_late(x, e);
	kt_asm_move_imm(x->a, BPF_REG_0, 0);
	kt_asm_place(x->a, some);
	kt_asm_jump_imm(x->a, BPF_JLE, BPF_REG_0, c->max, whole);
	read_last(x, e, c);
	kt_asm_move_imm(x->a, BPF_REG_0, c->max + 1);
	kt_asm_jump_imm(x->a, BPF_JEQ, BPF_REG_1, 0, whole);
	kt_asm_move_imm(x->a, BPF_REG_0, c->max);
	kt_asm_place(x->a, whole);
}

/*
 * In the loop's body: appends the string at r3 to those copied, whose bytes are in scratch memory;
 * ends the loop if it is unreadable or does not fit.
 */
static void add_string(const struct kt_emit_pointer_loop *p, const struct kt_pointed_field *c)
{
	enum { FRAME = BPF_REG_6, SCRATCH, USED, SUM };
	struct kt_asm *f = p->body;
	int fits = kt_asm_label(f, "fits");

	kt_asm_load(f, BPF_DW, SCRATCH, FRAME, KT_STACK_POINTED);
	kt_asm_load(f, BPF_DW, USED, FRAME, KT_POINTED_SAVED);
	kt_asm_load(f, BPF_DW, SUM, SCRATCH, KT_POINTED_SUM);
	kt_asm_jump_imm(f, BPF_JGT, SUM, c->max + 1, p->stop);
	kt_asm_move(f, BPF_REG_1, SCRATCH);
	kt_asm_alu(f, BPF_ADD, BPF_REG_1, USED);
	kt_asm_alu(f, BPF_ADD, BPF_REG_1, SUM);
	kt_asm_move_imm(f, BPF_REG_2, c->max + 2);
	kt_asm_call(f, BPF_FUNC_probe_read_user_str);
	kt_asm_jump_imm(f, BPF_JSLE, BPF_REG_0, 0, p->stop);
	kt_asm_alu(f, BPF_ADD, SUM, BPF_REG_0);
	kt_asm_store(f, BPF_DW, SCRATCH, KT_POINTED_SUM, SUM);
	kt_asm_jump_imm(f, BPF_JLE, SUM, c->max + 1, fits);
	kt_asm_store_imm(f, BPF_DW, SCRATCH, KT_POINTED_SUM, c->max + 1);
	kt_asm_jump(f, p->stop);
	kt_asm_place(f, fits);
}

/* r0 = bytes of all strings. */
static void copy_strings(struct kt_emit_expr *x, const struct kt_expr *e,
			 const struct kt_pointed_field *c)
{
	struct kt_emit_pointer_loop p = {x->a, KT_POINTED_LOOP, c->strings, NULL, 0};

	kt_emit_value(x, e->of[0], BPF_REG_1);
	x->base = NULL;
	kt_asm_load(x->a, BPF_DW, BPF_REG_2, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_2, KT_POINTED_SUM, 0);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, KT_POINTED_SAVED, KT_POINTED_USED);
	kt_emit_pointer_loop_begin(&p, BPF_REG_1, "strings");
	add_string(&p, c);
	kt_emit_pointer_loop_end(&p);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_1, KT_POINTED_SUM);
}

/* r0 = bytes of the path. */
static void copy_path(struct kt_emit_expr *x, const struct kt_expr *e,
		      const struct kt_pointed_field *c)
{
	int none = kt_asm_label(x->a, "none"), done = kt_asm_label(x->a, "done");
	struct kt_emit_fd_path f = {
		x->a,   c->files,    e->op == KT_EXPR_START, KT_POINTED_POINTER, KT_POINTED_FILES,
		c->max, .none = none};

	kt_emit_value(x, e->of[0], BPF_REG_1);
	x->base = NULL;
	kt_asm_load(x->a, BPF_DW, KT_POINTED_POINTER, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_alu_imm(x->a, BPF_ADD, KT_POINTED_POINTER, KT_POINTED_PATHS);
	kt_emit_fd_path(&f);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, BPF_REG_2);
	kt_emit_pointed_append(x->a, BPF_FUNC_probe_read_kernel);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_10, c->count);
	kt_asm_jump(x->a, done);
	kt_asm_place(x->a, none);
	kt_asm_move_imm(x->a, BPF_REG_0, 0);
	kt_asm_place(x->a, done);
	kt_asm_load(x->a, BPF_DW, KT_POINTED_CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
}

/* The comparison with 0 that finds a count of none: one with a sign may be less than 0. */
static int find_none_jump(const struct kt_expr *e)
{
	bool is_signed = (e->op == KT_EXPR_CAST || e->op == KT_EXPR_PATH) && e->path.is_signed;

	return is_signed ? BPF_JSLE : BPF_JEQ;
}

/* KT_POINTED_LENGTH = what the int in user space says, at most max. */
static void load_length_at(struct kt_emit_expr *x, const struct kt_expr *e, size_t max, int none)
{
	kt_emit_value(x, e->of[1], BPF_REG_3);
	kt_asm_move_imm(x->a, BPF_REG_2, sizeof(int32_t));
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, x->stack);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
	kt_asm_load(x->a, BPF_W, KT_POINTED_LENGTH, BPF_REG_10, x->stack);
	kt_emit_widen(x->a, KT_POINTED_LENGTH, sizeof(int32_t), true);
	kt_asm_jump_imm(x->a, BPF_JSLE, KT_POINTED_LENGTH, 0, none);
	kt_emit_pointed_limit_to(x->a, max);
}

/* KT_POINTED_LENGTH = bytes of the elements at KT_POINTED_FROM, at most max. */
static void load_length(struct kt_emit_expr *x, const struct kt_expr *e, size_t max, int none)
{
	size_t size = e->op == KT_EXPR_BYTES ? e->number : 1;

	kt_emit_value(x, e->of[1], KT_POINTED_LENGTH);
	if (e->of[2])
		kt_emit_value(x, e->of[2], KT_POINTED_MOST);
	kt_asm_jump_imm(x->a, find_none_jump(e->of[1]), KT_POINTED_LENGTH, 0, none);
	if (e->of[2])
		kt_emit_pointed_limit(x->a, KT_POINTED_MOST);
	kt_emit_pointed_limit_to(x->a, max / size);
	if (size > 1)
		kt_asm_alu_imm(x->a, BPF_MUL, KT_POINTED_LENGTH, size);
}

/* KT_POINTED_FROM = address of the data, KT_POINTED_LENGTH = bytes to copy. */
static void find_bytes(struct kt_emit_expr *x, const struct kt_expr *e, size_t max, int none)
{
	size_t n = e->of[1]->number;

	if (e->op == KT_EXPR_UPTO_AT)
		load_length_at(x, e, max, none);
	kt_emit_value(x, e->of[0], KT_POINTED_FROM);
	if (e->op == KT_EXPR_UPTO_AT)
		return;
	if (e->of[1]->op == KT_EXPR_NUMBER)
		kt_asm_move_imm(x->a, KT_POINTED_LENGTH, n < max ? n : max);
	else
		load_length(x, e, max, none);
}

static bool is_empty(const struct kt_expr *e, const struct kt_pointed_field *c)
{
	if (e->op == KT_EXPR_STRING)
		return e->of[0]->op == KT_EXPR_NUMBER && e->of[0]->number == 0;
	if (e->op == KT_EXPR_BUFFERS)
		return c->structs == 0 || c->max < KT_POINTED_BUFFER_HEADER;
	return e->op == KT_EXPR_STRINGS ? c->strings == 0
					: e->of[1]->op == KT_EXPR_NUMBER && e->of[1]->number == 0;
}

/* Clears that many bytes after the used scratch memory, rounded up to 8. */
static void clear_scratch(struct kt_asm *a, size_t size)
{
	size_t at;

	kt_emit_pointed_end(a, KT_POINTED_POINTER);
	for (at = 0; at < size; at += 8)
		kt_asm_store_imm(a, BPF_DW, KT_POINTED_POINTER, at, 0);
}

/* Stores the number of bytes before they are copied. */
static void store_count(struct kt_asm *a, const struct kt_expr *e, const struct kt_pointed_field *c)
{
	if (e->op == KT_EXPR_PADDED) {
		clear_scratch(a, e->number);
		kt_asm_store_imm(a, BPF_DW, BPF_REG_10, c->count, e->number);
	} else {
		kt_asm_store(a, BPF_DW, BPF_REG_10, c->count, KT_POINTED_LENGTH);
	}
}

/*
 * Reads what is left up to the end of the page: a socket address may be longer than the buffer that
 * the program gave, and the return does not say so; a socket option may be shorter than its length
 * says; and of an array whole elements may be readable.
 */
static void read_rest(struct kt_emit_expr *x, const struct kt_expr *e,
		      const struct kt_pointed_field *c, int none)
{
	enum { PAGE = 4096 };
	size_t size = kt_curated_element_size(e);

	kt_emit_value(x, e->of[0], BPF_REG_3);
	x->base = NULL;
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_3);
	kt_asm_alu_imm(x->a, BPF_AND, BPF_REG_1, PAGE - 1);
	kt_asm_move_imm(x->a, KT_POINTED_LENGTH, PAGE);
	kt_asm_alu(x->a, BPF_SUB, KT_POINTED_LENGTH, BPF_REG_1);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, c->count);
	kt_asm_jump_if(x->a, BPF_JGE, KT_POINTED_LENGTH, BPF_REG_1, none);
	if (size > 1) {
		kt_asm_alu_imm(x->a, BPF_DIV, KT_POINTED_LENGTH, size);
		kt_asm_alu_imm(x->a, BPF_MUL, KT_POINTED_LENGTH, size);
	}
	kt_emit_pointed_limit_to(x->a, c->max);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, KT_POINTED_LENGTH);
	kt_emit_pointed_append(x->a, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
}

/* r0 = bytes copied: all or none, or those on the first page. */
static void copy_bytes(struct kt_emit_expr *x, const struct kt_expr *e,
		       const struct kt_pointed_field *c)
{
	int none = kt_asm_label(x->a, "none"), done = kt_asm_label(x->a, "done");
	int read = c->is_cut ? kt_asm_label(x->a, "read") : -1;

	find_bytes(x, e, e->op == KT_EXPR_PADDED ? (size_t)e->number : c->max, none);
	if (c->socket && e->op == KT_EXPR_BYTES && e->of[1]->op != KT_EXPR_NUMBER &&
	    e->number == 1) {
		kt_asm_move(x->a, BPF_REG_5, BPF_REG_10);
		kt_emit_pointed_wanted(x->a, BPF_REG_4, BPF_REG_5, c);
		kt_emit_pointed_limit(x->a, BPF_REG_4);
	}
	store_count(x->a, e, c);
	kt_asm_move(x->a, BPF_REG_3, KT_POINTED_FROM);
	kt_emit_pointed_append(x->a, BPF_FUNC_probe_read_user);
	if (c->is_cut) {
		kt_asm_jump_imm(x->a, BPF_JEQ, BPF_REG_0, 0, read);
		read_rest(x, e, c, none);
		kt_asm_place(x->a, read);
	} else {
		kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
	}
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_10, c->count);
	kt_asm_jump(x->a, done);
	kt_asm_place(x->a, none);
	kt_asm_move_imm(x->a, BPF_REG_0, 0);
	kt_asm_place(x->a, done);
}

/* r0 = bytes of the field. */
static void copy_field(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	const struct kt_pointed_field *c = with;

	if (e->op == KT_EXPR_CHOICE)
		kt_emit_choice(x, e, copy_field, with);
	else if (kt_expr_is_file(e))
		copy_path(x, e, c);
	else if (is_empty(e, c))
		kt_asm_move_imm(x->a, BPF_REG_0, 0);
	else if (e->op == KT_EXPR_STRING)
		copy_string(x, e, c);
	else if (e->op == KT_EXPR_STRINGS)
		copy_strings(x, e, c);
	else if (e->op == KT_EXPR_BUFFERS)
		kt_emit_pointed_buffers(x, e, c);
	else
		copy_bytes(x, e, c);
}

/* Keeps the copied struct (r0 bytes) for its members; all 0 if it was not read. */
static void save_struct(struct kt_asm *a)
{
	int unread = kt_asm_label(a, "unread"), kept = kt_asm_label(a, "kept");
	int16_t at;

	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, unread);
	kt_emit_pointed_end(a, BPF_REG_1);
	for (at = 0; at < KT_EXPR_STRUCT_SIZE; at += 8) {
		kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_1, at);
		kt_asm_store(a, BPF_DW, BPF_REG_10, KT_POINTED_STRUCT + at, BPF_REG_2);
	}
	kt_asm_jump(a, kept);
	kt_asm_place(a, unread);
	for (at = 0; at < KT_EXPR_STRUCT_SIZE; at += 8)
		kt_asm_store_imm(a, BPF_DW, BPF_REG_10, KT_POINTED_STRUCT + at, 0);
	kt_asm_place(a, kept);
}

/* Returns whether the return value limits the buffers. */
static bool is_limited(const struct kt_expr *e)
{
	return e->op == KT_EXPR_BUFFERS && e->of[0]->op != KT_EXPR_NUMBER;
}

/* r1 = the kind of socket, or -1. */
static void find_socket(struct kt_emit_expr *x, const struct kt_expr *e,
			const struct kt_fdtable_offsets *files)
{
	int none = kt_asm_label(x->a, "no_socket"), done = kt_asm_label(x->a, "found");
	struct kt_emit_fd_path f = {
		.a = x->a, .at = files, .stack = KT_POINTED_FILES, .none = none};

	kt_emit_value(x, e->of[0], BPF_REG_1);
	kt_emit_fd_socket(&f);
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_0);
	kt_asm_jump(x->a, done);
	kt_asm_place(x->a, none);
	kt_asm_move_imm(x->a, BPF_REG_1, -1);
	kt_asm_place(x->a, done);
}

static void compute_early(struct kt_emit_expr *x, const struct kt_event *event)
{
	const struct kt_expr *e;
	size_t i;

	for (i = 0; i < event->n_fields; i++) {
		if (!kt_expr_is_early(event->curated->exprs[i]))
			continue;
		kt_asm_note(x->a, "%s", event->fields[i].name);
		e = event->curated->exprs[i];
		if (e->op == KT_EXPR_SOCKET)
			find_socket(x, e, &event->curated->files);
		else
			kt_emit_value(x, e, BPF_REG_1);
		kt_asm_store(x->a, BPF_DW, BPF_REG_10, get_early_slot(event, i), BPF_REG_1);
	}
}

static struct kt_emit_expr make_expr(struct kt_asm *a, const struct kt_curated *c)
{
	return (struct kt_emit_expr){
		.a = a,
		.pointer = KT_POINTED_POINTER,
		.stack = KT_STACK_EXPR,
		.copied = KT_POINTED_STRUCT,
		.states = c->states,
	};
}

void kt_emit_early(struct kt_asm *a, const struct kt_event *event)
{
	struct kt_emit_expr x = make_expr(a, event->curated);
	size_t i = 0;

	while (i < event->n_fields && !kt_expr_is_early(event->curated->exprs[i]))
		i++;
	if (i == event->n_fields)
		return;
	kt_asm_load(a, BPF_DW, KT_POINTED_CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	compute_early(&x, event);
}

/* Jumps to the label with r2 = 0 if no text was late. */
static void skip_late(const struct kt_emit_expr *x, const struct kt_curated *c, int none)
{
	int some = kt_asm_label(x->a, "some_late");
	size_t i;

	kt_asm_note(x->a, "usually not needed");
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, kt_emit_global_at(x, KT_BTF_LATE));
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_1, 0, some);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, KT_STACK_POINTED, 0);
	for (i = 0; i < c->n_pointed; i++)
		kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, get_count_slot(i), 0);
	kt_asm_move_imm(x->a, BPF_REG_2, 0);
	kt_asm_jump(x->a, none);
	kt_asm_place(x->a, some);
}

/*
 * Returns whether less than the length may be there: the kernel wrote part of an address, or reads
 * part of an option, or the beginning of an array.
 */
static bool may_end_early(const struct kt_event *event, size_t field)
{
	if (kt_curated_element_size(event->curated->exprs[field]) > 1)
		return event->curated->side == KT_ENTER &&
		       event->fields[field].notation != KT_BITMAP;
	if (event->curated->side == KT_EXIT)
		return event->fields[field].notation == KT_SOCKADDR;
	return event->fields[field].notation == KT_OPTION &&
	       event->curated->exprs[field]->op == KT_EXPR_UPTO;
}

void kt_emit_pointed_data(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event)
{
	const struct kt_curated *c = event->curated;
	struct kt_emit_expr x = make_expr(a, c);
	size_t i, first = c->n - c->n_pointed;
	int none = kt_asm_label(a, "no_data");
	struct kt_pointed_field field = {
		.strings = kt_curated_strings_max(c),
		.each = c->bytes_max,
		.files = &c->files,
		.notes_late = c->notes_late,
		.unfit = r->unfit,
		.socket = get_socket_slot(event),
	};

	if (kt_curated_is_late(c))
		skip_late(&x, c, none);
	kt_asm_note(a, "scratch memory of this CPU and buffer set");
	kt_asm_move_map(a, BPF_REG_1, r->scratch);
	kt_emit_map_lookup(a, KT_STACK_ROW, r->unfit);
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_POINTED, BPF_REG_0);
	kt_asm_load(a, BPF_DW, KT_POINTED_CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	compute_early(&x, event);
	kt_asm_move_imm(a, KT_POINTED_USED, 0);
	for (i = first; i < c->n; i++) {
		kt_asm_note(a, "%s", event->fields[i].name);
		field.structs = field.max / sizeof(struct iovec);
		field.is_limited = is_limited(c->exprs[i]);
		field.before = field.count;
		field.is_cut = may_end_early(event, i);
		field.max = kt_curated_pointed_max(c, i, r->geometry);
		field.count = get_count_slot(i - first);
		copy_field(&x, c->exprs[i], &field);
		kt_emit_pointed_forget(a, BPF_REG_0, BPF_REG_1, field.max + 1, r->unfit);
		if (kt_curated_leads(c, i))
			save_struct(a);
		kt_asm_store(a, BPF_DW, BPF_REG_10, field.count, BPF_REG_0);
		kt_asm_alu(a, BPF_ADD, KT_POINTED_USED, BPF_REG_0);
	}
	kt_asm_move(a, BPF_REG_2, KT_POINTED_USED);
	kt_asm_place(a, none);
}
