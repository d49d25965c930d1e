/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight recorder that is turned, and calls with numbers, by which one sees what is missing. */
#ifndef KT_TESTS_TURNS_H
#define KT_TESTS_TURNS_H

#include "tests/live/flight.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"

enum { N_TURNS = 40 };

/* The call's first argument. */
static inline uint64_t number_of(const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (strcmp(fields->members[i].name, "pid") == 0)
			return kt_value_number(&fields->members[i], &hit->values[i], 0);
	fail_msg("%s has no pid", hit->event->name);
	return 0;
}

/* Another n of them, all on one CPU; which. */
static inline size_t call_on(struct caller *c, int n)
{
	size_t cpus[CPU_SETSIZE];
	cpu_set_t ours;

	our_cpus(cpus);
	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	*c = (struct caller){.cpu = cpus[0], .first = c->first + c->n, .n = n};
	call_there(c);
	assert_int_equal(sched_setaffinity(0, sizeof(ours), &ours), 0);
	return cpus[0];
}

static inline int swap(void)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_lock(NAME, &err);
	struct kt_buffer_sets *b;
	int ret;

	if (!f)
		return -err.code;
	b = kt_flight_buffer_sets(f);
	ret = kt_buffer_sets_make_spare(b, &err);
	if (ret == 0) {
		kt_buffer_sets_swap(b);
		kt_buffer_sets_consume(b);
	}
	if (!kt_buffer_sets_wants_spare(b))
		ret = kt_buffer_sets_drop_spare(b, &err);
	kt_flight_free(f);
	return ret;
}

/* Now soon after the other, and now late. */
static inline int turn_on_and_on(void)
{
	int i, ret = 0;

	for (i = 0; i < N_TURNS && ret == 0; i++) {
		ret = swap();
		usleep(i % 4 * 5000);
	}
	return ret;
}

/* A test of one that nobody else is at. */
static inline void run_alone(void test(void))
{
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	test();
	assert_int_equal(remove_flight(), 0);
}

static inline void run_while_it_is_turned(bool spare, void test(void))
{
	pid_t turner;

	skip_where_refused();
	assert_int_equal(start_with(spare), 0);
	turner = begin(turn_on_and_on);
	test();
	assert_int_equal(end(turner), 0);
	assert_int_equal(remove_flight(), 0);
}

static inline int reset(void)
{
	struct kt_flight *f = hold();
	struct kt_error err;
	int ret = kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err);

	kt_flight_free(f);
	return ret;
}

static inline int want_spare(void)
{
	struct kt_flight *f = hold();
	struct kt_error err;
	int ret = kt_buffer_sets_want_spare(kt_flight_buffer_sets(f), true, &err);

	kt_flight_free(f);
	return ret;
}

#endif
