// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printed programs, compared with the kernel's verifier: if it refuses a program, its own
 * disassembly follows ours.
 */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "hook/program.h"
#include "hook/program_cache.h"
#include "tests/live/calls.h"

#define REFUSED "; the verifier refuses it:\n"

static const struct kt_program_kind tracepoint = {.type = BPF_PROG_TYPE_TRACEPOINT};

/* Loads a program, closes it, and returns its text. Returns its descriptor or -errno. */
static int print_loaded(const char *event, struct kt_asm *a, char **text)
{
	struct kt_error err;
	size_t size;
	FILE *out = open_memstream(text, &size);
	int fd;

	assert_non_null(out);
	kt_program_show(out);
	fd = kt_program_load(tracepoint, event, a, &err);
	kt_program_show(NULL);
	kt_asm_free(a);
	assert_int_equal(fclose(out), 0);
	if (fd >= 0)
		close(fd);
	return fd;
}

static void loaded_program(void **state)
{
	struct kt_asm *a = kt_asm_new(), *other = kt_asm_new();
	struct kt_error err;
	char *text;
	int fd;

	(void)state;
	skip_where_refused();
	kt_asm_note(a, "nothing");
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
	assert_true(print_loaded("sys:event", a, &text) >= 0);
	assert_string_equal(text, "; sys:event: tracepoint, 2 instructions\n"
				  "; nothing\n"
				  "   0: r0 = 0\n"
				  "   1: exit\n"
				  "\n");

	/* The next program is not printed: the file is closed. */
	kt_asm_move_imm(other, BPF_REG_0, 0);
	kt_asm_exit(other);
	fd = kt_program_load(tracepoint, "sys:other", other, &err);
	assert_true(fd >= 0);
	close(fd);
	kt_asm_free(other);
	free(text);
}

/* r0 is never set, which no program may do. */
static struct kt_asm *new_refused(void)
{
	struct kt_asm *a = kt_asm_new();

	kt_asm_move_imm(a, BPF_REG_1, 7);
	kt_asm_store(a, BPF_DW, BPF_REG_10, -16, BPF_REG_1);
	kt_asm_alu_imm(a, BPF_LSH, BPF_REG_1, 3);
	kt_asm_move(a, BPF_REG_2, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_2, -16);
	kt_asm_move_imm64(a, BPF_REG_3, 0x123456789abc);
	kt_asm_load(a, BPF_W, BPF_REG_4, BPF_REG_2, 8);
	kt_asm_exit(a);
	return a;
}

/* " 12: TEXT" is "12: (b7) TEXT" in the verifier's log, without LLVM's "ll". */
static void assert_same_as_log(const char *line, const char *log)
{
	char number[16], text[64], wanted[72], start[24];
	const char *theirs;

	assert_int_equal(sscanf(line, " %15[0-9]: %63[^\n]", number, text), 2);
	if (strstr(text, " ll"))
		*strstr(text, " ll") = '\0';
	snprintf(start, sizeof(start), "\n; %s: (", number);
	theirs = strstr(log, start);
	if (!theirs)
		fail_msg("the verifier does not come to %s", line);
	theirs += strlen(start);
	snprintf(wanted, sizeof(wanted), ") %s", text);
	if (strncmp(theirs + 2, wanted, strlen(wanted)) != 0)
		fail_msg("%s: %s; the kernel has %.40s", number, text, theirs);
}

static void refused_program(void **state)
{
	char *text, *log, *line, *rest;
	size_t n = 0;

	(void)state;
	skip_where_refused();
	assert_true(print_loaded("sys:refused", new_refused(), &text) < 0);
	log = strstr(text, REFUSED);
	assert_non_null(log);
	log[-1] = '\0'; /* the end of ours */
	rest = text;
	line = strsep(&rest, "\n");
	assert_string_equal(line, "; sys:refused: tracepoint, 9 instructions");
	for (n = 0; (line = strsep(&rest, "\n")); n++)
		assert_same_as_log(line, log);
	assert_int_equal(n, 8); /* one of them takes two slots */
	assert_non_null(strstr(log, "\n; R0 !read_ok\n"));
	assert_string_equal(log + strlen(log) - 2, "\n\n");
	free(text);
}

