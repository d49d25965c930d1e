// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/expr_value.h"

#include <string.h>

#include "bpf/asm.h"
#include "bpf/loop.h"
#include "ctypes/recipe_expr.h"
#include "generate/task_state.h"

enum { CONTEXT = BPF_REG_6 };

/* Stack slots of a loop over directory entries: the next one, their end, and one's length. */
enum { ENTRY_LOOP_AT = 0, ENTRY_LOOP_END = 8, ENTRY_LOOP_LENGTH = 16, ENTRY_LOOP_STACK = 24 };

_Static_assert((int)ENTRY_LOOP_STACK <= (int)KT_EMIT_LOOP_STACK, "there is room for these");

int16_t kt_emit_global_at(const struct kt_emit_expr *x, enum kt_btf_global global)
{
	return x->stack + KT_EMIT_LOOP_STACK + 8 * global;
}

/* r0 = the registers; r1 is the context. The kernel replaces the call by nothing. */
static void emit_regs(struct kt_emit_expr *x)
{
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	kt_asm_move_imm(x->a, BPF_REG_2, x->regs.to);
	kt_asm_call_kernel(x->a, x->regs.by);
}

void kt_emit_global(struct kt_emit_expr *x, enum kt_btf_global global)
{
	if (global == KT_BTF_CURRENT)
		kt_asm_call(x->a, BPF_FUNC_get_current_task_btf);
	else if (global == KT_BTF_JIFFIES)
		kt_asm_call(x->a, BPF_FUNC_jiffies64);
	else if (global == KT_BTF_ENTERED)
		kt_emit_task_tid(x->a, x->states);
	else if (global == KT_BTF_REGS)
		emit_regs(x);
	else
		kt_emit_task_take_late(x->a, x->states);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, kt_emit_global_at(x, global), BPF_REG_0);
}

/* They stand below the expressions' own stack. */
int16_t kt_emit_computed_at(const struct kt_emit_expr *x, size_t i)
{
	return x->stack - 8 * ((int)i + 1);
}

static void load_argument(struct kt_emit_expr *x, int dst, const struct kt_member_path *p)
{
	if (p->arg < KT_MEMBER_PATH_GLOBALS)
		kt_asm_load(x->a, BPF_DW, dst, CONTEXT, p->arg * 8);
	else if (p->arg == KT_MEMBER_PATH_GLOBALS + KT_BTF_VMEMMAP)
		kt_asm_move_imm64(x->a, dst, x->vmemmap);
	else if (p->arg >= KT_MEMBER_PATH_COMPUTED)
		kt_asm_load(x->a, BPF_DW, dst, BPF_REG_10,
			    kt_emit_computed_at(x, p->arg - KT_MEMBER_PATH_COMPUTED));
	else
		kt_asm_load(x->a, BPF_DW, dst, BPF_REG_10,
			    kt_emit_global_at(x, p->arg - KT_MEMBER_PATH_GLOBALS));
}

/* Returns whether two paths share all pointers up to the last. */
static bool has_same_base(const struct kt_member_path *p, const struct kt_member_path *q)
{
	return p->n == q->n && p->arg == q->arg && p->as == q->as &&
	       memcmp(p->offsets, q->offsets, (p->n - 1) * sizeof(*p->offsets)) == 0;
}

/* Emits the cast of a pointer. The kernel replaces the call by nothing. */
static void emit_cast(struct kt_emit_expr *x, const struct kt_member_path *p)
{
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, x->pointer, p->offsets[0]);
	kt_asm_load(x->a, BPF_W, BPF_REG_2, x->pointer, p->plus);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	kt_asm_move_imm(x->a, BPF_REG_2, p->as);
	kt_asm_call_kernel(x->a, p->by);
	kt_asm_move(x->a, x->pointer, BPF_REG_0);
}

/* Makes a pointer a number: the verifier assumes that a valid pointer is never 0. */
static void make_number(struct kt_asm *a, int dst)
{
	kt_asm_negate(a, dst);
	kt_asm_negate(a, dst);
}

