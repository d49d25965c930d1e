// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/mapped_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "elf/elf_file.h"

enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK };

int kt_mapped_file_open(pid_t pid, uint64_t begin, uint64_t end, const char *path)
{
	char name[PATH_MAX];
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, begin, end);
	fd = open(name, FLAGS);
	if (fd >= 0 || snprintf(name, sizeof(name), "/proc/%d/root%s", pid, path) >= PATH_MAX)
		return fd;
	return open(name, FLAGS);
}

struct kt_elf_file *kt_mapped_file_elf(int fd, struct kt_error *err)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return kt_elf_file_open(name, err);
}
