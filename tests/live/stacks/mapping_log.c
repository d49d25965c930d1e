// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel says about mapped code. The witness: this program maps it. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "elf/elf_file.h"
#include "stacks/mapping_log.h"

enum { SIZE = 4096, N = 3 };

/* The mappings of this process in a region. */
struct seen {
	const char *begin;
	size_t n;
	struct kt_logged_mapping of[N];
	char path[PATH_MAX];
};

static void note(void *with, const struct kt_logged_mapping *m)
{
	struct seen *s = with;

	if (m->pid != getpid() || m->begin != (uintptr_t)s->begin || s->n == N)
		return;
	strcpy(s->path, m->path);
	s->of[s->n++] = *m;
}

static struct kt_mapping_log *open_log(void)
{
	struct kt_error err;
	struct kt_mapping_log *log = kt_mapping_log_new(&err);

	if (!log) {
		print_message("%s\n", err.text);
		skip();
	}
	return log;
}

static char *map(int fd, off_t offset)
{
	char *p = mmap(NULL, SIZE, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, offset);

	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

/* Returns this program's own build id as text. */
static void assert_own_build_id(const uint8_t *id)
{
	struct kt_error err;
	struct kt_elf_file *self = kt_elf_file_open("/proc/self/exe", &err);
	char text[2 * KT_BUILD_ID_SIZE + 1];
	size_t i;

	for (i = 0; i < KT_BUILD_ID_SIZE; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
	assert_string_equal(text, kt_elf_file_build_id(self));
	kt_elf_file_close(self);
}

static void own_program(void **state)
{
	struct kt_mapping_log *log = open_log();
	int fd = open("/proc/self/exe", O_RDONLY);
	uint64_t before = kt_clock_now();
	struct seen s = {.begin = map(fd, SIZE)};
	uint64_t after = kt_clock_now();
	char path[PATH_MAX] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	kt_mapping_log_read(log, note, &s);
	assert_int_equal(s.n, 1);
	assert_string_equal(s.path, path);
	assert_in_range(s.of->time, before, after);
	assert_int_equal(s.of->end - s.of->begin, SIZE);
	assert_int_equal(s.of->offset, SIZE);
	assert_true(s.of->has_build_id);
	assert_own_build_id(s.of->build_id);
	kt_mapping_log_read(log, note, &s);
	assert_int_equal(s.n, 1);
	munmap((char *)s.begin, SIZE);
	close(fd);
	kt_mapping_log_free(log);
}

static void without_build_id(void **state)
{
	struct kt_mapping_log *log = open_log();
	struct seen memory = {.begin = map(-1, 0)}, file = {0};
	char path[] = "/tmp/ktrace-map-XXXXXX";
	int fd = mkstemp(path);
	struct stat st;

	(void)state;
	assert_int_equal(ftruncate(fd, SIZE), 0);
	assert_int_equal(fstat(fd, &st), 0);
	kt_mapping_log_read(log, note, &memory);
	assert_int_equal(memory.n, 1);
	assert_false(memory.of->has_build_id);
	assert_int_equal(memory.of->inode, 0);
	assert_string_equal(memory.path, "//anon");

	file.begin = map(fd, 0);
	kt_mapping_log_read(log, note, &file);
	assert_int_equal(file.n, 1);
	assert_false(file.of->has_build_id);
	assert_int_equal(file.of->inode, st.st_ino);
	assert_string_equal(file.path, path);
	munmap((char *)memory.begin, SIZE);
	munmap((char *)file.begin, SIZE);
	close(fd);
	unlink(path);
	kt_mapping_log_free(log);
}

/* A log that is not read in time loses mappings, and says so; afterwards it goes on. */
static void overflow(void **state)
{
	struct kt_mapping_log *log = open_log();
	struct seen s = {0};
	int i;

	(void)state;
	assert_true(kt_mapping_log_is_complete(log));
	for (i = 0; i < 10000; i++)
		munmap(map(-1, 0), SIZE);
	assert_false(kt_mapping_log_is_complete(log));
	kt_mapping_log_read(log, note, &s);
	s.begin = map(-1, 0);
	kt_mapping_log_read(log, note, &s);
	assert_in_range(s.n, 1, N);
	munmap((char *)s.begin, SIZE);
	kt_mapping_log_free(log);
}

/* Records that continue at the begin of the ring are read, too. */
static void around_the_ring(void **state)
{
	struct kt_mapping_log *log = open_log();
	struct seen s;
	int i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		s = (struct seen){.begin = map(-1, 0)};
		kt_mapping_log_read(log, note, &s);
		assert_int_equal(s.n, 1);
		assert_string_equal(s.path, "//anon");
		munmap((char *)s.begin, SIZE);
	}
	assert_true(kt_mapping_log_is_complete(log));
	kt_mapping_log_free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_program),
		cmocka_unit_test(without_build_id),
		cmocka_unit_test(overflow),
		cmocka_unit_test(around_the_ring),
	};

	return cmocka_run_group_tests_name("mapping_log", tests, NULL, NULL);
}
