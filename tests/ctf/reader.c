// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces made by tests, read by ktrace's reader. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/ctf/made_trace.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

static struct kt_trace_reader *open_reader(struct made *m)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);

	if (!r)
		fail_msg("%s", m->err.text);
	return r;
}

static void assert_next(struct kt_trace_reader *r, struct kt_hit *hit, const char *event,
			uint64_t time)
{
	struct kt_error err;

	assert_int_equal(kt_trace_reader_next(r, hit, &err), 1);
	assert_non_null(hit->event);
	assert_string_equal(hit->event->system, "test");
	assert_string_equal(hit->event->name, event);
	assert_int_equal(hit->time, time);
	assert_int_equal(hit->tid, 100);
	assert_int_equal(hit->lost, 0);
}

static void assert_end(struct kt_trace_reader *r)
{
	struct kt_error err;
	struct kt_hit hit;

	assert_int_equal(kt_trace_reader_next(r, &hit, &err), 0);
	assert_int_equal(kt_trace_reader_next(r, &hit, &err), 0);
	kt_trace_reader_free(r);
}

/* The i-th field has that name, and n elements with these values. */
static void assert_field(const struct kt_hit *hit, size_t i, const char *name, size_t n, ...)
{
	const struct kt_member *m = &hit->event->fields.members[i];
	va_list ap;
	size_t j;

	assert_true(i < hit->event->fields.n_members);
	assert_string_equal(m->name, name);
	assert_int_equal(hit->values[i].n, n);
	va_start(ap, n);
	for (j = 0; j < n; j++)
		assert_int_equal(kt_value_number(m, &hit->values[i], j), va_arg(ap, uint64_t));
	va_end(ap);
}

static void assert_text(const struct kt_hit *hit, size_t i, const char *name, const char *text,
			size_t n)
{
	assert_string_equal(hit->event->fields.members[i].name, name);
	assert_true(hit->event->fields.members[i].text);
	assert_int_equal(hit->values[i].n, n);
	assert_memory_equal(hit->values[i].data, text, n);
}

#define N(n) ((uint64_t)(n))

static void fields_of_every_kind(void **state)
{
	struct made *m = *state;
	const struct kt_member *fields;
	struct kt_trace_reader *r;
	struct kt_hit hit;

	begin(m, 1000, 0);
	record(m, KINDS, 1000, &kinds_low, sizeof(kinds_low));
	record(m, NOTHING, 1001, "", 0);
	record(m, KINDS, 1002, &kinds_high, sizeof(kinds_high));
	assert_int_equal(end(m, 1003), 0);

	r = open_reader(m);
	assert_string_equal(kt_trace_reader_metadata(r)->hostname, "here");
	assert_string_equal(kt_trace_reader_metadata(r)->tracer_version, "1.2.3");
	assert_next(r, &hit, "kinds", 1000);
	assert_int_equal(hit.cpu, 3);
	assert_int_equal(hit.event->fields.n_members, 13);
	assert_field(&hit, 1, "s8", 1, N(INT8_MIN));
	assert_field(&hit, 3, "string", 1, N(INT16_MIN));
	assert_field(&hit, 5, "s32", 1, N(INT32_MIN));
	assert_field(&hit, 7, "s64", 1, N(INT64_MIN));
	assert_field(&hit, 11, "two", 2, N(INT32_MIN), N(1));
	fields = hit.event->fields.members;
	assert_int_equal(fields[8].notation, KT_POINTER);
	assert_int_equal(fields[6].notation, KT_DECIMAL);
	assert_true(fields[10].array && fields[12].array && !fields[0].array);
	assert_true(fields[9].text && !fields[10].text);

	assert_next(r, &hit, "nothing", 1001);
	assert_int_equal(hit.event->fields.n_members, 0);

	assert_next(r, &hit, "kinds", 1002);
	assert_field(&hit, 0, "u8", 1, N(UINT8_MAX));
	assert_field(&hit, 1, "s8", 1, N(INT8_MAX));
	assert_field(&hit, 2, "event", 1, N(UINT16_MAX));
	assert_field(&hit, 3, "string", 1, N(INT16_MAX));
	assert_field(&hit, 4, "u32", 1, N(UINT32_MAX));
	assert_field(&hit, 5, "s32", 1, N(INT32_MAX));
	assert_field(&hit, 6, "u64", 1, N(UINT64_MAX));
	assert_field(&hit, 7, "s64", 1, N(INT64_MAX));
	assert_field(&hit, 8, "ptr", 1, N(0xffffffff81000000u));
	assert_text(&hit, 9, "comm", "hello", 6);
	assert_field(&hit, 10, "ip", 4, N(127), N(0), N(0), N(255));
	assert_field(&hit, 11, "two", 2, N(-1), N(2));
	assert_field(&hit, 12, "odd", 3, N(7), N(8), N(9));
	assert_end(r);
}

