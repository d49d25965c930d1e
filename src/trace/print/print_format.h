/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the kernel prints an event: the text after "print fmt:" in its format file, parsed into a
 * tree.
 *
 *	"comm=%s prio=%d %s", REC->comm, REC->prio, REC->success ? "done" : __print_symbolic(...)
 *
 *	struct kt_print_format *f = kt_print_format_parse(text, &event->fields);
 *
 *	for (i = 0; f && i < f->n_pieces; i++)
 *		fwrite(f->pieces[i].text, 1, f->pieces[i].len, stdout);
 *	kt_print_format_free(f);
 *
 * The text is C. The parser knows what tracepoints use of it: operators with C's types and
 * precedence, casts to numbers, fields, strings, and the kernel's helpers for lists, arrays and
 * strings. values/printf_value.h prints the values.
 */
#ifndef KT_TRACE_PRINT_PRINT_FORMAT_H
#define KT_TRACE_PRINT_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_labels;
struct kt_record_layout;

enum kt_print_op {
	KT_PRINT_NUMBER,  /* number */
	KT_PRINT_FIELD,   /* the member's number */
	KT_PRINT_ELEMENT, /* the member's element with index of[0] */
	KT_PRINT_LENGTH,  /* number of the member's elements */
	KT_PRINT_CAST,    /* of[0], as a number of that type */
	KT_PRINT_MINUS,
	KT_PRINT_NOT,
	KT_PRINT_COMPLEMENT,
	KT_PRINT_MULTIPLY,
	KT_PRINT_DIVIDE,
	KT_PRINT_MODULO,
	KT_PRINT_ADD,
	KT_PRINT_SUBTRACT,
	KT_PRINT_SHIFT_LEFT,
	KT_PRINT_SHIFT_RIGHT,
	KT_PRINT_LESS,
	KT_PRINT_LESS_OR_EQUAL,
	KT_PRINT_GREATER,
	KT_PRINT_GREATER_OR_EQUAL,
	KT_PRINT_EQUAL,
	KT_PRINT_NOT_EQUAL,
	KT_PRINT_AND,
	KT_PRINT_XOR,
	KT_PRINT_OR,
	KT_PRINT_BOTH,   /* && */
	KT_PRINT_EITHER, /* || */
	KT_PRINT_CHOICE, /* of[0] ? of[1] : of[2]; numbers or texts */
	/* Operations that give text: */
	KT_PRINT_TEXT,     /* text */
	KT_PRINT_MEMBER,   /* the member as text, or all of its elements in their notation */
	KT_PRINT_SYMBOLIC, /* the label of of[0] */
	KT_PRINT_FLAGS,    /* the labels of the flags set in of[0], with text between them */
	KT_PRINT_HEX,      /* of[0] bytes of the member in hex, with blanks between them */
	KT_PRINT_HEX_TEXT, /* the same without blanks */
	KT_PRINT_ARRAY,    /* of[0] elements of the member in braces, of number bytes each */
};

/* A type as in C on a 64-bit machine. */
struct kt_print_type {
	unsigned int bits; /* 8 to 64; 0: text */
	bool is_unsigned;
};

struct kt_print_expr {
	enum kt_print_op op;
	struct kt_print_type type;
	uint64_t number;
	size_t member; /* index in the record's layout */
	const char *text;
	const struct kt_labels *labels;
	const struct kt_print_expr *of[3];
};

/* A conversion of printf(3), or one of the kernel's own for pointers. */
struct kt_print_conversion {
	char kind;                                           /* d u x X o c s p */
	bool left, zero, plus, blank, prefix;                /* flags - 0 + blank # */
	bool is_symbol, with_offset;                         /* %ps, %pS */
	bool is_notation;                                    /* %pI4 and similar ones */
	unsigned int bits;                                   /* of a number */
	int width, precision;                                /* -1: none */
	const struct kt_print_expr *width_of, *precision_of; /* `*`; or NULL */
};

/* Text, and the value that is printed after it. */
struct kt_print_piece {
	const char *text;
	size_t len;
	bool is_plain; /* printable ASCII without backslashes, which needs no escapes */
	struct kt_print_conversion as;
	const struct kt_print_expr *of; /* NULL: none */
};

struct kt_print_format {
	const struct kt_print_piece *pieces;
	size_t n_pieces;
	struct kt_print_memory *memory; /* owned by the format */
};

/*
 * Parses the print format of an event with these fields, which must outlive the result. Returns
 * NULL if the text is not understood, has no conversion, names an unknown field, or is several
 * times longer than any of the kernel's; or without memory.
 */
struct kt_print_format *kt_print_format_parse(const char *text,
					      const struct kt_record_layout *fields);
void kt_print_format_free(struct kt_print_format *f);

#endif
