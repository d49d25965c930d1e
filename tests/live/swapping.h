/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight recorder whose buffers are swapped, and numbered calls that show what is missing. */
#ifndef KT_TESTS_SWAPPING_H
#define KT_TESTS_SWAPPING_H

#include "tests/live/flight.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"

enum { N_TURNS = 40 };

/* Returns the call's first argument. */
static inline uint64_t call_number(const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (strcmp(fields->members[i].name, "pid") == 0)
			return kt_value_number(&fields->members[i], &hit->values[i], 0);
	fail_msg("%s has no pid", hit->event->name);
	return 0;
}

/* Makes n more calls on one CPU and returns it. */
static inline size_t make_calls_on_a_cpu(struct caller *c, int n)
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

static inline int swap_once(void)
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

/* Sometimes soon after the other swap, sometimes late. */
static inline int swap_again_and_again(void)
{
	int i, ret = 0;

	for (i = 0; i < N_TURNS && ret == 0; i++) {
		ret = swap_once();
		usleep(i % 4 * 5000);
	}
	return ret;
}

/* A test with no other process at the flight. */
static inline void run_alone(void test(void))
{
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	test();
	assert_int_equal(remove_flight(), 0);
}

static inline void run_while_swapping(bool spare, void test(void))
{
	pid_t turner;

	skip_where_refused();
	assert_int_equal(start_with(spare), 0);
	turner = begin_process(swap_again_and_again);
	test();
	assert_int_equal(end_process(turner), 0);
	assert_int_equal(remove_flight(), 0);
}

static inline int reset_once(void)
{
	struct kt_flight *f = lock_flight();
	struct kt_error err;
	int ret = kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err);

	kt_flight_free(f);
	return ret;
}

static inline int want_spare(void)
{
	struct kt_flight *f = lock_flight();
	struct kt_error err;
	int ret = kt_buffer_sets_want_spare(kt_flight_buffer_sets(f), true, &err);

	kt_flight_free(f);
	return ret;
}

#endif