/* Their elements are in place of their lengths, which are not printed. */
static void varying_fields(void **state)
{
	static const struct varying none = {.u8 = 2};
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;

	begin(m, 1000, 0);
	record(m, VARYING, 1000, &some, sizeof(some));
	record(m, VARYING, 1001, &none, sizeof(none));
	number(m, 1002, 5);
	assert_int_equal(end(m, 1005), 0);

	r = open_reader(m);
	assert_next(r, &hit, "varying", 1000);
	assert_int_equal(hit.event->fields.n_members, 5);
	assert_text(&hit, 0, "name", "hello", 6);
	assert_field(&hit, 1, "u8", 1, N(1));
	assert_field(&hit, 2, "s16s", 2, N(INT16_MIN), N(INT16_MAX));
	assert_field(&hit, 3, "u64s", 1, N(UINT64_MAX));
	assert_field(&hit, 4, "last", 1, N(255));
	assert_next(r, &hit, "varying", 1001);
	assert_text(&hit, 0, "name", "", 0);
	assert_field(&hit, 1, "u8", 1, N(2));
	assert_field(&hit, 2, "s16s", 0);
	assert_field(&hit, 4, "last", 1, N(0));
	assert_next(r, &hit, "number", 1002);
	assert_field(&hit, 0, "n", 1, N(5));
	assert_end(r);
}

/* As babeltrace2 reads the same trace in tests/ctf/trace.c. */
static void full_times(void **state)
{
	const uint64_t turn = 1ull << 48;
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;

	begin(m, turn - 10, 0);
	number(m, turn - 10, 1);
	number(m, turn - 1, 2);
	number(m, turn + 5, 3);
	assert_int_equal(end(m, turn + 5), 0);
	begin(m, 5 * turn, 0);
	number(m, 5 * turn + (1ull << 47), 4);
	assert_int_equal(end(m, 6 * turn), 0);

	r = open_reader(m);
	assert_next(r, &hit, "number", turn - 10);
	assert_next(r, &hit, "number", turn - 1);
	assert_next(r, &hit, "number", turn + 5);
	assert_next(r, &hit, "number", 5 * turn + (1ull << 47));
	assert_end(r);
}

static void assert_lost(struct kt_trace_reader *r, uint64_t time, uint64_t lost)
{
	struct kt_error err;
	struct kt_hit hit;

	assert_int_equal(kt_trace_reader_next(r, &hit, &err), 1);
	assert_null(hit.event);
	assert_int_equal(hit.time, time);
	assert_int_equal(hit.lost, lost);
	assert_int_equal(hit.cpu, 3);
}

static void losses(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;

	begin(m, 500, 0);
	assert_int_equal(end(m, 500), 0);
	begin(m, 1000, 2);
	number(m, 1000, 1);
	assert_int_equal(end(m, 2000), 0);
	begin(m, 3000, 2);
	number(m, 3000, 2);
	assert_int_equal(end(m, 3000), 0);
	begin(m, 4000, 7);
	assert_int_equal(end(m, 4000), 0);

	r = open_reader(m);
	assert_lost(r, 1000, 2);
	assert_next(r, &hit, "number", 1000);
	assert_next(r, &hit, "number", 3000);
	assert_lost(r, 4000, 5);
	assert_end(r);
}

enum { N_CPUS = 7, N_PACKETS = 5, N_EACH = 20 };