/* dst = `size` bytes at an offset from x->pointer, by a helper that checks it; or 0. */
static void read_by_helper(struct kt_emit_expr *x, unsigned int offset, unsigned int size, int dst)
{
	kt_asm_move(x->a, BPF_REG_3, x->pointer);
	if (!x->probes)
		make_number(x->a, BPF_REG_3);
	if (offset || !x->probes)
		kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_3, offset);
	kt_asm_move_imm(x->a, BPF_REG_2, size);
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, x->stack);
	kt_asm_call(x->a, BPF_FUNC_probe_read_kernel);
	kt_asm_load(x->a, kt_asm_size(size), dst, BPF_REG_10, x->stack);
}

static void load_at(struct kt_emit_expr *x, unsigned int offset, unsigned int size, int dst)
{
	if (x->probes)
		read_by_helper(x, offset, size, dst);
	else
		kt_asm_load(x->a, kt_asm_size(size), dst, x->pointer, offset);
}

void kt_emit_base(struct kt_emit_expr *x, const struct kt_member_path *p)
{
	unsigned int i;

	if (x->base && has_same_base(x->base, p))
		return;
	load_argument(x, x->pointer, p);
	if (p->as)
		emit_cast(x, p);
	for (i = p->as ? 1 : 0; i + 1 < p->n; i++)
		load_at(x, p->offsets[i], sizeof(uint64_t), x->pointer);
	x->base = p;
}

static void take_bits(struct kt_asm *a, const struct kt_member_path *p, int dst)
{
	kt_asm_alu_imm(a, BPF_LSH, dst, 64 - p->bits - p->bit);
	kt_asm_alu_imm(a, p->is_signed ? BPF_ARSH : BPF_RSH, dst, 64 - p->bits);
}

void kt_emit_path(struct kt_emit_expr *x, const struct kt_member_path *p, int dst)
{
	if (!p->n) {
		load_argument(x, dst, p);
		return;
	}
	kt_emit_base(x, p);
	load_at(x, p->offsets[p->n - 1], p->size, dst);
	if (p->bits)
		take_bits(x->a, p, dst);
}

void kt_emit_widen(struct kt_asm *a, int dst, unsigned int size, bool is_signed)
{
	unsigned int unused = 64 - 8 * size;

	if (!unused)
		return;
	kt_asm_alu_imm(a, BPF_LSH, dst, unused);
	kt_asm_alu_imm(a, is_signed ? BPF_ARSH : BPF_RSH, dst, unused);
}

static void widen_value(struct kt_asm *a, const struct kt_member_path *p, int dst)
{
	kt_emit_widen(a, dst, p->size, p->is_signed);
}

static void emit_probe(struct kt_emit_expr *x, const struct kt_member_path *p, int dst)
{
	kt_emit_base(x, p);
	read_by_helper(x, p->offsets[p->n - 1], p->size, dst);
	if (p->is_signed)
		widen_value(x->a, p, dst);
}

/* Counts pointers by their addresses, which the verifier does not know (bpf/pointer_loop.h). */
static void emit_count(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	struct kt_emit_pointer_loop p = {x->a, x->stack, KT_EXPR_COUNT_MAX, NULL, 0};
	int counted = kt_asm_label(x->a, "counted");

	kt_emit_value(x, e->of[0], BPF_REG_1);
	kt_asm_move(x->a, x->pointer, BPF_REG_1);
	x->base = NULL;
	kt_emit_pointer_loop_begin(&p, BPF_REG_1, "count");
	kt_emit_pointer_loop_end(&p);
	kt_asm_load(x->a, BPF_DW, dst, BPF_REG_10, p.stack + KT_POINTER_LOOP_AT);
	kt_asm_alu(x->a, BPF_SUB, dst, x->pointer);
	kt_asm_alu_imm(x->a, BPF_RSH, dst, 3);
	kt_asm_load(x->a, BPF_DW, dst + 1, BPF_REG_10, p.stack + KT_POINTER_LOOP_READ);
	kt_asm_jump_imm(x->a, BPF_JEQ, dst + 1, 0, counted);
	kt_asm_move_imm(x->a, dst, -1);
	kt_asm_place(x->a, counted);
}

