/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts how often each key was seen.
 *
 *	struct kt_count_table c = {};
 *
 *	kt_count_table_add(&c, tid, 1);
 *	...
 *	kt_count_table_get(&c, tid);		// how often this one was
 *	kt_count_table_sort(&c);
 *	for (i = 0; i < c.n; i++)
 *		printf("%u: %lu\n", c.counts[i].key, c.counts[i].count);
 *	kt_count_table_free(&c);
 *
 * A hash table with open addressing: adding takes some 10 ns, a key takes 32 to 64 bytes.
 */
#ifndef KT_VIEW_REPORT_COUNT_TABLE_H
#define KT_VIEW_REPORT_COUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_count {
	uint64_t count;
	uint32_t key;
	uint32_t times; /* number of additions, at most UINT32_MAX; 0 in the table: a free slot */
};

/* All zeros: empty. */
struct kt_count_table {
	struct kt_count *counts;
	size_t n;        /* number of keys */
	size_t size;     /* number of slots: a power of two, or 0 */
	uint64_t factor; /* multiplier of the hash */
};

/*
 * Adds to a key's count; adding 0 creates the key. Returns false without memory, and nothing is
 * added.
 */
bool kt_count_table_add(struct kt_count_table *c, uint32_t key, uint64_t count);

/* Returns a key's count; 0 if it is not in the table. */
uint64_t kt_count_table_get(const struct kt_count_table *c, uint32_t key);

/*
 * Sorts the n counts into an array: largest first, equal ones by key. Afterwards nothing can be
 * added or looked up.
 */
void kt_count_table_sort(struct kt_count_table *c);

/* Sorts any array in the same order. */
void kt_count_sort(struct kt_count *counts, size_t n);

void kt_count_table_free(struct kt_count_table *c);

#endif
