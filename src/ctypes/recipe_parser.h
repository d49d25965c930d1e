/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions over a tracepoint's arguments, written as in C.
 *
 *	struct kt_expr *e = kt_expr_parse(tp, "prev_state & 1 ? prev->pid : 0", &err);
 *
 *	// CHOICE of AND of a PATH and a NUMBER, a PATH, a NUMBER
 *	kt_expr_free(e);
 *
 * Values: Numbers and paths (ctypes/member_path.h), each with an optional '(int)' in front; in
 * order of precedence '-', '+', '>>', '>', '==', '&', '|', 'a ? b : c'; and lists 'a, b', which may
 * stand in the branches of a choice, as "text" may. A comparison is only allowed before a '?'.
 * Arithmetic has 64 bits; a path's value is widened by its own sign. 'ntohs(a)' swaps the two
 * lowest bytes on little endian. 'a - b' of two pointers to one type is the number of elements
 * between them; the element's size must be a power of two.
 *
 * Unchecked pointers: 'probe(PATH)' follows a last pointer that may be wrong, or that leads to a
 * bare number, as in 'probe(*now)'. The program checks the pointer with a helper call; a bad one
 * gives 0. It may stand where a text may (so may a path with 'skb_shinfo()'), or before a
 * comparison.
 *
 * Letters: 'join("F", a ? "W" : "")' concatenates texts, at most KT_EXPR_LETTERS letters, padded
 * with 0s. It may stand where a text may, for an array with room for that many.
 *
 * Data in user space, in events of system calls (fetch/syscall_fields.h), where a text may stand
 * and in branches of choices:
 *
 * - 'string(a)': the text at address a, up to a NUL; 'string(0)': none;
 * - 'bytes(a, n)', 'bytes(a, n, m)': n bytes at a, at most m; none if a number is negative;
 * - 'array(SIZE, a, n)', 'array(SIZE, a, n, m)': the same for n elements of SIZE bytes;
 * - 'padded(SIZE, a, n)': SIZE bytes, of which at most n are read and the rest is 0; none if n is
 *   0;
 * - 'upto(SIZE, a, n)': n bytes, at most SIZE;
 * - 'upto_at(SIZE, a, b)': as many bytes as the int at b says, at most SIZE;
 * - 'strings(a)': the text at each pointer of an array that ends with NULL;
 * - 'buffers(m)': what the structs iovec in the previous field point to, each buffer after its
 *   length; m bytes in all, or any number if m is -1;
 * - 'member(OFFSET, SIZE)': a number in the struct that the previous field of fixed size holds; 0
 *   if that could not be read;
 * - 'file(n)': the path of the process's descriptor n; 'start(n)': the same, but AT_FDCWD is the
 *   working directory;
 * - 'count(a)': the number of pointers at a before a NULL; -1 if there is no NULL among the first
 *   KT_EXPR_COUNT_MAX or in readable memory;
 * - 'entries(a, n)': the number of directory entries in n bytes at a; -1 if there are more than
 *   KT_EXPR_ENTRIES_MAX, they are no entries or unreadable, or n is negative;
 * - 'socket(n)': the family of the process's descriptor n, shifted by KT_EXPR_SOCKET_SHIFT, and its
 *   protocol; -1 if it is no socket.
 *
 * Constants of the kernel: 'enum(NAME)' is the value of an enumerator, 'bit(NAME)' the bit of that
 * number, 'has(PATH)' and 'has(enum(NAME))' are 1 if the kernel has it, else 0, 'NR_CPUS' is the
 * number of CPUs that the kernel was built for. A choice by a constant is decided when it is
 * parsed; both branches must be valid.
 */
#ifndef KT_CTYPES_RECIPE_PARSER_H
#define KT_CTYPES_RECIPE_PARSER_H

#include "ctypes/recipe_expr.h"

struct kt_btf_target;
struct kt_error;

/*
 * Parses an expression; the caller frees it. Returns NULL on error, with the place in the text: as
 * kt_member_path_find(); EINVAL for a syntax error, ERANGE if it is nested too deep.
 */
struct kt_expr *kt_expr_parse(const struct kt_btf_target *tp, const char *text,
			      struct kt_error *err);

#endif
