// SPDX-License-Identifier: GPL-2.0-or-later
/* Where frames are: stacks made by the test. The witness: this program's own memory. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "elf/elf_file.h"
#include "stacks/binaries.h"
#include "stacks/process_maps.h"
#include "stacks/user_stacks.h"

enum { SIZE = 4096 };

static struct kt_user_stacks *u;
static struct kt_user_callstack stack;
static struct kt_place places[KT_USER_CALLSTACK_FRAMES_MAX];
static bool is_cut;

static int open_stacks(void **state)
{
	struct kt_error err;

	(void)state;
	memset(&stack, 0, sizeof(stack));
	stack.pid = getpid();
	u = kt_user_stacks_new(true, &err);
	if (!u)
		print_message("%s\n", err.text);
	return 0;
}

static int close_stacks(void **state)
{
	(void)state;
	kt_user_stacks_free(u);
	return 0;
}

static size_t count_frames(void)
{
	size_t n = 0;

	while (stack.frames[n].state != KT_USER_FRAME_END)
		n++;
	return n;
}

static void add_address(const void *at)
{
	stack.frames[count_frames()] =
		(struct kt_user_frame){.state = KT_USER_FRAME_ADDRESS, .at = (uintptr_t)at};
}

/* Adds an offset in this program. */
static void add_offset(uint64_t at)
{
	struct kt_user_frame *frame = &stack.frames[count_frames()];
	struct kt_error err;
	struct kt_elf_file *self = kt_elf_file_open("/proc/self/exe", &err);
	const char *id = kt_elf_file_build_id(self);
	size_t i;

	*frame = (struct kt_user_frame){.state = KT_USER_FRAME_IN_FILE, .at = at};
	for (i = 0; i < KT_BUILD_ID_SIZE; i++)
		assert_int_equal(sscanf(id + 2 * i, "%2hhx", &frame->build_id[i]), 1);
	kt_elf_file_close(self);
}

static uint64_t get_own_offset(const void *address)
{
	struct kt_process_maps m = {0};
	const struct kt_mapping *found;
	uint64_t offset;

	assert_int_equal(kt_process_maps_read(&m, getpid()), 0);
	found = kt_process_maps_find(&m, (uintptr_t)address);
	offset = (uintptr_t)address - found->begin + found->offset;
	kt_process_maps_clear(&m);
	return offset;
}

/* As a hit now. */
static size_t locate(void)
{
	if (!u)
		skip();
	if (!stack.time)
		stack.time = kt_clock_now();
	kt_user_stacks_watch(u);
	return kt_user_stacks_locate(u, &stack, places, &is_cut);
}

static const struct kt_binary *get_binary(size_t i)
{
	assert_true(places[i].binary != KT_BINARY_NONE);
	return kt_binaries_at(kt_user_stacks_binaries(u), places[i].binary);
}

static void assert_own(size_t i)
{
	char path[PATH_MAX] = "";

	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_string_equal(get_binary(i)->path, path);
	assert_true(get_binary(i)->has_build_id);
}

/* An address that the kernel could not place is in the same binary as one that it could. */
static void own_program(void **state)
{
	(void)state;
	add_offset(get_own_offset((void *)own_program));
	add_address((char *)own_program + 1);
	add_address((void *)getauxval(AT_SYSINFO_EHDR));
	assert_int_equal(locate(), 3);
	assert_false(is_cut);
	assert_own(0);
	assert_own(1);
	assert_int_equal(places[0].binary, places[1].binary);
	assert_int_equal(places[1].at, places[0].at + 1);
	assert_string_equal(get_binary(2)->path, "[vdso]");
	kt_binaries_find_functions(kt_user_stacks_binaries(u), false);
	assert_string_equal(kt_symbols_find(&get_binary(1)->functions, places[1].at)->name,
			    "own_program");
}

static void no_code(void **state)
{
	(void)state;
	add_offset(16);
	add_address((void *)16);
	add_address(&stack);
	add_address((void *)(1ul << 56));
	add_address((void *)own_program);
	assert_int_equal(locate(), 3);
	assert_int_equal(places[1].binary, KT_BINARY_NONE);
	assert_int_equal(places[1].at, 16);
	assert_int_equal(places[2].binary, KT_BINARY_NONE);
	assert_int_equal(places[2].at, (uintptr_t)&stack);
}

static void below_a_file(void **state)
{
	(void)state;
	add_offset(16);
	add_offset(UINT64_MAX - 4096);
	add_offset(16);
	assert_int_equal(locate(), 1);
}

static void cut(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < KT_USER_CALLSTACK_FRAMES_MAX; i++)
		stack.frames[i] = (struct kt_user_frame){.state = KT_USER_FRAME_ADDRESS, .at = 16};
	stack.size = KT_USER_CALLSTACK_FRAMES_MAX * sizeof(uint64_t);
	assert_int_equal(locate(), KT_USER_CALLSTACK_FRAMES_MAX);
	assert_false(is_cut);
	stack.size += sizeof(uint64_t);
	assert_int_equal(locate(), KT_USER_CALLSTACK_FRAMES_MAX);
	assert_true(is_cut);
}

/* Code that was mapped after the hit was not there. */
static void mapped_later(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	char *code;

	(void)state;
	stack.time = kt_clock_now();
	code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	add_address(code + 1);
	assert_int_equal(locate(), 1);
	assert_int_equal(places[0].binary, KT_BINARY_NONE);
	stack.time = kt_clock_now();
	assert_int_equal(locate(), 1);
	assert_own(0);
	assert_int_equal(places[0].at, 1);
	munmap(code, SIZE);
	assert_int_equal(locate(), 1); /* as it was at the hit */
	assert_own(0);
	close(fd);
}

/* After mappings were lost, nothing is certain but what was mapped since. */
static void log_is_incomplete(void **state)
{
	int i;

	(void)state;
	if (!u)
		skip();
	for (i = 0; i < 10000; i++)
		munmap(mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		       SIZE);
	add_address((void *)own_program);
	add_offset(get_own_offset((void *)own_program));
	assert_int_equal(locate(), 2);
	assert_int_equal(places[0].binary, KT_BINARY_NONE);
	assert_own(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(own_program, open_stacks, close_stacks),
		cmocka_unit_test_setup_teardown(no_code, open_stacks, close_stacks),
		cmocka_unit_test_setup_teardown(below_a_file, open_stacks, close_stacks),
		cmocka_unit_test_setup_teardown(cut, open_stacks, close_stacks),
		cmocka_unit_test_setup_teardown(mapped_later, open_stacks, close_stacks),
		cmocka_unit_test_setup_teardown(log_is_incomplete, open_stacks, close_stacks),
	};

	return cmocka_run_group_tests_name("user_stacks", tests, NULL, NULL);
}
