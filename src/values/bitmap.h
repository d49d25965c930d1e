/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of numbers as bits: descriptors of select, CPUs of an affinity.
 *
 *	kt_bitmap_put(t, &value, 13);		// [7 12]
 *
 *	for (i = kt_bitmap_next(&value, 13, 0); i < 13; i = kt_bitmap_next(&value, 13, i + 1))
 */
#ifndef KT_VALUES_BITMAP_H
#define KT_VALUES_BITMAP_H

#include <stddef.h>

#include "trace/record_layout.h"

struct json_object;
struct kt_hit;
struct kt_text;

/* Returns how many bits of a copy (KT_BITMAP) belong to the set. */
size_t kt_bitmap_size(const struct kt_hit *hit, size_t copy);

/* Returns the first number of the set from `from` on; size if there is none. */
size_t kt_bitmap_next(const struct kt_value *v, size_t size, size_t from);

/* Prints the numbers: [7 12]; dots follow if the copy is only a part. */
void kt_bitmap_put(struct kt_text *t, const struct kt_value *v, size_t size, bool is_part);

/* Prints them as an array of JSON. */
void kt_bitmap_put_json(struct kt_text *t, const struct kt_value *v, size_t size);

#endif
