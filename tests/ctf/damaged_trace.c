// SPDX-License-Identifier: GPL-2.0-or-later
/* Truncated and damaged traces: what the reader still finds, and what it reports. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>

#include <cmocka.h>

#include "tests/ctf/address_space.h"
#include "tests/ctf/made_trace.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

static volatile uint64_t looked_at; /* so that every byte is read */

/* Reads everything readable; returns the number of events and the last error. */
static size_t read_all(struct made *m, int *code)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	struct kt_hit hit;
	size_t n = 0, i, j;
	int ret;

	*code = r ? 0 : m->err.code;
	while (r && (ret = kt_trace_reader_next(r, &hit, &m->err))) {
		if (ret < 0) {
			assert_int_equal(*code, 0);
			*code = m->err.code;
			continue;
		}
		n++;
		for (i = 0; hit.event && i < hit.event->fields.n_members; i++)
			for (j = 0; j < hit.values[i].n; j++)
				looked_at += kt_value_number(&hit.event->fields.members[i],
							     &hit.values[i], j);
	}
	kt_trace_reader_free(r);
	return n;
}

/* Makes three packets of 192 bytes, with a header and three records in the first 136. */
static size_t make_three(struct made *m, char *bytes, size_t size)
{
	uint64_t i, time, before = kt_stream_writer_size(m->stream);

	for (time = 1000; time < 4000; time += 1000) {
		begin(m, time, 0);
		for (i = 0; i < 3; i++)
			number(m, time + i, i);
		assert_int_equal(end(m, time + 10), 0);
	}
	assert_int_equal(kt_stream_writer_size(m->stream) - before, 3 * 192);
	return load(m, "cpu3", bytes, size);
}

/* Everything before a cut is read, and the cut is reported wherever it is. */
static void cut_streams(void **state)
{
	struct made *m = *state;
	char bytes[1024];
	size_t size = make_three(m, bytes, sizeof(bytes)), cut;
	int code;

	for (cut = 0; cut <= size; cut++) {
		store(m, "cpu3", bytes, cut);
		assert_int_equal(read_all(m, &code), cut / 192 * 3);
		assert_int_equal(code, cut % 192 ? ENODATA : 0);
	}
	store(m, "cpu3", bytes, 206);
	read_all(m, &code);
	assert_string_equal(m->err.text,
			    "cpu3 is cut off 14 bytes after the start of the packet at "
			    "byte 192");
}

/* A running recorder holds the directory's lock. */
static void growing_streams(void **state)
{
	struct made *m = *state;
	char bytes[1024];
	int code, fd;

	make_three(m, bytes, sizeof(bytes));
	store(m, "cpu3", bytes, 400);
	fd = open(m->dir.path, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(read_all(m, &code), 6);
	assert_int_equal(code, 0);
	bytes[384] ^= 1;
	store(m, "cpu3", bytes, 576);
	assert_int_equal(read_all(m, &code), 6);
	assert_int_equal(code, EBADMSG);
	close(fd);
}

/* One stream's end does not end the others. */
static void damage_to_one(void **state)
{
	struct made *m = *state;
	struct kt_stream_writer *other =
		kt_stream_writer_new(&m->metadata, m->dir.fd, KT_MAIN, 0, &m->err);
	char bytes[1024];
	size_t size;
	int code;

	assert_non_null(other);
	begin(m, 1500, 0);
	number(m, 1500, 0);
	number(m, 5000, 0);
	m->packet.end = 5000;
	assert_int_equal(kt_stream_writer_write(other, &m->packet, &m->err), 0);
	kt_stream_writer_free(other);
	size = make_three(m, bytes, sizeof(bytes));
	memset(bytes + 192 + 64, 0xff, 8);
	store(m, "cpu3", bytes, size);
	assert_int_equal(read_all(m, &code), 5);
	assert_int_equal(code, EBADMSG);
}

/* Each check of a packet or record catches its kind of damage. */
static void damage(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		size_t n;
		const char *why;
	} cases[] = {
		/* the third packet's header */
		{384, 0, 6, "384: no packet of this trace"},
		{384 + 4, 0, 6, "384: no packet of this trace"},
		{384 + 24, 2000, 6, "384: time goes backwards"},
		{384 + 32, 2999, 6, "384: time goes backwards"},
		{384 + 40, 8 * 193, 6, "384: a packet of impossible size"},
		{384 + 40, 8 * 63, 6, "384: a packet of impossible size"},
		{384 + 40, 8 * 132 - 1, 6, "384: a packet of impossible size"},
		{384 + 48, 8 * 192 + 1, 6, "384: a packet of impossible size"},
		{384 + 48, 9ull << 29, 6, "384: a packet of impossible size"},
		{192 + 56, 1, 7, "384: the number of lost records decreases"},
		/* the end of its records */
		{384 + 40, 8 * 133, 9, "517: no room for a record"},
		{384 + 40, 8 * 131, 8, "496: a record longer than its packet"},
		{384 + 40, 8 * 123, 8, "496: no room for a record's header"},
		{384 + 40, 8 * 119, 8, "496: no room for a record's header"},
		/* its second record */
		{384 + 88, NUMBER | 2999ull << 16, 7, "472: a record out of the packet's time"},
		{384 + 88, NUMBER | 3011ull << 16, 7, "472: a record out of the packet's time"},
		{384 + 88, N_EVENTS | 3001ull << 16, 7, "472: a record of an unknown event"},
		{384 + 88, 40000 | 3001ull << 16, 7, "472: a record of an unknown event"},
	};
	struct made *m = *state;
	char whole[1024], bytes[1024], why[128];
	size_t size = make_three(m, whole, sizeof(whole)), i;
	int code;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memcpy(bytes, whole, size);
		memcpy(bytes + cases[i].at, &cases[i].value, 8);
		store(m, "cpu3", bytes, size);
		assert_int_equal(read_all(m, &code), cases[i].n);
		assert_int_equal(code, EBADMSG);
		snprintf(why, sizeof(why), "cpu3 is damaged at byte %s", cases[i].why);
		assert_string_equal(m->err.text, why);
	}
}

