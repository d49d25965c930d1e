// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/bitmap.h"

#include "fetch/count_arguments.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/text.h"

enum { BITS = 64 };

size_t kt_bitmap_size(const struct kt_hit *hit, size_t copy)
{
	const struct kt_member *m = &hit->event->fields.members[copy], *count;
	size_t n = BITS * hit->values[copy].n;
	uint64_t valid;

	if (!m->has_full_length || m->unit != KT_COUNT_BITS)
		return n;
	count = &hit->event->fields.members[m->full_length];
	valid = kt_value_number(count, &hit->values[m->full_length], 0);
	return valid < n ? valid : n;
}

size_t kt_bitmap_next(const struct kt_value *v, size_t size, size_t from)
{
	size_t i = from;
	uint64_t rest;

	while (i < size) {
		rest = kt_load(v->data + i / BITS * sizeof(uint64_t), sizeof(uint64_t)) >> i % BITS;
		if (rest) {
			i += __builtin_ctzll(rest);
			return i < size ? i : size;
		}
		i = (i / BITS + 1) * BITS;
	}
	return size;
}

/* Prints the numbers with that text between them. Returns how many there are. */
static size_t put_numbers(struct kt_text *t, const struct kt_value *v, size_t size,
			  const char *between)
{
	size_t i, n = 0;

	for (i = kt_bitmap_next(v, size, 0); i < size; i = kt_bitmap_next(v, size, i + 1)) {
		if (n++ > 0)
			kt_text_string(t, between);
		kt_text_number(t, i);
	}
	return n;
}

void kt_bitmap_put(struct kt_text *t, const struct kt_value *v, size_t size, bool is_part)
{
	size_t n;

	kt_text_char(t, '[');
	n = put_numbers(t, v, size, " ");
	if (is_part)
		kt_text_string(t, n ? " ..." : "...");
	kt_text_char(t, ']');
}

void kt_bitmap_put_json(struct kt_text *t, const struct kt_value *v, size_t size)
{
	kt_text_char(t, '[');
	put_numbers(t, v, size, ",");
	kt_text_char(t, ']');
}
