/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A field of an event's record, or a member of a struct: where its bytes are, and what they mean.
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
	KT_FIELD_ARRAY = 1 << 2, /* an array of fixed length, in place */
	KT_FIELD_DATA_LOC =
		1 << 3, /* offset from the start of the record, and length, of data elsewhere */
	KT_FIELD_REL_LOC = 1 << 4, /* the same, with the offset from the end of the field */
	KT_FIELD_SYMBOL = 1 << 5,  /* an address that the kernel prints as one of its symbols */
};

struct kt_field {
	const char *name;
	const char *
		type; /* the type in the kernel's words: "pid_t", "char[16]", "__data_loc char[]" */
	unsigned int offset;            /* from the start of the record, in bytes */
	unsigned int size;              /* of the whole field, in bytes; 4 for a _LOC */
	unsigned int width;             /* bytes of one element: 1, 2, 4, 8, or a struct's size */
	unsigned int flags;             /* KT_FIELD_* */
	enum kt_notation notation;      /* how a value, or an array of bytes, is written */
	const struct kt_labels *labels; /* names of values (constants/labels.h), or NULL */
	const struct kt_struct_layout *of; /* the struct of an element, or NULL if it is a number */
};

/* Returns whether the field's length varies from event to event (_LOC). */
bool kt_field_varies(const struct kt_field *field);

/* Returns the bytes that the field takes in the fixed part of a record. */
size_t kt_field_record_size(const struct kt_field *field);

/* Returns whether the field is text: "char[16]", "__data_loc char[]". */
bool kt_field_is_text(const struct kt_field *field);

/* Writes the field as a C declaration, cut to size bytes. */
void kt_field_declare(const struct kt_field *field, char *text, size_t size);

#endif
