/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to get at a value from what a tracepoint is called with, written as in C:
 *
 *	struct kt_path path;
 *	struct kt_scan s = kt_scan_of("p->thread_info.cpu", &err);
 *
 *	kt_path_find(&path, tp, &s);
 *
 *	// the argument p, and what it points to at byte 16: 4 bytes, unsigned
 *	// { .arg = 0, .n = 1, .offsets = { 16 }, .size = 4 }
 *
 * Names of arguments and members, their places and sizes are those of the BTF, so of the kernel
 * that it describes. 'current' is the task that runs, 'jiffies' the kernel's clock of ticks and
 * 'vmemmap' its struct pages, where no argument has that name. A '*' before it all goes one pointer
 * further, to a number, and so does '[2]' behind a pointer, to the third: such a pointer is one
 *that the kernel lets no program load through.
 */
#ifndef KT_CATALOG_PATH_H
#define KT_CATALOG_PATH_H

#include <stdbool.h>
#include <stdint.h>

struct kt_btf_tracepoint;
struct kt_scan;

/* Arguments from KT_PATH_GLOBALS on are those of enum kt_btf_global. */
enum { KT_PATH_MAX = 6, KT_PATH_GLOBALS = 256 };

/* The argument itself; or what the last of n pointers, the first of which it is, leads to. */
struct kt_path {
	unsigned int arg;                  /* of the tracepoint, from 0; or a global */
	unsigned int n;                    /* pointers, 0 to KT_PATH_MAX */
	unsigned int offsets[KT_PATH_MAX]; /* from each to the next, from the last to the value */
	unsigned int size;                 /* of the value, in bytes */
	bool is_signed, is_array, is_pointer;
	bool is_text;    /* an array of bytes, or a pointer to them */
	bool is_guarded; /* has a '*' or '[' */
	uint32_t to;     /* which structure it is a pointer to, by its type; or 0 */
};

/*
 * The path that comes next in the text, which is taken. 0, or -errno, and where in the text: ENOENT
 * for an argument or member that is not there, EINVAL for what is no path, EOPNOTSUPP for a value
 * that is no number, pointer or array, or no whole bytes, ERANGE for what lies too far off.
 */
int kt_path_find(struct kt_path *path, const struct kt_btf_tracepoint *tp, struct kt_scan *scan);

#endif
