// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of a flight that get new filters while it records: no hit is recorded by both filters, all
 * events change at one moment, or none if the process is killed. On a private bpffs. Each call is a
 * hit of both events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "session/flight/buffer_contents.h"
#include "session/flight/flight_info.h"
#include "tests/live/enabling.h"

#define NOT_ONE "pid != 1"
#define NOT_TWO "pid != 2"
#define ONE     "pid == 1"

enum { N_CHANGES = 40, N_KILLS = 40 };
enum { ONE_TASK = 1, TWO_TASK, HANDOVER_MS = 1000, MAX_WAITED = 3 };

/* Of the event that has the task as a field. NULL: no filter. */
static void prepare_filter(struct kt_flight *f, size_t event, const char *filter)
{
	struct kt_probes probes = kt_buffer_sets_probes(kt_flight_buffer_sets(f));
	struct kt_event *e = read_event("syscalls", names[event]);
	struct kt_error other_way, err;

	e->filter = parse_filter(e, filter);
	if (kt_flight_control_set_filter(kt_flight_get_control(f), event, &probes, e, &other_way,
					 &err) < 0)
		fail_msg("%s", err.text);
	kt_event_free(e);
}

static void set_filter(struct kt_flight *f, const char *filter)
{
	prepare_filter(f, ENTER, filter);
	commit(f);
}

/* In a process that does nothing else. */
static void filter_in_child(const char *text)
{
	struct kt_flight *f = lock_flight();

	set_filter(f, text);
	kt_flight_free(f);
}

static const char *text_or_none(const char *filter)
{
	return filter ? filter : "";
}

/* Asserts the filter that a newly opened flight has. */
static void expect_filter(const char *filter)
{
	struct kt_flight *f = open_flight();

	assert_true(kt_flight_control_is_current(kt_flight_get_control(f)));
	assert_string_equal(text_or_none(kt_flight_get_info(f)->events[ENTER].filter),
			    text_or_none(filter));
	assert_string_equal(kt_flight_get_info(f)->events[ENTER].name, names[ENTER]);
	kt_flight_free(f);
}

/* Counts the entries of a directory with that beginning. */
static int count_entries(const char *path, const char *begin)
{
	struct dirent *entry;
	DIR *dir = opendir(path);
	int n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		n += strncmp(entry->d_name, begin, strlen(begin)) == 0;
	closedir(dir);
	return n;
}

static int count_infos(void)
{
	return count_entries(PLACE, KT_FLIGHT_INFO);
}

/* Asserts how many hits of the first event are recorded when calls are made for each task. */
static void expect_recorded(const struct kt_flight *f, uint64_t n_one, uint64_t n_two)
{
	static const int tasks[] = {ONE_TASK, TWO_TASK};
	const uint64_t expected[] = {n_one, n_two};
	struct kt_counters before, now;
	size_t i;

	for (i = 0; i < 2; i++) {
		before = kt_counter_map_sum(kt_buffer_sets_counters(kt_flight_buffer_sets(f)),
					    ENTER);
		call(tasks[i]);
		now = kt_counter_map_sum(kt_buffer_sets_counters(kt_flight_buffer_sets(f)), ENTER);
		assert_int_equal(now.hits - before.hits, expected[i]);
		assert_int_equal(now.filtered - before.filtered, !expected[i]);
	}
}

/* One filter after the other, also while paused or disabled, and across swaps. */
static void filters_in_turn(void **state)
{
	struct kt_flight *f;
	struct kt_error err;
	struct kt_flight_stats g;
	uint64_t memory;

	(void)state;
	f = start_locked();
	memory = kt_flight_memory(f);
	expect_filter(NULL);
	expect_recorded(f, 1, 1);
	set_filter(f, NOT_ONE);
	assert_false(kt_flight_control_is_current(kt_flight_get_control(f)));
	assert_int_equal(kt_flight_stats_read(&g, f, &err), -EAGAIN);
	expect_filter(NOT_ONE);
	expect_recorded(f, 0, 1);
	kt_flight_free(f);

	f = lock_flight();
	assert_true(kt_flight_control_is_current(kt_flight_get_control(f)));
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	expect_recorded(f, 0, 1);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	kt_flight_free(f);

	filter_in_child(NOT_TWO);
	expect_filter(NOT_TWO);
	f = lock_flight();
	expect_recorded(f, 1, 0);
	kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	commit(f);
	kt_flight_free(f);
	filter_in_child(ONE);
	expect_filter(ONE);
	f = lock_flight();
	assert_false(read_figures(f).is_enabled[ENTER]);
	make_calls(N_CALLS);
	assert_string_equal(kt_flight_get_info(f)->events[ENTER].filter, ONE);
	kt_flight_control_pause(kt_flight_get_control(f));
	prepare(f, "syscalls", names[ENTER], ENTER);
	commit(f);
	kt_flight_free(f);
	filter_in_child(NOT_ONE);
	f = lock_flight();
	resume_in(f);
	expect_recorded(f, 0, 1);
	assert_true(read_figures(f).is_enabled[ENTER]);
	kt_flight_free(f);

	filter_in_child(NULL);
	expect_filter(NULL);
	f = lock_flight();
	expect_recorded(f, 1, 1);
	/* One more than at first, and the inactive set's. */
	assert_int_equal(count_infos(), 3);
	assert_true(kt_flight_memory(f) < memory + 3 * 8192);
	end_flight(f);
}

