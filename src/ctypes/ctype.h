/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Size and sign of a type, by its name in the kernel's source: "umode_t", "const struct iovec *".
 *
 *	struct kt_ctype t;
 *
 *	kt_ctype_find(btf, "umode_t", &t, &err);	// {.size = 2}
 *
 * C's own types are built in; all other names are looked up in the kernel's types (ctypes/btf.h).
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

/* Finds a number type or a pointer. Returns 0 or -errno: -ENOENT if the kernel has no such type. */
int kt_ctype_find(struct kt_btf *btf, const char *name, struct kt_ctype *found,
		  struct kt_error *err);

/* Describes a type by its BTF id. Returns 0, or -errno if it is neither a number nor a pointer. */
int kt_ctype_describe(const struct btf *btf, uint32_t type, struct kt_ctype *found);

#endif
