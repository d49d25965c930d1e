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
#include "generate/task_state.h"

enum { CONTEXT = BPF_REG_6, USED = BPF_REG_8, POINTER = BPF_REG_9 };
enum { FROM = BPF_REG_1, LENGTH, MOST };

/* Paths are made at the end of scratch memory. */
enum { PATHS = KT_SCRATCH_SIZE - KT_EMIT_FD_PATH_AREA };

_Static_assert((KT_CURATED_POINTED_MAX + 8) * (KT_CURATED_POINTED_FIELDS_MAX + 1) <= PATHS,
	       "there is room for all of them, and one string more");

static int16_t get_count_slot(size_t pointed)
{
	return KT_STACK_POINTED + 8 + 8 * pointed;
}

void kt_emit_pointed_data_count(struct kt_asm *a, int dst, size_t pointed)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, get_count_slot(pointed));
}

/* Stack offsets after the counts of data; the counts of arrays are last. */
enum {
	POINTERS = KT_STACK_POINTED + 8 + 8 * KT_CURATED_POINTED_FIELDS_MAX,
	LISTED = POINTERS + KT_EMIT_POINTER_LOOP_STACK,
	FILES = LISTED + 8 * KT_CURATED_POINTED_FIELDS_MAX,
	STRUCT = FILES + KT_EMIT_FD_PATH_STACK,
};

_Static_assert(STRUCT + KT_EXPR_STRUCT_SIZE <= KT_STACK_EXPR, "there is room for these");

static int16_t get_list_slot(const struct kt_event *event, size_t field)
{
	int16_t at = LISTED;
	size_t i;

	for (i = 0; i < field; i++)
		if (event->curated->exprs[i]->op == KT_EXPR_COUNT)
			at += 8;
	return at;
}

void kt_emit_list_count(struct kt_asm *a, int dst, const struct kt_event *event, size_t field)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, get_list_slot(event, field));
}

/*
 * For buffers: bytes left of the common limit; bytes of structs already processed; and the length
 * in front of each buffer.
 */
enum { LEFT = POINTERS, GONE = POINTERS + 8, HEAD = sizeof(uint32_t) };

/* dst = end of the used scratch memory. */
static void load_end(struct kt_asm *a, int dst)
{
	kt_asm_load(a, BPF_DW, dst, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_alu(a, BPF_ADD, dst, USED);
}

/* Calls a helper that reads r2 bytes from r3 to the end of the used scratch memory. */
static void append_by(struct kt_asm *a, int function)
{
	load_end(a, BPF_REG_1);
	kt_asm_call(a, function);
}

/* How to copy a field; the same for each branch of a choice. */
struct copy_field {
	size_t max, strings;  /* limit in bytes; for strings, their maximum number */
	size_t structs, each; /* for buffers: maximum number of structs, and bytes of each buffer */
	bool is_limited;      /* for buffers: of[0] limits all together */
	const struct kt_fdtable_offsets *files; /* for paths */
	int16_t count;   /* stack offset of the number of bytes, valid before the copy, too */
	int16_t before;  /* the same, of the previous field */
	bool notes_late; /* an unreadable text is marked for the return */
	bool is_cut; /* the buffer may end earlier than the data: read up to the end of the page */
};

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
static void read_last(struct kt_emit_expr *x, const struct kt_expr *e, const struct copy_field *c)
{
	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_3, c->max);
	kt_asm_move_imm(x->a, BPF_REG_2, 1);
	load_end(x->a, BPF_REG_1);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, c->max);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user);
	load_end(x->a, BPF_REG_1);
	kt_asm_load(x->a, BPF_B, BPF_REG_1, BPF_REG_1, c->max);
}

/*
 * r0 = bytes copied, with the NUL, or c->max if there are more. Reads no further than the byte that
 * must be NUL: the kernel does not look at the 4097th of a path, and it may lie on an unmapped
 * page.
 */
