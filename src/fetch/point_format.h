/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_FETCH_POINT_FORMAT_H
#define KT_FETCH_POINT_FORMAT_H

struct kt_btf;
struct kt_error;
struct kt_event_name;
struct kt_point;

/*
 * Returns what tracefs's file "format" of a point's event would say, if it had the event: name,
 * fields with their places in ktrace's record, and print fmt. Its ID is 0. The caller frees the
 * text. Returns NULL on error.
 */
char *kt_point_format(const struct kt_event_name *name, const struct kt_point *point,
		      struct kt_btf *btf, struct kt_error *err);

#endif
