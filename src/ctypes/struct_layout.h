/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a struct consists of, by the kernel's types: members as fields, one behind the other.
 *
 *	struct kt_struct_layout *c = kt_struct_layout_new(btf, "struct __kernel_timespec");
 *
 *	for (i = 0; i < c->n; i++)
 *		puts(c->fields[i].name);			// tv_sec tv_nsec
 *	kt_struct_layout_free(c);
 *
 * Each byte is one field's. Of a union that is its largest member; what C leaves out between
 * others, and bit fields, are bytes of the name __pad_OFFSET; members that have no name are taken
 * for what they consist of. A few µs.
 */
#ifndef KT_CTYPES_STRUCT_LAYOUT_H
#define KT_CTYPES_STRUCT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "ctypes/field.h"

struct kt_btf;

struct kt_struct_layout {
	char *name; /* "__kernel_timespec"; of one without, that of who has it, and its own */
	unsigned int size; /* in bytes */
	size_t n;
	struct kt_field *fields;
};

/* In bytes, of "struct stat", "const stack_t"; 0 where the kernel has no such type, or an empty
 * one, or it is no struct.
 */
unsigned int kt_struct_layout_size(struct kt_btf *btf, const char *type);

/* Of such a type. The caller frees it. NULL: there is none, or no memory. */
struct kt_struct_layout *kt_struct_layout_new(struct kt_btf *btf, const char *type);
void kt_struct_layout_free(struct kt_struct_layout *c);

/* Whether a member of that name has no meaning: "__pad_20", and what Linux calls "__unused4". */
bool kt_struct_layout_pads(const char *name);

/* Whether one of that name is only ever written by calls that are given it: "msg_flags". What it
 * was before means nothing to them.
 */
bool kt_struct_layout_gives(const char *name);

/*
 * Whether one of that name is known from the return alone: "msg_len" of sendmmsg. What stands there
 * at the entry means nothing.
 */
bool kt_struct_layout_returns(const char *name);

#endif
