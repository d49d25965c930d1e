// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elf/usdt_arguments.h"

enum { SITE = 0x1000, COUNTER = 0x4010, NONE = KT_USDT_NO_REGISTER };

static bool find_symbol(const void *of, const char *name, size_t n, uint64_t *address)
{
	(void)of;
	*address = COUNTER;
	return n == 7 && strncmp(name, "counter", n) == 0;
}

static size_t parse(const char *text, struct kt_usdt_argument *to)
{
	const struct kt_usdt_symbols symbols = {.find = find_symbol, .site = SITE};

	return kt_usdt_arguments_parse(text, &symbols, to);
}

static void check(const char *text, struct kt_usdt_argument right)
{
	struct kt_usdt_argument a[KT_USDT_ARGUMENTS_MAX];

	assert_int_equal(parse(text, a), 1);
	assert_int_equal(a->place, right.place);
	assert_int_equal(a->size, right.size);
	assert_int_equal(a->is_signed, right.is_signed);
	assert_int_equal(a->base, right.base);
	assert_int_equal(a->index, right.index);
	assert_int_equal(a->scale, right.scale);
	assert_int_equal(a->first_bit, right.first_bit);
	assert_int_equal(a->number, right.number);
}

#define CONSTANT(size, sign, number)                                   \
	(struct kt_usdt_argument)                                      \
	{                                                              \
		KT_USDT_CONSTANT, size, sign, NONE, NONE, 0, 0, number \
	}
#define REGISTER(size, sign, place, bit)                             \
	(struct kt_usdt_argument)                                    \
	{                                                            \
		KT_USDT_REGISTER, size, sign, place, NONE, 0, bit, 0 \
	}
#define MEMORY(size, sign, base, index, scale, number)                    \
	(struct kt_usdt_argument)                                         \
	{                                                                 \
		KT_USDT_MEMORY, size, sign, base, index, scale, 0, number \
	}
#define UNKNOWN                                                \
	(struct kt_usdt_argument)                              \
	{                                                      \
		KT_USDT_UNKNOWN, 8, false, NONE, NONE, 0, 0, 0 \
	}

#if defined(__x86_64__)

/* Places of registers as in struct pt_regs. */
enum { R15, R14, R13, R12, BP, BX, R11, R10, R9, R8, AX, CX, DX, SI, DI, IP = 16, SP = 19 };

static void test_constants(void **state)
{
	(void)state;
	check("4@$7", CONSTANT(4, false, 7));
	check("-4@$-1", CONSTANT(4, true, -1));
	check("8@$0x12345678abcdef01", CONSTANT(8, false, 0x12345678abcdef01));
	check("-8@$-9223372036854775808", CONSTANT(8, true, INT64_MIN));
	check("8@$18446744073709551615", CONSTANT(8, false, -1));
}

