// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions, compared with the bytes that LLVM emits on a little-endian machine. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "bpf/asm.h"

static char *print_program(const struct kt_asm *a)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	kt_asm_print(a, out);
	fclose(out);
	return text;
}

/* An instruction has 8 bytes: code, registers (source in the high half), offset, immediate. */
static void encodings(void **state)
{
	static const uint8_t bytes[] = {
		0xbf, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* r2 = r1 */
		0xb7, 0x03, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, /* r3 = -1 */
		0x18, 0x04, 0x00, 0x00, 0x88, 0x77, 0x66, 0x55, /* r4 = 0x1122334455667788 ll */
		0x00, 0x00, 0x00, 0x00, 0x44, 0x33, 0x22, 0x11, 0x18,
		0x11, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, /* r1 = map fd 7 */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0f,
		0x21, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,       /* r1 += r2 */
		0xc7, 0x05, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, /* r5 s>>= 16 */
		0x87, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* r5 = -r5 */
		0xdc, 0x05, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, /* r5 = be16 r5 */
		0x71, 0x16, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, /* r6 = *(u8 *)(r1 + 8) */
		0x69, 0x16, 0xf8, 0xff, 0x00, 0x00, 0x00, 0x00, /* r6 = *(u16 *)(r1 - 8) */
		0x61, 0x16, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* r6 = *(u32 *)(r1 + 0) */
		0x79, 0x16, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, /* r6 = *(u64 *)(r1 + 256) */
		0x63, 0x0a, 0xfc, 0xff, 0x00, 0x00, 0x00, 0x00, /* *(u32 *)(r10 - 4) = r0 */
		0x7a, 0x0a, 0xf8, 0xff, 0x09, 0x00, 0x00, 0x00, /* *(u64 *)(r10 - 8) = 9 */
		0xdb, 0x10, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, /* lock *(u64 *)(r0 + 16) += r1 */
		0xc3, 0x10, 0x04, 0x00, 0xa1, 0x00, 0x00, 0x00, /* lock *(u32 *)(r0 + 4) ^= r1,
								    before to r1 */
		0xdb, 0x21, 0x00, 0x00, 0xf1, 0x00, 0x00, 0x00, /* cmpxchg(*(u64 *)r1, r0, r2) */
		0xdb, 0x21, 0x00, 0x00, 0xe1, 0x00, 0x00, 0x00, /* r2 = xchg(*(u64 *)r1, r2) */
		0x85, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, /* call ktime_get_ns */
		0x15, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, /* if r0 == 0 goto +2 */
		0x6d, 0x21, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, /* if r1 s> r2 goto +1 */
		0x05, 0x00, 0xfd, 0xff, 0x00, 0x00, 0x00, 0x00, /* goto -3 */
		0x18, 0x23, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, /* r3 = value of map fd 8 */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x95,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* exit */
	};
	static const char text[] = "; two registers\n"
				   "   0: r2 = r1\n"
				   "   1: r3 = -1\n"
				   "   2: r4 = 0x1122334455667788 ll\n"
				   "; event 3\n"
				   "   4: r1 = map fd 7\n"
				   "   6: r1 += r2\n"
				   "   7: r5 s>>= 16\n"
				   "   8: r5 = -r5\n"
				   "   9: r5 = be16 r5\n"
				   "  10: r6 = *(u8 *)(r1 +8)\n"
				   "  11: r6 = *(u16 *)(r1 -8)\n"
				   "  12: r6 = *(u32 *)(r1 +0)\n"
				   "  13: r6 = *(u64 *)(r1 +256)\n"
				   "  14: *(u32 *)(r10 -4) = r0\n"
				   "  15: *(u64 *)(r10 -8) = 9\n"
				   "  16: lock *(u64 *)(r0 +16) += r1\n"
				   "  17: r1 = fetch(lock *(u32 *)(r0 +4) ^= r1)\n"
				   "  18: r0 = cmpxchg(*(u64 *)(r1 +0), r0, r2)\n"
				   "  19: r2 = xchg(*(u64 *)(r1 +0), r2)\n"
				   "  20: call ktime_get_ns\n"
				   "again:\n"
				   "  21: if r0 == 0 goto done\n"
				   "  22: if r1 s> r2 goto done\n"
				   "  23: goto again\n"
				   "done:\n"
				   "  24: r3 = value of map fd 8\n"
				   "  26: exit\n";
	struct kt_asm *a = kt_asm_new();
	const struct bpf_insn *insns;
	struct kt_error err;
	int again, done;
	char *printed;
	size_t n;

	(void)state;
	again = kt_asm_label(a, "again");
	done = kt_asm_label(a, "done");
	kt_asm_note(a, "two registers");
	kt_asm_move(a, BPF_REG_2, BPF_REG_1);
	kt_asm_move_imm(a, BPF_REG_3, -1);
	kt_asm_move_imm64(a, BPF_REG_4, 0x1122334455667788);
	kt_asm_note(a, "event %d", 3);
	kt_asm_move_map(a, BPF_REG_1, 7);
	kt_asm_alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	kt_asm_alu_imm(a, BPF_ARSH, BPF_REG_5, 16);
	kt_asm_negate(a, BPF_REG_5);
	kt_asm_ntohs(a, BPF_REG_5);
	kt_asm_load(a, BPF_B, BPF_REG_6, BPF_REG_1, 8);
	kt_asm_load(a, BPF_H, BPF_REG_6, BPF_REG_1, -8);
	kt_asm_load(a, BPF_W, BPF_REG_6, BPF_REG_1, 0);
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_1, 256);
	kt_asm_store(a, BPF_W, BPF_REG_10, -4, BPF_REG_0);
	kt_asm_store_imm(a, BPF_DW, BPF_REG_10, -8, 9);
	kt_asm_atomic(a, BPF_DW, BPF_ADD, BPF_REG_0, 16, BPF_REG_1);
	kt_asm_atomic(a, BPF_W, BPF_XOR | BPF_FETCH, BPF_REG_0, 4, BPF_REG_1);
	kt_asm_atomic(a, BPF_DW, BPF_CMPXCHG, BPF_REG_1, 0, BPF_REG_2);
	kt_asm_atomic(a, BPF_DW, BPF_XCHG, BPF_REG_1, 0, BPF_REG_2);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_place(a, again);
	kt_asm_jump_imm(a, BPF_JEQ, BPF_REG_0, 0, done);
	kt_asm_jump_if(a, BPF_JSGT, BPF_REG_1, BPF_REG_2, done);
	kt_asm_jump(a, again);
	kt_asm_place(a, done);
	kt_asm_move_value(a, BPF_REG_3, 8);
	kt_asm_exit(a);

	insns = kt_asm_link(a, &n, &err);
	assert_non_null(insns);
	assert_int_equal(n * sizeof(*insns), sizeof(bytes));
	assert_memory_equal(insns, bytes, sizeof(bytes));
	printed = print_program(a);
	assert_string_equal(printed, text);
	free(printed);
	kt_asm_free(a);
}

