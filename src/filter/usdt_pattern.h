/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns of USDT marks, which authors of programs have put into them for tracers.
 *
 *	usdt:FILE:PROVIDER:NAME
 *	usdt:FILE:NAME			of any provider
 *
 * PROVIDER and NAME may be globs. All places of one mark are one event.
 */
#ifndef KT_FILTER_USDT_PATTERN_H
#define KT_FILTER_USDT_PATTERN_H

struct kt_error;
struct kt_event_names;
struct kt_point_matches;

/*
 * Adds the points that a pattern means, as kt_point_pattern_add(). Also returns -ENODATA if the
 * file has no marks.
 */
int kt_usdt_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			struct kt_point_matches *matches, struct kt_error *err);

#endif
