// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of every width, and lengths beyond any number of bytes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/record_layout.h"

static const char bytes[] = "\x01\x82\x03\x84\x05\x86\x07\x88\x09\x8a";

/* Reads a number byte by byte. */
static uint64_t read_number(const char *at, unsigned int width)
{
	uint64_t n = 0;

	while (width-- > 0)
		n = n << 8 | (unsigned char)at[width];
	return n;
}

static void numbers(void **state)
{
	struct kt_value value = {.data = bytes, .n = 2};
	struct kt_member m = {.width = 1};
	uint64_t n, sign;

	(void)state;
	for (; m.width <= 8; m.width++) {
		for (value.data = bytes; value.data < bytes + 3; value.data++) {
			n = read_number(value.data, m.width);
			sign = 1ull << (8 * m.width - 1);
			m.is_signed = false;
			assert_true(kt_value_number(&m, &value, 0) == n);
			m.is_signed = true;
			assert_true(kt_value_number(&m, &value, 0) == (n ^ sign) - sign);
		}
	}
	m = (struct kt_member){.width = 3};
	value.data = bytes;
	assert_true(kt_value_number(&m, &value, 2) == read_number(bytes + 6, 3));
}

/* u8 a; u16 b[2]; u24 c; */
static void offsets(void **state)
{
	struct kt_member a = {.width = 1, .count = 1}, b = {.width = 2, .count = 2, .array = true};
	struct kt_member c = {.width = 3, .count = 1};
	struct kt_record_layout s = {};
	struct kt_value values[3];

	(void)state;
	assert_int_equal(kt_record_layout_add(&s, "a", &a), 0);
	assert_int_equal(kt_record_layout_add(&s, "b", &b), 0);
	assert_int_equal(kt_record_layout_add(&s, "c", &c), 0);
	assert_int_equal(kt_record_layout_offset(&s, kt_record_layout_find(&s, "a")), 0);
	assert_int_equal(kt_record_layout_offset(&s, kt_record_layout_find(&s, "b")), 1);
	assert_int_equal(kt_record_layout_offset(&s, kt_record_layout_find(&s, "c")), 5);
	assert_int_equal(kt_record_layout_size(&s), 8);
	assert_int_equal(kt_record_layout_read(&s, bytes, 7, values), -EBADMSG);
	assert_int_equal(kt_record_layout_read(&s, bytes, 8, values), 8);
	assert_int_equal(values[0].n, 1);
	assert_int_equal(values[1].n, 2);
	assert_ptr_equal(values[2].data, bytes + 5);
	kt_record_layout_clear(&s);
}

static ssize_t read_sequence(struct kt_record_layout *s, uint64_t length, struct kt_value *values)
{
	char record[8 + 16];

	memcpy(record, &length, 8);
	return kt_record_layout_read(s, record, sizeof(record), values);
}

/* u64 n; u64 a[n]; u8 b; with lengths in bytes that exceed 64 bits. */
static void lengths(void **state)
{
	struct kt_member n = {.width = 8, .count = 1}, a = {.width = 8}, b = {.width = 1};
	struct kt_record_layout s = {};
	struct kt_value values[2];

	(void)state;
	b.count = 1;
	assert_int_equal(kt_record_layout_add(&s, "n", &n), 0);
	assert_int_equal(kt_record_layout_add_sequence(&s, "a", &a, "m"), -ENOENT);
	assert_int_equal(kt_record_layout_add_sequence(&s, "a", &a, "n"), 0);
	assert_int_equal(kt_record_layout_add_sequence(&s, "b", &a, "n"), -ENOENT);
	assert_int_equal(kt_record_layout_add(&s, "b", &b), 0);
	assert_int_equal(kt_record_layout_size(&s), -1);
	assert_int_equal(kt_record_layout_offset(&s, kt_record_layout_find(&s, "b")), -1);
	assert_int_equal(read_sequence(&s, 0, values), 9);
	assert_int_equal(values[0].n, 0);
	assert_int_equal(read_sequence(&s, 1, values), 17);
	assert_int_equal(values[0].n, 1);
	assert_int_equal(read_sequence(&s, 2, values), -EBADMSG);
	assert_int_equal(read_sequence(&s, 3, values), -EBADMSG);
	assert_int_equal(read_sequence(&s, 1ull << 61, values), -EBADMSG);
	assert_int_equal(read_sequence(&s, (1ull << 61) + 1, values), -EBADMSG);
	assert_int_equal(read_sequence(&s, UINT64_MAX, values), -EBADMSG);
	kt_record_layout_clear(&s);
}