/* So late that the next 48 bits wrap to the beginning of time. */
static void damaged_time(void **state)
{
	struct made *m = *state;
	char bytes[1024];
	size_t size = make_three(m, bytes, sizeof(bytes));
	int code;

	memset(bytes + 384 + 24, 0xff, 16);
	store(m, "cpu3", bytes, size);
	assert_int_equal(read_all(m, &code), 6);
	assert_string_equal(m->err.text,
			    "cpu3 is damaged at byte 448: a record out of the packet's time");
}

/* Wherever a packet's records end, nothing beyond is read. */
static void cut_records(void **state)
{
	static const struct varying header = {3, 1, 2, 1, 4};
	const size_t first = 64 + 24, both = first + 12 + sizeof(header) + 3 + 4 + 8;
	char data[sizeof(header) + 3 + 4 + 8] = {}, bytes[1024];
	struct made *m = *state;
	uint64_t bits;
	size_t size;
	int code;

	memcpy(data, &header, sizeof(header));
	begin(m, 1000, 0);
	number(m, 1000, 1);
	record(m, VARYING, 1000, data, sizeof(data));
	assert_int_equal(end(m, 1000), 0);
	load(m, "cpu3", bytes, sizeof(bytes));
	for (size = first + 1; size <= both; size++) {
		bits = 8 * size;
		memcpy(bytes + 40, &bits, sizeof(bits));
		memcpy(bytes + 48, &bits, sizeof(bits));
		store(m, "cpu3", bytes, size);
		assert_int_equal(read_all(m, &code), 1 + (size == both));
		assert_int_equal(code, size == both ? 0 : EBADMSG);
	}
}

/* Reading ends, whatever byte is changed and however. */
static void any_byte_changed(void **state)
{
	static const char changes[] = {1, 8, 0x40, (char)0x80, (char)0xff};
	static const struct varying header = {3, 1, 2, 1, 4};
	struct made *m = *state;
	char whole[16384], bytes[16384], data[sizeof(header) + 3 + 4 + 8] = {};
	size_t size, i, j, k;
	int code;

	memcpy(data, &header, sizeof(header));
	make_three(m, whole, sizeof(whole));
	begin(m, 5000, 1);
	record(m, VARYING, 5001, data, sizeof(data));
	assert_int_equal(end(m, 5002), 0);
	for (k = 0; k < 2; k++) {
		const char *name = k ? "metadata" : "cpu3";

		size = load(m, name, whole, sizeof(whole));
		for (i = 0; i < size; i++) {
			memcpy(bytes, whole, size);
			for (j = 0; j < sizeof(changes); j++) {
				bytes[i] = whole[i] ^ changes[j];
				store(m, name, bytes, size);
				read_all(m, &code);
			}
		}
		store(m, name, whole, size);
		assert_int_equal(read_all(m, &code), 11);
		assert_int_equal(code, 0);
	}
}

/* Metadata is written first, in one piece: a part of it is no trace. */
static void cut_metadata(void **state)
{
	struct made *m = *state;
	char bytes[16384];
	size_t size = load(m, "metadata", bytes, sizeof(bytes)), cut, n_read = 0;
	int code;

	begin(m, 1000, 0);
	number(m, 1000, 1);
	assert_int_equal(end(m, 1000), 0);
	for (cut = 0; cut < size - 1; cut++) {
		store(m, "metadata", bytes, cut);
		read_all(m, &code);
		/* Cut between two blocks, only the later events are missing. */
		assert_true(code == EPROTO || code == 0 || code == EBADMSG);
		n_read += code != EPROTO;
	}
	assert_int_equal(n_read, 3 * N_EVENTS); /* before and after the newlines between blocks */
}

static int limit_memory(void **state)
{
	(void)state;
	return limit_address_space(256);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cut_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(growing_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_to_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damaged_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cut_records, set_up, tear_down),
		cmocka_unit_test_setup_teardown(any_byte_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cut_metadata, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("damaged_trace", tests, limit_memory, NULL);
}
