// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session's events read while it records: each as soon as it is copied, once, in order of time on
 * all CPUs, with losses in place. The calls are numbered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/live/reading.h"
#include "tests/live/session.h"
#include "trace/read/live_session.h"

enum { SHIFT = 12, FEW = 4, ENOUGH = 4096, SLEEP_US = 2000 }; /* sub-buffers, enough for all */

struct viewer {
	struct live_reader base;
	struct directory dir;
	struct kt_session *session;
	struct kt_live_session *live;
	uint64_t time; /* of the last event */
	bool repeats;  /* a number twice */
};

static void open_viewer(struct viewer *v, unsigned int n_subbufs)
{
	struct kt_trace_source source;
	struct kt_error err;

	memset(v, 0, sizeof(*v));
	open_directory(&v->dir);
	v->session = session_of(SHIFT, n_subbufs);
	add(v->session, "syscalls", names[ENTER]);
	kt_session_start(v->session);
	source = kt_session_trace_source(v->session);
	v->live = kt_live_session_new(&source, "1.2.3", v->dir.fd, &err);
	if (!v->live)
		fail_msg("%s", err.text);
}

static void close_viewer(struct viewer *v)
{
	kt_live_session_free(v->live);
	kt_session_free(v->session);
	remove_directory(&v->dir);
}

/* Reads everything and returns the number of events. */
static size_t read_all(struct viewer *v)
{
	struct kt_error err;
	struct kt_hit hit;
	size_t n = 0;
	int ret;

	while ((ret = kt_live_session_next(v->live, &hit, &err)) > 0) {
		assert_true(hit.time >= v->time);
		v->time = hit.time;
		if (!v->repeats)
			check_event(&v->base, hit.cpu, &hit);
		n += !!hit.event;
	}
	if (ret < 0)
		fail_msg("%s", err.text);
	return n;
}

static size_t copy_and_read(struct viewer *v)
{
	struct kt_error err;

	if (kt_live_session_copy(v->live, &err) < 0)
		fail_msg("%s", err.text);
	return read_all(v);
}

/* Reads the rest; nothing comes after it. */
static void stop_viewer(struct viewer *v)
{
	struct kt_error err;

	kt_session_stop(v->session);
	if (kt_live_session_end(v->live, kt_session_ended(v->session), &err) < 0)
		fail_msg("%s", err.text);
	read_all(v);
	assert_int_equal(read_all(v), 0);
}

/* Calls on alternating CPUs: each is readable at once, and nothing else. */
static void at_once(void **state)
{
	struct viewer v;
	struct caller c = {0};
	size_t cpus[CPU_SETSIZE], n, i;

	(void)state;
	skip_where_refused();
	open_viewer(&v, 2);
	v.base.shares_numbers = true;
	assert_int_equal(copy_and_read(&v), 0);
	n = our_cpus(cpus);
	for (i = 0; i < N_ROUNDS; i++) {
		c = (struct caller){.cpu = cpus[i % n], .first = c.first + c.n, .n = 1 + i % 3};
		run_caller(&c);
		assert_int_equal(copy_and_read(&v), c.n);
		assert_int_equal(v.base.cpus[c.cpu].last, c.first + c.n);
	}
	stop_viewer(&v);
	for (i = 0; i < n; i++)
		assert_int_equal(v.base.cpus[cpus[i]].lost, 0);
	close_viewer(&v);
}

/* Makes a call on a CPU and returns how many bytes of its ring are used. */
static uint64_t call_on(const struct viewer *v, size_t cpu)
{
	struct caller c = {.cpu = cpu, .n = 1};

	run_caller(&c);
	return kt_ring_reserved(kt_rings_at(kt_session_rings(v->session), cpu));
}

/* Later events are held back while a record is being written on any CPU, and then appear. */
static void unfinished_record(void **state)
{
	struct viewer v;
	struct kt_ring_memory m;
	struct kt_subbuf *s;
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), first, size;

	(void)state;
	skip_where_refused();
	open_viewer(&v, FEW);
	v.repeats = true;
	m = kt_ring_memory(kt_rings_at(kt_session_rings(v.session), cpus[0]));
	first = call_on(&v, cpus[0]);
	size = call_on(&v, cpus[0]) - first;
	m.control->reserved += size;
	call_on(&v, cpus[n - 1]);
	assert_int_equal(copy_and_read(&v), 0);
	assert_int_equal(copy_and_read(&v), 0);
	s = kt_ring_memory_subbuf(m, first);
	memcpy((char *)s + first + size, (char *)s + first, size);
	__atomic_fetch_add(&s->committed, size, __ATOMIC_SEQ_CST);
	assert_int_equal(copy_and_read(&v), 4);
	stop_viewer(&v);
	close_viewer(&v);
}

/* All CPUs at once, read sometimes soon, sometimes late. */
static void read_callers(unsigned int n_subbufs)
{
	struct viewer v;
	struct caller callers[N_CPUS_MAX];
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), i, round = 0;
	const struct cpu_progress *cpu;

	skip_where_refused();
	open_viewer(&v, n_subbufs);
	n = n < N_CPUS_MAX ? n : N_CPUS_MAX;
	start_callers(callers, cpus, n, 0, N_MANY);
	for (; !are_done(callers, n); round++) {
		usleep(round % 2 * SLEEP_US);
		copy_and_read(&v);
	}
	join_callers(callers, n);
	stop_viewer(&v);
	for (i = 0; i < n; i++) {
		cpu = &v.base.cpus[cpus[i]];
		print_message("# CPU %zu: %lu and %lu lost, in %zu rounds\n", cpus[i], cpu->n,
			      cpu->lost, round);
		assert_int_equal(cpu->last + cpu->missing, callers[i].n);
		assert_int_equal(cpu->n + cpu->lost, callers[i].n);
		assert_true(cpu->n > 0 && (cpu->lost > 0) == (n_subbufs == FEW));
	}
	close_viewer(&v);
}

static void room_for_all(void **state)
{
	(void)state;
	read_callers(ENOUGH);
}

static void room_for_few(void **state)
{
	(void)state;
	read_callers(FEW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_once),
		cmocka_unit_test(unfinished_record),
		cmocka_unit_test(room_for_all),
		cmocka_unit_test(room_for_few),
	};

	return cmocka_run_group_tests(tests, read_ids, NULL);
}
