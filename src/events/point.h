/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point in a program's code whose hits are an event, as those of a tracepoint are: a function's
 * entry or return, or an instruction (doc/points.md).
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

/* The system of such events. */
#define KT_UPROBE_SYSTEM "uprobe"

/* A place in the file. */
struct kt_point_site {
	uint64_t offset; /* of the instruction */
};

struct kt_point {
	bool is_return;
	bool is_inside;               /* not a function's entry: its arguments are unknown */
	char *path;                   /* of the file */
	struct kt_file_identity file; /* that path must lead to: in another one code may differ */
	size_t n;                     /* number of sites, at least 1 */
	struct kt_point_site *sites;
};

/* Returns a deep copy, or NULL without memory. */
struct kt_point *kt_point_copy(const struct kt_point *point);
void kt_point_free(struct kt_point *point);

/* Returns whether both have the same sites of the same file, and side. */
bool kt_point_is_same(const struct kt_point *a, const struct kt_point *b);

#endif
