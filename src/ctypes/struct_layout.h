/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of a struct, from the kernel's types: its members as fields, in order.
 *
 *	struct kt_struct_layout *c = kt_struct_layout_new(btf, "struct __kernel_timespec");
 *
 *	for (i = 0; i < c->n; i++)
 *		puts(c->fields[i].name);			// tv_sec tv_nsec
 *	kt_struct_layout_free(c);
 *
 * Each byte belongs to exactly one field. A union is represented by its largest member. Gaps and
 * bit fields are bytes named __pad_OFFSET. Anonymous members are replaced by their own members.
 * Takes a few µs.
 */
#ifndef KT_CTYPES_STRUCT_LAYOUT_H
#define KT_CTYPES_STRUCT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "ctypes/field.h"

struct kt_btf;

struct kt_struct_layout {
	char *name; /* "__kernel_timespec"; an anonymous struct has its owner's name and its own */
	unsigned int size; /* in bytes */
	size_t n;
	struct kt_field *fields;
};

/*
 * Returns the size of "struct stat" or "const stack_t" in bytes; 0 if the kernel has no such type,
 * or it is empty or not a struct.
 */
unsigned int kt_struct_layout_size(struct kt_btf *btf, const char *type);

/* Returns the layout of such a type; the caller frees it. NULL: there is none, or no memory. */
struct kt_struct_layout *kt_struct_layout_new(struct kt_btf *btf, const char *type);
void kt_struct_layout_free(struct kt_struct_layout *c);

/* Returns whether a member of that name is padding: "__pad_20", or Linux's own "__unused4". */
bool kt_struct_layout_pads(const char *name);

/*
 * Returns whether a member of that name is output only, such as "msg_flags": its value before the
 * call means nothing.
 */
bool kt_struct_layout_gives(const char *name);

/*
 * Returns whether a member of that name is set by the return, such as "msg_len" of sendmmsg: its
 * value at the entry means nothing.
 */
bool kt_struct_layout_returns(const char *name);

#endif
