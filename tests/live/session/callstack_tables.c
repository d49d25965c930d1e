// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of records: each is kept once, and what is not kept is counted. Of system calls, whose
 * programs get the kernel's own record here, Linux 6.1 does not say the stack.
 */
#include <bpf/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cmocka.h>

#include "base/clock.h"
#include "bpf/counters.h"
#include "ctypes/btf.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/callstack_tables.h"
#include "session/counter_map.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

enum { N_CALLS = 20 };

static struct kt_session *session;

static void make_calls(void)
{
	int i;

	for (i = 0; i < N_CALLS; i++)
		prctl(PR_SET_NAME, i % 2 ? "kt_odd" : "kt_even");
}

static enum kt_callstack_kind kind;
static uint64_t began;

/* Records new names of this process with their stacks, in tables that keep them or not. */
static void record_in(bool keep, void (*before)(void))
{
	struct kt_event *e = read_event("task", "task_rename");
	struct kt_callstack_tables *tables;
	struct kt_btf *btf;
	struct kt_error err;
	char filter[32];

	session = session_of(16, 16);
	btf = kt_btf_new();
	assert_non_null(btf);
	tables = kt_callstack_tables_new(KT_CALLSTACK_BIT(kind), keep, btf, &err);
	if (!tables)
		fail_msg("%s", err.text);
	kt_session_set_stacks(session, tables);
	kt_btf_free(btf);
	snprintf(filter, sizeof(filter), "pid == %d", getpid());
	e->filter = parse_filter(e, filter);
	e->stacks = KT_CALLSTACK_BIT(kind);
	if (kt_session_add(session, e, &err) < 0)
		fail_msg("%s", err.text);
	if (before)
		before();
	began = kt_clock_now();
	kt_session_start(session);
	make_calls();
	kt_session_stop(session);
}

static void record(void (*before)(void))
{
	record_in(false, before);
}

/* Of the kernel, and of this program. */
static void check_stack(const struct kt_callstack_batch *batch, size_t i)
{
	static const uint8_t no_id[KT_BUILD_ID_SIZE];
	const struct kt_user_callstack *s;

	if (kind == KT_CALLSTACK_KERNEL) {
		assert_true((int64_t)batch->kernel[i].frames[0] < 0);
		assert_null(batch->user);
		return;
	}
	assert_null(batch->kernel);
	s = &batch->user[i];
	assert_int_equal(s->pid, getpid());
	assert_in_range(s->time, began, kt_clock_now());
	assert_true(s->size >= sizeof(uint64_t));
	assert_int_equal(s->frames[0].state, KT_USER_FRAME_IN_FILE);
	assert_memory_not_equal(s->frames[0].build_id, no_id, KT_BUILD_ID_SIZE);
}

static struct kt_callstack_tables *get_tables(void)
{
	return kt_session_trace_source(session).stacks;
}

/* Returns the number of records, and stores the id of each one's stack; frees nothing. */
static size_t read_stacks(uint64_t *stacks)
{
	const struct kt_rings *rings = kt_session_rings(session);
	const struct kt_event *e = kt_session_events(session)[0];
	size_t i, at, n = 0;
	struct kt_packet p;
	struct kt_ring *ring;
	struct kt_error err;

	for (i = 0; i < kt_rings_count(rings); i++) {
		ring = kt_rings_at(rings, i);
		for (; ring && kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring))
			for (at = 0; at < p.size && n < N_CALLS;
			     at += kt_record_size(kt_event_record_size(e)))
				memcpy(&stacks[n++], p.records + at + sizeof(struct kt_record),
				       sizeof(*stacks));
	}
	return n;
}

static struct kt_counters get_counters(void)
{
	return kt_counter_map_sum(kt_session_counters(session), 0);
}

/* Takes all stacks; stores the ids. Returns how many there were. */
static size_t take(uint64_t *kept, size_t most)
{
	struct kt_callstack_batch batch;
	struct kt_error err;
	size_t i, n = 0;

	do {
		if (kt_callstack_tables_take(get_tables(), kind, &batch, &err) < 0)
			fail_msg("%s", err.text);
		for (i = 0; i < batch.n; i++, n++) {
			if (n < most)
				kept[n] = batch.ids[i];
			if (batch.ids[i] > KT_CALLSTACK_FIRST + 2 * KT_CALLSTACKS_MAX)
				check_stack(&batch, i);
		}
	} while (!batch.is_last);
	return n;
}

static void kept_once(void **state)
{
	uint64_t of_records[N_CALLS], kept[N_CALLS];
	size_t i, n_kept, k;

	(void)state;
	skip_where_refused();
	record(NULL);
	assert_int_equal(read_stacks(of_records), N_CALLS);
	n_kept = take(kept, N_CALLS);
	assert_in_range(n_kept, 1, 4); /* interrupts apart, all calls have one stack */
	for (i = 0; i < N_CALLS; i++) {
		for (k = 0; k < n_kept && kept[k] != of_records[i];)
			k++;
		assert_true(k < n_kept);
	}
	assert_int_equal(take(kept, N_CALLS), 0);
	assert_int_equal(get_counters().no_stack, 0);
	kt_session_free(session);
}

