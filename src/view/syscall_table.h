/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts system calls and prints strace's table of them (its options -c and -w; doc/view.md).
 *
 *	struct kt_syscall_table *c = kt_syscall_table_new(metadata);
 *	struct kt_syscall_table_form form = {};
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_syscall_table_add(c, &hit);
 *	kt_syscall_table_print(c, &text, &form);
 *	kt_syscall_table_free(c);
 *
 * Memory grows with the number of tasks, not of calls. Takes some 60 ns per hit.
 */
#ifndef KT_VIEW_SYSCALL_TABLE_H
#define KT_VIEW_SYSCALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kt_syscall_table;
struct kt_hit;
struct kt_metadata;
struct kt_text;

enum kt_syscall_table_column {
	KT_SYSCALL_TABLE_SHARE, /* percent of the time of all calls */
	KT_SYSCALL_TABLE_TOTAL, /* seconds */
	KT_SYSCALL_TABLE_MIN,
	KT_SYSCALL_TABLE_MAX,
	KT_SYSCALL_TABLE_MEAN, /* microseconds */
	KT_SYSCALL_TABLE_CALLS,
	KT_SYSCALL_TABLE_ERRORS,
	KT_SYSCALL_TABLE_NAME,
	KT_SYSCALL_TABLE_COLUMNS /* no column; as an order: that of events in the trace */
};

/* Counts of one call; or of all, in the last row of a table. */
struct kt_syscall_count {
	const char *name; /* "stat" */
	uint64_t calls, errors;
	uint64_t timed;        /* calls whose duration is known */
	uint64_t ns, min, max; /* sum, shortest and longest of these */
};

struct kt_syscall_table_form {
	enum kt_syscall_table_column by; /* 0: by time; largest first, names alphabetically */
	enum kt_syscall_table_column columns[KT_SYSCALL_TABLE_COLUMNS];
	size_t n; /* 0: the columns that strace has */
};

/*
 * Returns the column with strace's name for it: "avg-time"; KT_SYSCALL_TABLE_COLUMNS if there is
 * none.
 */
enum kt_syscall_table_column kt_syscall_table_column(const char *name, size_t len);

/*
 * Creates a table for a trace with that metadata, which must outlive it. Returns NULL without
 * memory.
 */
struct kt_syscall_table *kt_syscall_table_new(const struct kt_metadata *metadata);
void kt_syscall_table_free(struct kt_syscall_table *c);

/* Adds the next hit in the order of time. Returns 0 or -ENOMEM. */
int kt_syscall_table_add(struct kt_syscall_table *c, const struct kt_hit *hit);

/* Prints a row for each call that returned, and nothing if none did. Returns 0 or -ENOMEM. */
int kt_syscall_table_print(const struct kt_syscall_table *c, struct kt_text *to,
			   const struct kt_syscall_table_form *form);

/*
 * Lists the calls that returned, sorted, in an array to be freed. Returns their number, or -ENOMEM.
 */
ssize_t kt_syscall_table_rows(const struct kt_syscall_table *c, enum kt_syscall_table_column by,
			      struct kt_syscall_count **rows);

/* Returns whether an event, by its index in the metadata, is of a call that was counted. */
bool kt_syscall_table_has(const struct kt_syscall_table *c, size_t event);

/* Returns how many calls have not returned by now, or -ENOMEM. */
ssize_t kt_syscall_table_open(const struct kt_syscall_table *c);

/* Returns how many counted calls have no known entry, so no time. */
uint64_t kt_syscall_table_untimed(const struct kt_syscall_table *c);

/* Returns how many entries and returns are not counted, since their counterpart may be missing. */
uint64_t kt_syscall_table_unpaired(const struct kt_syscall_table *c);

#endif
