/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns by which users choose points in programs (doc/points.md).
 *
 *	uprobe:FILE:FUNCTION			the entry of a function
 *	uprobe:FILE:FUNCTION+OFFSET		the instruction at that offset in the function
 *	uprobe:FILE:0xADDRESS			the instruction, or function, at an address
 *	uprobe:FILE:FUNCTION:return		its return
 *
 * FILE is a path, or a name that is looked up (elf/binary_lookup.h). FUNCTION may be a glob. There
 * are too many points to list them all, so a pattern adds those that it means to the names of
 * events: as uprobe:NAME:FUNCTION, where NAME is the file's last name, or its path if another file
 * has that name, too.
 */
#ifndef KT_FILTER_POINT_PATTERN_H
#define KT_FILTER_POINT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct kt_error;
struct kt_event_names;

/* Indices of names, which the caller frees. */
struct kt_point_matches {
	size_t n;
	size_t *at;
};

/* Returns whether a pattern is of points. */
bool kt_point_pattern_is(const char *pattern);

/*
 * Adds the points that a pattern means to names, and their indices to matches. `root` is put in
 * front of absolute paths; "" for none. Returns 0 or -errno, with the place in the pattern: -EINVAL
 * if it is not a pattern; -ENOENT if there is no such file or function; -ENODATA if the file has no
 * symbols; -EOPNOTSUPP if the function cannot be probed.
 */
int kt_point_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			 struct kt_point_matches *matches, struct kt_error *err);

#endif
