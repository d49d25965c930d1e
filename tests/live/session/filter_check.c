// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters compared with their meaning in C: each is also compiled by the compiler. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/live/calls.h"
#include "tests/live/exercise.h"
#include "tests/live/filter_trial.h"

/* The fields of the current record as the kernel declares them, and the running task. */
static long id, prev_state;
static int prev_pid, next_pid, next_prio, sig, code, pid, group, network_offset, fd;
static long offset;
static unsigned long count;
static unsigned int len;
static uint16_t family, protocol, sport;
static uint8_t ip_summed;
static bool vlan_tagged;

/* The running task. */
static struct who {
	pid_t tid;
	size_t cpu;
} ran;

#define VARIABLE(name) #name, &name, sizeof(name)

static const struct {
	const char *name;
	void *value;
	size_t size;
} variables[] = {
	{VARIABLE(id)},          {VARIABLE(prev_state)},
	{VARIABLE(prev_pid)},    {VARIABLE(next_pid)},
	{VARIABLE(next_prio)},   {VARIABLE(sig)},
	{VARIABLE(code)},        {VARIABLE(pid)},
	{VARIABLE(group)},       {VARIABLE(network_offset)},
	{VARIABLE(fd)},          {VARIABLE(offset)},
	{VARIABLE(count)},       {VARIABLE(len)},
	{VARIABLE(family)},      {VARIABLE(protocol)},
	{VARIABLE(sport)},       {VARIABLE(ip_summed)},
	{VARIABLE(vlan_tagged)},
};

enum { N_VARIABLES = sizeof(variables) / sizeof(*variables) };

/* A number per row, its event, and its filter, valid in ktrace and in C. */
#define CALLS(ROW)                                                                               \
	ROW(10, id == SYS_getpid)                                                                \
	ROW(11, id != SYS_getpid && id < 300)                                                    \
	ROW(12, id & 1 && !(id & 2) || id > 100 && id <= 200)                                    \
	ROW(13, (id == SYS_getpid || id == SYS_lseek) && !(id & 0x7fffffff00000000) && id >= -1) \
	ROW(14, !(id == SYS_getpid || !(id != SYS_lseek)))
#define SWITCHES(ROW)                                                              \
	ROW(20, prev_state != 0)                                                   \
	ROW(21, prev_state == 0 && next_prio >= 120)                               \
	ROW(22, prev_state & 1 && next_prio > 0 && (prev_pid & 1 || next_pid & 1)) \
	ROW(23, !(prev_state > 0) || next_pid == 0)                                \
	ROW(24, prev_pid == 0 && next_pid == 0 || next_prio == 0 || next_pid & 1)
#define SIGNALS(ROW)                                 \
	ROW(30, code < 0)                            \
	ROW(31, code == -6 || sig == 17 && code > 0) \
	ROW(32, code <= -6 || group == 0)            \
	ROW(33, code == 0xfffffffa)                  \
	ROW(34, code & 0x80000000 && !(code >= -1))  \
	ROW(35, code > -2 && pid > 1)
#define READS(ROW)                                                        \
	ROW(40, count > 0x8000000000000000)                               \
	ROW(41, count == 0xffffffffffffffff || count == 5000000000)       \
	ROW(42, count < 5000000000 && fd != -1)                           \
	ROW(43, count >= 0xfffffffffffffffe)                              \
	ROW(44, count & 0xf00000000 && offset <= -1)                      \
	ROW(45, count <= 2147483648 && count >= 2147483648 || fd < -2000) \
	ROW(46, offset < -5000000000 || offset >= 5000000000)
#define SOCKETS(ROW)                                               \
	ROW(50, ip_summed == 3 && len > 500)                       \
	ROW(51, protocol == 2048 && len < 500 && vlan_tagged == 0) \
	ROW(52, ip_summed < 3 || network_offset != 14 || len >= 1000)

#define FUNCTION(n, expr)           \
	static bool is_so_##n(void) \
	{                           \
		return expr;        \
	}
#define TEXT(expr)   #expr
#define ROW(n, expr) {TEXT(expr), is_so_##n},

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
CALLS(FUNCTION)
SWITCHES(FUNCTION)
SIGNALS(FUNCTION)
READS(FUNCTION)
SOCKETS(FUNCTION)
#pragma GCC diagnostic pop

static const struct row calls[] = {CALLS(ROW){}};
static const struct row switches[] = {SWITCHES(ROW){}};
static const struct row signals[] = {SIGNALS(ROW){}};
static const struct row reads[] = {READS(ROW){}};
static const struct row sockets[] = {SOCKETS(ROW){}};

/* Sets the variables from the record. */
static void read_record(const struct kt_event *e, const char *record, size_t on)
{
	size_t at = sizeof(struct kt_record), i, j;

	ran = (struct who){((const struct kt_record *)record)->tid, on};
	for (i = 0; i < e->n_fields; at += kt_field_record_size(&e->fields[i]), i++)
		for (j = 0; j < N_VARIABLES; j++) {
			if (strcmp(e->fields[i].name, variables[j].name) != 0)
				continue;
			assert_int_equal(e->fields[i].size, variables[j].size);
			memcpy(variables[j].value, record + at, variables[j].size);
		}
}

static void make_calls(void)
{
	int i;

	for (i = 0; i < 100; i++) {
		syscall(SYS_getpid);
		syscall(SYS_lseek, -1, 0, 0);
		syscall(SYS_getppid);
		syscall(SYS_getuid);
		syscall(SYS_membarrier, -1, 0, 0);
	}
}

static void end_busy(pid_t busy)
{
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
}