/* An inactive set keeps its own filter. */
static void filters_of_buffer_sets(void **state)
{
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err);
	struct kt_buffer_contents x;
	struct kt_flight *f;

	(void)state;
	skip_where_refused();
	start_both();
	filter_in_child(ONE);
	f = lock_flight();
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	kt_flight_free(f);
	filter_in_child(NOT_ONE);
	filter_in_child(NOT_TWO);
	f = lock_flight();
	assert_int_equal(count_infos(), 3);
	assert_string_equal(kt_flight_get_info(f)->events[ENTER].filter, NOT_TWO);
	assert_string_equal(kt_flight_get_info_in(f, 0)->events[ENTER].filter, ONE);
	assert_string_equal(kt_flight_get_info_in(f, 1)->events[ENTER].filter, NOT_TWO);
	assert_int_equal(kt_buffer_contents_read(&x, f, 0, KT_ALWAYS, tracefs, &err), 0);
	assert_string_equal(x.events[ENTER]->filter->written, ONE);
	assert_null(x.events[EXIT]->filter);
	kt_buffer_contents_clear(&x);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	assert_string_equal(kt_flight_get_info_in(f, 1)->events[ENTER].filter, NOT_TWO);
	kt_flight_free(f);
	f = lock_flight();
	assert_int_equal(count_infos(), 2);
	kt_flight_free(f);
	close(tracefs);
	assert_int_equal(remove_flight(), 0);
}

/* An event is complete since its filter was set; a disabled event has nothing. */
static void complete_spans(void **state)
{
	struct kt_flight *f;
	struct kt_time_span span;
	uint64_t time;

	(void)state;
	f = start_locked();
	time = kt_clock_now();
	set_filter(f, NOT_ONE);
	span = span_of(f, ENTER);
	assert_in_range(span.from, time, kt_clock_now());
	assert_true(span.until == UINT64_MAX);
	assert_true(kt_time_span_is_always(span_of(f, EXIT)));
	assert_int_equal(kt_flight_control_event(kt_flight_get_control(f), ENTER).since, 0);
	kt_flight_control_disable(kt_flight_get_control(f), ENTER);
	commit(f);
	assert_int_equal(span_of(f, ENTER).from, span.from);
	kt_flight_free(f);
	f = lock_flight();
	time = kt_clock_now();
	set_filter(f, NOT_TWO);
	span = span_of(f, ENTER);
	assert_in_range(span.from, time, kt_clock_now());
	assert_int_equal(span.from, span.until);
	prepare(f, "syscalls", names[ENTER], ENTER);
	commit(f);
	assert_in_range(span_of(f, ENTER).from, span.until, kt_clock_now());
	assert_true(span_of(f, ENTER).until == UINT64_MAX);
	end_flight(f);
}

/* An uncommitted change leaves nothing behind, nor does an invalid filter. */
static void not_committed(void **state)
{
	struct kt_flight *f;

	(void)state;
	f = start_locked();
	prepare_filter(f, ENTER, NOT_ONE);
	assert_int_equal(access(PLACE "/link/syscalls:sys_enter_sched_rr_get_interval:2", F_OK), 0);
	expect_recorded(f, 1, 1);
	kt_flight_free(f);
	assert_int_equal(access(PLACE "/link/syscalls:sys_enter_sched_rr_get_interval:2", F_OK),
			 -1);
	expect_filter(NULL);
	assert_int_equal(count_infos(), 1);
	f = lock_flight();
	expect_recorded(f, 1, 1);
	end_flight(f);
}

/* Calls of one thread, each with its number and time. */
enum { N_CALLED = 1 << 24 };

static struct {
	uint64_t began[N_CALLED];
	uint32_t n;
} called;