/* Each CPU's n-th record is number n; the CPUs take turns in being ahead. */
static void merging(void **state)
{
	struct kt_stream_writer *streams[N_CPUS];
	struct made *m = *state;
	uint64_t seen[64] = {}, last = 0;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	size_t cpu, n = 0;
	int i, j;

	for (cpu = 0; cpu < N_CPUS; cpu++) {
		uint64_t time = 1000 + cpu, k = 0;

		streams[cpu] =
			kt_stream_writer_new(&m->metadata, m->dir.fd, KT_MAIN, 10 + cpu, &m->err);
		assert_non_null(streams[cpu]);
		for (i = 0; i < N_PACKETS; i++) {
			begin(m, time, 0);
			for (j = 0; j < N_EACH * (int)(cpu % 3); j++)
				number(m, time += (cpu * 7919 + j * 104729) % 1000, k++);
			m->packet.end = time;
			assert_int_equal(kt_stream_writer_write(streams[cpu], &m->packet, &m->err),
					 0);
		}
		kt_stream_writer_free(streams[cpu]);
	}
	r = open_reader(m);
	while (kt_trace_reader_next(r, &hit, &m->err) > 0) {
		assert_true(hit.time >= last);
		last = hit.time;
		assert_in_range(hit.cpu, 10, 10 + N_CPUS - 1);
		assert_field(&hit, 0, "n", 1, seen[hit.cpu]++);
		n++;
	}
	kt_trace_reader_free(r);
	assert_int_equal(n, N_PACKETS * N_EACH * 6);
	for (cpu = 0; cpu < N_CPUS; cpu++)
		assert_int_equal(seen[10 + cpu], N_PACKETS * N_EACH * (cpu % 3));
}

static void assert_refused(struct made *m, int code, const char *why)
{
	char expected[512];

	assert_null(kt_trace_reader_open(m->dir.path, &m->err));
	assert_int_equal(m->err.code, code);
	snprintf(expected, sizeof(expected), "cannot read the trace %s: %s", m->dir.path, why);
	assert_string_equal(m->err.text, expected);
}

static void put_file(struct made *m, const char *name)
{
	int fd = openat(m->dir.fd, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "no stream", 9), 9);
	close(fd);
}

/* Every visible file except metadata is a stream, whatever its name. */
static void renamed_streams(void **state)
{
	struct made *m = *state;
	struct kt_trace_reader *r;
	struct kt_hit hit;
	int n = 0;

	begin(m, 1000, 0);
	number(m, 1001, 1);
	assert_int_equal(end(m, 1010), 0);
	assert_int_equal(renameat(m->dir.fd, "cpu3", m->dir.fd, "channel0_3"), 0);
	put_file(m, ".hidden");
	assert_int_equal(mkdirat(m->dir.fd, "index", 0700), 0);
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_non_null(r);
	while (kt_trace_reader_next(r, &hit, &m->err) > 0)
		n++;
	assert_int_equal(n, 1);
	kt_trace_reader_free(r);
	put_file(m, "notes");
	r = kt_trace_reader_open(m->dir.path, &m->err);
	assert_non_null(r);
	while ((n = kt_trace_reader_next(r, &hit, &m->err)) > 0)
		;
	assert_true(n < 0);
	assert_non_null(strstr(m->err.text, "notes"));
	kt_trace_reader_free(r);
}

static void missing_traces(void **state)
{
	struct made *m = *state;

	assert_int_equal(unlinkat(m->dir.fd, "cpu3", 0), 0);
	assert_int_equal(mkfifoat(m->dir.fd, "cpu3", 0600), 0);
	assert_refused(m, EINVAL, "cpu3: not a regular file");
	store(m, "metadata", "\x57\x1d\xd1\x75", 4);
	assert_refused(m, EPROTO, "metadata: not CTF 1.8 text, so not a trace of ktrace");
	assert_int_equal(unlinkat(m->dir.fd, "metadata", 0), 0);
	assert_refused(m, ENOENT, "not a trace: there is no metadata");
	assert_null(kt_trace_reader_open("/nowhere", &m->err));
	assert_string_equal(m->err.text,
			    "cannot read the trace /nowhere: No such file or directory");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_of_every_kind, set_up, tear_down),
		cmocka_unit_test_setup_teardown(varying_fields, set_up, tear_down),
		cmocka_unit_test_setup_teardown(full_times, set_up, tear_down),
		cmocka_unit_test_setup_teardown(losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(merging, set_up, tear_down),
		cmocka_unit_test_setup_teardown(renamed_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(missing_traces, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