/* A length says how many bytes there were; a text is complete if it ends in NUL. */
static void completeness(void **state)
{
	struct kt_member members[] = {
		{.width = 8},
		{.width = 1,
		 .varies = true,
		 .array = true,
		 .has_full_length = true,
		 .notation = KT_BYTES},
		{.width = 1, .varies = true, .text = true, .is_pointed = true},
		{.width = 4, .varies = true, .array = true, .is_pointed = true},
		{.width = 4,
		 .varies = true,
		 .has_full_length = true,
		 .full_length = 5,
		 .is_lone = true},
		{.width = 4},
	};
	struct kt_record_layout s = {.members = members, .n_members = 6};
	uint64_t there = 0;
	uint32_t asked = 2;
	struct kt_value v[] = {
		{(const char *)&there, 1}, {"ab", 0}, {"ab", 0}, {"abcd", 0}, {"abcd", 0},
		{(const char *)&asked, 1}};

	(void)state;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_ALL);
	there = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_UNREAD);
	v[1].n = 1;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_PART);
	v[1].n = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_ALL);
	there = UINT64_MAX;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_PART);
	members[0].is_signed = true;
	v[1].n = 0;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_ABSENT);

	assert_int_equal(kt_record_layout_copied(&s, v, 2), KT_COPIED_UNREAD);
	v[2].n = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 2), KT_COPIED_PART);
	v[2].n = 3;
	assert_int_equal(kt_record_layout_copied(&s, v, 2), KT_COPIED_ALL);

	/* The same for numbers that a call returns, by its return value. */
	assert_int_equal(kt_record_layout_copied(&s, v, 3), KT_COPIED_UNREAD);
	members[3].is_lone = true;
	assert_int_equal(kt_record_layout_copied(&s, v, 3), KT_COPIED_ABSENT);
	there = 0;
	assert_int_equal(kt_record_layout_copied(&s, v, 3), KT_COPIED_UNREAD);
	v[3].n = 1;
	assert_int_equal(kt_record_layout_copied(&s, v, 3), KT_COPIED_ALL);
	there = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 3), KT_COPIED_ALL);

	/* Both, with a count in another argument. */
	assert_int_equal(kt_record_layout_copied(&s, v, 4), KT_COPIED_UNREAD);
	v[4].n = 1;
	assert_int_equal(kt_record_layout_copied(&s, v, 4), KT_COPIED_PART);
	v[4].n = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 4), KT_COPIED_ALL);
	/* A call that fails writes nothing, or what it says. */
	there = UINT64_MAX;
	assert_int_equal(kt_record_layout_copied(&s, v, 4), KT_COPIED_ALL);
	v[4].n = 0;
	assert_int_equal(kt_record_layout_copied(&s, v, 4), KT_COPIED_ABSENT);
	there = asked = v[4].n = 0;
	assert_int_equal(kt_record_layout_copied(&s, v, 4), KT_COPIED_ALL);
}

/* Several texts have as many NULs as there were pointers. */
static void strings(void **state)
{
	struct kt_member members[] = {
		{.width = 4, .is_signed = true},
		{.width = 1,
		 .varies = true,
		 .array = true,
		 .has_full_length = true,
		 .notation = KT_STRINGS},
	};
	struct kt_record_layout s = {.members = members, .n_members = 2};
	int32_t there = 0;
	struct kt_value v[] = {{(const char *)&there, 1}, {"a\0\0bc", 0}};
	size_t at = 0, len;

	(void)state;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_ALL);
	assert_null(kt_value_next_string(&v[1], &at, &len));
	for (there = -1; there < 4; there += 2)
		assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_UNREAD);
	v[1].n = 3;
	there = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_ALL);
	there = 3;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_PART);
	there = -1;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_PART);
	v[1].n = 5;
	there = 2;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_PART);
	v[1].n = 6;
	there = 3;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_ALL);
	members[1].has_full_length = false;
	assert_int_equal(kt_record_layout_copied(&s, v, 1), KT_COPIED_PART);

	v[1].n = 5;
	assert_string_equal(kt_value_next_string(&v[1], &at, &len), "a");
	assert_int_equal(len, 1);
	assert_string_equal(kt_value_next_string(&v[1], &at, &len), "");
	assert_int_equal(len, 0);
	assert_string_equal(kt_value_next_string(&v[1], &at, &len), "bc");
	assert_int_equal(len, 2);
	assert_null(kt_value_next_string(&v[1], &at, &len));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers), cmocka_unit_test(offsets),
		cmocka_unit_test(lengths), cmocka_unit_test(completeness),
		cmocka_unit_test(strings),
	};

	return cmocka_run_group_tests_name("record_layout", tests, NULL, NULL);
}
