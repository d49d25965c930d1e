// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All events of a session start and stop at one moment, in the middle of hits; and waiting for
 * programs works.
 */
#include <bpf/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "hook/map.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

static atomic_bool ends;

/* A thread's calls, each with the next number. */
struct thread {
	pthread_t thread;
	size_t cpu;
	atomic_int made;
	uint64_t *times; /* after each call; or NULL */
};

enum { TIMES_MAX = 1 << 20 };

static void *call_on(void *arg)
{
	struct thread *t = arg;

	pin(t->cpu);
	for (; !ends; t->made++) {
		call(NO_TASK + t->made);
		if (t->times && t->made < TIMES_MAX)
			t->times[t->made] = kt_clock_now();
	}
	return NULL;
}

static void await_calls(struct thread *t, int n)
{
	int made = t->made;

	while (t->made < made + n)
		sched_yield();
}

static uint64_t count_hits(const struct kt_session *s, int event)
{
	struct kt_counters t = kt_counter_map_sum(kt_session_counters(s), event);

	assert_int_equal(kt_counters_lost(t), 0);
	return t.hits;
}

enum { NUMBER_AT = sizeof(struct kt_record) + 4 }; /* of sys_enter: after nr */

/* Entries and exits alternate, with every number from the first on. */
static void read_ring(const struct kt_session *s, struct kt_ring *ring, uint64_t n[N_EVENTS])
{
	int event, last = -1;
	uint64_t number, next = 0;
	struct kt_packet p;
	struct kt_error err;
	const char *record;

	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring))
		for (record = p.records; record < (const char *)p.records + p.size;
		     record += kt_record_size(kt_event_record_size(kt_session_events(s)[event]))) {
			event = *(const uint16_t *)record;
			assert_true(event < N_EVENTS && event != last);
			last = event;
			n[event]++;
			if (event == EXIT)
				continue;
			memcpy(&number, record + NUMBER_AT, sizeof(number));
			assert_true(!next || number == next);
			next = number + 1;
		}
}

/* While probes are being attached, with hits on every CPU before, meanwhile and after. */
static void all_at_once(void **state)
{
	struct kt_session *s = session_of(16, 256);
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), i;
	uint64_t found[N_EVENTS] = {0}, made[N_EVENTS];
	struct thread *threads = calloc(n, sizeof(*threads));

	(void)state;
	skip_where_refused();
	for (i = 0; i < n; i++) {
		threads[i].cpu = cpus[i];
		pthread_create(&threads[i].thread, NULL, call_on, &threads[i]);
	}
	add(s, "syscalls", names[ENTER]);
	add(s, "syscalls", names[EXIT]);
	for (i = 0; i < n; i++)
		await_calls(&threads[i], 1000);
	assert_int_equal(count_hits(s, ENTER) + count_hits(s, EXIT), 0);
	assert_int_equal(kt_session_began(s) + kt_session_ended(s), 0);

	kt_session_start(s);
	for (i = 0; i < n; i++)
		await_calls(&threads[i], 1000);
	kt_session_stop(s);
	made[ENTER] = count_hits(s, ENTER);
	made[EXIT] = count_hits(s, EXIT);
	assert_true(made[ENTER] >= 1000 * n);
	assert_true(kt_session_began(s) < kt_session_ended(s));
	assert_true(kt_session_ended(s) < kt_clock_now());

	for (i = 0; i < n; i++)
		await_calls(&threads[i], 1000);
	for (i = 0; i < n; i++)
		read_ring(s, kt_rings_at(kt_session_rings(s), cpus[i]), found);
	for (i = 0; i < N_EVENTS; i++) {
		assert_int_equal(count_hits(s, i), made[i]);
		assert_int_equal(found[i], made[i]);
	}
	ends = true;
	for (i = 0; i < n; i++)
		pthread_join(threads[i].thread, NULL);
	free(threads);
	kt_session_free(s);
}

/*
 * The session ends when the enable word is cleared, before anything is waited for: before the next
 * call, which is in no counter, has returned.
 */
static void ended(void **state)
{
	struct thread t = {.times = calloc(TIMES_MAX, sizeof(*t.times))};
	struct kt_session *s = session_of(16, 256);
	size_t cpus[CPU_SETSIZE], n;

	(void)state;
	skip_where_refused();
	t.cpu = cpus[our_cpus(cpus) - 1];
	add(s, "syscalls", names[ENTER]);
	kt_session_start(s);
	ends = false;
	assert_int_equal(pthread_create(&t.thread, NULL, call_on, &t), 0);
	await_calls(&t, 1000);
	kt_session_stop(s);
	await_calls(&t, 1000);
	ends = true;
	pthread_join(t.thread, NULL);
	n = count_hits(s, ENTER);
	assert_in_range(n, 1000, TIMES_MAX - 1);
	assert_true(kt_session_ended(s) < t.times[n]);
	free(t.times);
	kt_session_free(s);
}

/* A program that writes to a map when it begins, takes milliseconds, and writes when it ends. */
static int load_slow_program(const struct kt_map *map)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_asm *a = kt_asm_new();
	int again = kt_asm_label(a, "again"), program;
	struct kt_error err;

	kt_asm_move_value(a, BPF_REG_6, map->fd);
	kt_asm_store_imm(a, BPF_DW, BPF_REG_6, 0, 1);
	kt_asm_move_imm(a, BPF_REG_7, 100000);
	kt_asm_place(a, again);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_alu_imm(a, BPF_SUB, BPF_REG_7, 1);
	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_7, 0, again);
	kt_asm_store_imm(a, BPF_DW, BPF_REG_6, 0, 2);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
	program = kt_program_load(kind, "slow", a, &err);
	if (program < 0)
		fail_msg("%s", err.text);
	kt_asm_free(a);
	return program;
}

static void *run_program(void *program)
{
	struct kt_error err;
	uint32_t result;

	if (kt_program_run(*(int *)program, &result, &err) < 0)
		fprintf(stderr, "# %s\n", err.text);
	return NULL;
}

static uint64_t read_value(const struct kt_map *map)
{
	return __atomic_load_n((uint64_t *)map->memory, __ATOMIC_ACQUIRE);
}

static void settling(void **state)
{
	struct kt_error err;
	struct kt_rings *rings;
	struct kt_map map;
	pthread_t thread;
	int program;

	(void)state;
	skip_where_refused();
	rings = kt_rings_new((struct kt_geometry){12, 2}, NULL, &err);
	assert_non_null(rings);
	assert_int_equal(kt_rings_place(rings, NULL, &err), 0);
	assert_int_equal(kt_map_make(&map, "test", sizeof(uint64_t), 1, &err), 0);
	program = load_slow_program(&map);
	assert_int_equal(pthread_create(&thread, NULL, run_program, &program), 0);
	while (!read_value(&map))
		;
	kt_rings_settle(rings);
	assert_int_equal(read_value(&map), 2);
	pthread_join(thread, NULL);
	close(program);
	kt_map_free(&map);
	kt_rings_free(rings);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_at_once),
		cmocka_unit_test(ended),
		cmocka_unit_test(settling),
	};

	return cmocka_run_group_tests_name("enable_word", tests, read_ids, NULL);
}
