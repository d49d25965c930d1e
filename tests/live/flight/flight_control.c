// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of a flight disabled and enabled while it records: all at one moment, or none if the
 * process is killed. On a private bpffs. Each call is a hit of both events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/live/enabling.h"

enum { N_SWITCHED = 200, N_KILLS = 100 };

/* A thread that reads the first event's enable word again and again, and then the last one's. */
struct watcher {
	struct kt_enable_word *enable;
	unsigned long reads;
	bool ends, was_half;
};

static void *watch_words(void *arg)
{
	struct watcher *w = arg;
	struct kt_event_state first, last;

	while (!__atomic_load_n(&w->ends, __ATOMIC_RELAXED)) {
		first = kt_enable_word_event(w->enable, 0);
		last = kt_enable_word_event(w->enable, KT_EVENTS_MAX - 1);
		if (last.since < first.since || first.number != first.since % 2 * KT_NUMBER_MAX ||
		    last.number != last.since % 2 * KT_NUMBER_MAX)
			w->was_half = true;
		__atomic_fetch_add(&w->reads, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void await_reads(const struct watcher *w, unsigned long n)
{
	unsigned long until = __atomic_load_n(&w->reads, __ATOMIC_SEQ_CST) + n;

	while (__atomic_load_n(&w->reads, __ATOMIC_SEQ_CST) < until)
		;
}

/* Times are small numbers here; at odd ones all words are set to the newest. */
static void all_enable_words(void **state)
{
	struct kt_event_state *to = calloc(KT_EVENTS_MAX, sizeof(*to));
	struct kt_error err;
	struct watcher w = {0};
	pthread_t thread;
	uint64_t now;
	size_t i;

	(void)state;
	skip_where_refused();
	w.enable = kt_enable_word_new(KT_EVENTS_MAX, &err);
	assert_non_null(w.enable);
	assert_int_equal(kt_enable_word_event(w.enable, KT_EVENTS_MAX - 1).number, 1);
	assert_int_equal(kt_enable_word_event(w.enable, KT_EVENTS_MAX - 1).since, 0);
	kt_enable_word_change(w.enable, to, (struct kt_enable_state){0}, 2);
	assert_int_equal(pthread_create(&thread, NULL, watch_words, &w), 0);
	for (now = 3; now < N_SWITCHED; now++) {
		for (i = 0; i < KT_EVENTS_MAX; i++)
			to[i].number = now % 2 * KT_NUMBER_MAX;
		await_reads(&w, 2);
		kt_enable_word_change(w.enable, to, (struct kt_enable_state){.is_open = now & 2},
				      now);
		assert_int_equal(kt_enable_word_event(w.enable, now).number,
				 now % 2 * KT_NUMBER_MAX);
		assert_int_equal(kt_enable_word_event(w.enable, now).since, now);
	}
	__atomic_store_n(&w.ends, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_false(w.was_half);
	kt_enable_word_free(w.enable);
	free(to);
}

/* No two successive numbers are equal, and none is 0. */
static void numbers(void **state)
{
	struct kt_error err;
	struct kt_enable_word *g;
	int i;

	(void)state;
	skip_where_refused();
	g = kt_enable_word_new(1, &err);
	assert_non_null(g);
	assert_int_equal(kt_enable_word_last_number(g), 1);
	for (i = 2; i <= KT_NUMBER_MAX; i++)
		assert_int_equal(kt_enable_word_next_number(g), i);
	assert_int_equal(kt_enable_word_next_number(g), 1);
	assert_int_equal(kt_enable_word_next_number(g), 2);
	assert_int_equal(kt_enable_word_last_number(g), 2);
	kt_enable_word_free(g);
}

static void disable_in(struct kt_flight *f, bool enter, bool exit)
{
	if (enter)
		kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	if (exit)
		kt_flight_control_disable(kt_flight_get_control(f), EXIT);
	commit(f);
}

static int disable_both(void)
{
	struct kt_flight *f = lock_flight();

	disable_in(f, true, true);
	kt_flight_free(f);
	return 0;
}

static void enable_in(struct kt_flight *f, bool enter, bool exit)
{
	if (enter)
		prepare(f, "syscalls", names[ENTER], ENTER);
	if (exit)
		prepare(f, "syscalls", names[EXIT], EXIT);
	commit(f);
}

static int enable_both(void)
{
	struct kt_flight *f = lock_flight();

	enable_in(f, true, true);
	kt_flight_free(f);
	return 0;
}

static void pin_path(size_t event, const char *kind, int number, char path[256])
{
	snprintf(path, 256, PLACE "/%s/syscalls:%s:%d", kind, names[event], number);
}

static bool is_pinned(size_t event, const char *kind, int number)
{
	char path[256];

	pin_path(event, kind, number, path);
	return access(path, F_OK) == 0;
}

/* Opens a link for the caller to close. */
static int open_link(size_t event, int number)
{
	char path[256];
	int link;

	pin_path(event, "link", number, path);
	link = bpf_obj_get(path);
	assert_true(link >= 0);
	return link;
}

/* A process holds its link: it stays attached, and records nothing all the same. */
static void one_event_disabled(void **state)
{
	struct kt_flight *f;
	int link;

	(void)state;
	f = start_locked();
	make_calls(N_CALLS);
	expect_hits(f, N_CALLS, N_CALLS);
	assert_true(read_figures(f).is_enabled[EXIT]);
	assert_int_equal(read_figures(f).switched[EXIT], 0);

	link = open_link(EXIT, 1);
	disable_in(f, false, true);
	make_calls(N_CALLS);
	expect_hits(f, 2 * N_CALLS, N_CALLS);
	assert_true(read_figures(f).is_enabled[ENTER]);
	assert_int_equal(read_figures(f).switched[ENTER], 0);
	assert_false(read_figures(f).is_enabled[EXIT]);
	assert_in_range(read_figures(f).switched[EXIT], 1, UINT64_C(10000000000));
	assert_true(is_pinned(ENTER, "link", 1));
	assert_false(is_pinned(EXIT, "link", 1));
	assert_true(is_pinned(ENTER, "program", 1));
	assert_false(is_pinned(EXIT, "program", 1));

	/* The same in the other buffer set, and if it is disabled a second time. */
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	make_calls(N_CALLS);
	expect_hits(f, 3 * N_CALLS, N_CALLS);
	disable_in(f, false, true);
	make_calls(N_CALLS);
	expect_hits(f, 4 * N_CALLS, N_CALLS);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	make_calls(N_CALLS);
	expect_hits(f, 5 * N_CALLS, N_CALLS);
	assert_true(read_figures(f).switched[EXIT] > 0);
	kt_flight_free(f);
	close(link);
	assert_int_equal(remove_flight(), 0);
}

/* It then has a new program, and the old ones record nothing even if a process holds them. */
static void enabled_again(void **state)
{
	uint64_t calls = N_CALLS, recorded = N_CALLS, switched;
	struct kt_flight *f;
	int number, link;

	(void)state;
	f = start_locked();
	make_calls(N_CALLS);
	for (number = 1; number < 6; number++) {
		link = open_link(EXIT, number);
		disable_in(f, false, true);
		switched = kt_clock_now();
		make_calls(N_CALLS);
		calls += N_CALLS;
		expect_hits(f, calls, recorded);
		enable_in(f, false, true);
		assert_true(read_figures(f).is_enabled[EXIT]);
		assert_in_range(kt_flight_control_event(kt_flight_get_control(f), EXIT).since,
				switched, kt_clock_now());
		assert_false(is_pinned(EXIT, "link", number));
		assert_false(is_pinned(EXIT, "program", number));
		assert_true(is_pinned(EXIT, "link", number + 1));
		assert_true(is_pinned(EXIT, "program", number + 1));
		make_calls(N_CALLS);
		calls += N_CALLS;
		recorded += N_CALLS;
		expect_hits(f, calls, recorded);
		kt_buffer_sets_swap(kt_flight_buffer_sets(f));
		kt_buffer_sets_consume(kt_flight_buffer_sets(f));
		make_calls(N_CALLS);
		calls += N_CALLS;
		recorded += N_CALLS;
		expect_hits(f, calls, recorded);
		close(link);
	}
	assert_true(is_pinned(ENTER, "link", 1));
	assert_int_equal(kt_flight_control_event(kt_flight_get_control(f), ENTER).since, 0);
	end_flight(f);
}

/* Asserts that one end of a span is recent. */
static void assert_recent(uint64_t time, uint64_t since)
{
	assert_in_range(time, since, kt_clock_now());
}

/* The span for which an event is complete; inactive sets keep theirs. */
static void complete_spans(void **state)
{
	struct kt_flight *f;
	const struct kt_buffer_sets *b;
	struct kt_time_span span, rests;
	uint64_t time;

	(void)state;
	f = start_locked();
	b = kt_flight_buffer_sets(f);
	assert_true(kt_time_span_is_always(kt_buffer_sets_complete_in(b, 0, EXIT)));
	time = kt_clock_now();
	disable_in(f, false, true);
	rests = kt_buffer_sets_complete_in(b, 0, EXIT);
	assert_int_equal(rests.from, 0);
	assert_recent(rests.until, time);
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	time = kt_clock_now();
	enable_in(f, false, true);
	span = kt_buffer_sets_complete_in(b, 1, EXIT);
	assert_recent(span.from, time);
	assert_true(span.until == UINT64_MAX);
	time = kt_clock_now();
	disable_in(f, false, true);
	assert_int_equal(kt_buffer_sets_complete_in(b, 1, EXIT).from, span.from);
	assert_recent(kt_buffer_sets_complete_in(b, 1, EXIT).until, time);
	disable_in(f, false, true);
	assert_int_equal(kt_buffer_sets_complete_in(b, 1, EXIT).from, span.from);
	assert_int_equal(kt_buffer_sets_complete_in(b, 0, EXIT).from, 0);
	assert_int_equal(kt_buffer_sets_complete_in(b, 0, EXIT).until, rests.until);
	assert_true(kt_time_span_is_always(kt_buffer_sets_complete_in(b, 0, ENTER)));
	assert_true(kt_time_span_is_always(kt_buffer_sets_complete_in(b, 1, ENTER)));
	end_flight(f);
}

/* An uncommitted change leaves nothing behind. */
static void not_committed(void **state)
{
	struct kt_flight *f;

	(void)state;
	skip_where_refused();
	start_both();
	assert_int_equal(disable_both(), 0);
	f = lock_flight();
	prepare(f, "syscalls", names[ENTER], ENTER);
	assert_true(is_pinned(ENTER, "link", 2));
	make_calls(N_CALLS);
	expect_hits(f, 0, 0);
	kt_flight_free(f);
	assert_false(is_pinned(ENTER, "link", 2));
	assert_false(is_pinned(ENTER, "program", 2));
	f = lock_flight();
	prepare(f, "syscalls", names[ENTER], ENTER);
	disable_in(f, true, false);
	assert_false(is_pinned(ENTER, "link", 3));
	make_calls(N_CALLS);
	expect_hits(f, 0, 0);
	end_flight(f);
}

/*
 * Missed events count until the event is disabled and no longer, even if a process keeps its
 * program attached; and again from its enabling, although its program is attached before. Each new
 * map element causes one, and a few more.
 */
static void missed(void **state)
{
	enum { N = 100, MOST = N + N / 2 };
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	uint64_t missed;
	int map, link;

	(void)state;
	f = start_with_missed(6 * N, &map);
	b = kt_flight_buffer_sets(f);
	link = bpf_obj_get(PLACE "/link/kmem:kmalloc:1");
	assert_true(link >= 0);
	insert_elements(map, 0, N);
	kt_buffer_sets_swap(b);
	insert_elements(map, N, N);
	kt_flight_control_disable(kt_flight_get_control(f), 0);
	commit(f);
	missed = kt_buffer_sets_missed(b, 0);
	assert_in_range(missed, 2 * N, 2 * MOST);
	assert_in_range(kt_buffer_sets_missed_in(b, 0, 0), N, MOST);
	insert_elements(map, 2 * N, N);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);
	assert_int_equal(kt_buffer_sets_missed_in(b, 0, 0) + kt_buffer_sets_missed_in(b, 1, 0),
			 missed);
	kt_buffer_sets_consume(b);
	kt_buffer_sets_swap(b);
	insert_elements(map, 3 * N, N);
	assert_int_equal(kt_buffer_sets_missed_in(b, 0, 0), 0);
	assert_in_range(kt_buffer_sets_missed_in(b, 1, 0), N, MOST);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);

	prepare(f, "kmem", "kmalloc", 0);
	insert_elements(map, 4 * N, N);
	assert_int_equal(kt_buffer_sets_missed(b, 0), missed);
	commit(f);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed, missed + N / 2);
	insert_elements(map, 5 * N, N);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed + N, missed + MOST);
	assert_int_equal(kt_buffer_sets_missed_in(b, 0, 0), kt_buffer_sets_missed(b, 0) - missed);
	kt_flight_free(f);
	close(link);
	close(map);
	assert_int_equal(remove_flight(), 0);
}