static void copy_string(struct kt_emit_expr *x, const struct kt_expr *e, const struct copy_field *c)
{
	int some = kt_asm_label(x->a, "some"), whole = kt_asm_label(x->a, "whole");

	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_move_imm(x->a, BPF_REG_2, c->max + 1);
	append_by(x->a, BPF_FUNC_probe_read_user_str);
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

/* Appends the string at r3 to those copied; jumps to `end` if it is unreadable or does not fit. */
static void add_string(struct kt_asm *a, const struct copy_field *c, int end)
{
	enum { SUM = BPF_REG_1 };
	int read = kt_asm_label(a, "read"), fits = kt_asm_label(a, "fits");

	load_end(a, BPF_REG_1);
	kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_10, c->count);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	kt_asm_move_imm(a, BPF_REG_2, c->max + 2);
	kt_asm_call(a, BPF_FUNC_probe_read_user_str);
	kt_asm_jump_imm(a, BPF_JSGT, BPF_REG_0, 0, read);
	kt_asm_jump(a, end);
	kt_asm_place(a, read);
	kt_asm_load(a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_alu(a, BPF_ADD, SUM, BPF_REG_0);
	kt_asm_jump_imm(a, BPF_JLE, SUM, c->max + 1, fits);
	kt_asm_move_imm(a, SUM, c->max + 1);
	kt_asm_store(a, BPF_DW, BPF_REG_10, c->count, SUM);
	kt_asm_jump(a, end);
	kt_asm_place(a, fits);
	kt_asm_store(a, BPF_DW, BPF_REG_10, c->count, SUM);
}

/* r0 = bytes of all strings. */
static void copy_strings(struct kt_emit_expr *x, const struct kt_expr *e,
			 const struct copy_field *c)
{
	int more = kt_asm_label(x->a, "more"), end = kt_asm_label(x->a, "end");
	struct kt_emit_pointer_loop p = {x->a, POINTER, POINTERS, c->strings, 0};

	kt_emit_value(x, e->of[0], BPF_REG_1);
	kt_asm_move(x->a, p.at, BPF_REG_1);
	x->base = NULL;
	kt_asm_move_imm(x->a, BPF_REG_1, 0);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, BPF_REG_1);
	kt_emit_pointer_loop_begin(&p);
	kt_emit_pointer_loop_read(&p, BPF_REG_3, end);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_3, 0, more);
	kt_asm_jump(x->a, end);
	kt_asm_place(x->a, more);
	add_string(x->a, c, end);
	kt_emit_pointer_loop_next(&p);
	kt_asm_place(x->a, end);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_10, c->count);
}

/* r0 = bytes of the path. */
static void copy_path(struct kt_emit_expr *x, const struct kt_expr *e, const struct copy_field *c)
{
	int none = kt_asm_label(x->a, "none"), done = kt_asm_label(x->a, "done");
	struct kt_emit_fd_path f = {x->a,   c->files,    e->op == KT_EXPR_START, POINTER, FILES,
				    c->max, .none = none};

	kt_emit_value(x, e->of[0], BPF_REG_1);
	x->base = NULL;
	kt_asm_load(x->a, BPF_DW, POINTER, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_alu_imm(x->a, BPF_ADD, POINTER, PATHS);
	kt_emit_fd_path(&f);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, BPF_REG_2);
	append_by(x->a, BPF_FUNC_probe_read_kernel);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_10, c->count);
	kt_asm_jump(x->a, done);
	kt_asm_place(x->a, none);
	kt_asm_move_imm(x->a, BPF_REG_0, 0);
	kt_asm_place(x->a, done);
	kt_asm_load(x->a, BPF_DW, CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
}

/* The comparison with 0 that finds a count of none: one with a sign may be less than 0. */
static int find_none_jump(const struct kt_expr *e)
{
	bool is_signed = (e->op == KT_EXPR_CAST || e->op == KT_EXPR_PATH) && e->path.is_signed;

	return is_signed ? BPF_JSLE : BPF_JEQ;
}

/* The limit is a number, not a register. */
enum { NUMBER = -1 };

/*
 * Limits LENGTH to a register or a number. The verifier follows the path that does not jump first,
 * and abandons the other one where they meet if its range is no larger. So the first must have the
 * larger range.
 */
static void limit_length(struct kt_asm *a, int there, size_t most)
{
	int many = kt_asm_label(a, "many"), few = kt_asm_label(a, "few");

	if (there == NUMBER)
		kt_asm_jump_imm(a, BPF_JGT, LENGTH, most, many);
	else
		kt_asm_jump_if(a, BPF_JGT, LENGTH, there, many);
	kt_asm_jump(a, few);
	kt_asm_place(a, many);
	if (there == NUMBER)
		kt_asm_move_imm(a, LENGTH, most);
	else
		kt_asm_move(a, LENGTH, there);
	kt_asm_place(a, few);
}

static void limit_to_number(struct kt_asm *a, size_t most)
{
	limit_length(a, NUMBER, most);
}

