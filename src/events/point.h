/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point in a program's code whose hits are an event, as those of a tracepoint are: a function's
 * entry or return, an instruction, or a USDT mark; or the entry or return of a function of the
 * kernel (doc/points.md).
 *
 *	uprobe:bash:readline:return	// { .is_return = true, .path = "/usr/bin/bash",
 *					//   .n = 1, .sites = { { 0xb5b40 } } }
 */
#ifndef KT_EVENTS_POINT_H
#define KT_EVENTS_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/file_identity.h"
#include "elf/usdt_arguments.h"

/* The systems of such events. */
#define KT_FUNC_SYSTEM   "func"
#define KT_UPROBE_SYSTEM "uprobe"
#define KT_USDT_SYSTEM   "usdt"

/* A place in the file, or in the kernel. */
struct kt_point_site {
	uint64_t offset;    /* of the instruction; in the kernel its address, or 0 if hidden */
	uint64_t semaphore; /* offset of a mark's counter of tracers; 0: it has none */
	unsigned int row;   /* of a mark's arguments, which also is the program's attach cookie */
};

struct kt_point {
	bool is_return;
	bool is_inside;    /* not a function's entry: its arguments are unknown */
	bool is_mark;      /* a USDT mark: the rows below have its arguments */
	bool by_registers; /* its program gets the registers, instead of the arguments of a function
			      of the kernel (fetch/function_fields.h) */
	bool by_multi;     /* by_registers: by ftrace (hook/kprobe_multi.h), not as a kprobe */
	char *function;    /* of the kernel; NULL: the point is in a file */
	char *module;      /* which has that function; NULL: the kernel itself */
	char *path;        /* of the file; or NULL */
	struct kt_file_identity file; /* that path must lead to: in another one code may differ */
	size_t n;                     /* number of sites, at least 1 */
	struct kt_point_site *sites;
	size_t n_arguments, n_rows; /* of a mark; sites with the same arguments share a row */
	struct kt_usdt_argument *arguments; /* n_rows times n_arguments */
};

/* The end of a return's name: "readline:return". */
#define KT_POINT_RETURN ":return"

/* Cuts KT_POINT_RETURN off a function's name, and returns whether it was there. */
bool kt_point_cut_return(char *function);

/* Returns a deep copy, or NULL without memory. */
struct kt_point *kt_point_copy(const struct kt_point *point);
void kt_point_free(struct kt_point *point);

/* Returns whether both have the same sites of the same file or function, and side. */
bool kt_point_is_same(const struct kt_point *a, const struct kt_point *b);

#endif