static void disable_both_in(struct kt_flight *f)
{
	disable_in(f, true, true);
}

static void enable_both_in(struct kt_flight *f)
{
	enable_in(f, true, true);
}

static void both_at_once(void **state)
{
	(void)state;
	switch_while_calling(disable_both_in, enable_both_in);
}

static int number; /* of the programs that exist then, or not */

/* Both events are enabled, or none; the next process finds only what the kernel runs. */
static bool check_killed(void)
{
	struct kt_flight *f;
	bool is_enabled;

	f = open_flight();
	is_enabled = read_figures(f).is_enabled[ENTER];
	assert_int_equal(read_figures(f).is_enabled[EXIT], is_enabled);
	make_calls(N_CALLS);
	expect_hits(f, is_enabled * N_CALLS, is_enabled * N_CALLS);
	kt_flight_free(f);

	f = lock_flight();
	assert_int_equal(is_pinned(ENTER, "link", number), is_enabled);
	assert_int_equal(is_pinned(EXIT, "link", number), is_enabled);
	assert_int_equal(is_pinned(ENTER, "program", number), is_enabled);
	assert_int_equal(is_pinned(EXIT, "program", number), is_enabled);
	expect_hits(f, is_enabled * N_CALLS, is_enabled * N_CALLS);
	kt_flight_free(f);
	return is_enabled;
}

static void start_disabled(void)
{
	start_both();
	disable_both();
}

static void killed(void **state)
{
	(void)state;
	skip_where_refused();
	number = 1;
	kill_while_working(N_KILLS, start_both, disable_both, check_killed);
	number = 2;
	kill_while_working(N_KILLS, start_disabled, enable_both, check_killed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_enable_words),
		cmocka_unit_test(numbers),
		cmocka_unit_test(one_event_disabled),
		cmocka_unit_test(enabled_again),
		cmocka_unit_test(complete_spans),
		cmocka_unit_test(not_committed),
		cmocka_unit_test(missed),
		cmocka_unit_test(both_at_once),
		cmocka_unit_test(killed),
	};

	return cmocka_run_group_tests(tests, enter_namespace, NULL);
}