static void *call_numbers(void *arg)
{
	size_t cpus[CPU_SETSIZE];
	uint32_t n;

	our_cpus(cpus);
	pin(cpus[0]);
	for (n = 0; n < N_CALLED && !__atomic_load_n(&ends, __ATOMIC_RELAXED); n++) {
		called.began[n] = kt_clock_now();
		call(NO_TASK + n);
		__atomic_store_n(&called.n, n + 1, __ATOMIC_RELAXED);
	}
	return arg;
}

/* Starts with rings for all calls of the test. */
static void start_large(void)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_new(NAME, &err);
	struct kt_session *s = session_of(16, 256);

	assert_non_null(f);
	assert_int_equal(kt_session_set_overwrite(s, &err), 0);
	assert_int_equal(kt_session_add_second_set(s, &err), 0);
	add(s, "syscalls", names[ENTER]);
	assert_int_equal(pin_and_free(f, s), 0);
}

/* Returns the offset of the task in the event's records. */
static size_t task_offset(const struct kt_event *e)
{
	size_t at = sizeof(struct kt_record), i;

	for (i = 0; strcmp(e->fields[i].name, "pid") != 0; i++)
		at += kt_field_record_size(&e->fields[i]);
	return at;
}

/* What an inactive set has, in order of time. */
struct found {
	uint32_t n, before,
		first; /* records; the last number before the time, the first after it */
	uint64_t gaps; /* numbers missing after the time */
};

static void find_in_packet(struct found *found, const struct kt_packet *p, const struct kt_event *e,
			   uint64_t from)
{
	size_t size = kt_record_size(kt_event_record_size(e)), at;
	const char *record;
	struct kt_record head;
	uint32_t number;

	for (at = 0; at < p->size; at += size) {
		record = (const char *)p->records + at;
		memcpy(&head, record, sizeof(head));
		memcpy(&number, record + task_offset(e), sizeof(number));
		number -= NO_TASK;
		if (found->n++ && number <= found->before)
			fail_msg("%u, then %u", found->before, number);
		if (!found->first && kt_record_time(head.head, p->begin) >= from)
			found->first = number;
		else if (found->first)
			found->gaps += number - found->before - 1;
		found->before = number;
	}
}

static struct found find_records(const struct kt_buffer_sets *b, uint64_t from)
{
	const struct kt_rings *rings = kt_buffer_sets_rings(b, kt_buffer_sets_inactive(b));
	struct kt_event *e = read_event("syscalls", names[ENTER]);
	struct found found = {0};
	struct kt_packet packet;
	struct kt_ring *ring;
	struct kt_error err;
	size_t i;

	kt_rings_rewind(rings);
	for (i = 0; i < kt_rings_count(rings); i++) {
		ring = kt_rings_at(rings, i);
		for (; ring && kt_ring_next(ring, &packet, &err) > 0; kt_ring_release(ring))
			find_in_packet(&found, &packet, e, from);
	}
	kt_event_free(e);
	return found;
}

/*
 * Attaches a program that takes some 100 µs of each call, between the old programs and the new
 * ones.
 */
static int attach_slow(void)
{
	struct kt_asm *a = kt_asm_new();
	int again = kt_asm_label(a, "again"), link;
	struct kt_error err;

	kt_asm_move_imm(a, BPF_REG_6, 10000);
	kt_asm_place(a, again);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_alu_imm(a, BPF_SUB, BPF_REG_6, 1);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_6, 0, again);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
	link = attach(ENTER, a, &err);
	if (link < 0)
		fail_msg("%s", err.text);
	return link;
}

static void await_calls(uint32_t n)
{
	uint32_t until = __atomic_load_n(&called.n, __ATOMIC_RELAXED) + n;

	while (__atomic_load_n(&called.n, __ATOMIC_RELAXED) < until)
		;
}

/*
 * Filters that match every call: no call is recorded twice, whichever was running during the
 * change, and none is missing from the complete span.
 */
static void change_during_calls(void **state)
{
	struct found found;
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	pthread_t thread;
	uint64_t from;
	int round, slow;

	(void)state;
	skip_where_refused();
	start_large();
	f = lock_flight();
	b = kt_flight_buffer_sets(f);
	ends = false;
	assert_int_equal(pthread_create(&thread, NULL, call_numbers, NULL), 0);
	for (round = 0; round < N_CHANGES; round++) {
		slow = round % 2 ? attach_slow() : -1;
		await_calls(20 + rand() % 20);
		set_filter(f, round % 2 ? NOT_ONE : NOT_TWO);
		from = span_of(f, ENTER).from;
		await_calls(20);
		kt_buffer_sets_swap(b);
		found = find_records(b, from);
		assert_true(found.first > 0);
		assert_int_equal(found.gaps, 0);
		assert_true(called.began[found.first - 1] < from);
		assert_in_range(found.before, found.first, called.n);
		kt_buffer_sets_consume(b);
		if (slow >= 0)
			close(slow);
	}
	end_calls(thread);
	end_flight(f);
	assert_true(called.n < N_CALLED);
}

