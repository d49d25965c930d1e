/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns of functions of programs and libraries.
 *
 *	uprobe:FILE:FUNCTION			the entry of a function
 *	uprobe:FILE:FUNCTION+OFFSET		the instruction at that offset in the function
 *	uprobe:FILE:0xADDRESS			the instruction, or function, at an address
 *	uprobe:FILE:FUNCTION:return		its return
 *
 * FUNCTION may be a glob.
 */
#ifndef KT_FILTER_UPROBE_PATTERN_H
#define KT_FILTER_UPROBE_PATTERN_H

struct kt_error;
struct kt_event_names;
struct kt_point_matches;

/*
 * Adds the points that a pattern means, as kt_point_pattern_add(). Also returns -ENODATA if the
 * file has no symbols, and -EOPNOTSUPP if the function cannot be probed.
 */
int kt_uprobe_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			  struct kt_point_matches *matches, struct kt_error *err);

#endif
