/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to compute a value from what a tracepoint is called with, written as in C:
 *
 *	struct kt_expr *e = kt_expr_parse(tp, "prev_state & 1 ? prev->pid : 0", &err);
 *
 *	// CHOICE of AND of a PATH and a NUMBER, a PATH, a NUMBER
 *	kt_expr_free(e);
 *
 * Numbers, paths (ctypes/member_path.h) and '(int)' before them, in order of precedence '-', '+',
 * '>>', '>', '==', '&', '|', 'a ? b : c', and lists 'a, b', which may stand in the branches of a
 * choice, as "text" may. A comparison is no value, it stands before a '?' alone. All is computed in
 * 64 bits; what a path leads to is widened by its own sign. 'ntohs(a)' has its two lowest bytes in
 * the other order. Of two pointers to one type 'a - b' is how many of it lie between, if they are
 * of one array: its size in bytes is to be a power of two.
 *
 * 'probe(PATH)' is what a path leads to whose last pointer may be a wrong one, or lead to a bare
 * number, as in 'probe(*now)'. Such a pointer is looked at before it is followed, and one that
 * leads nowhere gives 0. It costs a call of the kernel, and stands where a text may, as a path with
 * 'skb_shinfo()' does, or before a comparison.
 *
 * 'join("F", a ? "W" : "")' are up to KT_EXPR_LETTERS letters of texts and choices of texts, one
 * behind the other, and 0s. It stands where a text may, of an array that has room for so many.
 *
 * 'string(a)' is text of the process that runs, from the address a up to a 0, 'string(0)' none;
 * 'bytes(a, n)' are n bytes from there on, 'bytes(a, n, m)' m of them at most; none where a number
 * is less than 0. 'array(SIZE, a, n)' and 'array(SIZE, a, n, m)' are the same of so many elements
 * of SIZE bytes. 'padded(SIZE, a, n)' are SIZE bytes, of which n at most are there, and the others
 * are 0; none where n is 0. 'upto(SIZE, a, n)' are n bytes, SIZE of them at most;
 * 'told(SIZE, a, b)' as many as the int says that lies at b. 'strings(a)' is the text behind each
 * of the pointers at a, up to a NULL. 'buffers(m)' are those that the structs iovec of the field
 * before lead to, each behind its length, m bytes of all at most, or any number where that is -1.
 * 'member(OFFSET, SIZE)' is a number in the struct that the last field before has that is of fixed
 * size and no member of another; 0 where that could not be read. 'file(n)' is the path of the file
 * whose descriptor is n, of the process that runs, and 'start(n)' the same where AT_FDCWD is that
 * of its working directory. All stand where a text may, of an event of a system call
 * (fetch/syscall_fields.h), and in the branches of choices. 'count(a)' is how many pointers there
 * are; -1 where no NULL is found among the first KT_EXPR_COUNT_MAX or in memory that can be read.
 *
 * 'enum(NAME)' is the number of an enumerator of the kernel's types, 'bit(NAME)' has the one set
 * that this number says; 'has(PATH)' and 'has(enum(NAME))' are 1 where they have what is named,
 * else 0; and 'NR_CPUS' is how many CPUs the kernel is built for. A choice by such a number is made
 * when it is parsed, and both its branches must be right.
 */
#ifndef KT_CTYPES_RECIPE_EXPR_H
#define KT_CTYPES_RECIPE_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "ctypes/member_path.h"

struct kt_btf_tracepoint;
struct kt_error;

enum kt_expr_op {
	KT_EXPR_NUMBER,
	KT_EXPR_PATH,
	KT_EXPR_MEMBER,  /* at byte number of the struct that was copied before, path.size bytes */
	KT_EXPR_CAST,    /* of[0], cut to size and widened by sign */
	KT_EXPR_NTOHS,   /* of[0], its two lowest bytes, swapped where they are on the network */
	KT_EXPR_OR,      /* of[0] | of[1] */
	KT_EXPR_AND,     /* of[0] & of[1] */
	KT_EXPR_PLUS,    /* of[0] + of[1] */
	KT_EXPR_MINUS,   /* (of[0] - of[1]) >> number: of pointers */
	KT_EXPR_SHIFT,   /* of[0] >> of[1], without its sign */
	KT_EXPR_EQUAL,   /* of[0] == of[1] */
	KT_EXPR_MORE,    /* of[0] > of[1], of which each has its sign */
	KT_EXPR_CHOICE,  /* of[0] ? of[1] : of[2] */
	KT_EXPR_LIST,    /* of[0], of[1], which may be a list */
	KT_EXPR_TEXT,    /* text */
	KT_EXPR_PROBE,   /* path, by a read that checks */
	KT_EXPR_JOIN,    /* of[0], a list of texts and choices of texts */
	KT_EXPR_STRING,  /* what lies at of[0] in user space, up to a 0 */
	KT_EXPR_BYTES,   /* of[1] elements of it, of[2] at most where that is no NULL; number: their
			    size */
	KT_EXPR_PADDED,  /* number bytes of it, from of[1] on 0 */
	KT_EXPR_UPTO,    /* of[1] bytes of it, number of them at most */
	KT_EXPR_TOLD,    /* the same, as many as are told in user space at of[1] */
	KT_EXPR_STRINGS, /* what pointers there lead to, before a NULL, each up to a 0 */
	KT_EXPR_BUFFERS, /* what structs copied before lead to, of[0] bytes at most unless -1 */
	KT_EXPR_FILE,    /* the path of the file whose descriptor is of[0], with a 0 */
	KT_EXPR_START,   /* the same, or that of the working directory */
	KT_EXPR_COUNT,   /* how many they are */
};

/* The most values that are held at once while one is computed, and the most letters of a JOIN. */
enum { KT_EXPR_HELD_MAX = 5, KT_EXPR_LETTERS = 8 };

/* The most pointers that are counted, and the most bytes of a struct with members. */
enum { KT_EXPR_COUNT_MAX = 1024, KT_EXPR_STRUCT_SIZE = 56 };

struct kt_expr {
	enum kt_expr_op op;
	struct kt_expr *of[3]; /* as many as op has, else NULL */
	unsigned int held;     /* values at once, 1 to KT_EXPR_HELD_MAX */
	int32_t number;        /* of NUMBER, MINUS, MEMBER, and BYTES to TOLD */
	struct kt_member_path
		path; /* of PATH and PROBE; of CAST its size and sign, of MEMBER its size */
	char *text;   /* of TEXT */
};

/*
 * The caller frees what is returned. On error NULL, and where in the text: as kt_member_path_find,
 * EINVAL for what is no expression, ERANGE for one too deep.
 */
struct kt_expr *kt_expr_parse(const struct kt_btf_tracepoint *tp, const char *text,
			      struct kt_error *err);
void kt_expr_free(struct kt_expr *e);

/*
 * Whether it is copied to scratch memory first, from user space mostly; and whether that is one
 * text, with a 0 at its end.
 */
bool kt_expr_is_copied(const struct kt_expr *e);
bool kt_expr_is_string(const struct kt_expr *e);

/* Whether it is the path of a file. */
bool kt_expr_is_file(const struct kt_expr *e);

/* Whether it is a member of the struct that was copied before. */
static inline bool kt_expr_is_member(const struct kt_expr *e)
{
	return e->op == KT_EXPR_MEMBER;
}

/* Whether any part of it is so. */
bool kt_expr_any(const struct kt_expr *e, bool (*is_so)(const struct kt_expr *part));

#endif