/* A loop that the verifier follows step by step writes a longer log than the first buffer. */
static void long_log(void **state)
{
	struct kt_asm *a = kt_asm_new();
	int again = kt_asm_label(a, "again");
	char *text, *log, *end;

	(void)state;
	skip_where_refused();
	kt_asm_move_imm(a, BPF_REG_1, 4000);
	kt_asm_place(a, again);
	kt_asm_move_imm(a, BPF_REG_2, 0);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, -1);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_1, 0, again);
	kt_asm_exit(a);
	assert_true(print_loaded("sys:loop", a, &text) < 0);
	log = strstr(text, REFUSED);
	assert_non_null(log);
	assert_true(strlen(log) > 512 << 10);
	assert_non_null(strstr(log, "\n; 0: (b7) r1 = 4000"));
	end = strstr(log, "\n; R0 !read_ok\n");
	assert_non_null(end);
	assert_true(end > log + (512 << 10));
	assert_null(strstr(log, "this is a part"));
	free(text);
}

/* A program that returns a number. */
static struct kt_asm *new_returning(int number)
{
	struct kt_asm *a = kt_asm_new();

	kt_asm_move_imm(a, BPF_REG_0, number);
	kt_asm_exit(a);
	return a;
}

/* Returns the kernel's id of such a program, loaded through a cache. */
static uint32_t load_returning(struct kt_program_cache *c, struct kt_program_kind kind, int number)
{
	struct bpf_prog_info info = {0};
	uint32_t size = sizeof(info);
	struct kt_asm *a = new_returning(number);
	struct kt_error err;
	int fd;

	fd = kt_program_cache_load(c, kind, "sys:cached", a, &err);
	kt_asm_free(a);
	assert_true(fd >= 0);
	assert_int_equal(bpf_obj_get_info_by_fd(fd, &info, &size), 0);
	close(fd);
	return info.id;
}

/* Equal programs are loaded once, unless their kinds differ. */
static void cached_programs(void **state)
{
	const struct kt_program_kind raw = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_program_cache *c;
	struct kt_error err;
	uint32_t zero;

	(void)state;
	skip_where_refused();
	c = kt_program_cache_new(&err);
	assert_non_null(c);
	zero = load_returning(c, tracepoint, 0);
	assert_int_not_equal(load_returning(c, tracepoint, 1), zero);
	assert_int_equal(load_returning(c, tracepoint, 0), zero);
	assert_int_not_equal(load_returning(c, raw, 0), zero);
	assert_int_equal(load_returning(c, tracepoint, 0), zero);
	kt_program_cache_free(c);
}

/* Programs that were loaded in the background are found; refused ones are reported. */
static void expected_programs(void **state)
{
	struct kt_program_cache *c;
	struct kt_asm *bad = new_refused();
	struct kt_error err;
	uint32_t found[20];
	int i;

	(void)state;
	skip_where_refused();
	c = kt_program_cache_new(&err);
	assert_non_null(c);
	kt_program_cache_expect(c, tracepoint, "sys:refused", new_refused());
	for (i = 0; i < 20; i++)
		kt_program_cache_expect(c, tracepoint, "sys:expected", new_returning(i));
	kt_program_cache_expect(c, tracepoint, "sys:expected", new_returning(0));
	for (i = 19; i >= 0; i--)
		found[i] = load_returning(c, tracepoint, i);
	for (i = 1; i < 20; i++) {
		assert_int_equal(load_returning(c, tracepoint, i), found[i]);
		assert_int_not_equal(found[i], found[i - 1]);
	}
	assert_true(kt_program_cache_load(c, tracepoint, "sys:refused", bad, &err) < 0);
	assert_non_null(strstr(err.text, "R0 !read_ok"));
	kt_asm_free(bad);

	/* Freed before they are loaded. */
	for (i = 100; i < 120; i++)
		kt_program_cache_expect(c, tracepoint, "sys:expected", new_returning(i));
	kt_program_cache_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loaded_program),    cmocka_unit_test(refused_program),
		cmocka_unit_test(long_log),          cmocka_unit_test(cached_programs),
		cmocka_unit_test(expected_programs),
	};

	return cmocka_run_group_tests_name("program", tests, read_ids, NULL);
}