/* A child that never sleeps. One filter matches odd PIDs only: ours, or the child's. */
static pid_t start_busy(void)
{
	pid_t busy = fork();

	while (busy == 0)
		;
	if ((getpid() | busy) & 1)
		return busy;
	end_busy(busy);
	return start_busy();
}

/* Sleeps, and is preempted by a busy process. */
static void make_switches(void)
{
	pid_t busy = start_busy();
	int i;

	for (i = 0; i < 100; i++) {
		sched_yield();
		usleep(100);
	}
	end_busy(busy);
	for (i = 0; i < 20; i++)
		usleep(1000);
}

/* From process, thread, with a value, and from the kernel. */
static void make_signals(void)
{
	int i;

	signal(SIGUSR1, SIG_IGN);
	for (i = 0; i < 20; i++) {
		kill(getpid(), SIGUSR1);
		syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
		sigqueue(getpid(), SIGUSR1, (union sigval){});
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
}

static void make_reads(void)
{
	static const unsigned long counts[] = {
		0, 1, 5, 2147483647, 2147483648, 5000000000, -1ul, -2ul, -5000000000ul, 1ul << 63,
	};
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		syscall(SYS_readahead, i % 2 ? -1 : -1000, 1 - (long)(i % 3), counts[i]);
		syscall(SYS_readahead, i % 2 ? 0xfffffffful : 1ul << 31, 2 * counts[i], counts[i]);
	}
}

static void use_sockets(void)
{
	create_network();
	use_network();
}

static void filters_of_calls(void **state)
{
	(void)state;
	try_filters(calls, "raw_syscalls", "sys_enter", make_calls);
}

static void filters_of_switches(void **state)
{
	(void)state;
	try_filters(switches, "sched", "sched_switch", make_switches);
}

static void filters_of_signals(void **state)
{
	(void)state;
	try_filters(signals, "signal", "signal_generate", make_signals);
}

static void filters_of_reads(void **state)
{
	struct row alone[] = {{}, {}};
	const struct row *row;

	(void)state;
	for (row = reads; row->filter; row++) { /* a call is in one position among all calls */
		*alone = *row;
		try_filters(alone, "syscalls", "sys_enter_readahead", make_reads);
	}
}

static void filters_of_sockets(void **state)
{
	(void)state;
	try_filters(sockets, "net", "net_dev_start_xmit", use_sockets);
}

/* Two threads of this process, which is followed, and a child. */
static pid_t our_tid;
static size_t our_cpu;

static bool is_us(void)
{
	return ran.tid == getpid() || ran.tid == our_tid;
}

static bool is_our_thread(void)
{
	return ran.tid == our_tid;
}

static bool is_our_cpu(void)
{
	return ran.cpu == our_cpu;
}

static pthread_barrier_t barrier;

/* Notes its TID, then makes calls on another CPU than the first thread. */
static void *make_calls_on(void *there)
{
	pin(*(size_t *)there);
	our_tid = syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	make_calls();
	return NULL;
}

static void make_calls_everywhere(struct kt_session *s, pthread_t thread)
{
	struct kt_error err;
	pid_t child;

	assert_int_equal(kt_session_follow_self(s, &err), 0);
	pthread_barrier_wait(&barrier);
	child = fork();
	if (child == 0) {
		make_calls();
		_exit(0);
	}
	make_calls();
	pthread_join(thread, NULL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void filters_of_the_running_task(void **state)
{
	char texts[3][64];
	const struct row rows[] = {
		{texts[0], is_us}, {texts[1], is_our_thread}, {texts[2], is_our_cpu}, {}};
	size_t cpus[CPU_SETSIZE], n;
	struct trial t;
	pthread_t thread;

	(void)state;
	skip_where_refused();
	n = our_cpus(cpus);
	if (n < 2 || !has_kernel_pids())
		skip();
	our_cpu = cpus[0];
	pthread_barrier_init(&barrier, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, make_calls_on, &cpus[1]), 0);
	pthread_barrier_wait(&barrier);
	snprintf(texts[0], sizeof(texts[0]), "PID == %d && pid != 0", getpid());
	snprintf(texts[1], sizeof(texts[1]), "tid == %d && common_pid != %d", our_tid, getpid());
	snprintf(texts[2], sizeof(texts[2]), "cpu == %zu", our_cpu);
	pin(cpus[0]);
	begin_trial(&t, rows, "raw_syscalls", "sys_enter");
	make_calls_everywhere(t.session, thread);
	end_trial(&t);
	pthread_barrier_destroy(&barrier);
}

/* The maximum of tests and of paths through them. */
static void longest_filter(void **state)
{
	static char texts[2][64 * KT_FILTER_TESTS_MAX];
	const struct row rows[] = {{texts[0], NULL}, {texts[1], NULL}, {}};
	char *at[] = {texts[0], texts[1]};
	struct trial t;
	int i;

	(void)state;
	skip_where_refused();
	for (i = 0; i < KT_FILTER_TESTS_MAX; i++) {
		at[0] += sprintf(at[0], "%sprev_state == %d", i ? "||" : "", 2 * i);
		at[1] += sprintf(at[1], "%s%sprev_pid != %d", i ? i % 2 ? "||" : "&&" : "",
				 i % 2 ? "" : "(", i);
		at[1] += sprintf(at[1], "%s", i % 2 ? ")" : "");
	}
	begin_trial(&t, rows, "sched", "sched_switch");
	kt_session_free(t.session);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_of_calls),   cmocka_unit_test(filters_of_switches),
		cmocka_unit_test(filters_of_signals), cmocka_unit_test(filters_of_reads),
		cmocka_unit_test(filters_of_sockets), cmocka_unit_test(filters_of_the_running_task),
		cmocka_unit_test(longest_filter),
	};

	return cmocka_run_group_tests_name("filter_check", tests, read_ids, NULL);
}
