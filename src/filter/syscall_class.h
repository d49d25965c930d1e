/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strace's classes of system calls: "%file" is all calls that are given the name of a file.
 *
 *	const struct kt_syscall_class *file = kt_syscall_class_find("file");
 *
 *	kt_syscall_class_has(file, "openat");	// yes
 *
 * Which calls they have is as strace(1) has it, and for calls that are newer by the same rules. All
 * is static, and costs nothing to keep.
 */
#ifndef KT_FILTER_SYSCALL_CLASS_H
#define KT_FILTER_SYSCALL_CLASS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_syscall_class;

/* By its name without '%', or NULL. */
const struct kt_syscall_class *kt_syscall_class_find(const char *name);

/* The name of the i-th, or NULL behind the last. */
const char *kt_syscall_class_name(size_t i);

/* Whether the call is one of it; the name is one that programs know it by (kt_syscall_known_as). */
bool kt_syscall_class_has(const struct kt_syscall_class *class, const char *call);

#endif
