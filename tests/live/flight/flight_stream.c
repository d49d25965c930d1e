// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder as one trace whose streams are read on demand while it records and swaps: each
 * event once, losses reported. Witnesses: numbered calls, and babeltrace2 reading it all. On a
 * private bpffs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "session/flight/flight_control.h"
#include "tests/live/reading.h"
#include "trace/flight/flight_stream.h"
#include "trace/trace_directory.h"

struct reader {
	struct live_reader base;
	struct directory dir;
	struct kt_flight *flight; /* NULL: closed */
	struct kt_flight_stream *stream;
	struct kt_metadata *metadata;
	struct stream {
		struct kt_stream_reader *source; /* NULL: not read yet */
		uint64_t time;
	} streams[CPU_SETSIZE];
	size_t memory; /* bytes of these */
};

static void ensure_open(struct reader *r)
{
	if (!r->flight)
		r->flight = open_flight();
}

static void close_reader(struct live_reader *l)
{
	struct reader *r = (struct reader *)l;

	if (r->stream)
		kt_flight_stream_rest(r->stream);
	kt_flight_free(r->flight);
	r->flight = NULL;
}

/* Closes the flight only if it must be opened again. */
static void close_if_stale(struct reader *r, const struct kt_error *err)
{
	if (err->code != EAGAIN)
		fail_msg("%s", err->text);
	close_reader(&r->base);
}

/* Reads the current metadata. */
static struct kt_metadata *read_metadata(struct reader *r)
{
	struct kt_error err;
	struct kt_metadata *s;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	ensure_open(r);
	while (kt_flight_stream_describe(r->flight, tracefs, "1.2.3", to, &err) < 0) {
		close_if_stale(r, &err);
		ensure_open(r);
	}
	fclose(to);
	s = kt_metadata_parse(text, size, &err);
	if (!s)
		fail_msg("%s", err.text);
	free(text);
	return s;
}

static size_t ring_index(const struct kt_flight *f, size_t cpu)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_rings(b, 0) ? 0 : 1);

	return channel * kt_rings_cpus(rings) + cpu;
}

static void copy_stream(struct reader *r, size_t cpu)
{
	struct kt_error err;

	ensure_open(r);
	while (kt_flight_stream_copy(r->stream, ring_index(r->flight, cpu), r->flight, &err) < 0) {
		close_if_stale(r, &err);
		ensure_open(r);
	}
}

/* Reads everything there is. */
static void read_cpu(struct live_reader *l, size_t cpu)
{
	struct reader *r = (struct reader *)l;
	struct stream *s = &r->streams[cpu];
	struct kt_error err;
	struct kt_hit hit;
	char name[16];
	int ret;

	copy_stream(r, cpu);
	kt_trace_directory_name_stream(name, sizeof(name), channel, cpu);
	if (!s->source)
		s->source = kt_stream_reader_open(r->metadata, r->dir.fd, name, &r->memory, &err);
	if (!s->source)
		fail_msg("%s", err.text);
	kt_stream_reader_resume(s->source);
	while ((ret = kt_stream_reader_next(s->source, &hit, &err)) > 0) {
		assert_true(hit.time >= s->time);
		s->time = hit.time;
		check_event(l, cpu, &hit);
	}
	if (ret < 0)
		fail_msg("%s", err.text);
}

/* One CPU is read more often than the others. */
static void read_in_round(struct live_reader *l, size_t round)
{
	size_t i;

	for (i = 0; i < l->n_ours; i++)
		if (round % (3 * i + 1) == 0)
			read_cpu(l, l->ours[i]);
	if (round % 7 == 6)
		close_reader(l);
}

static struct reader *begin_reader(void)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct kt_error err;

	r->base.read = read_cpu;
	r->base.read_in_round = read_in_round;
	r->base.close = close_reader;
	open_directory(&r->dir);
	while (!r->stream) {
		ensure_open(r);
		r->stream = kt_flight_stream_new(r->flight, tracefs, "1.2.3", r->dir.fd, &err);
		if (!r->stream)
			close_if_stale(r, &err);
	}
	r->metadata = read_metadata(r);
	return r;
}

/* In the end it has exactly what babeltrace2 reads. */
static void end_reader(struct reader *r)
{
	uint64_t n = 0;
	char *text;
	size_t cpu;

	close_reader(&r->base);
	kt_flight_stream_free(r->stream);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		n += r->base.cpus[cpu].n;
		kt_stream_reader_free(r->streams[cpu].source);
	}
	text = babeltrace(&r->dir, "2>/dev/null | wc -l");
	assert_int_equal(strtoull(text, NULL, 10), n);
	free(text);
	kt_metadata_free(r->metadata);
	remove_directory(&r->dir);
	free(r);
}

static void call_and_read(void)
{
	struct reader *r = begin_reader();

	read_all_callers(&r->base);
	end_reader(r);
}

static void during_calls(void **state)
{
	(void)state;
	run_alone(call_and_read);
}

static void during_swaps(void **state)
{
	(void)state;
	run_while_swapping(true, call_and_read);
}

static void during_swaps_without_spare(void **state)
{
	(void)state;
	run_while_swapping(false, call_and_read);
}

static void swapped_once(void **state)
{
	struct reader *r;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	r = begin_reader();
	read_between_swaps(&r->base);
	end_reader(r);
	assert_int_equal(remove_flight(), 0);
}

