/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a type is that the kernel's source calls by a name: "umode_t", "const struct iovec *".
 *
 *	struct kt_ctype t;
 *
 *	kt_ctype_find(btf, "umode_t", &t, &err);	// {.size = 2}
 *
 * Words of C are known; all other names are those of the kernel's types (ctypes/btf.h).
 */
#ifndef KT_CTYPES_CTYPE_H
#define KT_CTYPES_CTYPE_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct kt_btf;
struct kt_error;

struct kt_ctype {
	unsigned int size; /* in bytes */
	bool is_signed;
	bool is_pointer;
};

/* Of a number or a pointer. 0, or -errno: -ENOENT where the kernel has no type of that name. */
int kt_ctype_find(struct kt_btf *btf, const char *name, struct kt_ctype *found,
		  struct kt_error *err);

/* The same of a type of the kernel's, which it may call otherwise. */
int kt_ctype_describe(const struct btf *btf, uint32_t type, struct kt_ctype *found);

#endif
