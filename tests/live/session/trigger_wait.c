// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting for triggers: numbered calls that no other process makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "session/trigger_wait.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

enum { TRIGGER = NO_TASK + 1 };

#define TRIGGERS "pid == 4194305"

/*
 * How long a hit may take to be noticed, and how long to wait before concluding that there is none.
 */
enum { SOON_MS = 5000, NEVER_MS = 50, HELD_UP_NS = 1000000000 };

static void add_trigger(struct kt_trigger_wait *w, const char *event, const char *trigger)
{
	struct kt_event *e = read_event("syscalls", event);
	struct kt_error err;

	e->trigger = parse_filter(e, trigger);
	if (kt_trigger_wait_add(w, e, &err) < 0)
		fail_msg("%s", err.text);
}

static struct kt_trigger_wait *wait_for(size_t max)
{
	struct kt_error err;
	struct kt_trigger_wait *w = kt_trigger_wait_new(max, &err);

	if (!w)
		fail_msg("%s", err.text);
	return w;
}

/* On the calls' entries. */
static struct kt_trigger_wait *wait_on_entries(const char *trigger)
{
	struct kt_trigger_wait *w = wait_for(1);

	add_trigger(w, names[ENTER], trigger);
	return w;
}

static bool is_noticed(const struct kt_trigger_wait *w, int ms)
{
	struct pollfd p = {kt_trigger_wait_fd(w), POLLIN, 0};

	return poll(&p, 1, ms) == 1;
}

/* The first hit is noticed, and stays known until armed again. */
static void first_hit(void **state)
{
	struct kt_trigger_hit hit;
	struct kt_trigger_wait *w;
	uint64_t before, after;
	int i;

	(void)state;
	skip_where_refused();
	w = wait_on_entries(TRIGGERS);
	call(TRIGGER);
	assert_false(is_noticed(w, NEVER_MS));
	assert_int_equal(kt_trigger_wait_hit(w).at, 0);
	for (i = 0; i < 5; i++) {
		kt_trigger_wait_arm(w);
		call(NO_TASK);
		assert_false(is_noticed(w, NEVER_MS));
		before = kt_clock_now();
		call(TRIGGER);
		after = kt_clock_now();
		assert_true(is_noticed(w, SOON_MS));
		hit = kt_trigger_wait_hit(w);
		assert_in_range(hit.at, before, after);
		assert_int_equal(hit.event, 0);
		call(TRIGGER);
		assert_false(is_noticed(w, NEVER_MS));
		assert_int_equal(kt_trigger_wait_hit(w).at, hit.at);
	}
	kt_trigger_wait_arm(w);
	assert_int_equal(kt_trigger_wait_hit(w).at, 0);
	kt_trigger_wait_free(w);
}

/* Which of several triggers it was; without a filter any hit. */
static void several_triggers(void **state)
{
	struct kt_trigger_wait *w;
	struct kt_error err;
	struct kt_event *e;

	(void)state;
	skip_where_refused();
	w = wait_for(2);
	add_trigger(w, names[ENTER], TRIGGERS);
	add_trigger(w, names[EXIT], NULL);
	e = read_event("syscalls", names[EXIT]);
	assert_int_equal(kt_trigger_wait_add(w, e, &err), -ENOSPC);
	kt_event_free(e);
	assert_int_equal(kt_trigger_wait_count(w), 2);
	assert_string_equal(kt_trigger_wait_event(w, 1)->name, names[EXIT]);
	kt_trigger_wait_arm(w);
	call(TRIGGER);
	assert_true(is_noticed(w, SOON_MS));
	assert_int_equal(kt_trigger_wait_hit(w).event, 0);
	kt_trigger_wait_arm(w);
	call(NO_TASK);
	assert_true(is_noticed(w, SOON_MS));
	assert_int_equal(kt_trigger_wait_hit(w).event, 1);
	kt_trigger_wait_free(w);
}

/* Shared with a task that makes calls one by one. */
struct shared {
	unsigned int calling, covered;
};

enum { CALLS = 20000 };

/* Each call only after the one before was noticed, and as soon as it was. */
static void make_all(struct shared *s)
{
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 1; i <= CALLS; i++) {
		__atomic_store_n(&s->calling, i, __ATOMIC_SEQ_CST);
		call(TRIGGER);
		while (__atomic_load_n(&s->covered, __ATOMIC_SEQ_CST) < i)
			;
	}
	_exit(0);
}

/* Whenever a hit comes between arming and waiting, each is noticed. */
static void none_is_missed(void **state)
{
	struct kt_trigger_wait *w;
	struct shared *s;
	pid_t pid;

	(void)state;
	skip_where_refused();
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(s != MAP_FAILED);
	w = wait_on_entries(TRIGGERS);
	kt_trigger_wait_arm(w);
	pid = fork();
	if (pid == 0)
		make_all(s);
	while (s->covered < CALLS) {
		if (!is_noticed(w, SOON_MS))
			fail_msg("call %u of %d is not heard of", s->calling, CALLS);
		if (!kt_trigger_wait_hit(w).at)
			continue;
		kt_trigger_wait_arm(w);
		__atomic_store_n(&s->covered, __atomic_load_n(&s->calling, __ATOMIC_SEQ_CST),
				 __ATOMIC_SEQ_CST);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(kt_trigger_wait_missed(w), 0);
	kt_trigger_wait_free(w);
	munmap(s, sizeof(*s));
}

/* One CPU's calls, as fast as possible. */
static void call_forever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		call(TRIGGER);
}

/* A hit known before its program had reported it is noticed again. */
static struct kt_trigger_hit await_hit(struct kt_trigger_wait *w)
{
	struct kt_trigger_hit hit;

	do {
		assert_true(is_noticed(w, SOON_MS));
		hit = kt_trigger_wait_hit(w);
	} while (!hit.at);
	return hit;
}

/*
 * With endless hits one is noticed each time. A program delayed after reading the clock reports
 * later than its time.
 */
static void many_hits(void **state)
{
	struct kt_trigger_hit hit, before = {0};
	struct kt_trigger_wait *w;
	pid_t pids[2];
	size_t i;

	(void)state;
	skip_where_refused();
	w = wait_on_entries(TRIGGERS);
	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			call_forever();
	}
	for (i = 0; i < 2000; i++) {
		kt_trigger_wait_arm(w);
		hit = await_hit(w);
		if (i % 100 == 0) {
			assert_int_equal(hit.event, 0);
			usleep(NEVER_MS * 1000);
			assert_int_equal(kt_trigger_wait_hit(w).at, hit.at);
			assert_false(is_noticed(w, NEVER_MS));
			assert_int_equal(kt_trigger_wait_hit(w).at, hit.at);
		}
		assert_true(hit.at != before.at && hit.at + HELD_UP_NS > before.at);
		before = hit;
	}
	for (i = 0; i < 2; i++) {
		kill(pids[i], SIGKILL);
		assert_int_equal(waitpid(pids[i], NULL, 0), pids[i]);
	}
	kt_trigger_wait_free(w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_hit),
		cmocka_unit_test(several_triggers),
		cmocka_unit_test(none_is_missed),
		cmocka_unit_test(many_hits),
	};

	return cmocka_run_group_tests_name("trigger_wait", tests, read_ids, NULL);
}