static void assert_error(struct kt_asm *a, int code, const char *text)
{
	struct kt_error err;
	size_t n;

	assert_null(kt_asm_link(a, &n, &err));
	assert_int_equal(err.code, code);
	assert_string_equal(err.text, text);
	kt_asm_free(a);
}

static void labels(void **state)
{
	struct kt_asm *a = kt_asm_new();
	int there = kt_asm_label(a, "there");

	(void)state;
	kt_asm_jump(a, there);
	assert_error(a, EINVAL, "cannot assemble a BPF program: there: Invalid argument");

	a = kt_asm_new();
	there = kt_asm_label(a, "there");
	kt_asm_place(a, there);
	kt_asm_place(a, there);
	assert_error(a, EINVAL, "cannot assemble a BPF program: there: Invalid argument");

	a = kt_asm_new();
	kt_asm_jump(a, 0);
	assert_error(a, EINVAL, "cannot assemble a BPF program: Invalid argument");

	a = kt_asm_new();
	kt_asm_place(a, -1);
	assert_error(a, EINVAL, "cannot assemble a BPF program: Invalid argument");
	kt_asm_free(NULL);
}

/* Jumps over n instructions, forwards and backwards. */
static void jump_over(int n, bool fits)
{
	struct kt_asm *a = kt_asm_new();
	int back = kt_asm_label(a, "back"), on = kt_asm_label(a, "on");
	const struct bpf_insn *insns;
	struct kt_error err;
	size_t n_insns;
	int i;

	kt_asm_jump(a, on);
	kt_asm_place(a, back);
	for (i = 0; i < n; i++)
		kt_asm_move_imm(a, BPF_REG_0, i);
	kt_asm_place(a, on);
	kt_asm_jump(a, back);
	if (!fits) {
		assert_error(a, ERANGE,
			     "cannot assemble a BPF program: on: Numerical result out of range");
		return;
	}
	insns = kt_asm_link(a, &n_insns, &err);
	assert_non_null(insns);
	assert_int_equal(n_insns, n + 2);
	assert_int_equal(insns[0].off, n);
	assert_int_equal(insns[n + 1].off, -n - 1);
	kt_asm_free(a);
}

