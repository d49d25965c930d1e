// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/groups/value_summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { BITS = 5, EXACT = 2 << BITS, PER_POWER = 1 << BITS };

struct kt_value_bucket {
	int32_t at; /* of its magnitude; of -1 - at for negative numbers */
	uint64_t count;
};

/* Returns the bucket of a magnitude: the number itself, or the power of two and the next bits. */
static int32_t get_bucket(uint64_t magnitude)
{
	unsigned int power;

	if (magnitude < EXACT)
		return magnitude;
	power = 63 - __builtin_clzll(magnitude);
	return EXACT + (power - BITS - 1) * PER_POWER +
	       (magnitude >> (power - BITS) & (PER_POWER - 1));
}

/* Returns the middle of a bucket. */
static uint64_t get_middle(int32_t bucket)
{
	unsigned int shift;

	if (bucket < EXACT)
		return bucket;
	shift = 1 + (bucket - EXACT) / PER_POWER;
	return ((uint64_t)(PER_POWER + (bucket - EXACT) % PER_POWER) << shift) +
	       (UINT64_C(1) << shift) / 2;
}

/* Returns the index of the first bucket that is not below. */
static size_t find_bucket(const struct kt_value_summary *s, int32_t at)
{
	size_t low = 0, high = s->n_buckets, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->buckets[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool insert_bucket(struct kt_value_summary *s, size_t i, int32_t at)
{
	struct kt_value_bucket *grown = kt_grow(s->buckets, s->n_buckets, sizeof(*grown));

	if (!grown)
		return false;
	s->buckets = grown;
	memmove(grown + i + 1, grown + i, (s->n_buckets++ - i) * sizeof(*grown));
	grown[i] = (struct kt_value_bucket){.at = at};
	return true;
}

bool kt_value_summary_add(struct kt_value_summary *s, __int128 number)
{
	int32_t at = number < 0 ? -1 - get_bucket(-number) : get_bucket(number);
	size_t i = find_bucket(s, at);

	if ((i == s->n_buckets || s->buckets[i].at != at) && !insert_bucket(s, i, at))
		return false;
	s->buckets[i].count++;
	if (s->n == 0 || number < s->min)
		s->min = number;
	if (s->n == 0 || number > s->max)
		s->max = number;
	s->sum += number;
	s->n++;
	return true;
}

__int128 kt_value_summary_quantile(const struct kt_value_summary *s, unsigned int per_mille)
{
	uint64_t rank = ((unsigned __int128)s->n * per_mille + 999) / 1000, below = 0;
	__int128 number;
	size_t i = 0;

	if (s->n == 0)
		return 0;
	if (rank <= 1 || rank >= s->n)
		return rank <= 1 ? s->min : s->max;
	while (i + 1 < s->n_buckets && below + s->buckets[i].count < rank)
		below += s->buckets[i++].count;
	number = s->buckets[i].at;
	number = number < 0 ? -(__int128)get_middle(-1 - number) : get_middle(number);
	return number < s->min ? s->min : number > s->max ? s->max : number;
}

void kt_value_summary_clear(struct kt_value_summary *s)
{
	free(s->buckets);
	*s = (struct kt_value_summary){0};
}
