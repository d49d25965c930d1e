// SPDX-License-Identifier: GPL-2.0-or-later
/* A growing trace, read on each time. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>

#include <cmocka.h>

#include "tests/ctf/task_names.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

/* Streams of CPU 3 and another CPU. */
struct growing {
	struct made *m;
	struct kt_stream_writer *other;
	struct kt_trace_reader *reader;
	int lock;
};

static struct growing start_growing(struct made *m)
{
	struct growing g = {
		.m = m,
		.other = kt_stream_writer_new(&m->metadata, m->dir.fd, KT_MAIN, 4, &m->err),
		.lock = open(m->dir.path, O_RDONLY | O_DIRECTORY),
	};

	assert_non_null(g.other);
	assert_int_equal(flock(g.lock, LOCK_EX), 0);
	g.reader = kt_trace_reader_open(m->dir.path, &m->err);
	if (!g.reader)
		fail_msg("%s", m->err.text);
	return g;
}

static void end_growing(struct growing *g)
{
	kt_trace_reader_free(g->reader);
	kt_stream_writer_free(g->other);
	close(g->lock);
}

/* Puts a packet of records at these times, up to a 0; the times are also their numbers. */
static void put_packet(struct made *m, struct kt_stream_writer *s, uint64_t lost,
		       const uint64_t *times)
{
	begin(m, *times, lost);
	for (; *times; times++) {
		number(m, *times, *times);
		m->packet.end = *times;
	}
	assert_int_equal(kt_stream_writer_write(s, &m->packet, &m->err), 0);
}

#define PUT(m, s, lost, ...) put_packet(m, s, lost, (const uint64_t[]){__VA_ARGS__, 0})

static void assert_nothing(struct growing *g)
{
	struct kt_hit hit;

	assert_int_equal(kt_trace_reader_next(g->reader, &hit, &g->m->err), 0);
	assert_int_equal(kt_trace_reader_next(g->reader, &hit, &g->m->err), 0);
}

/* Asserts that the events up to that time are these, in order; a loss comes before its packet. */
static void read_to(struct growing *g, uint64_t until, const uint64_t *times)
{
	struct kt_hit hit;

	kt_trace_reader_resume(g->reader, until);
	for (; *times; times++) {
		assert_int_equal(kt_trace_reader_next(g->reader, &hit, &g->m->err), 1);
		assert_int_equal(hit.time, *times);
		if (hit.event)
			assert_int_equal(kt_value_number(hit.event->fields.members, hit.values, 0),
					 *times);
	}
	assert_nothing(g);
}

#define READ_TO(g, until, ...) read_to(g, until, (const uint64_t[]){__VA_ARGS__, 0})

static void time_order(void **state)
{
	struct made *m = *state;
	struct growing g = start_growing(m);

	assert_nothing(&g);
	PUT(m, m->stream, 0, 1000, 1500);
	READ_TO(&g, 1200, 1000);
	READ_TO(&g, 1200, 0);
	/* The other CPU had nothing before, and now has the oldest events. */
	PUT(m, g.other, 0, 1300, 1600, 1700);
	READ_TO(&g, 1650, 1300, 1500, 1600);
	PUT(m, m->stream, 0, 1680, 2000);
	READ_TO(&g, 1999, 1680, 1700);
	READ_TO(&g, 2000, 2000);
	READ_TO(&g, UINT64_MAX, 0);
	PUT(m, g.other, 0, 2000);
	READ_TO(&g, UINT64_MAX, 2000);
	end_growing(&g);
}

/* In the middle of events already there. */
static void earlier_than_read(void **state)
{
	struct made *m = *state;
	struct growing g = start_growing(m);
	struct kt_hit hit;

	PUT(m, m->stream, 0, 1000, 1500);
	kt_trace_reader_resume(g.reader, 1600);
	assert_int_equal(kt_trace_reader_next(g.reader, &hit, &m->err), 1);
	assert_int_equal(hit.time, 1000);
	PUT(m, m->stream, 0, 1700);
	PUT(m, g.other, 0, 1650);
	READ_TO(&g, 1800, 1500, 1650, 1700);
	end_growing(&g);
}

static void losses(void **state)
{
	struct made *m = *state;
	struct growing g = start_growing(m);
	struct kt_hit hit;

	PUT(m, m->stream, 5, 1000);
	kt_trace_reader_resume(g.reader, 999);
	assert_nothing(&g);
	kt_trace_reader_resume(g.reader, 1000);
	assert_int_equal(kt_trace_reader_next(g.reader, &hit, &m->err), 1);
	assert_null(hit.event);
	assert_int_equal(hit.lost, 5);
	READ_TO(&g, 1000, 1000);
	PUT(m, m->stream, 7, 1100);
	READ_TO(&g, 1100, 1100, 1100);
	end_growing(&g);
}