/* Losses do not change if the flight is only reopened, or overwritten. */
static void swapped_too_often(void **state)
{
	const struct cpu_progress *cpu;
	struct caller c;
	struct reader *r;
	uint64_t lost;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	r = begin_reader();
	c = read_too_seldom(&r->base);
	cpu = &r->base.cpus[c.cpu];
	lost = cpu->lost;
	close_reader(&r->base);
	make_calls_on_a_cpu(&c, N_MANY / 100);
	read_cpu(&r->base, c.cpu);
	assert_true(cpu->lost > lost);
	assert_int_equal(cpu->n + cpu->lost, c.first + c.n);
	close_reader(&r->base);
	make_calls_on_a_cpu(&c, N_EACH);
	read_cpu(&r->base, c.cpu);
	assert_int_equal(cpu->n + cpu->lost, c.first + c.n);
	end_reader(r);
	assert_int_equal(remove_flight(), 0);
}

/* A reader with the flight open still gets its contents, and then nothing more. */
static void stopped_while_open(void **state)
{
	struct caller c = {0};
	struct reader *r;
	size_t cpu;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	r = begin_reader();
	cpu = make_calls_on_a_cpu(&c, N_EACH);
	read_cpu(&r->base, cpu);
	make_calls_on_a_cpu(&c, N_EACH);
	assert_int_equal(remove_flight(), 0);
	make_calls_on_a_cpu(&c, N_EACH);
	read_cpu(&r->base, cpu);
	read_cpu(&r->base, cpu);
	assert_int_equal(r->base.cpus[cpu].n, 2 * N_EACH);
	assert_int_equal(r->base.cpus[cpu].lost, 0);
	end_reader(r);
}

/* The same if the reader has seen spare buffers that were freed before the end. */
static void stopped_after_a_swap(void **state)
{
	struct kt_flight *held;
	struct kt_buffer_sets *b;
	struct kt_error err;
	struct caller c = {0};
	struct reader *r;
	size_t cpu;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_with(false), 0);
	r = begin_reader();
	cpu = make_calls_on_a_cpu(&c, N_EACH);
	read_cpu(&r->base, cpu);
	held = lock_flight();
	b = kt_flight_buffer_sets(held);
	assert_int_equal(kt_buffer_sets_make_spare(b, &err), 0);
	kt_buffer_sets_swap(b);
	make_calls_on_a_cpu(&c, N_EACH);
	read_cpu(&r->base, cpu);
	kt_buffer_sets_consume(b);
	assert_int_equal(kt_buffer_sets_drop_spare(b, &err), 0);
	kt_flight_free(held);
	make_calls_on_a_cpu(&c, N_EACH);
	kt_flight_stream_rest(r->stream);
	assert_int_equal(remove_flight(), 0);
	read_cpu(&r->base, cpu);
	assert_int_equal(r->base.cpus[cpu].n, 3 * N_EACH);
	assert_int_equal(r->base.cpus[cpu].lost, 0);
	end_reader(r);
}

/* Pauses and resumes the flight, then disables one event. */
static void pause_and_disable(size_t event)
{
	struct kt_flight *f = lock_flight();
	struct kt_flight_control *s = kt_flight_get_control(f);
	struct kt_error err;

	kt_flight_control_pause(s);
	assert_int_equal(kt_flight_control_commit(s, &err), 0);
	kt_flight_control_resume(s);
	assert_int_equal(kt_flight_control_commit(s, &err), 0);
	kt_flight_control_disable(s, event);
	assert_int_equal(kt_flight_control_commit(s, &err), 0);
	kt_flight_free(f);
}

/* Whoever reads it, and whenever: only what is complete depends on the time of reading. */
static void one_trace(void **state)
{
	struct reader *r, *other;
	struct kt_metadata *now;
	uint8_t uuid[16];
	uint64_t before;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_events(2, true), 0);
	r = begin_reader();
	other = begin_reader();
	assert_memory_equal(r->metadata->uuid, other->metadata->uuid, 16);
	assert_true(kt_time_span_is_always(r->metadata->events[0].complete));
	assert_true(kt_time_span_is_always(r->metadata->events[1].complete));
	before = kt_clock_now();
	pause_and_disable(1);
	assert_int_equal(swap_once(), 0);
	close_reader(&r->base);
	now = read_metadata(r);
	assert_memory_equal(r->metadata->uuid, now->uuid, 16);
	assert_true(now->events[0].complete.from > before);
	assert_int_equal(now->events[0].complete.until, KT_ALWAYS.until);
	assert_true(now->events[1].complete.from > before);
	assert_in_range(now->events[1].complete.until, now->events[1].complete.from,
			kt_clock_now());
	kt_metadata_free(now);
	memcpy(uuid, r->metadata->uuid, sizeof(uuid));
	end_reader(r);
	end_reader(other);
	assert_int_equal(remove_flight(), 0);

	assert_int_equal(start_flight(), 0);
	other = begin_reader();
	assert_memory_not_equal(other->metadata->uuid, uuid, 16);
	end_reader(other);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_BOTH_CHANNELS(during_calls),
		IN_BOTH_CHANNELS(during_swaps),
		cmocka_unit_test(during_swaps_without_spare),
		cmocka_unit_test(stopped_after_a_swap),
		IN_BOTH_CHANNELS(swapped_once),
		cmocka_unit_test(swapped_too_often),
		cmocka_unit_test(stopped_while_open),
		cmocka_unit_test(one_trace),
	};

	return cmocka_run_group_tests_name("flight_stream", tests, open_tracefs, NULL);
}
