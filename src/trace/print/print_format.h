/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the kernel prints an event: the text behind "print fmt:" in its format file, as a tree.
 *
 *	"comm=%s prio=%d %s", REC->comm, REC->prio, REC->success ? "done" : __print_symbolic(...)
 *
 *	struct kt_print_format *f = kt_print_format_parse(text, &event->fields);
 *
 *	for (i = 0; f && i < f->n_pieces; i++)
 *		fwrite(f->pieces[i].text, 1, f->pieces[i].len, stdout);
 *	kt_print_format_free(f);
 *
 * It is C, of which this knows what tracepoints are made with: operators with C's types and
 * precedence, casts to numbers, fields, texts, and the kernel's helpers for lists, arrays and
 * texts. view/printed.h prints it.
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
	KT_PRINT_ELEMENT, /* that of its elements, by of[0] */
	KT_PRINT_LENGTH,  /* how many elements it has */
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
	KT_PRINT_CHOICE, /* of[0] ? of[1] : of[2]; of numbers or of texts */
	/* Texts: */
	KT_PRINT_TEXT,     /* text */
	KT_PRINT_MEMBER,   /* the member as text, or all of its elements in their notation */
	KT_PRINT_SYMBOLIC, /* what of[0] is called by labels */
	KT_PRINT_FLAGS,    /* its flags, with text between them */
	KT_PRINT_HEX,      /* bytes of the member, of[0] of them, with blanks between them */
	KT_PRINT_HEX_TEXT, /* without */
	KT_PRINT_ARRAY,    /* of[0] numbers of the member in braces, of number bytes each */
};

/* As C has it, on a 64-bit machine. */
struct kt_print_type {
	unsigned int bits; /* 8 to 64; 0: it is text */
	bool is_unsigned;
};

struct kt_print_expr {
	enum kt_print_op op;
	struct kt_print_type type;
	uint64_t number;
	size_t member; /* of the shape */
	const char *text;
	const struct kt_labels *labels;
	const struct kt_print_expr *of[3];
};

/* A conversion as printf(3) has it, or one of the kernel's own for pointers. */
struct kt_print_conversion {
	char kind;                                           /* d u x X o c s p */
	bool left, zero, plus, blank, prefix;                /* flags - 0 + blank # */
	bool is_symbol, with_offset;                         /* %ps, %pS */
	bool is_notation;                                    /* %pI4 and its like */
	unsigned int bits;                                   /* of a number */
	int width, precision;                                /* -1: none */
	const struct kt_print_expr *width_of, *precision_of; /* `*`; or NULL */
};

/* Text, and what is converted behind it. */
struct kt_print_piece {
	const char *text;
	size_t len;
	bool is_plain; /* printable ASCII without backslashes: nothing in it has to be escaped */
	struct kt_print_conversion as;
	const struct kt_print_expr *of; /* NULL: nothing */
};

struct kt_print_format {
	const struct kt_print_piece *pieces;
	size_t n_pieces;
	struct kt_print_memory *memory; /* its own */
};

/*
 * Parses a print format of an event with these fields, which must outlive the result. NULL where
 * it is not understood, has no conversion, names an unknown field, is several times longer than
 * any of the kernel's, or where there is no memory.
 */
struct kt_print_format *kt_print_format_parse(const char *text,
					      const struct kt_record_layout *fields);
void kt_print_format_free(struct kt_print_format *f);

#endif
