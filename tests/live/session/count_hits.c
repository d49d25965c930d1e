// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts of generated programs, compared with the number of calls made: sched_rr_get_interval,
 * which no other process makes.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "generate/count_hits.h"
#include "tests/live/calls.h"

#define N_CALLS 100000

/* Attaches a counting program to the event. Returns its link or -errno. */
static int count_event(const struct kt_counter_map *counters, int event, struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();

	kt_emit_count(a, kt_counter_map_fd(counters), event);
	return attach(event, a, err);
}

static void make_calls(size_t n)
{
	while (n--)
		call(0);
}

static int count_descriptors(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* A caller per CPU, all at once, with different numbers of calls. */
static void each_call_once(void **state)
{
	struct caller callers[CPU_SETSIZE];
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k, sum;
	struct kt_counter_map *counters;
	struct kt_error err;
	int i, before, links[N_EVENTS];

	(void)state;
	skip_where_refused();
	before = count_descriptors();
	counters = kt_counter_map_new(N_EVENTS, &err);
	if (!counters)
		fail_msg("%s", err.text);

	make_calls(10); /* before attaching: not counted */
	for (i = 0; i < N_EVENTS; i++) {
		links[i] = count_event(counters, i, &err);
		if (links[i] < 0)
			fail_msg("%s", err.text);
	}
	sum = start_callers(callers, cpus, n, 0, N_CALLS);
	join_callers(callers, n);

	/* After closing one link only the other event counts, then none. */
	close(links[ENTER]);
	make_calls(10);
	close(links[EXIT]);
	make_calls(10);

	for (k = 0; k < n; k++)
		assert_int_equal(kt_counter_map_read(counters, ENTER, cpus[k]).hits, callers[k].n);
	assert_int_equal(kt_counter_map_sum(counters, ENTER).hits, sum);
	assert_int_equal(kt_counter_map_sum(counters, EXIT).hits, sum + 10);
	kt_counter_map_free(counters);
	assert_int_equal(count_descriptors(), before); /* nothing stays attached */
}

static void verifier_messages(void **state)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_TRACEPOINT};
	struct kt_error err;
	struct kt_asm *a;

	(void)state;
	skip_where_refused();
	a = kt_asm_new();
	kt_asm_exit(a);
	assert_true(kt_program_load(kind, "s:e", a, &err) < 0);
	assert_string_equal(err.text, "cannot load the program of s:e: verifier: "
				      "R0 !read_ok");
	kt_asm_free(a);
}

static void missing_tracepoint(void **state)
{
	struct kt_error err;

	(void)state;
	skip_where_refused();
	assert_int_equal(kt_tracepoint_attach(0x7fffffff, -1, &err), -EINVAL);
	assert_string_equal(err.text, "perf_event_open: Invalid argument");
}

/* Tries counting in a child with only these capabilities, and returns the error. */
static struct kt_error with_capabilities(uint64_t caps)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {
		{.effective = caps, .permitted = caps},
		{.effective = caps >> 32, .permitted = caps >> 32},
	};
	struct kt_error err = {0};
	struct kt_counter_map *counters;
	int pipefd[2];
	pid_t child;

	assert_int_equal(pipe(pipefd), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (syscall(SYS_capset, &header, data) < 0)
			_exit(2);
		counters = kt_counter_map_new(N_EVENTS, &err);
		if (counters)
			count_event(counters, ENTER, &err);
		_exit(write(pipefd[1], err.text, sizeof(err.text)) != sizeof(err.text));
	}
	close(pipefd[1]);
	assert_int_equal(read(pipefd[0], err.text, sizeof(err.text)), sizeof(err.text));
	close(pipefd[0]);
	waitpid(child, NULL, 0);
	return err;
}

static void rights(void **state)
{
	const uint64_t bpf = 1ull << CAP_BPF, perfmon = 1ull << CAP_PERFMON;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	err = with_capabilities(0);
	assert_string_equal(err.text, "cannot make a BPF map: Operation not permitted; "
				      "CAP_BPF and CAP_PERFMON are missing: run as root");
	err = with_capabilities(perfmon);
	assert_string_equal(err.text, "cannot make a BPF map: Operation not permitted; "
				      "CAP_BPF is missing: run as root");
	err = with_capabilities(bpf);
	assert_string_equal(err.text,
			    "cannot load the program of sys_enter_sched_rr_get_interval: bpf: "
			    "Operation not permitted; CAP_PERFMON is missing: run as root");

	/* Both suffice, unless Debian's sysctl forbids it. */
	err = with_capabilities(bpf | perfmon);
	if (err.text[0])
		assert_string_equal(
			err.text,
			"perf_event_open: Permission denied; kernel.perf_event_paranoid is above "
			"2, for which this kernel may want CAP_SYS_ADMIN: run as root");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_call_once),
		cmocka_unit_test(verifier_messages),
		cmocka_unit_test(missing_tracepoint),
		cmocka_unit_test(rights),
	};

	return cmocka_run_group_tests_name("count_hits", tests, read_ids, NULL);
}
