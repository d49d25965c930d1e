// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What generated programs count of a system call, against the number of calls that were made. The
 * call is one that nobody else makes: sched_rr_get_interval.
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

#include "base/error.h"
#include "catalog/event.h"
#include "catalog/tracefs.h"
#include "emit/asm.h"
#include "emit/count.h"
#include "hook/program.h"
#include "hook/tracepoint.h"
#include "session/ledger.h"

#define N_CALLS 100000

enum { ENTER, EXIT, N_EVENTS };

static const char *const names[N_EVENTS] = {
	[ENTER] = "sys_enter_sched_rr_get_interval",
	[EXIT] = "sys_exit_sched_rr_get_interval",
};
static unsigned int ids[N_EVENTS];

static char refused[512]; /* why nothing can be counted here, or "" */

/* Whether the machine lets us look at all; what it then does wrong is a failure. */
static int may_count(struct kt_error *err)
{
	struct kt_ledger *ledger = kt_ledger_new(1, err);
	int tracefs;

	if (!ledger)
		return -1;
	kt_ledger_free(ledger);
	tracefs = kt_tracefs_open(err);
	return tracefs;
}

static int read_ids(void **state)
{
	struct kt_error err;
	struct kt_event *e;
	int i, tracefs = may_count(&err);

	(void)state;
	if (tracefs < 0) {
		if (err.code != EPERM && err.code != EACCES)
			fail_msg("%s", err.text);
		snprintf(refused, sizeof(refused), "%s", err.text);
		return 0;
	}
	for (i = 0; i < N_EVENTS; i++) {
		e = kt_event_read(tracefs, &(struct kt_name){"syscalls", names[i]}, &err);
		if (!e)
			fail_msg("%s", err.text);
		ids[i] = e->id;
		kt_event_free(e);
	}
	close(tracefs);
	return 0;
}

static void skip_where_refused(void)
{
	if (!refused[0])
		return;
	print_message("# %s\n", refused);
	skip();
}

/* The link that makes event count, or -errno. */
static int count_event(const struct kt_ledger *ledger, int event, struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();
	int program, link;

	kt_emit_count(a, kt_ledger_fd(ledger), event);
	program = kt_program_load(BPF_PROG_TYPE_TRACEPOINT, names[event], a, err);
	kt_asm_free(a);
	if (program < 0)
		return program;
	link = kt_tracepoint_attach(ids[event], program, err);
	close(program);
	return link;
}

static void pin(size_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

static void call(size_t n)
{
	struct timespec interval;

	while (n--)
		syscall(SYS_sched_rr_get_interval, 0, &interval);
}

static int n_descriptors(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

struct caller {
	pthread_t thread;
	size_t cpu, n;
};

static void *call_there(void *arg)
{
	struct caller *c = arg;

	pin(c->cpu);
	call(c->n);
	return NULL;
}

/* One caller on each CPU that we may run on, all at once, each with another number of calls. */
static void each_call_once(void **state)
{
	struct caller callers[CPU_SETSIZE] = {0};
	size_t n_cpus = CPU_SETSIZE, cpu, sum = 0;
	struct kt_ledger *ledger;
	struct kt_error err;
	int i, before, links[N_EVENTS];
	cpu_set_t ours;

	(void)state;
	skip_where_refused();
	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	before = n_descriptors();
	ledger = kt_ledger_new(N_EVENTS, &err);
	if (!ledger)
		fail_msg("%s", err.text);
	if (kt_ledger_cpus(ledger) < n_cpus)
		n_cpus = kt_ledger_cpus(ledger);

	call(10); /* before: not counted */
	for (i = 0; i < N_EVENTS; i++) {
		links[i] = count_event(ledger, i, &err);
		if (links[i] < 0)
			fail_msg("%s", err.text);
	}
	for (cpu = 0; cpu < n_cpus; cpu++) {
		if (!CPU_ISSET(cpu, &ours))
			continue;
		callers[cpu] = (struct caller){.cpu = cpu, .n = N_CALLS + cpu};
		sum += callers[cpu].n;
		assert_int_equal(
			pthread_create(&callers[cpu].thread, NULL, call_there, &callers[cpu]), 0);
	}
	for (cpu = 0; cpu < n_cpus; cpu++)
		if (callers[cpu].n)
			pthread_join(callers[cpu].thread, NULL);

	/* The events part: of ten more calls only the return is counted, then nothing. */
	close(links[ENTER]);
	call(10);
	close(links[EXIT]);
	call(10);

	for (cpu = 0; cpu < n_cpus; cpu++)
		assert_int_equal(kt_ledger_read(ledger, ENTER, cpu).hits, callers[cpu].n);
	assert_int_equal(kt_ledger_sum(ledger, ENTER).hits, sum);
	assert_int_equal(kt_ledger_sum(ledger, EXIT).hits, sum + 10);
	kt_ledger_free(ledger);
	assert_int_equal(n_descriptors(), before); /* nothing is left attached */
}

static void what_the_verifier_says(void **state)
{
	struct kt_error err;
	struct kt_asm *a;

	(void)state;
	skip_where_refused();
	a = kt_asm_new();
	kt_asm_exit(a);
	assert_true(kt_program_load(BPF_PROG_TYPE_TRACEPOINT, "s:e", a, &err) < 0);
	assert_string_equal(err.text, "cannot load the program of s:e: the verifier says: "
				      "R0 !read_ok");
	kt_asm_free(a);
}

static void no_such_tracepoint(void **state)
{
	struct kt_error err;

	(void)state;
	skip_where_refused();
	assert_int_equal(kt_tracepoint_attach(0x7fffffff, -1, &err), -EINVAL);
	assert_string_equal(err.text, "perf_event_open: Invalid argument");
}

/* In a process of its own, with these capabilities and no others: what does counting say? */
static void with_capabilities(uint64_t caps, const char *expected)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {
		{.effective = caps, .permitted = caps},
		{.effective = caps >> 32, .permitted = caps >> 32},
	};
	struct kt_error err = {0};
	struct kt_ledger *ledger;
	int pipefd[2];
	pid_t child;

	assert_int_equal(pipe(pipefd), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (syscall(SYS_capset, &header, data) < 0)
			_exit(2);
		ledger = kt_ledger_new(N_EVENTS, &err);
		if (ledger)
			count_event(ledger, ENTER, &err);
		_exit(write(pipefd[1], err.text, sizeof(err.text)) != sizeof(err.text));
	}
	close(pipefd[1]);
	assert_int_equal(read(pipefd[0], err.text, sizeof(err.text)), sizeof(err.text));
	close(pipefd[0]);
	waitpid(child, NULL, 0);
	assert_string_equal(err.text, expected);
}

static void rights(void **state)
{
	(void)state;
	skip_where_refused();
	with_capabilities(0, "cannot make a BPF map: Operation not permitted; "
			     "CAP_BPF and CAP_PERFMON are missing: run as root");
	with_capabilities(1ull << CAP_PERFMON, "cannot make a BPF map: Operation not permitted; "
					       "CAP_BPF is missing: run as root");
	with_capabilities(1ull << CAP_BPF,
			  "cannot load the program of sys_enter_sched_rr_get_interval: bpf: "
			  "Operation not permitted; CAP_PERFMON is missing: run as root");
	with_capabilities(1ull << CAP_BPF | 1ull << CAP_PERFMON, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_call_once),
		cmocka_unit_test(what_the_verifier_says),
		cmocka_unit_test(no_such_tracepoint),
		cmocka_unit_test(rights),
	};

	return cmocka_run_group_tests_name("count", tests, read_ids, NULL);
}
