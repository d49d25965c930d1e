/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strace's classes of system calls: "%file" means all calls that take a file name.
 *
 *	const struct kt_syscall_class *file = kt_syscall_class_find("file");
 *
 *	kt_syscall_class_has(file, "openat");	// yes
 *
 * The classes are those of strace(1), extended to newer calls by the same rules. All data is
 * static.
 */
#ifndef KT_FILTER_SYSCALL_CLASS_H
#define KT_FILTER_SYSCALL_CLASS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_syscall_class;

/* Finds a class by its name without '%'; NULL if there is none. */
const struct kt_syscall_class *kt_syscall_class_find(const char *name);

/* Returns the name of the i-th class; NULL after the last. */
const char *kt_syscall_class_name(size_t i);

/* Returns whether a call belongs to the class; the name is the programs' (kt_syscall_known_as). */
bool kt_syscall_class_has(const struct kt_syscall_class *class, const char *call);

#endif
