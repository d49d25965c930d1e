// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events printed by the kernel's print formats. The witnesses are the C compiler for expressions
 * and printf for conversions; the kernel's own conversions are written down.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/metadata.h"
#include "tests/unit/parsed.h"
#include "trace/read/stream_reader.h"
#include "trace/tsdl_lexer.h"
#include "values/text.h"
#include "view/ftrace_line.h"

/* The event's fields in order. */
struct record {
	uint8_t u8;
	int8_t s8;
	uint16_t u16;
	int16_t s16;
	uint32_t u32;
	int32_t s32;
	uint64_t u64;
	int64_t s64;
	char comm[8];
	uint8_t bytes[4];
	int32_t two[2];
	uint8_t ip[4];
	uint16_t n_name;
	char name[5];
} __attribute__((packed));

#define FIELDS                                                                 \
	"u8 u8; s8 s8; u16 u16; s16 s16; u32 u32; s32 s32; u64 u64; s64 s64;"  \
	"text comm[8]; u8 bytes[4]; s32 two[2]; ipv4 ip[4]; u16 _name_length;" \
	"text _name[_name_length];"

/* clang-format off */
#define TYPES                                                                                 \
	ALIAS(INTEGER(8, true), "s8")                                                         \
	ALIAS(INTEGER(16, false), "u16")                                                      \
	ALIAS(INTEGER(16, true), "s16")                                                       \
	ALIAS(INTEGER(32, false), "u32")                                                      \
	ALIAS(INTEGER(32, true), "s32")                                                       \
	ALIAS(INTEGER(8, false), "ipv4")                                                      \
	ALIAS("integer { size = 8; align = 8; signed = false; encoding = UTF8; }", "text")
/* clang-format on */

static const struct record low = {
	.s8 = INT8_MIN,
	.s16 = INT16_MIN,
	.s32 = INT32_MIN,
	.s64 = INT64_MIN,
	.two = {-1, INT32_MIN},
	.n_name = 1,
};
static const struct record some = {
	1,
	-2,
	3,
	-4,
	0x12345678,
	-6,
	0x123456789abcdef0,
	-8,
	"bash",
	{0xde, 0xad, 0, 1},
	{7, -9},
	{127, 0, 0, 1},
	5,
	"eth0",
};
static const struct record high = {
	UINT8_MAX,
	INT8_MAX,
	UINT16_MAX,
	INT16_MAX,
	UINT32_MAX,
	INT32_MAX,
	UINT64_MAX,
	INT64_MAX,
	"12345678",
	{255, 255, 255, 255},
	{INT32_MAX, 0},
	{255, 255, 255, 255},
	5,
	"lo\0lo",
};

/* Precedence is what is tested here. */
#pragma GCC diagnostic ignored "-Wparentheses"

static const struct record *const records[] = {&low, &some, &high};

/* Returns the record's line without the event's name; NULL if there is none. */
static char *print(const char *format, const struct record *record)
{
	char *metadata, *line;
	struct kt_text *text = calloc(1, sizeof(*text));
	struct kt_hit hit = {.tid = 7};
	struct kt_value values[16];
	size_t size;
	FILE *f = open_memstream(&metadata, &size);

	fputs("/* CTF 1.8 */\n" TYPES, f);
	fputs(HEAD + strlen("/* CTF 1.8 */\n"), f);
	fputs("env { tracer_name = \"ktrace\"; hostname = \"h\"; print_0 = ", f);
	kt_tsdl_quote(f, format);
	fputs("; };\n" STREAM EVENT(0, "s:e", FIELDS), f);
	fclose(f);
	parse(metadata);
	free(metadata);
	hit.event = &parsed->events[0];
	hit.values = values;
	assert_true(kt_record_layout_read(&hit.event->fields, (const char *)record, sizeof(*record),
					  values) > 0);
	text->to = open_memstream(&line, &size);
	kt_ftrace_line_end(text, &hit);
	kt_text_flush(text);
	fclose(text->to);
	free(text);
	if (!hit.event->print) {
		free(line);
		line = NULL;
	} else {
		assert_memory_equal(line, "e: ", 3);
		assert_int_equal(line[size - 1], '\n');
		line[size - 1] = '\0';
		memmove(line, line + 3, size - 3);
	}
	free_parsed(NULL);
	return line;
}

