/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel and its modules, by name.
 *
 *	struct kt_kernel_functions *f = kt_kernel_functions_read("/proc/kallsyms", "vfs_r*", &err);
 *
 *	kt_kernel_functions_keep_traceable(f, tracefs);
 *	for (i = 0; i < f->n; i++)
 *		puts(f->of[i].name);			// vfs_read, vfs_readlink, ...
 *	kt_kernel_functions_free(f);
 *
 * Reading takes some 40 ms, whatever the pattern: the kernel writes 120,000 symbols.
 */
#ifndef KT_EVENTS_KERNEL_FUNCTIONS_H
#define KT_EVENTS_KERNEL_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;

struct kt_kernel_function {
	char *name;
	char *module;     /* NULL: the kernel itself */
	uint64_t address; /* 0: the kernel hides it */
};

struct kt_kernel_functions {
	size_t n;
	struct kt_kernel_function *of; /* sorted by module, the kernel first, name and address */
};

/*
 * Reads the functions whose name matches the glob from a file like /proc/kallsyms, without the
 * parts that compilers and linkers add to them. Returns NULL on error.
 */
struct kt_kernel_functions *kt_kernel_functions_read(const char *path, const char *glob,
						     struct kt_error *err);
void kt_kernel_functions_free(struct kt_kernel_functions *f);

/*
 * Keeps only functions that the kernel can trace, by the list in tracefs, which is a descriptor of
 * its root. Returns 0 or -errno, with all of them kept: -EPERM under lockdown.
 */
int kt_kernel_functions_keep_traceable(struct kt_kernel_functions *f, int tracefs);

#endif
