/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often each of many keys was seen.
 *
 *	struct kt_count_table c = {};
 *
 *	kt_count_table_add(&c, tid, 1);
 *	...
 *	kt_count_table_of(&c, tid);		// how often that one was
 *	kt_count_table_sort(&c);
 *	for (i = 0; i < c.n; i++)
 *		printf("%u: %lu\n", c.counts[i].key, c.counts[i].count);
 *	kt_count_table_free(&c);
 *
 * A table with open addressing: adding takes some 10 ns, and a key 32 to 64 bytes.
 */
#ifndef KT_VIEW_COUNT_TABLE_H
#define KT_VIEW_COUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_count {
	uint64_t count;
	uint32_t key;
	uint32_t times; /* it was added, or UINT32_MAX; 0 in the table: a free place */
};

/* Begins as zeros. */
struct kt_count_table {
	struct kt_count *counts;
	size_t n;        /* keys */
	size_t size;     /* places for them: a power of two, or 0 */
	uint64_t factor; /* by which a key's place is found */
};

/* A key with nothing is one, too. False where there is no memory; nothing is added then. */
bool kt_count_table_add(struct kt_count_table *c, uint32_t key, uint64_t count);

/* 0 of a key that is not in it. */
uint64_t kt_count_table_of(const struct kt_count_table *c, uint32_t key);

/*
 * Leaves the n counts as an array, the largest first, and by key where they are equal. Nothing is
 * to be added or looked up after it.
 */
void kt_count_table_sort(struct kt_count_table *c);

/* The same order for any array. */
void kt_count_sort(struct kt_count *counts, size_t n);

void kt_count_table_free(struct kt_count_table *c);

#endif