/*
 * Missed events count once, for the program that records: not those of the next program while it is
 * being attached, nor those of both.
 */
static void missed(void **state)
{
	enum { N = 100, MOST = N + N / 2 };
	struct kt_probes probes;
	struct kt_error other_way, err;
	struct kt_event *e;
	struct kt_flight *f;
	struct kt_buffer_sets *b;
	uint64_t missed;
	int map;

	(void)state;
	f = start_with_missed(4 * N, &map);
	b = kt_flight_buffer_sets(f);
	insert_elements(map, 0, N);
	missed = kt_buffer_sets_missed(b, 0);
	assert_in_range(missed, N, MOST);
	e = read_event("kmem", "kmalloc");
	e->filter = parse_filter(e, "bytes_req != 1");
	probes = kt_buffer_sets_probes(b);
	assert_int_equal(kt_flight_control_set_filter(kt_flight_get_control(f), 0, &probes, e,
						      &other_way, &err),
			 0);
	insert_elements(map, N, N);
	missed = kt_buffer_sets_missed(b, 0);
	assert_in_range(missed, 2 * N, 2 * MOST);
	commit(f);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed, missed + N / 2);
	insert_elements(map, 2 * N, N);
	assert_in_range(kt_buffer_sets_missed(b, 0), missed + N, missed + MOST);
	kt_event_free(e);
	kt_flight_free(f);
	close(map);
	assert_int_equal(remove_flight(), 0);
}

static int filter_both(void)
{
	struct kt_flight *f = lock_flight();

	prepare_filter(f, ENTER, NOT_ONE);
	prepare_filter(f, EXIT, "ret != 1");
	commit(f);
	kt_flight_free(f);
	return 0;
}

static int n_waited;

/* Both events are hits in each of n calls. */
static void expect_more_hits(const struct kt_flight *f, int n)
{
	struct figures before = read_figures(f);

	make_calls(n);
	expect_hits(f, before.hits[ENTER] + n, before.hits[EXIT] + n);
}

/*
 * Both events have the new filter, or none. Recording goes on, at the latest after the maximum time
 * of a change that nobody ends. The next process finds only what the kernel runs. Returns which.
 */
static bool check_killed(void)
{
	uint64_t until;
	struct kt_flight *f;
	bool is_done;
	int number;

	f = open_flight();
	is_done = kt_flight_get_info(f)->events[ENTER].filter;
	assert_true(!kt_flight_get_info(f)->events[EXIT].filter == !is_done);
	until = span_of(f, ENTER).from;
	assert_true(until < kt_clock_now() + UINT64_C(1000000) * HANDOVER_MS);
	if (until > kt_clock_now() && n_waited < MAX_WAITED) {
		make_calls(N_CALLS);
		if (until > kt_clock_now())
			expect_hits(f, 0, 0);
		n_waited++;
		while (kt_clock_now() < until)
			usleep(1000);
	}
	if (until < kt_clock_now())
		expect_more_hits(f, N_CALLS);
	kt_flight_free(f);

	f = lock_flight();
	number = is_done ? 2 : 1;
	assert_int_equal(count_infos(), number);
	assert_int_equal(count_entries(PLACE "/link", "syscalls:"), N_EVENTS);
	assert_int_equal(count_entries(PLACE "/program", "syscalls:"), N_EVENTS);
	assert_int_equal(kt_flight_control_event(kt_flight_get_control(f), EXIT).number, number);
	expect_more_hits(f, N_CALLS);
	expect_recorded(f, !is_done, 1);
	kt_flight_free(f);
	return is_done;
}

static void killed(void **state)
{
	(void)state;
	skip_where_refused();
	kill_while_working(N_KILLS, start_both, filter_both, check_killed);
	print_message("# %d waited for\n", n_waited);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_in_turn),
		cmocka_unit_test(filters_of_buffer_sets),
		cmocka_unit_test(complete_spans),
		cmocka_unit_test(not_committed),
		cmocka_unit_test(change_during_calls),
		cmocka_unit_test(missed),
		cmocka_unit_test(killed),
	};

	return cmocka_run_group_tests_name("flight_filters", tests, enter_namespace, NULL);
}
