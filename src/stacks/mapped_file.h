/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the file that a process has mapped, whatever its path is to this process: in a container,
 * or deleted.
 *
 *	int fd = kt_mapped_file_open(42, 0x561ea000, 0x561fb000, "/usr/bin/bash");
 *	struct kt_elf_file *f = kt_mapped_file_elf(fd, &err);
 */
#ifndef KT_STACKS_MAPPED_FILE_H
#define KT_STACKS_MAPPED_FILE_H

#include <stdint.h>
#include <sys/types.h>

struct kt_elf_file;
struct kt_error;

/*
 * Returns a descriptor, which the caller closes; or -1. Needs CAP_SYS_ADMIN or
 * CAP_CHECKPOINT_RESTORE; without them, the path below the process's root is tried.
 */
int kt_mapped_file_open(pid_t pid, uint64_t begin, uint64_t end, const char *path);

/* Opens an ELF file once more. Returns NULL on error. */
struct kt_elf_file *kt_mapped_file_elf(int fd, struct kt_error *err);

#endif
