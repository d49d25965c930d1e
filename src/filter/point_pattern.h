/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns by which users choose points in programs, and functions of the kernel (doc/points.md).
 *
 *	func:FUNCTION			functions of the kernel (filter/func_pattern.h)
 *	uprobe:FILE:FUNCTION		functions (filter/uprobe_pattern.h)
 *	usdt:FILE:PROVIDER:NAME		USDT marks (filter/usdt_pattern.h)
 *
 * FILE is a path, or a name that is looked up (elf/binary_lookup.h). There are too many points to
 * list them all, so a pattern adds those that it means to the names of events: FILE becomes the
 * file's last name, or its path if another file has that name, too.
 */
#ifndef KT_FILTER_POINT_PATTERN_H
#define KT_FILTER_POINT_PATTERN_H

#include <stdbool.h>

struct kt_error;
struct kt_event_names;
struct kt_point_matches;

/* Returns whether a pattern is of points. */
bool kt_point_pattern_is(const char *pattern);

/*
 * Adds the points that a pattern means to names, and their indices to matches. `root` is put in
 * front of absolute paths; "" for none. Returns 0 or -errno, with the place in the pattern: -EINVAL
 * if it is not a pattern; -ENOENT if there is no such file or point.
 */
int kt_point_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			 struct kt_point_matches *matches, struct kt_error *err);

#endif