/* LENGTH = what the int in user space says, at most max. */
static void load_told_length(struct kt_emit_expr *x, const struct kt_expr *e, size_t max, int none)
{
	kt_emit_value(x, e->of[1], BPF_REG_3);
	kt_asm_move_imm(x->a, BPF_REG_2, sizeof(int32_t));
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, x->stack);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
	kt_asm_load(x->a, BPF_W, LENGTH, BPF_REG_10, x->stack);
	kt_emit_widen(x->a, LENGTH, sizeof(int32_t), true);
	kt_asm_jump_imm(x->a, BPF_JSLE, LENGTH, 0, none);
	limit_to_number(x->a, max);
}

/* LENGTH = bytes of the elements at FROM, at most max. */
static void load_length(struct kt_emit_expr *x, const struct kt_expr *e, size_t max, int none)
{
	size_t size = e->op == KT_EXPR_BYTES ? e->number : 1;

	kt_emit_value(x, e->of[1], LENGTH);
	if (e->of[2])
		kt_emit_value(x, e->of[2], MOST);
	kt_asm_jump_imm(x->a, find_none_jump(e->of[1]), LENGTH, 0, none);
	if (e->of[2])
		limit_length(x->a, MOST, 0);
	limit_to_number(x->a, max / size);
	if (size > 1)
		kt_asm_alu_imm(x->a, BPF_MUL, LENGTH, size);
}

/* FROM = address of the data, LENGTH = bytes to copy. */
static void find_bytes(struct kt_emit_expr *x, const struct kt_expr *e, size_t max, int none)
{
	size_t n = e->of[1]->number;

	if (e->op == KT_EXPR_TOLD)
		load_told_length(x, e, max, none);
	kt_emit_value(x, e->of[0], FROM);
	if (e->op == KT_EXPR_TOLD)
		return;
	if (e->of[1]->op == KT_EXPR_NUMBER)
		kt_asm_move_imm(x->a, LENGTH, n < max ? n : max);
	else
		load_length(x, e, max, none);
}

static bool is_empty(const struct kt_expr *e, const struct copy_field *c)
{
	if (e->op == KT_EXPR_STRING)
		return e->of[0]->op == KT_EXPR_NUMBER && e->of[0]->number == 0;
	if (e->op == KT_EXPR_BUFFERS)
		return c->structs == 0 || c->max < HEAD;
	return e->op == KT_EXPR_STRINGS ? c->strings == 0
					: e->of[1]->op == KT_EXPR_NUMBER && e->of[1]->number == 0;
}

/* Clears that many bytes after the used scratch memory, rounded up to 8. */
static void clear_behind(struct kt_asm *a, size_t size)
{
	size_t at;

	load_end(a, POINTER);
	for (at = 0; at < size; at += 8)
		kt_asm_store_imm(a, BPF_DW, POINTER, at, 0);
}

/* Stores the number of bytes before they are copied. */
static void store_count(struct kt_asm *a, const struct kt_expr *e, const struct copy_field *c)
{
	if (e->op == KT_EXPR_PADDED) {
		clear_behind(a, e->number);
		kt_asm_store_imm(a, BPF_DW, BPF_REG_10, c->count, e->number);
	} else {
		kt_asm_store(a, BPF_DW, BPF_REG_10, c->count, LENGTH);
	}
}

/* POINTER = offset of the structs in scratch memory; jumps to `none` if there are none. */
static void find_structs(struct kt_asm *a, const struct copy_field *c, int none)
{
	int within = kt_asm_label(a, "within");

	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, c->before);
	kt_asm_move(a, POINTER, USED);
	kt_asm_alu(a, BPF_SUB, POINTER, BPF_REG_1);
	kt_asm_jump_imm(a, BPF_JLE, POINTER, PATHS, within);
	kt_asm_jump(a, none);
	kt_asm_place(a, within);
}

/* r3 = base of a buffer, r2 = bytes to keep of it; jumps to `end` at the end. */
static void find_buffer(struct kt_asm *a, const struct copy_field *c, int end)
{
	enum { SUM = BPF_REG_1, REST = BPF_REG_1, BASE = BPF_REG_3, ROOM };
	int room = kt_asm_label(a, "room");

	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_10, KT_STACK_POINTED);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, POINTER);
	kt_asm_load(a, BPF_DW, BASE, BPF_REG_1, offsetof(struct iovec, iov_base));
	kt_asm_load(a, BPF_DW, LENGTH, BPF_REG_1, offsetof(struct iovec, iov_len));
	if (c->is_limited) {
		kt_asm_load(a, BPF_DW, REST, BPF_REG_10, LEFT);
		limit_length(a, REST, 0);
		kt_asm_alu(a, BPF_SUB, REST, LENGTH);
		kt_asm_store(a, BPF_DW, BPF_REG_10, LEFT, REST);
	}
	limit_to_number(a, c->each);
	kt_asm_load(a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_jump_imm(a, BPF_JLE, SUM, c->max - HEAD, room);
	kt_asm_jump(a, end);
	kt_asm_place(a, room);
	kt_asm_move_imm(a, ROOM, c->max - HEAD);
	kt_asm_alu(a, BPF_SUB, ROOM, SUM);
	limit_length(a, ROOM, 0);
}

