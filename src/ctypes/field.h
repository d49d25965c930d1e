/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A field of an event's record, or a member of a struct: where its bytes lie, and what they are.
 *
 *	char decl[256];
 *
 *	kt_field_declare(&event->fields[0], decl, sizeof(decl));
 *	puts(decl);						// char prev_comm[16]
 */
#ifndef KT_CTYPES_FIELD_H
#define KT_CTYPES_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "constants/notation.h"

struct kt_struct_layout;
struct kt_labels;

enum kt_field_flags {
	KT_FIELD_SIGNED = 1 << 0,
	KT_FIELD_POINTER = 1 << 1,
	KT_FIELD_ARRAY = 1 << 2,    /* of fixed length, in place */
	KT_FIELD_DATA_LOC = 1 << 3, /* place and length of data from the record's start */
	KT_FIELD_REL_LOC = 1 << 4,  /* the same from the field's end */
	KT_FIELD_SYMBOL = 1 << 5,   /* an address that the kernel shows as a symbol of its own */
};

struct kt_field {
	const char *name;
	const char *type; /* the kernel's word for it: "pid_t", "char[16]", "__data_loc char[]" */
	unsigned int offset; /* from the record's start, in bytes */
	unsigned int size;   /* of the whole field, in bytes; of a _LOC the 4 of place and length */
	unsigned int
		width; /* of one element: 1, 2, 4 or 8, that of a struct, or bytes of another */
	unsigned int flags;        /* KT_FIELD_* */
	enum kt_notation notation; /* how a value, or an array of bytes, is to be shown */
	const struct kt_labels
		*labels; /* how its values are called (constants/labels.h), or NULL */
	const struct kt_struct_layout
		*of; /* what an element consists of, or NULL: it is a number */
};

/* Whether its length differs from hit to hit (_LOC). */
bool kt_field_varies(const struct kt_field *field);

/* What it takes among the fields of a record. */
size_t kt_field_record_size(const struct kt_field *field);

/* Whether it is characters: "char[16]", "__data_loc char[]". */
bool kt_field_is_text(const struct kt_field *field);

/* The field as C would declare it, cut where longer than size. */
void kt_field_declare(const struct kt_field *field, char *text, size_t size);

#endif