static void check_lost(void)
{
	uint64_t of_records[N_CALLS];
	size_t i;

	assert_int_equal(read_stacks(of_records), N_CALLS);
	for (i = 0; i < N_CALLS; i++)
		assert_int_equal(of_records[i], KT_CALLSTACK_LOST);
	assert_int_equal(get_counters().hits, N_CALLS);
	assert_int_equal(get_counters().no_stack, N_CALLS);
	assert_int_equal(kt_counters_lost(get_counters()), 0);
}

/* The kernel's table may have some more than it was made for, one for each CPU. */
static void fill_table(void)
{
	static const char stack[sizeof(struct kt_user_callstack)];
	int table = kt_callstack_tables_maps(get_tables()).tables[kind];
	uint64_t id = KT_CALLSTACK_FIRST;

	while (id < 2 * KT_CALLSTACKS_MAX && bpf_map_update_elem(table, &id, stack, 0) == 0)
		id++;
	assert_in_range(id, KT_CALLSTACKS_MAX, 2 * KT_CALLSTACKS_MAX - 1);
}

static void table_is_full(void **state)
{
	(void)state;
	skip_where_refused();
	record(fill_table);
	check_lost();
	assert_true(take(NULL, 0) >= KT_CALLSTACKS_MAX);

	/* Now there is room. */
	kt_session_start(session);
	make_calls();
	kt_session_stop(session);
	assert_int_equal(get_counters().hits, 2 * N_CALLS);
	assert_int_equal(get_counters().no_stack, N_CALLS);
	assert_in_range(take(NULL, 0), 1, 4);
	kt_session_free(session);
}