/* Appends r2 bytes from r3 after their length, which becomes 0 if they cannot be read. */
static void add_buffer(struct kt_emit_expr *x, const struct copy_field *c)
{
	enum { SUM = BPF_REG_4 };
	int unread = kt_asm_label(x->a, "unread"), read = kt_asm_label(x->a, "read");

	kt_asm_store(x->a, BPF_DW, BPF_REG_10, x->stack, LENGTH);
	load_end(x->a, BPF_REG_1);
	kt_asm_load(x->a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, SUM);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, HEAD);
	kt_asm_call(x->a, BPF_FUNC_probe_read_user);
	kt_asm_load(x->a, BPF_DW, LENGTH, BPF_REG_10, x->stack);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, unread);
	kt_asm_jump(x->a, read);
	kt_asm_place(x->a, unread);
	kt_asm_move_imm(x->a, LENGTH, 0);
	kt_asm_place(x->a, read);
	load_end(x->a, BPF_REG_1);
	kt_asm_load(x->a, BPF_DW, SUM, BPF_REG_10, c->count);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, SUM);
	kt_asm_store(x->a, BPF_W, BPF_REG_1, 0, LENGTH);
	kt_asm_alu(x->a, BPF_ADD, SUM, LENGTH);
	kt_asm_alu_imm(x->a, BPF_ADD, SUM, HEAD);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, SUM);
}

/* r0 = bytes of all buffers and lengths. The path that does not jump leaves the loop. */
static void copy_buffers(struct kt_emit_expr *x, const struct kt_expr *e,
			 const struct copy_field *c)
{
	int again = kt_asm_label(x->a, "again"), more = kt_asm_label(x->a, "more");
	int end = kt_asm_label(x->a, "end"), fits = kt_asm_label(x->a, "fits");

	if (c->is_limited) {
		kt_emit_value(x, e->of[0], BPF_REG_1);
		kt_asm_store(x->a, BPF_DW, BPF_REG_10, LEFT, BPF_REG_1);
	}
	x->base = NULL;
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, GONE, 0);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, c->count, 0);
	find_structs(x->a, c, end);
	kt_asm_place(x->a, again);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, GONE);
	kt_asm_load(x->a, BPF_DW, BPF_REG_2, BPF_REG_10, c->before);
	kt_asm_jump_if(x->a, BPF_JLT, BPF_REG_1, BPF_REG_2, more);
	kt_asm_jump(x->a, end);
	kt_asm_place(x->a, more);
	find_buffer(x->a, c, end);
	add_buffer(x, c);
	kt_asm_alu_imm(x->a, BPF_ADD, POINTER, sizeof(struct iovec));
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, GONE);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, sizeof(struct iovec));
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, GONE, BPF_REG_1);
	kt_asm_jump_imm(x->a, BPF_JLT, BPF_REG_1, c->structs * sizeof(struct iovec), again);
	kt_asm_place(x->a, end);
	kt_asm_load(x->a, BPF_DW, BPF_REG_0, BPF_REG_10, c->count);
	kt_asm_jump_imm(x->a, BPF_JLE, BPF_REG_0, c->max, fits);
	kt_asm_move_imm(x->a, BPF_REG_0, c->max);
	kt_asm_place(x->a, fits);
}

/*
 * Reads what is left up to the end of the page: a socket address may be longer than the buffer that
 * the program gave, and the return does not say so.
 */
static void read_rest(struct kt_emit_expr *x, const struct kt_expr *e, const struct copy_field *c,
		      int none)
{
	enum { PAGE = 4096 };

	kt_emit_value(x, e->of[0], BPF_REG_3);
	x->base = NULL;
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_3);
	kt_asm_alu_imm(x->a, BPF_AND, BPF_REG_1, PAGE - 1);
	kt_asm_move_imm(x->a, LENGTH, PAGE);
	kt_asm_alu(x->a, BPF_SUB, LENGTH, BPF_REG_1);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, c->count);
	kt_asm_jump_if(x->a, BPF_JGE, LENGTH, BPF_REG_1, none);
	limit_to_number(x->a, c->max);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, c->count, LENGTH);
	append_by(x->a, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, none);
}