/* Emits the body of a loop over directory entries: goes to the next one, or ends the loop. */
static void emit_next_entry(struct kt_asm *f, int16_t stack)
{
	enum { FRAME = BPF_REG_6, LENGTH_AT = 16 };
	int stop = kt_asm_label(f, "stop");

	kt_asm_move(f, FRAME, BPF_REG_2);
	kt_asm_load(f, BPF_DW, BPF_REG_3, FRAME, stack + ENTRY_LOOP_AT);
	kt_asm_load(f, BPF_DW, BPF_REG_1, FRAME, stack + ENTRY_LOOP_END);
	kt_asm_jump_if(f, BPF_JGE, BPF_REG_3, BPF_REG_1, stop);
	kt_asm_alu_imm(f, BPF_ADD, BPF_REG_3, LENGTH_AT);
	kt_asm_move_imm(f, BPF_REG_2, sizeof(uint16_t));
	kt_asm_move(f, BPF_REG_1, FRAME);
	kt_asm_alu_imm(f, BPF_ADD, BPF_REG_1, stack + ENTRY_LOOP_LENGTH);
	kt_asm_call(f, BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(f, BPF_JNE, BPF_REG_0, 0, stop);
	kt_asm_load(f, BPF_H, BPF_REG_1, FRAME, stack + ENTRY_LOOP_LENGTH);
	kt_asm_jump_imm(f, BPF_JEQ, BPF_REG_1, 0, stop);
	kt_asm_load(f, BPF_DW, BPF_REG_3, FRAME, stack + ENTRY_LOOP_AT);
	kt_asm_alu(f, BPF_ADD, BPF_REG_3, BPF_REG_1);
	kt_asm_store(f, BPF_DW, FRAME, stack + ENTRY_LOOP_AT, BPF_REG_3);
	kt_emit_loop_body_end(f, stop);
}

/* The last turn of the loop only finds the end. */
static void emit_entries(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	int none = kt_asm_label(x->a, "no_entries"), counted = kt_asm_label(x->a, "counted");
	struct kt_asm *body = kt_asm_function(x->a, "entries");
	int16_t at = x->stack + ENTRY_LOOP_AT, end = x->stack + ENTRY_LOOP_END;

	kt_emit_value(x, e->of[0], BPF_REG_1);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, at, BPF_REG_1);
	kt_emit_value(x, e->of[1], BPF_REG_2);
	kt_asm_jump_imm(x->a, BPF_JSLT, BPF_REG_2, 0, none);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, at);
	kt_asm_alu(x->a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	kt_asm_store(x->a, BPF_DW, BPF_REG_10, end, BPF_REG_1);
	kt_asm_store_imm(x->a, BPF_DW, BPF_REG_10, x->stack + ENTRY_LOOP_LENGTH, 0);
	x->base = NULL;
	emit_next_entry(body, x->stack);
	kt_emit_loop(x->a, body, KT_EXPR_ENTRIES_MAX + 1);
	kt_asm_load(x->a, BPF_DW, BPF_REG_1, BPF_REG_10, at);
	kt_asm_load(x->a, BPF_DW, BPF_REG_2, BPF_REG_10, end);
	kt_asm_jump_if(x->a, BPF_JNE, BPF_REG_1, BPF_REG_2, none);
	kt_asm_move(x->a, dst, BPF_REG_0);
	kt_asm_alu_imm(x->a, BPF_SUB, dst, 1);
	kt_asm_jump(x->a, counted);
	kt_asm_place(x->a, none);
	kt_asm_move_imm(x->a, dst, -1);
	kt_asm_place(x->a, counted);
}

