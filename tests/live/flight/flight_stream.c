// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder as one trace, of which each CPU's stream is read when somebody wants it, while
 * it is written and turned: each event once, and what is missing is told. The witnesses: the calls
 * have numbers, and babeltrace2 reads it all. On a bpffs of our own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "session/flight/flight_control.h"
#include "tests/live/told.h"
#include "trace/flight_stream.h"
#include "trace/trace_directory.h"

struct reader {
	struct listener listener;
	struct directory dir;
	struct kt_flight *flight; /* NULL: it rests */
	struct kt_flight_stream *feed;
	struct kt_metadata *metadata;
	struct stream {
		struct kt_stream_reader *source; /* NULL: nobody has wanted it yet */
		uint64_t time;
	} streams[CPU_SETSIZE];
	size_t memory; /* of these */
};

static void open_flight(struct reader *r)
{
	if (!r->flight)
		r->flight = look();
}

static void rest(struct listener *l)
{
	struct reader *r = (struct reader *)l;

	if (r->feed)
		kt_flight_stream_rest(r->feed);
	kt_flight_free(r->flight);
	r->flight = NULL;
}

/* Only where it is to be opened once more. */
static void rest_after(struct reader *r, const struct kt_error *err)
{
	if (err->code != EAGAIN)
		fail_msg("%s", err->text);
	rest(&r->listener);
}

/* What the metadata of now says. */
static struct kt_metadata *describe(struct reader *r)
{
	struct kt_error err;
	struct kt_metadata *s;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	open_flight(r);
	while (kt_flight_stream_describe(r->flight, tracefs, "1.2.3", to, &err) < 0) {
		rest_after(r, &err);
		open_flight(r);
	}
	fclose(to);
	s = kt_metadata_parse(text, size, &err);
	if (!s)
		fail_msg("%s", err.text);
	free(text);
	return s;
}

static size_t ring_of(const struct kt_flight *f, size_t cpu)
{
	const struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_rings(b, 0) ? 0 : 1);

	return channel * kt_rings_cpus(rings) + cpu;
}

static void copy(struct reader *r, size_t cpu)
{
	struct kt_error err;

	open_flight(r);
	while (kt_flight_stream_copy(r->feed, ring_of(r->flight, cpu), r->flight, &err) < 0) {
		rest_after(r, &err);
		open_flight(r);
	}
}

/* All that there is of it by now. */
static void read_cpu(struct listener *l, size_t cpu)
{
	struct reader *r = (struct reader *)l;
	struct stream *s = &r->streams[cpu];
	struct kt_error err;
	struct kt_hit hit;
	char name[16];
	int ret;

	copy(r, cpu);
	kt_trace_directory_name_stream(name, sizeof(name), channel, cpu);
	if (!s->source)
		s->source = kt_stream_reader_open(r->metadata, r->dir.fd, name, &r->memory, &err);
	if (!s->source)
		fail_msg("%s", err.text);
	kt_stream_reader_resume(s->source);
	while ((ret = kt_stream_reader_next(s->source, &hit, &err)) > 0) {
		assert_true(hit.time >= s->time);
		s->time = hit.time;
		listen_to(l, cpu, &hit);
	}
	if (ret < 0)
		fail_msg("%s", err.text);
}

/* One of them more often than the others. */
static void read_in_round(struct listener *l, size_t round)
{
	size_t i;

	for (i = 0; i < l->n_ours; i++)
		if (round % (3 * i + 1) == 0)
			read_cpu(l, l->ours[i]);
	if (round % 7 == 6)
		rest(l);
}

static struct reader *begin_reader(void)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct kt_error err;

	r->listener.read = read_cpu;
	r->listener.read_in_round = read_in_round;
	r->listener.rest = rest;
	open_directory(&r->dir);
	while (!r->feed) {
		open_flight(r);
		r->feed = kt_flight_stream_new(r->flight, tracefs, "1.2.3", r->dir.fd, &err);
		if (!r->feed)
			rest_after(r, &err);
	}
	r->metadata = describe(r);
	return r;
}

/* All in all it is what babeltrace2 finds there, too. */
static void end_reader(struct reader *r)
{
	uint64_t n = 0;
	char *text;
	size_t cpu;

	rest(&r->listener);
	kt_flight_stream_free(r->feed);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		n += r->listener.cpus[cpu].n;
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

	listen_to_callers(&r->listener);
	end_reader(r);
}