/* r0 = bytes copied: all or none, or those on the first page. */
static void copy_bytes(struct kt_emit_expr *x, const struct kt_expr *e, const struct copy_field *c)
{
	int none = kt_asm_label(x->a, "none"), done = kt_asm_label(x->a, "done");
	int read = c->is_cut ? kt_asm_label(x->a, "read") : -1;

	find_bytes(x, e, e->op == KT_EXPR_PADDED ? (size_t)e->number : c->max, none);
	store_count(x->a, e, c);
	kt_asm_move(x->a, BPF_REG_3, FROM);
	append_by(x->a, BPF_FUNC_probe_read_user);
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
	const struct copy_field *c = with;

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
		copy_buffers(x, e, c);
	else
		copy_bytes(x, e, c);
}

/* Keeps the copied struct (r0 bytes) for its members; all 0 if it was not read. */
static void keep_struct(struct kt_asm *a)
{
	int unread = kt_asm_label(a, "unread"), kept = kt_asm_label(a, "kept");
	int16_t at;

	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, unread);
	load_end(a, BPF_REG_1);
	for (at = 0; at < KT_EXPR_STRUCT_SIZE; at += 8) {
		kt_asm_load(a, BPF_DW, BPF_REG_2, BPF_REG_1, at);
		kt_asm_store(a, BPF_DW, BPF_REG_10, STRUCT + at, BPF_REG_2);
	}
	kt_asm_jump(a, kept);
	kt_asm_place(a, unread);
	for (at = 0; at < KT_EXPR_STRUCT_SIZE; at += 8)
		kt_asm_store_imm(a, BPF_DW, BPF_REG_10, STRUCT + at, 0);
	kt_asm_place(a, kept);
}

/* Returns whether the return value limits the buffers. */
static bool is_limited(const struct kt_expr *e)
{
	return e->op == KT_EXPR_BUFFERS && e->of[0]->op != KT_EXPR_NUMBER;
}

static void count_lists(struct kt_emit_expr *x, const struct kt_event *event)
{
	size_t i;

	for (i = 0; i < event->n_fields; i++) {
		if (event->curated->exprs[i]->op != KT_EXPR_COUNT)
			continue;
		kt_asm_note(x->a, "%s", event->fields[i].name);
		kt_emit_value(x, event->curated->exprs[i], BPF_REG_1);
		kt_asm_store(x->a, BPF_DW, BPF_REG_10, get_list_slot(event, i), BPF_REG_1);
	}
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

void kt_emit_pointed_data(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event)
{
	const struct kt_curated *c = event->curated;
	struct kt_emit_expr x = {
		.a = a,
		.pointer = POINTER,
		.stack = KT_STACK_EXPR,
		.copied = STRUCT,
		.states = c->states,
	};
	size_t i, first = c->n - c->n_pointed;
	int none = kt_asm_label(a, "no_data");
	struct copy_field field = {
		.strings = kt_curated_strings_max(c),
		.each = c->bytes_max,
		.files = &c->files,
		.notes_late = c->notes_late,
	};

	if (kt_curated_is_late(c))
		skip_late(&x, c, none);
	kt_asm_note(a, "scratch memory of this CPU and buffer set");
	kt_asm_move_map(a, BPF_REG_1, r->scratch);
	kt_emit_map_lookup(a, KT_STACK_ROW, r->unfit);
	kt_asm_store(a, BPF_DW, BPF_REG_10, KT_STACK_POINTED, BPF_REG_0);
	kt_asm_load(a, BPF_DW, CONTEXT, BPF_REG_10, KT_STACK_CONTEXT);
	count_lists(&x, event);
	kt_asm_move_imm(a, USED, 0);
	for (i = first; i < c->n; i++) {
		kt_asm_note(a, "%s", event->fields[i].name);
		field.structs = field.max / sizeof(struct iovec);
		field.is_limited = is_limited(c->exprs[i]);
		field.before = field.count;
		field.is_cut = c->side == KT_EXIT && event->fields[i].notation == KT_SOCKADDR;
		field.max = kt_curated_pointed_max(c, i, r->geometry);
		field.count = get_count_slot(i - first);
		copy_field(&x, c->exprs[i], &field);
		if (kt_curated_leads(c, i))
			keep_struct(a);
		kt_asm_store(a, BPF_DW, BPF_REG_10, field.count, BPF_REG_0);
		kt_asm_alu(a, BPF_ADD, USED, BPF_REG_0);
	}
	kt_asm_move(a, BPF_REG_2, USED);
	kt_asm_place(a, none);
}
