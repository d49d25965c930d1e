// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/count_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/*
 * Returns an odd number from the kernel's random numbers, so that nobody can make a trace whose
 * keys all have one hash.
 */
static uint64_t make_factor(void)
{
	uint64_t random = 0;

	if (getauxval(AT_RANDOM))
		memcpy(&random, (const void *)getauxval(AT_RANDOM), sizeof(random));
	return random | 1;
}

/* Returns the slot of a key, or the free one for it; the table must not be full. */
static struct kt_count *find_slot(const struct kt_count_table *c, uint32_t key)
{
	size_t i = key * c->factor >> 32 & (c->size - 1);

	while (c->counts[i].times && c->counts[i].key != key)
		i = (i + 1) & (c->size - 1);
	return &c->counts[i];
}

static bool grow_table(struct kt_count_table *c)
{
	struct kt_count_table larger = {
		.n = c->n, .size = c->size ? 2 * c->size : 64, .factor = make_factor()};
	size_t i;

	larger.counts = calloc(larger.size, sizeof(*larger.counts));
	if (!larger.counts)
		return false;
	for (i = 0; i < c->size; i++)
		if (c->counts[i].times)
			*find_slot(&larger, c->counts[i].key) = c->counts[i];
	free(c->counts);
	*c = larger;
	return true;
}

bool kt_count_table_add(struct kt_count_table *c, uint32_t key, uint64_t count)
{
	struct kt_count *place;

	if (2 * c->n >= c->size && !grow_table(c))
		return false;
	place = find_slot(c, key);
	c->n += !place->times;
	place->times += place->times < UINT32_MAX;
	place->key = key;
	place->count += count;
	return true;
}

uint64_t kt_count_table_get(const struct kt_count_table *c, uint32_t key)
{
	return c->n ? find_slot(c, key)->count : 0;
}

static int compare_counts(const void *a, const void *b)
{
	const struct kt_count *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (!x->times != !y->times)
		return x->times ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

void kt_count_sort(struct kt_count *counts, size_t n)
{
	if (n)
		qsort(counts, n, sizeof(*counts), compare_counts);
}

/* Free slots are sorted to the end. */
void kt_count_table_sort(struct kt_count_table *c)
{
	kt_count_sort(c->counts, c->size);
}

void kt_count_table_free(struct kt_count_table *c)
{
	free(c->counts);
	*c = (struct kt_count_table){};
}
