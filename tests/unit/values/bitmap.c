// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of numbers as bits, without reading beyond their bytes. */
#include "values/bitmap.h"
#include "tests/unit/edge.h"

static size_t size;

static struct kt_value get_words(const struct kt_value *v)
{
	return (struct kt_value){v->data, v->n / sizeof(uint64_t)};
}

static void put(struct kt_text *t, const struct kt_value *v)
{
	struct kt_value words = get_words(v);

	kt_bitmap_put(t, &words, size, false);
}

static void put_part(struct kt_text *t, const struct kt_value *v)
{
	struct kt_value words = get_words(v);

	kt_bitmap_put(t, &words, size, true);
}

static void put_json(struct kt_text *t, const struct kt_value *v)
{
	struct kt_value words = get_words(v);

	kt_bitmap_put_json(t, &words, size);
}

/* Only the numbers below the size are in the set. */
static void sets(void **state)
{
	static const uint64_t words[] = {1ull << 7 | 1ull << 63, 1 | 1ull << 36};

	(void)state;
	size = 128;
	assert_string_equal(written_by(put, words, sizeof(words)), "[7 63 64 100]");
	assert_string_equal(written_by(put_part, words, sizeof(words)), "[7 63 64 100 ...]");
	assert_string_equal(written_by(put_json, words, sizeof(words)), "[7,63,64,100]");
	size = 64;
	assert_string_equal(written_by(put, words, 8), "[7 63]");
	size = 63;
	assert_string_equal(written_by(put, words, 8), "[7]");
	size = 7;
	assert_string_equal(written_by(put, words, 8), "[]");
	assert_string_equal(written_by(put_part, words, 8), "[...]");
	size = 0;
	assert_string_equal(written_by(put_json, words, 0), "[]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sets)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