static void distances(void **state)
{
	(void)state;
	jump_over(0, true);
	jump_over(32767, true);
	jump_over(32768, false);
}

/* Functions follow the program, and are found by their distances. */
static void functions(void **state)
{
	static const char text[] = "   0: r2 = function twice\n"
				   "   2: r3 = function once\n"
				   "   4: exit\n"
				   "once():\n"
				   "   5: goto end\n"
				   "   6: r0 = 1\n"
				   "end:\n"
				   "   7: exit\n"
				   "twice():\n"
				   "   8: r0 = 2\n"
				   "   9: exit\n";
	struct kt_asm *a = kt_asm_new(), *once = kt_asm_function(a, "once"),
		      *twice = kt_asm_function(a, "twice");
	int end = kt_asm_label(once, "end");
	const struct bpf_insn *insns;
	struct kt_error err;
	char *printed;
	size_t n;

	(void)state;
	kt_asm_move_function(a, BPF_REG_2, twice);
	kt_asm_move_function(a, BPF_REG_3, once);
	kt_asm_exit(a);
	kt_asm_jump(once, end);
	kt_asm_move_imm(once, BPF_REG_0, 1);
	kt_asm_place(once, end);
	kt_asm_exit(once);
	kt_asm_move_imm(twice, BPF_REG_0, 2);
	kt_asm_exit(twice);
	printed = print_program(a);
	assert_string_equal(printed, text);
	free(printed);

	insns = kt_asm_link(a, &n, &err);
	assert_non_null(insns);
	assert_int_equal(n, 10);
	assert_int_equal(insns[0].src_reg, BPF_PSEUDO_FUNC);
	assert_int_equal(insns[0].imm, 8 - 1);
	assert_int_equal(insns[2].imm, 5 - 3);
	assert_int_equal(insns[5].off, 1);
	assert_int_equal(kt_asm_count_functions(a), 2);
	assert_int_equal(kt_asm_function_at(a, 1), 8);
	assert_string_equal(kt_asm_function_name(a, 1), "twice");
	assert_ptr_equal(kt_asm_link(a, &n, &err), insns); /* again */
	assert_int_equal(n, 10);
	printed = print_program(a);
	assert_string_equal(printed, text);
	free(printed);
	kt_asm_free(a);
}

/* Errors of a function are those of the program. */
static void function_errors(void **state)
{
	struct kt_asm *a = kt_asm_new(), *other = kt_asm_new(), *f;

	(void)state;
	f = kt_asm_function(a, "f");
	kt_asm_jump(f, kt_asm_label(f, "nowhere"));
	assert_error(a, EINVAL, "cannot assemble a BPF program: nowhere: Invalid argument");

	a = kt_asm_new();
	kt_asm_move_function(a, BPF_REG_2, other);
	assert_error(a, EINVAL, "cannot assemble a BPF program: Invalid argument");
	kt_asm_free(other);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(encodings),       cmocka_unit_test(labels),
		cmocka_unit_test(distances),       cmocka_unit_test(functions),
		cmocka_unit_test(function_errors),
	};

	return cmocka_run_group_tests_name("asm", tests, NULL, NULL);
}
