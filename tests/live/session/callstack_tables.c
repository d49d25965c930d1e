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

/* Records new names of this process with their stacks. */
static void record(void (*before)(void))
{
	struct kt_event *e = read_event("task", "task_rename");
	struct kt_callstack_tables *tables;
	struct kt_btf *btf;
	struct kt_error err;
	char filter[32];

	session = session_of(16, 16);
	btf = kt_btf_new();
	assert_non_null(btf);
	tables = kt_callstack_tables_new(KT_CALLSTACK_BIT(kind), btf, &err);
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
	};

	return cmocka_run_group_tests_name("callstack_tables", tests, read_ids, NULL);
}