/* Returns whether it is a number that an instruction has room for. */
static bool is_small_number(const struct kt_expr *e)
{
	return e->op == KT_EXPR_NUMBER && e->number == (int32_t)e->number;
}

static void emit_number_value(struct kt_asm *a, const struct kt_expr *e, int dst)
{
	if (is_small_number(e))
		kt_asm_move_imm(a, dst, e->number);
	else
		kt_asm_move_imm64(a, dst, e->number);
}

static void emit_user(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	kt_emit_value(x, e->of[0], BPF_REG_3);
	kt_asm_move_imm(x->a, BPF_REG_2, e->path.size);
	kt_asm_move(x->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_1, x->stack);
	kt_asm_call(x->a, x->sleeps ? BPF_FUNC_copy_from_user : BPF_FUNC_probe_read_user);
	kt_asm_jump_imm(x->a, BPF_JNE, BPF_REG_0, 0, x->unreadable);
	kt_asm_load(x->a, kt_asm_size(e->path.size), dst, BPF_REG_10, x->stack);
}

static void emit_cookie(struct kt_asm *a, int dst)
{
	kt_asm_move(a, BPF_REG_1, CONTEXT);
	kt_asm_call(a, BPF_FUNC_get_attach_cookie);
	kt_asm_move(a, dst, BPF_REG_0);
}

static void emit_pair(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	static const int ops[] = {
		[KT_EXPR_OR] = BPF_OR,     [KT_EXPR_AND] = BPF_AND,  [KT_EXPR_PLUS] = BPF_ADD,
		[KT_EXPR_SHIFT] = BPF_RSH, [KT_EXPR_LEFT] = BPF_LSH,
	};
	int op = ops[e->op];

	kt_emit_value(x, e->of[0], dst);
	if (is_small_number(e->of[1])) {
		kt_asm_alu_imm(x->a, op, dst, e->of[1]->number);
		return;
	}
	kt_emit_value(x, e->of[1], dst + 1);
	kt_asm_alu(x->a, op, dst, dst + 1);
}

/* The verifier forbids subtracting pointers. */
static void emit_minus(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	kt_emit_value(x, e->of[0], dst);
	make_number(x->a, dst);
	kt_emit_value(x, e->of[1], dst + 1);
	if (e->of[1]->path.arg != KT_MEMBER_PATH_GLOBALS + KT_BTF_VMEMMAP)
		make_number(x->a, dst + 1);
	kt_asm_alu(x->a, BPF_SUB, dst, dst + 1);
	if (e->number)
		kt_asm_alu_imm(x->a, BPF_ARSH, dst, e->number);
}

void kt_emit_value(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	switch (e->op) {
	case KT_EXPR_NUMBER:
		emit_number_value(x->a, e, dst);
		break;
	case KT_EXPR_PATH:
		kt_emit_path(x, &e->path, dst);
		if (e->path.is_signed || !e->path.n)
			widen_value(x->a, &e->path, dst);
		break;
	case KT_EXPR_MEMBER:
		kt_asm_load(x->a, kt_asm_size(e->path.size), dst, BPF_REG_10,
			    x->copied + e->number);
		break;
	case KT_EXPR_CAST:
		kt_emit_value(x, e->of[0], dst);
		widen_value(x->a, &e->path, dst);
		break;
	case KT_EXPR_NTOHS:
		kt_emit_value(x, e->of[0], dst);
		kt_asm_ntohs(x->a, dst);
		break;
	case KT_EXPR_PROBE:
		emit_probe(x, &e->path, dst);
		break;
	case KT_EXPR_OR:
	case KT_EXPR_AND:
	case KT_EXPR_PLUS:
	case KT_EXPR_SHIFT:
	case KT_EXPR_LEFT:
		emit_pair(x, e, dst);
		break;
	case KT_EXPR_COOKIE:
		emit_cookie(x->a, dst);
		break;
	case KT_EXPR_USER:
		emit_user(x, e, dst);
		break;
	case KT_EXPR_MINUS:
		emit_minus(x, e, dst);
		break;
	case KT_EXPR_COUNT:
		emit_count(x, e, dst);
		break;
	case KT_EXPR_ENTRIES:
		emit_entries(x, e, dst);
		break;
	case KT_EXPR_EQUAL:
	case KT_EXPR_MORE:
	case KT_EXPR_CHOICE:
	case KT_EXPR_LIST:
	case KT_EXPR_TEXT:
	case KT_EXPR_JOIN:
	case KT_EXPR_STRING:
	case KT_EXPR_BYTES:
	case KT_EXPR_PADDED:
	case KT_EXPR_UPTO:
	case KT_EXPR_UPTO_AT:
	case KT_EXPR_STRINGS:
	case KT_EXPR_BUFFERS:
	case KT_EXPR_FILE:
	case KT_EXPR_START:
	case KT_EXPR_SOCKET:
		break; /* not a value */
	}
}