static void assert_printed(const char *format, const struct record *record, const char *expected)
{
	char *line = print(format, record);

	if (!line)
		fail_msg("not understood: %s", format);
	if (strcmp(line, expected) != 0)
		fail_msg("%s\n%s\n%s", format, line, expected);
	free(line);
}

/* Compares with what C prints. */
#define CHECK(form, ...)                                                         \
	do {                                                                     \
		char expected[256];                                              \
		size_t i_;                                                       \
		for (i_ = 0; i_ < sizeof(records) / sizeof(*records); i_++) {    \
			const struct record *REC = records[i_];                  \
			snprintf(expected, sizeof(expected), form, __VA_ARGS__); \
			assert_printed(#form ", " #__VA_ARGS__, REC, expected);  \
		}                                                                \
	} while (0)

static void numbers(void **state)
{
	(void)state;
	CHECK("%u %d", REC->u8, REC->s8);
	CHECK("%u %d %x", REC->u16, REC->s16, REC->s16);
	CHECK("%u %d %x %X", REC->u32, REC->s32, REC->u32, REC->s32);
	CHECK("%lu %ld %lx %lo", REC->u64, REC->s64, REC->u64, REC->s64);
	CHECK("%llu %lld", (unsigned long long)REC->u64, (long long)REC->s64);
	CHECK("%zu %zd", (size_t)REC->u64, (ssize_t)REC->s64);
	CHECK("%hu %hd %hhu", REC->u16, REC->s16, REC->u8);
	CHECK("%d and %d", REC->two[0], REC->two[1]);
	CHECK("%d%%", REC->s32);
}

static void widths(void **state)
{
	(void)state;
	CHECK("[%5u|%-5u|%05u]", REC->u32, REC->u32, REC->u32);
	CHECK("[%5d|%-12d|%012d]", REC->s32, REC->s32, REC->s32);
	CHECK("[%+d|% d|%+5d]", REC->s32, REC->s32, REC->s32);
	CHECK("[%016lx|%.3x|%8.4x]", REC->u64, REC->u8, REC->u8);
	CHECK("[%*d|%-*d|%.*d]", 6, REC->s8, 6, REC->s8, 4, REC->s8);
	CHECK("[%*d]", -6, REC->s8);
	CHECK("[%8s|%-8s|%.2s|%6.3s]", "abc", "abc", "abc", "abcde");
	CHECK("[%.*s]", (int)REC->u8 % 4, "abcde");
	CHECK("[%c%c]", 'x', '\'');
}

static void expressions(void **state)
{
	(void)state;
	CHECK("%d", REC->u8 - REC->u16);
	CHECK("%u", REC->u32 - 1);
	CHECK("%d", REC->s8 * 3 + REC->s8 / 3 - REC->s8 % 3);
	CHECK("%u", REC->u32 / 7 + REC->u32 % 7);
	CHECK("%lu", REC->u64 >> 3 | REC->u64 & 0xff00);
	CHECK("%ld", REC->s64 >> 3);
	CHECK("%d", REC->s32 >> 20);
	CHECK("%u", REC->u32 >> 20);
	CHECK("%u", (unsigned int)((REC->u32) & ((1U << 20) - 1)));
	CHECK("%d", REC->s32 < REC->u8);
	CHECK("%d", (uint32_t)REC->s32 < REC->u32);
	CHECK("%d", REC->s8 == -2 || REC->u8 == 255 && REC->u16 != 3);
	CHECK("%d", !REC->u8 + !!REC->u32);
	CHECK("%d", ~REC->u8 ^ -REC->s8);
	CHECK("%d", (char)REC->u32);
	CHECK("%d", (unsigned char)REC->s32);
	CHECK("%d", (short)REC->u64);
	CHECK("%lu", (unsigned long)REC->s8);
	CHECK("%lu", (unsigned long)(uint)REC->s8);
	CHECK("%d", REC->u8 ? REC->s8 : REC->s16 ? 1 : 2);
	CHECK("%lx", -1UL ^ 0x10);
	CHECK("%d", 1 ? 2 : 3);
	CHECK("%d %d", 010 + 0x10, 2 - 1 - 1);
	CHECK("%d", 1 + 2 * 3 << 1 & 15 | 16);
	CHECK("%d", REC->s32 >= -6 && REC->s32 <= 0);
	CHECK("%zu", sizeof(int) * 2 + sizeof(unsigned long));
}

static void texts(void **state)
{
	(void)state;
	CHECK("%s", REC->u8 ? "yes" : "no");
	CHECK("%s", REC->u8 > 1 ? "many" : REC->u8 ? "one" : "none");
	CHECK("%s-%s",
	      "a"
	      "b",
	      "c\"d");
	assert_printed("\"comm=%s name=%s\", REC->comm, __get_str(name)", &some,
		       "comm=bash name=eth0");
	assert_printed("\"comm=%s name=%s\", REC->comm, __get_str(name)", &high,
		       "comm=12345678 name=lo");
	assert_printed("\"%s|%6s|%.2s\", (char *)REC->comm, REC->comm, REC->comm", &some,
		       "bash|  bash|ba");
	assert_printed("\"%s\", REC->u8 ? __get_str(name) : ((void *)0)", &some, "eth0");
	assert_printed("\"%s\", REC->u8 ? __get_str(name) : ((void *)0)", &low, "(null)");
}

/* As printed by kernel/trace/trace_output.c and lib/vsprintf.c of Linux 6.18. */
static void kernel_conversions(void **state)
{
	static const char flags[] =
		"\"%s\", __print_flags(REC->u8, \"|\", {3UL, \"AB\"}, { 0x1, \"A\" }, {2, \"B\"},"
		" { 1 << 7, \"TOP\" }, {0, ((void *)0)})";
	static const char symbolic[] =
		"\"%s\", __print_symbolic(REC->s8, {-2, \"MINUS\" }, { 127, \"MOST\"}, {-1, 0})";

	(void)state;
	assert_printed(flags, &low, "");
	assert_printed(flags, &some, "A");
	assert_printed(flags, &high, "AB|TOP|0x7c");
	assert_printed(symbolic, &some, "MINUS");
	assert_printed(symbolic, &high, "MOST");
	assert_printed(symbolic, &low, "0xffffffffffffff80");
	assert_printed("\"%#x %#lx %#06x %#o\", REC->u8, REC->u64, REC->u8, REC->u8", &low,
		       "0x0 0x0 0x0000 0");
	assert_printed("\"%#x %#06x %#o\", REC->u8, REC->u8, REC->u8", &high, "0xff 0x00ff 0377");
	assert_printed("\"%p %p\", (void *)REC->u64, REC->u64", &some,
		       "123456789abcdef0 123456789abcdef0");
	assert_printed("\"%p %20p|%-3p|\", REC->u8, REC->u64, REC->u8", &some,
		       "0000000000000001     123456789abcdef0|1  |");
	assert_printed("\"%pS %ps\", (void *)REC->u64, REC->u64", &some,
		       "0x123456789abcdef0 0x123456789abcdef0");
	assert_printed("\"%pI4 %pI4\", REC->ip, REC->ip", &some, "127.0.0.1 127.0.0.1");
	assert_printed("\"%s %s\", __print_hex(REC->bytes, 4), __print_hex_str(REC->bytes, 2)",
		       &some, "de ad 00 01 dead");
	assert_printed("\"%s\", __print_array(REC->two, 2, 4)", &some, "{0x7,0xfffffff7}");
	assert_printed("\"%s\", __print_array(REC->two, __get_dynamic_array_len(two) /"
		       " sizeof(int), sizeof(int))",
		       &some, "{0x7,0xfffffff7}");
	assert_printed("\"%d %d\", __get_dynamic_array_len(name), REC->u8 == true", &some, "5 1");
	assert_printed("\"%d\", __builtin_expect(!!(REC->u8), 0)", &some, "1");
	assert_printed("\"%010d|%+.4d\", REC->s8, REC->u8", &some, "-000000002|+0001");
}

/* Values that are undefined in C. */
static void undefined_values(void **state)
{
	(void)state;
	assert_printed("\"%d %d\", 7 / REC->u8, 7 % REC->u8", &low, "0 0");
	assert_printed("\"%ld\", REC->s64 / -1", &low, "-9223372036854775808");
	assert_printed("\"%d %d\", REC->u8 << 99, REC->u8 >> REC->u32", &high, "0 0");
	assert_printed("\"%d\", REC->two[REC->u32]", &high, "0");
	assert_printed("\"%s\", __print_array(REC->two, 99, 4)", &some, "{0x7,0xfffffff7}");
	assert_printed("\"%s\", __print_hex(REC->bytes, REC->u64)", &some, "de ad 00 01");
	assert_printed("\"[%*d]\", REC->u32, REC->u8 * 0", &low, "[0]");
}

/* Characters that would break the line. */
static void escaped(void **state)
{
	(void)state;
	assert_printed("\"a\\n%d\\t\\033\", REC->u8", &some, "a\\n1\\t\\x1b");
	assert_printed("\"%s%c\", \"\\n\", '\\n'", &some, "\\n\\n");
	assert_printed("\"%s\", \"a\\\\\"", &some, "a\\\\");
}

static void assert_unknown(const char *format)
{
	char *line = print(format, &some);

	if (line)
		fail_msg("%s: %s", format, line);
}

static void unknown_formats(void **state)
{
	static const char *const formats[] = {
		"",
		"REC->u8",
		"\"\"",
		"\"no field\"",
		"\"%d\"",
		"\"%d",
		"\"%d\\",
		"\"%\", REC->u8",
		"\"%y\", REC->u8",
		"\"%d\", REC->u8, REC->u8",
		"\"%d\", REC->nowhere",
		"\"%d\", REC->comm",
		"\"%s\", REC->u8",
		"\"%d\", \"text\"",
		"\"%d\", REC",
		"\"%d\", u8",
		"\"%d\", (REC->u8",
		"\"%d\", REC->u8)",
		"\"%d\", REC->u8 +",
		"\"%d\", 1 ? 2",
		"\"%d\", REC->u8 ? 1 : \"a\"",
		"\"%d\", REC->two",
		"\"%d\", REC->two[0",
		"\"%d\", (struct page)REC->u8",
		"\"%d\", frob(REC->u8)",
		"\"%pISpc\", REC->ip + 1",
		"\"%pI4\", REC->bytes",
		"\"%pS\", REC->u64 + 1",
		"\"%pE\", REC->bytes",
		"\"%*pbl\", 8, REC->bytes",
		"\"%d\", jiffies_to_msecs(REC->u8)",
		"\"%d\", '",
		"\"%d\", 'a",
		"\"%s\", __print_flags(REC->u8, \"|\", {1, \"A\"}",
		"\"%s\", __print_flags(REC->u8, {1, \"A\"})",
		"\"%s\", __print_symbolic(REC->u8, {X, \"A\"})",
		"\"%s\", __print_symbolic(REC->u8, {REC->u8, \"A\"})",
		"\"%s\", __print_array(REC->two, 2, 8)",
		"\"%s\", __get_str(nowhere)",
		"\"%s\", __get_str(u8)",
		"\"%d\", sizeof(struct page)",
		"\"%d\", 1uuuuuuuuuuu",
		"\"%s\", REC->u8 ? \"a\" : 1",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		assert_unknown(formats[i]);
}

/* Repeats 'before' and 'after' n times around the value. */
static char *nest(size_t n, const char *before, const char *value, const char *after)
{
	char *format = malloc(n * (strlen(before) + strlen(after)) + 64), *to;
	size_t i;

	assert_non_null(format);
	to = stpcpy(format, "\"%d\", ");
	for (i = 0; i < n; i++)
		to = stpcpy(to, before);
	to = stpcpy(to, value);
	for (i = 0; i < n; i++)
		to = stpcpy(to, after);
	return format;
}

/* Memory and stack are bounded: formats larger than any kernel's are not understood. */
static void too_large(void **state)
{
	static const struct {
		size_t n;
		const char *before, *after;
		bool fits;
	} sizes[] = {
		{20, "(", ")", true},           {1000000, "(", ")", false},
		{1000000, "-", "", false},      {1000000, "1 ? ", "", false},
		{2000, "", " + REC->u8", true}, {1000000, "", " + REC->u8", false},
		{1000000, "", " \"a\"", false},
	};
	char *format, *line;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		format = nest(sizes[i].n, sizes[i].before, "1", sizes[i].after);
		line = print(format, &some);
		assert_int_equal(line != NULL, sizes[i].fits);
		free(line);
		free(format);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(widths),
		cmocka_unit_test(expressions),
		cmocka_unit_test(texts),
		cmocka_unit_test(kernel_conversions),
		cmocka_unit_test(undefined_values),
		cmocka_unit_test(escaped),
		cmocka_unit_test(unknown_formats),
		cmocka_unit_test(too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