/* An incomplete packet is read once it is complete, and not reported before. */
static void incomplete_packet(void **state)
{
	struct made *m = *state;
	struct growing g = start_growing(m);
	char bytes[1024];
	size_t size, cut;

	PUT(m, m->stream, 0, 1000);
	PUT(m, m->stream, 3, 1100, 1200);
	size = load(m, "cpu3", bytes, sizeof(bytes));
	for (cut = 1; cut < 64 + 2 * 24; cut += 30) {
		store(m, "cpu3", bytes, size - cut);
		kt_trace_reader_free(g.reader);
		g.reader = kt_trace_reader_open(m->dir.path, &m->err);
		READ_TO(&g, UINT64_MAX, 1000);
		READ_TO(&g, UINT64_MAX, 0);
		store(m, "cpu3", bytes, size);
		READ_TO(&g, UINT64_MAX, 1100, 1100, 1200);
	}
	end_growing(&g);
}

/* One CPU's damage is reported once, and the other CPU goes on. */
static void damage(void **state)
{
	struct made *m = *state;
	struct growing g = start_growing(m);
	struct kt_hit hit;
	char bytes[1024];
	size_t size;

	PUT(m, m->stream, 0, 1000);
	READ_TO(&g, 1000, 1000);
	PUT(m, m->stream, 0, 1100);
	size = load(m, "cpu3", bytes, sizeof(bytes));
	bytes[size - 24 - 64] ^= 1;
	store(m, "cpu3", bytes, size);
	PUT(m, g.other, 0, 1100);
	kt_trace_reader_resume(g.reader, 1100);
	assert_int_equal(kt_trace_reader_next(g.reader, &hit, &m->err), -EBADMSG);
	assert_int_equal(kt_trace_reader_next(g.reader, &hit, &m->err), 1);
	assert_int_equal(hit.cpu, 4);
	assert_nothing(&g);
	PUT(m, g.other, 0, 1200);
	READ_TO(&g, 1200, 1200);
	end_growing(&g);
}

static void append(struct made *m, const char *text)
{
	int fd = openat(m->dir.fd, FILE_NAME, O_WRONLY | O_APPEND);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void assert_name(struct growing *g, uint64_t time, const char *comm)
{
	struct kt_hit hit;

	assert_int_equal(kt_trace_reader_next(g->reader, &hit, &g->m->err), 1);
	assert_int_equal(hit.time, time);
	if (comm)
		assert_string_equal(hit.comm, comm);
	else
		assert_null(hit.comm);
}

static void names(void **state)
{
	struct made *m = *state;
	struct growing g;

	write_task_names(m, HEAD);
	g = start_growing(m);
	PUT(m, m->stream, 0, 1000, 1500);
	kt_trace_reader_resume(g.reader, 1200);
	assert_name(&g, 1000, NULL);
	assert_nothing(&g);
	append(m, ROW(1100, 100, "sh") ROW(1300, 100, "make") ROW(1600, 100, "cc1"));
	kt_trace_reader_resume(g.reader, 1550);
	assert_name(&g, 1500, "make");
	assert_nothing(&g);
	assert_string_equal(kt_trace_reader_comm(g.reader, 100), "make");
	/* Also without an event. */
	kt_trace_reader_resume(g.reader, 1700);
	assert_nothing(&g);
	assert_string_equal(kt_trace_reader_comm(g.reader, 100), "cc1");
	append(m, ROW(1750, 100, "as"));
	PUT(m, m->stream, 0, 1800);
	kt_trace_reader_resume(g.reader, 1800);
	assert_name(&g, 1800, "as");
	end_growing(&g);
}

/* An open packet ends with its last record whenever it is read: the next may begin earlier. */
static void open_packets(void **state)
{
	struct made *m = *state;
	struct growing g = start_growing(m);

	begin(m, 1000, 0);
	number(m, 1000, 1000);
	number(m, 1100, 1100);
	m->packet.is_open = true;
	assert_int_equal(end(m, 5000000), 0);
	assert_int_equal(kt_stream_writer_end(m->stream), 1100);
	PUT(m, m->stream, 0, 1200);
	READ_TO(&g, 1200, 1000, 1100, 1200);
	end_growing(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(time_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(earlier_than_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(incomplete_packet, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(open_packets, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("growing_trace", tests, NULL, NULL);
}