static void emit_number(struct kt_emit_expr *x, const struct kt_expr *e, int dst)
{
	kt_emit_value(x, e, dst);
	if (e->op == KT_EXPR_PATH && e->path.is_pointer)
		make_number(x->a, dst);
}

void kt_emit_unless(struct kt_emit_expr *x, const struct kt_expr *e, int label)
{
	int jump = e->op == KT_EXPR_EQUAL ? BPF_JNE : BPF_JSLE;
	const struct kt_expr *b = e->of[1];

	if (e->op != KT_EXPR_EQUAL && e->op != KT_EXPR_MORE) {
		emit_number(x, e, BPF_REG_1);
		kt_asm_jump_imm(x->a, BPF_JEQ, BPF_REG_1, 0, label);
		return;
	}
	emit_number(x, e->of[0], BPF_REG_1);
	if (is_small_number(b)) {
		kt_asm_jump_imm(x->a, jump, BPF_REG_1, b->number, label);
	} else {
		emit_number(x, b, BPF_REG_2);
		kt_asm_jump_if(x->a, jump, BPF_REG_1, BPF_REG_2, label);
	}
}

/* After a choice the pointer may be that of either branch, so none is known. */
void kt_emit_choice(struct kt_emit_expr *x, const struct kt_expr *e, kt_emit_branch emit,
		    const void *with)
{
	int otherwise = kt_asm_label(x->a, "otherwise"), chosen = kt_asm_label(x->a, "chosen");
	const struct kt_member_path *base;

	kt_emit_unless(x, e->of[0], otherwise);
	base = x->base;
	emit(x, e->of[1], with);
	kt_asm_jump(x->a, chosen);
	kt_asm_place(x->a, otherwise);
	x->base = base;
	emit(x, e->of[2], with);
	kt_asm_place(x->a, chosen);
	x->base = NULL;
}

enum { LETTER = BPF_REG_3, LETTERS, SHIFT };

static void join_letters(struct kt_emit_expr *x, const struct kt_expr *e, const void *with)
{
	int32_t word = 0;
	unsigned int n;

	if (e->op == KT_EXPR_CHOICE) {
		kt_emit_choice(x, e, join_letters, with);
	} else if (e->op == KT_EXPR_LIST) {
		join_letters(x, e->of[0], with);
		join_letters(x, e->of[1], with);
	} else if (e->text[0]) {
		n = strlen(e->text);
		memcpy(&word, e->text, n);
		kt_asm_move_imm(x->a, LETTER, word);
		kt_asm_alu(x->a, BPF_LSH, LETTER, SHIFT);
		kt_asm_alu(x->a, BPF_OR, LETTERS, LETTER);
		kt_asm_alu_imm(x->a, BPF_ADD, SHIFT, 8 * n);
	}
}

void kt_emit_join(struct kt_emit_expr *x, const struct kt_expr *e)
{
	kt_asm_move_imm(x->a, LETTERS, 0);
	kt_asm_move_imm(x->a, SHIFT, 0);
	join_letters(x, e->of[0], NULL);
}
