/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expression over a tracepoint's arguments, as a tree. ctypes/recipe_parser.h makes one from
 * text.
 *
 *	"prev_state & 1 ? prev->pid : 0"	// CHOICE of AND of a PATH and a NUMBER,
 *						// a PATH, and a NUMBER
 */
#ifndef KT_CTYPES_RECIPE_EXPR_H
#define KT_CTYPES_RECIPE_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "ctypes/member_path.h"

enum kt_expr_op {
	KT_EXPR_NUMBER,
	KT_EXPR_PATH,
	KT_EXPR_MEMBER, /* path.size bytes at offset `number` of the struct copied before */
	KT_EXPR_CAST,   /* of[0], truncated to path.size and widened by its sign */
	KT_EXPR_NTOHS,  /* the two lowest bytes of of[0], from network byte order */
	KT_EXPR_OR,     /* of[0] | of[1] */
	KT_EXPR_AND,    /* of[0] & of[1] */
	KT_EXPR_PLUS,   /* of[0] + of[1] */
	KT_EXPR_MINUS,  /* (of[0] - of[1]) >> number; between pointers */
	KT_EXPR_SHIFT,  /* of[0] >> of[1], without sign */
	KT_EXPR_LEFT,   /* of[0] << of[1] */
	KT_EXPR_EQUAL,  /* of[0] == of[1] */
	KT_EXPR_MORE,   /* of[0] > of[1], with signs */
	KT_EXPR_CHOICE, /* of[0] ? of[1] : of[2] */
	KT_EXPR_LIST,   /* of[0], then of[1], which may be a list */
	KT_EXPR_TEXT,   /* text */
	KT_EXPR_PROBE,  /* path, read by a helper that checks pointers */
	KT_EXPR_JOIN,   /* of[0]: a list of texts and choices of texts */
	KT_EXPR_STRING, /* text in user space at of[0], up to a NUL */
	KT_EXPR_BYTES,  /* of[1] elements at of[0], at most of[2] unless NULL; number: their size */
	KT_EXPR_PADDED, /* `number` bytes at of[0]; from of[1] on they are 0 */
	KT_EXPR_UPTO,   /* of[1] bytes at of[0], at most `number` */
	KT_EXPR_UPTO_AT, /* as many bytes at of[0] as user space says at of[1], at most `number` */
	KT_EXPR_STRINGS, /* texts of an array of pointers, which ends with NULL */
	KT_EXPR_BUFFERS, /* what structs iovec copied before point to, at most of[0] bytes unless -1
			  */
	KT_EXPR_FILE,    /* path of the descriptor of[0], with a NUL */
	KT_EXPR_START,   /* the same, or the working directory */
	KT_EXPR_COUNT,   /* number of pointers at of[0] */
	KT_EXPR_ENTRIES, /* number of directory entries in of[1] bytes at of[0] */
	KT_EXPR_SOCKET,  /* what kind of socket the descriptor of[0] is */
	KT_EXPR_COOKIE,  /* the number that the program was attached with (hook/uprobe.h) */
	KT_EXPR_USER,    /* path.size bytes in user space at of[0] */
};

/* The maximum number of values held at once during a computation, and of letters of a JOIN. */
enum { KT_EXPR_HELD_MAX = 5, KT_EXPR_LETTERS = 8 };

/* The maximum number of pointers and of entries that are counted. */
enum { KT_EXPR_COUNT_MAX = 1024, KT_EXPR_ENTRIES_MAX = 1 << 14 };

/* A socket's kind: the family's place; its protocol is below. */
enum { KT_EXPR_SOCKET_SHIFT = 16 };

/* The bytes of a struct with members. */
enum { KT_EXPR_STRUCT_SIZE = 56 };

struct kt_expr {
	enum kt_expr_op op;
	struct kt_expr *of[3]; /* operands; NULL beyond the op's number */
	unsigned int held;     /* values held at once, 1 to KT_EXPR_HELD_MAX */
	int64_t number;        /* for NUMBER, MINUS, MEMBER, and BYTES to UPTO_AT */
	struct kt_member_path
		path; /* for PATH and PROBE; for CAST, MEMBER and USER only its size and sign */
	char *text;   /* for TEXT */
};

void kt_expr_free(struct kt_expr *e);

/*
 * Return whether the value is first copied to scratch memory, mostly from user space; and whether
 * it is one text with a NUL.
 */
bool kt_expr_is_copied(const struct kt_expr *e);
bool kt_expr_is_string(const struct kt_expr *e);

/* Returns whether the value is the path of a file. */
bool kt_expr_is_file(const struct kt_expr *e);

/* Returns whether the value is computed before room for the record is reserved. */
bool kt_expr_is_early(const struct kt_expr *e);

/* Returns whether the value is a member of a struct that was copied before. */
static inline bool kt_expr_is_member(const struct kt_expr *e)
{
	return e->op == KT_EXPR_MEMBER;
}

/* Returns whether the predicate is true of any part of the expression. */
bool kt_expr_any(const struct kt_expr *e, bool (*is_so)(const struct kt_expr *part));

#endif
