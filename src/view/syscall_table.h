/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, counted: strace's table of them, as by its options -c and -w (doc/view.md).
 *
 *	struct kt_counted *c = kt_counted_new(schema);
 *	struct kt_counted_form form = {};
 *
 *	while (kt_reader_next(r, &hit, &err) > 0)
 *		kt_counted_add(c, &hit);
 *	kt_counted_print(c, &text, &form);
 *	kt_counted_free(c);
 *
 * Memory grows with the number of tasks, and not with that of calls. A hit takes some 60 ns.
 */
#ifndef KT_VIEW_SYSCALL_TABLE_H
#define KT_VIEW_SYSCALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct kt_counted;
struct kt_hit;
struct kt_schema;
struct kt_text;

enum kt_counted_column {
	KT_COUNTED_SHARE, /* of the time of all, in percent */
	KT_COUNTED_TOTAL, /* seconds */
	KT_COUNTED_MIN,
	KT_COUNTED_MAX,
	KT_COUNTED_MEAN, /* microseconds */
	KT_COUNTED_CALLS,
	KT_COUNTED_ERRORS,
	KT_COUNTED_NAME,
	KT_COUNTED_COLUMNS /* none; as an order: that of the trace's events */
};

struct kt_counted_form {
	enum kt_counted_column by; /* 0: by time. The largest first; names as in a dictionary */
	enum kt_counted_column columns[KT_COUNTED_COLUMNS];
	size_t n; /* of these; 0: those that strace has */
};

/* As strace's options name them: "avg-time". KT_COUNTED_COLUMNS: none is called so. */
enum kt_counted_column kt_counted_column(const char *name, size_t len);

/* Of a trace that has that schema, which is to outlive it. Where there is no memory NULL. */
struct kt_counted *kt_counted_new(const struct kt_schema *schema);
void kt_counted_free(struct kt_counted *c);

/* From hit to hit, in the order of time. 0 or -ENOMEM. */
int kt_counted_add(struct kt_counted *c, const struct kt_hit *hit);

/* A table with a row for each call that returned, and nothing if none did. 0 or -ENOMEM. */
int kt_counted_print(const struct kt_counted *c, struct kt_text *to,
		     const struct kt_counted_form *form);

/* Of the calls that were counted, those that returned without an entry: who knows when. */
uint64_t kt_counted_untimed(const struct kt_counted *c);

/* Entries and returns that are in no count: where not both are known to be in the trace. */
uint64_t kt_counted_left_out(const struct kt_counted *c);

#endif
