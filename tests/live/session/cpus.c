// SPDX-License-Identifier: GPL-2.0-or-later
/* Sessions on some CPUs, compared with the calls made on each CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cpus.h"
#include "filter/filter_parser.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

enum { HERE = 300, THERE = 200, UNLIKE = 7 };

static size_t cpus[CPU_SETSIZE];

static void skip_without_two(void)
{
	skip_where_refused();
	if (our_cpus(cpus) >= 2)
		return;
	print_message("# this machine gives us one CPU\n");
	skip();
}

/* Creates a session for entries on that CPU only, with a filter or NULL. */
static struct kt_session *create_session(size_t here, const char *filter)
{
	struct kt_event *event = read_event("syscalls", names[ENTER]);
	struct kt_session *s;
	struct kt_error err;
	bool *selected;

	selected = calloc(kt_cpus_possible(&err), sizeof(*selected));
	selected[here] = true;
	s = kt_session_new((struct kt_geometry){16, 8}, 1, selected, &err);
	free(selected);
	if (!s)
		fail_msg("%s", err.text);
	if (filter)
		event->filter = kt_filter_parse(event, filter, &err);
	if (kt_session_add(s, event, &err) < 0)
		fail_msg("%s", err.text);
	kt_session_start(s);
	return s;
}

static void make_calls_on(size_t cpu, int n)
{
	struct caller c = {.cpu = cpu, .first = NO_TASK, .n = n};

	run_caller(&c);
}

static void assert_counters(const struct kt_session *s, size_t cpu, uint64_t hits,
			    uint64_t filtered)
{
	struct kt_counters t = kt_counter_map_read(kt_session_counters(s), 0, cpu);

	assert_int_equal(t.hits, hits);
	assert_int_equal(t.filtered, filtered);
	assert_int_equal(kt_counters_lost(t), 0);
	assert_int_equal(kt_session_missed(s, 0), 0);
}

/* Hits elsewhere are filtered and need no memory, whichever CPU is recorded. */
static void one_cpu(void **state)
{
	struct kt_session *s;
	int i;

	(void)state;
	skip_without_two();
	for (i = 0; i < 2; i++) {
		s = create_session(cpus[i], NULL);
		assert_non_null(kt_rings_at(kt_session_rings(s), cpus[i]));
		assert_null(kt_rings_at(kt_session_rings(s), cpus[!i]));
		make_calls_on(cpus[i], HERE);
		make_calls_on(cpus[!i], THERE);
		kt_session_stop(s);
		assert_counters(s, cpus[i], HERE, 0);
		assert_counters(s, cpus[!i], 0, THERE);
		kt_session_free(s);
	}
}

/* A filter uses the stack, too; each hit is filtered at most once. */
static void with_filter(void **state)
{
	char filter[128];
	struct kt_session *s;

	(void)state;
	skip_without_two();
	snprintf(filter, sizeof(filter), "pid != %d || comm ~ '*[!a-z]no-such*'", NO_TASK + UNLIKE);
	s = create_session(cpus[1], filter);
	make_calls_on(cpus[1], HERE);
	make_calls_on(cpus[0], THERE);
	kt_session_stop(s);
	assert_counters(s, cpus[1], HERE - 1, 1);
	assert_counters(s, cpus[0], 0, THERE);
	kt_session_free(s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_cpu),
		cmocka_unit_test(with_filter),
	};

	return cmocka_run_group_tests_name("some CPUs", tests, read_ids, NULL);
}
