// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A flight recorder frozen by a trigger, without any process: what was recorded until then stays,
 * and a swap arms it again. On a private bpffs. The trigger is a call with a number of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <sys/prctl.h>

#include "ctypes/btf.h"
#include "events/event_reader.h"
#include "events/filter.h"
#include "hook/map.h"
#include "hook/probe.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"
#include "tests/live/flight.h"

enum { TRIGGER = NO_TASK + 1 };

#define TRIGGERS "pid == 4194305"
#define MS       UINT64_C(1000000)
#define NEVER_MS 100000

/* With the calls' entries, or those that the filter matches. */
static void start_freezing(unsigned int after_ms, const char *filter, const char *trigger)
{
	struct kt_event *e = read_event("syscalls", names[ENTER]);
	struct kt_session *s = session_of(12, 4);
	struct kt_error err;
	struct kt_flight *f = kt_flight_new(NAME, &err);

	if (!f)
		fail_msg("%s", err.text);
	e->filter = parse_filter(e, filter);
	e->trigger = parse_filter(e, trigger);
	e->is_trigger = true;
	assert_int_equal(kt_session_set_overwrite(s, &err), 0);
	kt_session_set_freezing(s, after_ms * MS);
	assert_int_equal(kt_session_add_second_set(s, &err), 0);
	if (kt_session_add(s, e, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(pin_and_free(f, s), 0);
}

static struct kt_trigger_hit trigger_hit_in(const struct kt_flight *f, size_t set)
{
	return kt_buffer_sets_hit(kt_flight_buffer_sets(f), set);
}

static struct kt_trigger_hit trigger_hit(const struct kt_flight *f)
{
	return trigger_hit_in(f, kt_buffer_sets_active(kt_flight_buffer_sets(f)));
}

/* Consumes and counts the records until now. */
static uint64_t consume(struct kt_flight *f)
{
	struct kt_buffer_sets *b = kt_flight_buffer_sets(f);
	uint64_t n;

	kt_buffer_sets_swap(b);
	n = count_records(b, kt_buffer_sets_inactive(b));
	kt_buffer_sets_consume(b);
	return n;
}

/* The trigger is the last recorded event, and its time and event are known. */
static void freeze_at_once(void **state)
{
	struct kt_flight *f;
	struct kt_trigger_hit hit;
	uint64_t before;
	int i;

	(void)state;
	skip_where_refused();
	start_freezing(0, NULL, TRIGGERS);
	f = lock_flight();
	for (i = 0; i < 6; i++) {
		make_calls(i);
		assert_int_equal(trigger_hit(f).at, 0);
		before = kt_clock_now();
		call(TRIGGER);
		hit = trigger_hit(f);
		assert_in_range(hit.at, before, kt_clock_now());
		assert_int_equal(hit.frozen, hit.at);
		assert_int_equal(hit.event, 0);
		make_calls(5);
		call(TRIGGER);
		assert_int_equal(trigger_hit(f).at, hit.at);
		assert_int_equal(consume(f), i + 1);
		assert_int_equal(trigger_hit(f).at, 0);
		assert_int_equal(trigger_hit_in(f, i % 2).at, hit.at);
	}
	end_flight(f);
}

/* Of calls made all the time, those until the freeze are recorded. */
static void freeze_later(void **state)
{
	uint64_t before, after, least = 0, most = 0;
	struct kt_flight *f;
	struct kt_trigger_hit hit;

	(void)state;
	skip_where_refused();
	start_freezing(30, NULL, TRIGGERS);
	f = lock_flight();
	make_calls(3);
	call(TRIGGER);
	hit = trigger_hit(f);
	assert_int_equal(hit.frozen, hit.at + 30 * MS);
	do {
		usleep(200);
		before = kt_clock_now();
		call(most % 7 ? NO_TASK : TRIGGER);
		after = kt_clock_now();
		least += after < hit.frozen;
		most += before < hit.frozen;
	} while (before < hit.frozen + 5 * MS);
	assert_int_equal(trigger_hit(f).at, hit.at);
	assert_true(least > 0);
	assert_in_range(consume(f), least + 4, most + 4);
	assert_int_equal(trigger_hit(f).at, 0);
	make_calls(2);
	assert_int_equal(consume(f), 2);
	end_flight(f);
}

/* Until it freezes, the time of freezing stays the same, in whichever buffer set. */
static void swapped_before_freezing(void **state)
{
	struct kt_flight *f;
	struct kt_error err;
	struct kt_trigger_hit hit;

	(void)state;
	skip_where_refused();
	start_freezing(NEVER_MS, NULL, TRIGGERS);
	f = lock_flight();
	call(TRIGGER);
	hit = trigger_hit(f);
	assert_true(hit.at > 0);
	make_calls(2);
	assert_int_equal(consume(f), 3);
	assert_int_equal(trigger_hit(f).at, hit.at);
	assert_int_equal(trigger_hit(f).frozen, hit.frozen);
	assert_int_equal(trigger_hit(f).event, 0);
	make_calls(4);
	assert_int_equal(consume(f), 4);
	assert_int_equal(trigger_hit(f).at, hit.at);

	/* After a reset the hit is forgotten. */
	assert_int_equal(kt_buffer_sets_reset(kt_flight_buffer_sets(f), &err), 0);
	assert_int_equal(trigger_hit(f).at, 0);
	call(TRIGGER);
	assert_true(trigger_hit(f).at > hit.at);
	assert_int_equal(consume(f), 1);
	end_flight(f);
}

static uint64_t *map_enable_word(struct kt_map *map)
{
	struct kt_error err;

	if (kt_map_from(map, bpf_obj_get(PLACE "/enable"), &err) < 0)
		fail_msg("%s", err.text);
	return map->memory;
}

/* A program that has just read the enable word hits the trigger of the set that was swapped out. */
static void hit_during_a_swap(void **state)
{
	struct kt_enable_word *enable;
	struct kt_error err;
	struct kt_map map;
	uint64_t *at, now = kt_clock_now();

	(void)state;
	skip_where_refused();
	start_freezing(NEVER_MS, NULL, TRIGGERS);
	at = map_enable_word(&map) + KT_ENABLE_HIT / sizeof(uint64_t);
	enable = kt_enable_word_from(bpf_obj_get(PLACE "/enable"), 1, &err);
	assert_non_null(enable);
	kt_enable_word_swap(enable, 0, now);
	assert_int_equal(kt_enable_word_hit(enable, 1).at, 0);
	at[0] = now + 5;
	at[KT_BUFFER_SETS] = 1;
	kt_enable_word_settle_swap(enable, now);
	assert_int_equal(kt_enable_word_hit(enable, 1).at, now + 5);
	assert_int_equal(kt_enable_word_hit(enable, 1).event, 0);

	/* The trigger was hit in the other set, too: the first hit counts. */
	at[0] = now + 3;
	kt_enable_word_settle_swap(enable, now);
	assert_int_equal(kt_enable_word_hit(enable, 1).at, now + 5);

	/* The same store carries an earlier hit over. */
	kt_enable_word_swap(enable, 0, now + 6);
	assert_int_equal(kt_enable_word_hit(enable, 0).at, now + 5);
	assert_int_equal(kt_enable_word_hit(enable, 0).event, 0);
	kt_enable_word_swap(enable, 0, now + 7);

	/* It was frozen before, or freezes now: the old set has everything. */
	kt_enable_word_swap(enable, 0, now + NEVER_MS * MS + 5);
	assert_int_equal(kt_enable_word_hit(enable, 0).at, 0);
	kt_enable_word_settle_swap(enable, now + NEVER_MS * MS + 5);
	assert_int_equal(kt_enable_word_hit(enable, 0).at, 0);
	kt_enable_word_set_freezing(enable, (struct kt_freezing){.can = true});
	kt_enable_word_swap(enable, 0, now);
	at[0] = now + 5;
	kt_enable_word_settle_swap(enable, now);
	assert_int_equal(kt_enable_word_hit(enable, 1).at, 0);
	kt_enable_word_free(enable);
	kt_map_free(&map);
	assert_int_equal(remove_flight(), 0);
}

/* Filter and trigger each have patterns of their own. */
static void by_patterns(void **state)
{
	struct kt_flight *f;

	(void)state;
	skip_where_refused();
	start_freezing(0, "comm ~ '?a*' || comm ~ '?b*'", "comm ~ '?b*' && comm ~ '*t'");
	f = lock_flight();
	prctl(PR_SET_NAME, "zat");
	make_calls(2);
	prctl(PR_SET_NAME, "zct");
	make_calls(4);
	prctl(PR_SET_NAME, "zba");
	make_calls(8);
	assert_int_equal(trigger_hit(f).at, 0);
	prctl(PR_SET_NAME, "zbt");
	make_calls(2);
	assert_true(trigger_hit(f).at > 0);
	assert_int_equal(consume(f), 11);
	end_flight(f);
}

/* Without a filter every hit is a trigger. */
static void by_any_hit(void **state)
{
	struct kt_flight *f;

	(void)state;
	skip_where_refused();
	start_freezing(0, NULL, NULL);
	f = lock_flight();
	make_calls(3);
	assert_int_equal(consume(f), 1);
	end_flight(f);
}

/* A re-enabled event freezes as before. */
static void reenabled_trigger(void **state)
{
	struct kt_btf *btf = kt_btf_new();
	struct kt_error err, refusal;
	int tracefs = kt_tracefs_open(&err);
	struct kt_event_reader *reader = kt_event_reader_new(tracefs, &err);
	struct kt_flight_control *s;
	struct kt_probes probes;
	struct kt_flight *f;
	struct kt_event *e;

	(void)state;
	skip_where_refused();
	start_freezing(0, NULL, TRIGGERS);
	f = lock_flight();
	s = kt_flight_get_control(f);
	kt_flight_control_disable(s, 0);
	assert_int_equal(kt_flight_control_commit(s, &err), 0);
	call(TRIGGER);
	assert_int_equal(trigger_hit(f).at, 0);

	e = kt_flight_info_read_event(kt_flight_get_info(f), 0, reader, btf, &err);
	assert_non_null(e);
	probes = kt_buffer_sets_probes(kt_flight_buffer_sets(f));
	assert_int_equal(kt_flight_control_enable(s, 0, &probes, e, &refusal, &err), 0);
	assert_int_equal(kt_flight_control_commit(s, &err), 0);
	make_calls(2);
	call(TRIGGER);
	make_calls(2);
	assert_true(trigger_hit(f).at > 0);
	assert_int_equal(consume(f), 3);
	kt_event_free(e);
	kt_event_reader_free(reader);
	kt_btf_free(btf);
	kt_flight_free(f);
	close(tracefs);
	assert_int_equal(remove_flight(), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(freeze_at_once),
		cmocka_unit_test(freeze_later),
		cmocka_unit_test(swapped_before_freezing),
		cmocka_unit_test(hit_during_a_swap),
		cmocka_unit_test(by_patterns),
		cmocka_unit_test(by_any_hit),
		cmocka_unit_test(reenabled_trigger),
	};

	return cmocka_run_group_tests_name("freeze", tests, enter_namespace, NULL);
}