static void while_they_are_made(void **state)
{
	(void)state;
	run_alone(call_and_read);
}

static void while_it_is_turned(void **state)
{
	(void)state;
	run_while_it_is_turned(true, call_and_read);
}

static void while_it_is_turned_without_a_spare(void **state)
{
	(void)state;
	run_while_it_is_turned(false, call_and_read);
}

static void turned_once(void **state)
{
	struct reader *r;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	r = begin_reader();
	listen_through_turns(&r->listener);
	end_reader(r);
	assert_int_equal(remove_flight(), 0);
}

/* Nor does what was lost change where it is only opened anew, or overwritten. */
static void turned_too_often(void **state)
{
	const struct told *cpu;
	struct caller c;
	struct reader *r;
	uint64_t lost;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	r = begin_reader();
	c = listen_too_seldom(&r->listener);
	cpu = &r->listener.cpus[c.cpu];
	lost = cpu->lost;
	rest(&r->listener);
	call_on(&c, N_MANY / 100);
	read_cpu(&r->listener, c.cpu);
	assert_true(cpu->lost > lost);
	assert_int_equal(cpu->n + cpu->lost, c.first + c.n);
	rest(&r->listener);
	call_on(&c, N_EACH);
	read_cpu(&r->listener, c.cpu);
	assert_int_equal(cpu->n + cpu->lost, c.first + c.n);
	end_reader(r);
	assert_int_equal(remove_flight(), 0);
}

/* What it had is there for who has it open, and then no more. */
static void stopped_meanwhile(void **state)
{
	struct caller c = {0};
	struct reader *r;
	size_t cpu;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	r = begin_reader();
	cpu = call_on(&c, N_EACH);
	read_cpu(&r->listener, cpu);
	call_on(&c, N_EACH);
	assert_int_equal(remove_flight(), 0);
	call_on(&c, N_EACH);
	read_cpu(&r->listener, cpu);
	read_cpu(&r->listener, cpu);
	assert_int_equal(r->listener.cpus[cpu].n, 2 * N_EACH);
	assert_int_equal(r->listener.cpus[cpu].lost, 0);
	end_reader(r);
}

/* So it is where the reader has seen a spare that was freed before the end. */
static void stopped_behind_a_turn(void **state)
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
	cpu = call_on(&c, N_EACH);
	read_cpu(&r->listener, cpu);
	held = hold();
	b = kt_flight_buffer_sets(held);
	assert_int_equal(kt_buffer_sets_make_spare(b, &err), 0);
	kt_buffer_sets_swap(b);
	call_on(&c, N_EACH);
	read_cpu(&r->listener, cpu);
	kt_buffer_sets_consume(b);
	assert_int_equal(kt_buffer_sets_drop_spare(b, &err), 0);
	kt_flight_free(held);
	call_on(&c, N_EACH);
	kt_flight_stream_rest(r->feed);
	assert_int_equal(remove_flight(), 0);
	read_cpu(&r->listener, cpu);
	assert_int_equal(r->listener.cpus[cpu].n, 3 * N_EACH);
	assert_int_equal(r->listener.cpus[cpu].lost, 0);
	end_reader(r);
}

/* It is paused and goes on, and then has one of them no more. */
static void pause_and_disable(size_t event)
{
	struct kt_flight *f = hold();
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

/* Whoever reads it, and whenever: but what is complete is so as of then. */
static void is_one_trace(void **state)
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
	assert_int_equal(swap(), 0);
	rest(&r->listener);
	now = describe(r);
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
		IN_BOTH_CHANNELS(while_they_are_made),
		IN_BOTH_CHANNELS(while_it_is_turned),
		cmocka_unit_test(while_it_is_turned_without_a_spare),
		cmocka_unit_test(stopped_behind_a_turn),
		IN_BOTH_CHANNELS(turned_once),
		cmocka_unit_test(turned_too_often),
		cmocka_unit_test(stopped_meanwhile),
		cmocka_unit_test(is_one_trace),
	};

	return cmocka_run_group_tests_name("feed", tests, open_tracefs, NULL);
}