static void test_registers(void **state)
{
	static const struct {
		const char *text;
		int place, bit;
	} all[] = {
		{"8@%rax", AX, 0},  {"8@%eax", AX, 0},   {"8@%ax", AX, 0},    {"8@%al", AX, 0},
		{"8@%ah", AX, 8},   {"8@%rbx", BX, 0},   {"8@%bh", BX, 8},    {"8@%ecx", CX, 0},
		{"8@%dl", DX, 0},   {"8@%rsi", SI, 0},   {"8@%esi", SI, 0},   {"8@%si", SI, 0},
		{"8@%sil", SI, 0},  {"8@%dil", DI, 0},   {"8@%bpl", BP, 0},   {"8@%rsp", SP, 0},
		{"8@%r8", R8, 0},   {"8@%r9d", R9, 0},   {"8@%r10w", R10, 0}, {"8@%r11b", R11, 0},
		{"8@%r12", R12, 0}, {"8@%r13d", R13, 0}, {"8@%r14w", R14, 0}, {"8@%r15b", R15, 0},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		check(all[i].text, REGISTER(8, false, all[i].place, all[i].bit));
	check("-4@%edx", REGISTER(4, true, DX, 0));
	check("%rax", REGISTER(8, false, AX, 0));
}

static void test_memory(void **state)
{
	(void)state;
	check("8@(%rax)", MEMORY(8, false, AX, NONE, 0, 0));
	check("-4@-16(%rbp)", MEMORY(4, true, BP, NONE, 0, -16));
	check("2@0x10(%rsp)", MEMORY(2, false, SP, NONE, 0, 16));
	check("1@8(%rax,%rdx,4)", MEMORY(1, false, AX, DX, 2, 8));
	check("8@(%rax,%r12)", MEMORY(8, false, AX, R12, 0, 0));
	check("8@(%rax, %rdx, 8)", MEMORY(8, false, AX, DX, 3, 0));
	check("8@16(,%rdx,2)", MEMORY(8, false, NONE, DX, 1, 16));
	check("8@4096", MEMORY(8, false, NONE, NONE, 0, 4096));
	check("8@counter", MEMORY(8, false, NONE, NONE, 0, COUNTER));
	check("8@counter+8(,%rax,8)", MEMORY(8, false, NONE, AX, 3, COUNTER + 8));
	check("4@counter(%rip)", MEMORY(4, false, IP, NONE, 0, COUNTER - SITE));
	check("4@counter+4(%rip)", MEMORY(4, false, IP, NONE, 0, COUNTER + 4 - SITE));
	check("4@40+counter(%rip)", MEMORY(4, false, IP, NONE, 0, COUNTER + 40 - SITE));
	check("4@-8+counter(%rip)", MEMORY(4, false, IP, NONE, 0, COUNTER - 8 - SITE));
}

static void test_unknown(void **state)
{
	static const char *const all[] = {
		"8@%xmm0",
		"8f@%xmm0",
		"8f@%rax",
		"4@other(%rip)",
		"4@(%rip)",
		"4@8(%rip)",
		"3@%rax",
		"16@%rax",
		"0@%rax",
		"4@",
		"4@%",
		"4@$",
		"4@(",
		"4@()",
		"4@(%rax",
		"4@(%rax,",
		"4@(%rax,%rdx,",
		"4@(%rax,%rdx,3)",
		"4@(%rax,%rdx,16)",
		"4@(%rax))",
		"4@%r7",
		"4@%r16",
		"4@%r8x",
		"4@%r123",
		"4@%rip%",
		"4@counter+counter",
		"4@$99999999999999999999",
		"4@1+",
		"4@+",
		"4@-(%rax)",
		"4@counter-counter(%rip)",
		"4@counter(%rip,%rax,4)",
		"x@%rax",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		check(all[i], UNKNOWN);
}

#elif defined(__aarch64__)

enum { SP = 31 };

static void test_constants(void **state)
{
	(void)state;
	check("4@7", CONSTANT(4, false, 7));
	check("-4@-1", CONSTANT(4, true, -1));
}

static void test_registers(void **state)
{
	(void)state;
	check("8@x0", REGISTER(8, false, 0, 0));
	check("-4@w30", REGISTER(4, true, 30, 0));
	check("8@sp", REGISTER(8, false, SP, 0));
}

static void test_memory(void **state)
{
	(void)state;
	check("8@[x1]", MEMORY(8, false, 1, NONE, 0, 0));
	check("-4@[sp, 60]", MEMORY(4, true, SP, NONE, 0, 60));
	check("-4@[x2, -8]", MEMORY(4, true, 2, NONE, 0, -8));
	check("8@[x1, x2]", MEMORY(8, false, 1, 2, 0, 0));
}

static void test_unknown(void **state)
{
	static const char *const all[] = {"8f@d0", "8@d0", "8@x32", "8@[", "8@[x1", "8@[x1,", "8@"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		check(all[i], UNKNOWN);
}

#endif

static void test_lists(void **state)
{
	struct kt_usdt_argument a[KT_USDT_ARGUMENTS_MAX];

	(void)state;
	assert_int_equal(parse("", a), 0);
	assert_int_equal(parse("   ", a), 0);
	assert_int_equal(parse(" 1@? 2@?  4@?", a), 3);
	assert_int_equal(parse("? ? ? ? ? ? ? ? ? ? ? ? ? ?", a), KT_USDT_ARGUMENTS_MAX);
}

/* Any text may be in a file: the parser neither hangs nor reads beyond it. */
static void test_any_text(void **state)
{
	static const char letters[] = "%$@()[],+-x0189 rabcdilpsw.counter";
	struct kt_usdt_argument a[KT_USDT_ARGUMENTS_MAX];
	unsigned int seed = 1;
	char *text;
	int round, n, i;

	(void)state;
	for (round = 0; round < 20000; round++) {
		n = rand_r(&seed) % 24;
		text = malloc(n + 1);
		assert_non_null(text);
		for (i = 0; i < n; i++)
			text[i] = letters[rand_r(&seed) % (sizeof(letters) - 1)];
		text[n] = '\0';
		assert_true(parse(text, a) <= KT_USDT_ARGUMENTS_MAX);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constants), cmocka_unit_test(test_registers),
		cmocka_unit_test(test_memory),    cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_lists),     cmocka_unit_test(test_any_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