/* As if programs that were interrupted had all slots of each CPU. */
static void use_slots(void)
{
	int fd = kt_callstack_tables_maps(get_tables()).scratch;
	size_t n = kt_counter_map_cpus(kt_session_counters(session)), i, k;
	struct kt_callstack_scratch *s =
		mmap(NULL, n * sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	assert_ptr_not_equal(s, MAP_FAILED);
	for (i = 0; i < n; i++)
		for (k = 0; k < KT_CALLSTACK_SLOTS; k++)
			s[i].slots[k].is_used = 1;
	munmap(s, n * sizeof(*s));
}

static void slots_are_used(void **state)
{
	(void)state;
	skip_where_refused();
	record(use_slots);
	check_lost();
	assert_int_equal(take(NULL, 0), 0);
	kt_session_free(session);
}

static int choose_kernel(void **state)
{
	(void)state;
	kind = KT_CALLSTACK_KERNEL;
	return 0;
}

static int choose_user(void **state)
{
	(void)state;
	kind = KT_CALLSTACK_USER;
	return 0;
}

/* A stack in user space is another one when other code is mapped. */
static void other_code(void **state)
{
	uint64_t first[N_CALLS], second[N_CALLS];
	void *code;

	(void)state;
	skip_where_refused();
	record(NULL);
	assert_int_equal(read_stacks(first), N_CALLS);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	kt_session_start(session);
	make_calls();
	kt_session_stop(session);
	assert_int_equal(read_stacks(second), N_CALLS);
	assert_true(first[0] == first[1] && first[1] == first[2]);
	assert_true(second[0] == second[1]);
	assert_true(first[0] != second[0]);
	munmap(code, 4096);
	kt_session_free(session);
}

/* Maps the bucket of an id; ids and times of hits are at the same place in both kinds of buckets.
 */
static struct kt_callstack_bucket *map_bucket(uint64_t id)
{
	size_t size = kind == KT_CALLSTACK_USER ? sizeof(struct kt_user_callstack_bucket)
						: sizeof(struct kt_callstack_bucket);
	size_t n = kind == KT_CALLSTACK_USER ? KT_USER_CALLSTACK_BUCKETS : KT_CALLSTACK_BUCKETS;
	char *all = mmap(NULL, n * size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 kt_callstack_tables_maps(get_tables()).tables[kind], 0);

	assert_ptr_not_equal(all, MAP_FAILED);
	return (struct kt_callstack_bucket *)(all + kt_callstack_bucket(id, n) * size);
}

static bool find(uint64_t id)
{
	union kt_any_callstack stack;
	bool is_there = kt_callstack_tables_find(get_tables(), kind, id, &stack);

	if (is_there && kind == KT_CALLSTACK_USER) {
		assert_int_equal(stack.user.pid, getpid());
		assert_in_range(stack.user.time, began, kt_clock_now());
		assert_int_equal(stack.user.frames[0].state, KT_USER_FRAME_IN_FILE);
	} else if (is_there) {
		assert_true((int64_t)stack.kernel.frames[0] < 0);
	}
	return is_there;
}

/* Makes the calls, with a bucket as it is now. Returns the id of their stacks. */
static uint64_t call_again(void)
{
	uint64_t of_records[N_CALLS];
	size_t i;

	kt_session_start(session);
	make_calls();
	kt_session_stop(session);
	assert_int_equal(read_stacks(of_records), N_CALLS);
	for (i = 1; i < N_CALLS && of_records[i] == of_records[0];)
		i++;
	return i == N_CALLS ? of_records[0] : KT_CALLSTACK_NONE;
}

/* Interrupts make other stacks, in between; they are rare. */
static uint64_t find_id(void)
{
	uint64_t id = KT_CALLSTACK_NONE;
	int tries;

	for (tries = 0; tries < 20 && id == KT_CALLSTACK_NONE; tries++)
		id = call_again();
	assert_true(id >= KT_CALLSTACK_FIRST);
	return id;
}

/*
 * Checks tables that keep stacks, by a function that gets the id of the calls' stacks and its
 * bucket. It returns false if the stacks are others by now: when another test records the same
 * event, the kernel calls the programs in another way.
 */
static void check_kept(bool check(uint64_t id, struct kt_callstack_bucket *b))
{
	uint64_t id, others[N_CALLS];
	bool is_checked = false;
	int tries;

	skip_where_refused();
	for (tries = 0; tries < 50 && !is_checked; tries++) {
		record_in(true, NULL);
		read_stacks(others);
		id = find_id();
		is_checked = check(id, map_bucket(id));
		kt_session_free(session);
	}
	assert_true(is_checked);
}

static bool is_kept(uint64_t id, struct kt_callstack_bucket *b)
{
	size_t i;

	assert_true(find(id));
	for (i = 0; i < KT_CALLSTACK_PLACES && b->ids[i] != id;)
		i++;
	assert_true(i < KT_CALLSTACK_PLACES);
	b->hits[i] = 1;
	if (find_id() != id)
		return false;
	assert_true(b->hits[i] > 1);
	assert_int_equal(get_counters().no_stack, 0);
	assert_false(find(id ^ 1));
	assert_false(find(KT_CALLSTACK_LOST) || find(KT_CALLSTACK_NONE));
	return true;
}

static void kept_in_bucket(void **state)
{
	(void)state;
	check_kept(is_kept);
}

/* Ids that no stack of this test has. */
enum { OTHER_IDS = 100 };

static bool replaces_oldest(uint64_t id, struct kt_callstack_bucket *b)
{
	static const uint64_t hits[KT_CALLSTACK_PLACES][KT_CALLSTACK_PLACES] = {
		{2, 3, 4, 5}, {5, 2, 4, 3}, {7, 6, 4, 5}, {6, 5, 4, 3}};
	size_t oldest, i;

	for (oldest = 0; oldest < KT_CALLSTACK_PLACES; oldest++) {
		for (i = 0; i < KT_CALLSTACK_PLACES; i++)
			b->ids[i] = OTHER_IDS + i;
		memcpy(b->hits, hits[oldest], sizeof(b->hits));
		assert_false(find(id));
		if (find_id() != id)
			return false;
		assert_true(find(id));
		for (i = 0; i < KT_CALLSTACK_PLACES; i++)
			assert_int_equal(b->ids[i], i == oldest ? id : OTHER_IDS + i);
		assert_true(b->hits[oldest] > 7);
	}
	return true;
}

static void oldest_is_replaced(void **state)
{
	(void)state;
	check_kept(replaces_oldest);
}

/* As if a program that was interrupted wrote to each place. */
static bool leaves_written(uint64_t id, struct kt_callstack_bucket *b)
{
	size_t i, place = 0;

	for (i = 0; i < KT_CALLSTACK_PLACES; i++) {
		if (b->ids[i] == id)
			place = i;
		b->ids[i] = KT_CALLSTACK_LOST;
		b->hits[i] = 1;
	}
	if (find_id() != id)
		return false;
	for (i = 0; i < KT_CALLSTACK_PLACES; i++)
		assert_int_equal(b->ids[i], KT_CALLSTACK_LOST);
	assert_false(find(id));
	b->ids[place] = id;
	assert_true(find(id));
	return true;
}

static void place_is_written(void **state)
{
	(void)state;
	check_kept(leaves_written);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(kept_once, choose_kernel),
		cmocka_unit_test_setup(kept_once, choose_user),
		cmocka_unit_test_setup(table_is_full, choose_kernel),
		cmocka_unit_test_setup(table_is_full, choose_user),
		cmocka_unit_test_setup(slots_are_used, choose_kernel),
		cmocka_unit_test_setup(slots_are_used, choose_user),
		cmocka_unit_test_setup(other_code, choose_user),
		cmocka_unit_test_setup(kept_in_bucket, choose_kernel),
		cmocka_unit_test_setup(kept_in_bucket, choose_user),
		cmocka_unit_test_setup(oldest_is_replaced, choose_kernel),
		cmocka_unit_test_setup(oldest_is_replaced, choose_user),
		cmocka_unit_test_setup(place_is_written, choose_kernel),
		cmocka_unit_test_setup(place_is_written, choose_user),
	};

	return cmocka_run_group_tests_name("callstack_tables", tests, read_ids, NULL);
}
