/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, counted: strace's table of them, as by its options -c and -w (doc/view.md).
 *
 *	struct kt_syscall_table *c = kt_syscall_table_new(schema);
 *	struct kt_syscall_table_form form = {};
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_syscall_table_add(c, &hit);
 *	kt_syscall_table_print(c, &text, &form);
 *	kt_syscall_table_free(c);
 *
 * Memory grows with the number of tasks, and not with that of calls. A hit takes some 60 ns.
 */
#ifndef KT_VIEW_SYSCALL_TABLE_H
#define KT_VIEW_SYSCALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct kt_syscall_table;
struct kt_hit;
struct kt_metadata;
struct kt_text;

enum kt_syscall_table_column {
	KT_SYSCALL_TABLE_SHARE, /* of the time of all, in percent */
	KT_SYSCALL_TABLE_TOTAL, /* seconds */
	KT_SYSCALL_TABLE_MIN,
	KT_SYSCALL_TABLE_MAX,
	KT_SYSCALL_TABLE_MEAN, /* microseconds */
	KT_SYSCALL_TABLE_CALLS,
	KT_SYSCALL_TABLE_ERRORS,
	KT_SYSCALL_TABLE_NAME,
	KT_SYSCALL_TABLE_COLUMNS /* none; as an order: that of the trace's events */
};

struct kt_syscall_table_form {
	enum kt_syscall_table_column
		by; /* 0: by time. The largest first; names as in a dictionary */
	enum kt_syscall_table_column columns[KT_SYSCALL_TABLE_COLUMNS];
	size_t n; /* of these; 0: those that strace has */
};

/* As strace's options name them: "avg-time". KT_SYSCALL_TABLE_COLUMNS: none is called so. */
enum kt_syscall_table_column kt_syscall_table_column(const char *name, size_t len);

/* Of a trace that has that schema, which is to outlive it. Where there is no memory NULL. */
struct kt_syscall_table *kt_syscall_table_new(const struct kt_metadata *metadata);
void kt_syscall_table_free(struct kt_syscall_table *c);

/* From hit to hit, in the order of time. 0 or -ENOMEM. */
int kt_syscall_table_add(struct kt_syscall_table *c, const struct kt_hit *hit);

/* A table with a row for each call that returned, and nothing if none did. 0 or -ENOMEM. */
int kt_syscall_table_print(const struct kt_syscall_table *c, struct kt_text *to,
			   const struct kt_syscall_table_form *form);

/* Of the calls that were counted, those that returned without an entry: who knows when. */
uint64_t kt_syscall_table_untimed(const struct kt_syscall_table *c);

/* Entries and returns that are in no count: where not both are known to be in the trace. */
uint64_t kt_syscall_table_left_out(const struct kt_syscall_table *c);

#endif
