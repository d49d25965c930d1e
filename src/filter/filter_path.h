/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses a path in a filter, from an argument of a function of the kernel to a number or text.
 *
 *	if (kt_filter_path_is_next(&scan))		// "file->f_inode->i_size > 4096"
 *		kt_filter_path_parse(&expr, event, false, &scan);
 */
#ifndef KT_FILTER_FILTER_PATH_H
#define KT_FILTER_FILTER_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct kt_event;
struct kt_expr;
struct kt_scan;

/* Returns whether a path comes next, and no plain name. */
bool kt_filter_path_is_next(const struct kt_scan *scan);

/*
 * Parses the path. Stores an expression, which the caller frees, also on error; or NULL if only the
 * syntax is checked. The event is NULL if its arguments cannot be followed. Returns 0 or -errno,
 * with the place in the text, as kt_member_path_find() (ctypes/member_path.h): -EOPNOTSUPP if the
 * value is neither a number nor text, or the arguments are unknown.
 */
int kt_filter_path_parse(struct kt_expr **expr, const struct kt_event *event, bool checks_syntax,
			 struct kt_scan *scan);

/* Return the bits of such a number, and the maximum bytes of such a text. */
unsigned int kt_filter_path_bits(const struct kt_expr *expr);
size_t kt_filter_path_text_max(const struct kt_expr *expr);

#endif
