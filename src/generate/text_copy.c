// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/text_copy.h"

#include <stdint.h>
#include <string.h>

#include "bpf/asm.h"
#include "ctypes/recipe_expr.h"
#include "events/glob.h"
#include "generate/expr_value.h"

_Static_assert(KT_STACK_TEXT % 8 == 0, "the stack is read at multiples of the size");

void kt_emit_text_put(struct kt_asm *a, const char *text, size_t size)
{
	size_t n = strlen(text) + 1, at;
	int32_t word;

	for (at = 0; at < size; at += sizeof(word)) {
		word = 0;
		if (at < n)
			memcpy(&word, text + at, n - at < sizeof(word) ? n - at : sizeof(word));
		kt_asm_store_imm(a, BPF_W, BPF_REG_10, KT_STACK_TEXT + at, word);
	}
	kt_asm_move_imm(a, BPF_REG_0, n);
}

void kt_emit_text_load(struct kt_asm *a, int function, size_t size)
{
	kt_asm_move(a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, KT_STACK_TEXT);
	kt_asm_move_imm(a, BPF_REG_2, size);
	kt_asm_call(a, function);
}

void kt_emit_text_read(struct kt_emit_expr *x, const struct kt_member_path *p, size_t size)
{
	if (p->is_array) {
		kt_emit_base(x, p);
		kt_asm_move(x->a, BPF_REG_3, x->pointer);
		kt_asm_alu_imm(x->a, BPF_ADD, BPF_REG_3, p->offsets[p->n - 1]);
	} else {
		kt_emit_path(x, p, BPF_REG_3);
	}
	kt_emit_text_load(x->a, BPF_FUNC_probe_read_kernel_str, size);
}

/* Returns the bytes as a load of that size would. */
static uint64_t pack_number(const char *text, unsigned int bytes)
{
	uint64_t number = 0;

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first is the lowest");
	memcpy(&number, text, bytes);
	return number;
}

void kt_emit_text_is(struct kt_asm *a, const char *text, size_t n, bool so, int label)
{
	int differs = so ? kt_asm_label(a, "differs") : label;
	unsigned int bytes = 8;
	size_t at;

	for (at = 0; at < n; at += bytes) {
		while (bytes > n - at)
			bytes /= 2;
		kt_asm_load(a, kt_asm_size(bytes), BPF_REG_1, BPF_REG_10, KT_STACK_TEXT + at);
		kt_asm_jump_imm64(a, BPF_JNE, BPF_REG_1, pack_number(text + at, bytes), BPF_REG_2,
				  differs);
	}
	if (so) {
		kt_asm_jump(a, label);
		kt_asm_place(a, differs);
	}
}

/* state = kt_glob_step(state, byte). Clobbers byte. */
static void step_glob(struct kt_asm *a, int state, int byte, int glob, int stars)
{
	kt_asm_alu_imm(a, BPF_LSH, byte, 3);
	kt_asm_alu(a, BPF_ADD, byte, glob);
	kt_asm_load(a, BPF_DW, byte, byte, offsetof(struct kt_glob, takes));
	kt_asm_alu(a, BPF_AND, byte, state);
	kt_asm_alu_imm(a, BPF_LSH, byte, 1);
	kt_asm_alu(a, BPF_AND, state, stars);
	kt_asm_alu(a, BPF_OR, state, byte);
}

/*
 * The verifier follows the path that does not jump first, and keeps at most 8192 others pending. So
 * that path leaves the loop, and no iteration keeps states pending while the next one is verified.
 */
void kt_emit_text_like(struct kt_asm *a, const struct kt_glob *g, int map, size_t offset, size_t n,
		       bool so, int label)
{
	enum { AT = BPF_REG_0, STATE, BYTE, GLOB, STARS };
	int again = kt_asm_label(a, "again"), more = kt_asm_label(a, "more");
	int next = kt_asm_label(a, "next"), end = kt_asm_label(a, "end"), is;

	kt_asm_move_value(a, GLOB, map);
	kt_asm_alu_imm(a, BPF_ADD, GLOB, offset);
	kt_asm_move_imm64(a, STARS, g->stars);
	kt_asm_move_imm(a, STATE, 1);
	kt_asm_move_imm(a, AT, 0);
	kt_asm_place(a, again);
	kt_asm_move(a, BYTE, BPF_REG_10);
	kt_asm_alu(a, BPF_ADD, BYTE, AT);
	kt_asm_load(a, BPF_B, BYTE, BYTE, KT_STACK_TEXT);
	kt_asm_jump_imm(a, BPF_JNE, BYTE, 0, more);
	kt_asm_jump(a, end);
	kt_asm_place(a, more);
	step_glob(a, STATE, BYTE, GLOB, STARS);
	kt_asm_jump_imm(a, BPF_JNE, STATE, 0, next);
	kt_asm_jump(a, end);
	kt_asm_place(a, next);
	kt_asm_alu_imm(a, BPF_ADD, AT, 1);
	kt_asm_jump_imm(a, BPF_JLT, AT, n, again);
	kt_asm_place(a, end);
	is = so ? label : kt_asm_label(a, "is");
	kt_asm_jump_imm64(a, BPF_JSET, STATE, 1ull << g->n, BYTE, is);
	if (!so) {
		kt_asm_jump(a, label);
		kt_asm_place(a, is);
	}
}
