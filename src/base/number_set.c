// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/number_set.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_SHIFT = 10 };

/* Returns the slot of a number, or the one it may be put in. */
static uint64_t *find_slot(uint64_t *slots, unsigned int shift, uint64_t number)
{
	size_t mask = ((size_t)1 << shift) - 1, i = number * 0x9e3779b97f4a7c15 >> (64 - shift);

	while (slots[i] && slots[i] != number)
		i = (i + 1) & mask;
	return &slots[i];
}

/* Makes the table, or one of twice the size. */
static int grow_table(struct kt_number_set *s)
{
	unsigned int shift = s->slots ? s->shift + 1 : FIRST_SHIFT;
	uint64_t *slots = calloc((size_t)1 << shift, sizeof(*slots));
	size_t i, n = s->slots ? (size_t)1 << s->shift : 0;

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		if (s->slots[i])
			*find_slot(slots, shift, s->slots[i]) = s->slots[i];
	free(s->slots);
	s->slots = slots;
	s->shift = shift;
	return 0;
}

int kt_number_set_add(struct kt_number_set *s, uint64_t number)
{
	uint64_t *slot = s->slots ? find_slot(s->slots, s->shift, number) : NULL;

	if (slot && *slot == number)
		return 0;
	if (!slot || 2 * s->n >= (size_t)1 << s->shift) {
		if (grow_table(s) < 0)
			return -ENOMEM;
		slot = find_slot(s->slots, s->shift, number);
	}
	*slot = number;
	s->n++;
	return 1;
}

bool kt_number_set_has(const struct kt_number_set *s, uint64_t number)
{
	return number && s->slots && *find_slot(s->slots, s->shift, number) == number;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

const uint64_t *kt_number_set_sort(struct kt_number_set *s, size_t *n)
{
	size_t i, size = s->slots ? (size_t)1 << s->shift : 0, k = 0;

	for (i = 0; i < size; i++)
		if (s->slots[i])
			s->slots[k++] = s->slots[i];
	if (k)
		qsort(s->slots, k, sizeof(*s->slots), compare_numbers);
	*n = k;
	return k ? s->slots : NULL;
}

void kt_number_set_clear(struct kt_number_set *s)
{
	free(s->slots);
	*s = (struct kt_number_set){0};
}

int kt_number_feed_add(struct kt_number_feed *f, uint64_t number)
{
	return kt_number_set_has(&f->known, number) ? 0 : kt_number_set_add(&f->fresh, number);
}

const uint64_t *kt_number_feed_take(struct kt_number_feed *f, size_t *n)
{
	const uint64_t *sorted;
	size_t i;

	kt_number_set_clear(&f->taken);
	f->taken = f->fresh;
	f->fresh = (struct kt_number_set){0};
	sorted = kt_number_set_sort(&f->taken, n);
	for (i = 0; i < *n; i++)
		kt_number_set_add(&f->known, sorted[i]);
	return sorted;
}

void kt_number_feed_clear(struct kt_number_feed *f)
{
	kt_number_set_clear(&f->known);
	kt_number_set_clear(&f->fresh);
	kt_number_set_clear(&f->taken);
}
