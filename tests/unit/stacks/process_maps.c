// SPDX-License-Identifier: GPL-2.0-or-later
/* The witness: this program's own memory. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "stacks/mapped_file.h"
#include "stacks/process_maps.h"

static const struct kt_mapping *find(const struct kt_process_maps *m, const void *address)
{
	return kt_process_maps_find(m, (uintptr_t)address);
}

static void own_maps(void **state)
{
	struct kt_process_maps m = {0};
	const struct kt_mapping *found;
	char path[PATH_MAX] = "", code[16], of_file[16];
	struct stat st;
	int fd = open("/proc/self/exe", O_RDONLY);

	(void)state;
	assert_int_equal(kt_process_maps_read(&m, getpid()), 0);
	found = find(&m, (void *)own_maps);
	assert_non_null(found);
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_string_equal(found->path, path);
	memcpy(code, (void *)own_maps, sizeof(code));
	assert_int_equal(pread(fd, of_file, sizeof(of_file),
			       (uintptr_t)own_maps - found->begin + found->offset),
			 sizeof(of_file));
	assert_memory_equal(code, of_file, sizeof(code));
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(found->inode != 0);
	close(fd);

	found = find(&m, (void *)getauxval(AT_SYSINFO_EHDR));
	assert_non_null(found);
	assert_string_equal(found->path, "[vdso]");
	assert_int_equal(found->inode, 0);
	assert_null(find(&m, &m)); /* the stack is no code */
	assert_null(find(&m, NULL));
	kt_process_maps_clear(&m);
}

static void memory_of_its_own(void **state)
{
	struct kt_process_maps m = {0};
	char *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct kt_mapping *found;

	(void)state;
	assert_ptr_not_equal(code, MAP_FAILED);
	assert_int_equal(kt_process_maps_read(&m, getpid()), 0);
	found = find(&m, code + 4095);
	assert_non_null(found);
	assert_string_equal(found->path, "");
	munmap(code, 4096);
	assert_int_equal(kt_process_maps_read(&m, getpid()), 0);
	assert_null(find(&m, code));
	kt_process_maps_clear(&m);
}

static void no_process(void **state)
{
	struct kt_process_maps m = {0};

	(void)state;
	assert_int_equal(kt_process_maps_read(&m, getpid()), 0);
	assert_int_equal(kt_process_maps_read(&m, 1 << 30), -ENOENT);
	assert_int_equal(m.n, 0);
	kt_process_maps_clear(&m);
}

/* The file of a mapping, by the mapping or by the path. */
static void mapped_file(void **state)
{
	struct kt_process_maps m = {0};
	const struct kt_mapping *found;
	char magic[SELFMAG];
	int fd, i;

	(void)state;
	assert_int_equal(kt_process_maps_read(&m, getpid()), 0);
	found = find(&m, (void *)mapped_file);
	for (i = 0; i < 2; i++) {
		fd = kt_mapped_file_open(getpid(), found->begin + i, found->end, found->path);
		assert_true(fd >= 0);
		assert_int_equal(read(fd, magic, sizeof(magic)), sizeof(magic));
		assert_memory_equal(magic, ELFMAG, SELFMAG);
		close(fd);
	}
	assert_int_equal(kt_mapped_file_open(getpid(), 1, 2, "/nowhere"), -1);
	kt_process_maps_clear(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_maps),
		cmocka_unit_test(memory_of_its_own),
		cmocka_unit_test(no_process),
		cmocka_unit_test(mapped_file),
	};

	return cmocka_run_group_tests_name("process_maps", tests, NULL, NULL);
}
