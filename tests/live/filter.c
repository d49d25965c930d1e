// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters against the compiler's own idea of what they mean: each is compiled by C too, and held
 * against what is recorded of the same hits without one. Every event is tried both as the kernel's
 * record has it and, where that can be, as a curated one.
 */
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

#include "base/tally.h"
#include "catalog/btf.h"
#include "catalog/curated.h"
#include "catalog/filter.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/ledger.h"
#include "tests/live/calls.h"
#include "tests/live/exercise.h"
#include "tests/live/session.h"

/* The fields of the record that is looked at, as the kernel declares them, and who ran. */
static long id, prev_state;
static int prev_pid, next_pid, next_prio, sig, code, pid, group, network_offset;
static unsigned long fd, offset, whence;
static unsigned int len;
static uint16_t family, protocol, sport;
static uint8_t ip_summed;
static bool vlan_tagged;

/* Who that was. */
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
	{VARIABLE(whence)},      {VARIABLE(len)},
	{VARIABLE(family)},      {VARIABLE(protocol)},
	{VARIABLE(sport)},       {VARIABLE(ip_summed)},
	{VARIABLE(vlan_tagged)},
};

enum { N_VARIABLES = sizeof(variables) / sizeof(*variables) };

/* A number per row, its event, and its filter in what ktrace and C both understand. */
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
#define SEEKS(ROW)                                                    \
	ROW(40, offset > 0x8000000000000000)                          \
	ROW(41, offset == 0xffffffffffffffff || offset == 5000000000) \
	ROW(42, offset < 5000000000 && fd != 4294967295)              \
	ROW(43, offset >= 0xfffffffffffffffe)                         \
	ROW(44, offset & 0xf00000000 && whence <= 1)                  \
	ROW(45, offset <= 2147483648 && offset >= 2147483648)
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
SEEKS(FUNCTION)
SOCKETS(FUNCTION)
#pragma GCC diagnostic pop

/* A filter, and whether it is true of the variables. */
struct row {
	const char *filter;
	bool (*is_so)(void);
};

static const struct row calls[] = {CALLS(ROW){}};
static const struct row switches[] = {SWITCHES(ROW){}};
static const struct row signals[] = {SIGNALS(ROW){}};
static const struct row seeks[] = {SEEKS(ROW){}};
static const struct row sockets[] = {SOCKETS(ROW){}};

enum { ROWS_MAX = 8, EVENTS_MAX = 1 + 2 * ROWS_MAX };

/* One event: without a filter, and with that of each row in both ways. */
struct trial {
	const struct row *rows;
	struct kt_session *session;
	char *records[EVENTS_MAX]; /* of one CPU, one behind the other */
	size_t size[EVENTS_MAX];
	size_t matched[EVENTS_MAX], total; /* of all CPUs */
};

static void add_filtered(struct trial *t, const char *system, const char *event, size_t i)
{
	static struct kt_btf *btf;
	struct kt_event *e = read_event(system, event);
	bool curated = false;
	struct kt_error err;

	if (i && i % 2 == 0) {
		btf = btf ? btf : kt_btf_new();
		curated = kt_curate(e, btf, &err) == 0;
	}
	if (i) {
		e->filter = kt_filter_parse(e, t->rows[(i - 1) / 2].filter, &err);
		if (!e->filter)
			fail_msg("%s", err.text);
	}
	if (kt_session_add(t->session, e, &err) < 0)
		fail_msg("%s", err.text);
	if (curated && !e->curated)
		fail_msg("%s: the verifier refuses it", t->rows[(i - 1) / 2].filter);
}

static void begin(struct trial *t, const struct row *rows, const char *system, const char *event)
{
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err);
	size_t i, n = 0;

	*t = (struct trial){.rows = rows};
	while (rows[n].filter)
		n++;
	assert_true(n <= ROWS_MAX);
	t->session = kt_session_new((struct kt_geometry){16, 64}, 1 + 2 * n, &err);
	if (!t->session || kt_session_follow(t->session, tracefs, NULL, &err) < 0)
		fail_msg("%s", err.text);
	close(tracefs);
	for (i = 0; i < 1 + 2 * n; i++)
		add_filtered(t, system, event, i);
	kt_session_start(t->session);
}

static size_t size_of(const struct trial *t, const char *record)
{
	const struct kt_event *e = kt_session_events(t->session)[*(uint16_t *)record];

	return kt_record_size(kt_event_record_size(e) + kt_event_data_size(e, record));
}

static void read_ring(struct trial *t, struct kt_ring *ring)
{
	struct kt_packet p;
	struct kt_error err;
	size_t at, size, i;

	memset(t->size, 0, sizeof(t->size));
	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring)) {
		assert_int_equal(p.lost, 0);
		for (at = 0; at < p.size; at += size) {
			size = size_of(t, p.records + at);
			i = *(uint16_t *)(p.records + at);
			t->records[i] = realloc(t->records[i], t->size[i] + size);
			memcpy(t->records[i] + t->size[i], p.records + at, size);
			t->size[i] += size;
		}
	}
}

/* Sets the variables that the record has. */
static void look_at(const struct kt_event *e, const char *record, size_t on)
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

/* But for the event and the time. */
static bool is_same(const char *a, const char *b, size_t size)
{
	size_t from = offsetof(struct kt_record, tid);

	return memcmp(a + from, b + from, size - from) == 0;
}

static const struct row *row_of(const struct trial *t, size_t i)
{
	return &t->rows[(i - 1) / 2];
}

/* The records of event i are those of event 0 of which its filter is so. */
static void match(struct trial *t, size_t i, size_t on)
{
	const struct row *row = row_of(t, i);
	size_t from, at = 0, size;

	for (from = 0; from < t->size[0]; from += size) {
		size = size_of(t, t->records[0] + from);
		look_at(kt_session_events(t->session)[0], t->records[0] + from, on);
		t->total += i == 1;
		if (!row->is_so())
			continue;
		if (at == t->size[i] || !is_same(t->records[0] + from, t->records[i] + at, size))
			fail_msg("%s: not so of the %zuth hit, as it should be", row->filter,
				 t->matched[i] + 1);
		at += size;
		t->matched[i]++;
	}
	if (at != t->size[i])
		fail_msg("%s: hits of which it is not so", row->filter);
}

/* It is so of some hits, and the others are counted. */
static void assert_filtered(const struct trial *t, size_t i)
{
	const struct kt_ledger *ledger = kt_session_ledger(t->session);
	struct kt_tally tally = kt_ledger_sum(ledger, i), all = kt_ledger_sum(ledger, 0);

	if (!t->matched[i] || t->matched[i] == t->total)
		fail_msg("%s: so of %zu of %zu hits", row_of(t, i)->filter, t->matched[i],
			 t->total);
	assert_int_equal(tally.hits, t->matched[i]);
	assert_int_equal(kt_tally_lost(tally), 0);
	assert_int_equal(tally.filtered, all.filtered + t->total - t->matched[i]);
}

static void end(struct trial *t)
{
	const struct kt_rings *rings = kt_session_rings(t->session);
	size_t n = kt_session_count(t->session), i, on;

	kt_session_stop(t->session);
	for (on = 0; on < kt_rings_cpus(rings); on++) {
		if (!kt_rings_at(rings, on))
			continue;
		read_ring(t, kt_rings_at(rings, on));
		for (i = 1; i < n; i++)
			match(t, i, on);
	}
	for (i = 1; i < n; i++)
		assert_filtered(t, i);
	for (i = 0; i < n; i++)
		free(t->records[i]);
	kt_session_free(t->session);
}

/* What a child does, which stays on one CPU. */
static void try(const struct row *rows, const char *system, const char *event, void (*work)(void))
{
	size_t cpus[CPU_SETSIZE];
	struct trial t;
	struct kt_error err;
	int status;
	pid_t child;

	skip_where_refused();
	our_cpus(cpus);
	begin(&t, rows, system, event);
	child = fork();
	if (child == 0) {
		pin(cpus[0]);
		if (kt_session_follow_self(t.session, &err) < 0)
			_exit(1);
		work();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	end(&t);
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

/* Waits, and is made to wait by another that never does. */
static void make_switches(void)
{
	pid_t busy = fork();
	int i;

	while (busy == 0)
		;
	for (i = 0; i < 100; i++) {
		sched_yield();
		usleep(100);
	}
	kill(busy, SIGKILL);
	wait(NULL);
	for (i = 0; i < 20; i++)
		usleep(1000);
}

/* From everywhere: by process, by thread, with a value, from the kernel. */
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

static void make_seeks(void)
{
	static const unsigned long offsets[] = {
		0, 1, 5, 2147483647, 2147483648, 5000000000, -1ul, -2ul, -5000000000ul, 1ul << 63,
	};
	size_t i;

	for (i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		syscall(SYS_lseek, i % 2 ? -1u : 1000u, offsets[i], i % 3);
		syscall(SYS_lseek, i % 2 ? 1000u : -1u, offsets[i], i % 2);
	}
}

static void use_sockets(void)
{
	make_network();
	use_network();
}

static void of_calls(void **state)
{
	(void)state;
	try(calls, "raw_syscalls", "sys_enter", make_calls);
}

static void of_switches(void **state)
{
	(void)state;
	try(switches, "sched", "sched_switch", make_switches);
}

static void of_signals(void **state)
{
	(void)state;
	try(signals, "signal", "signal_generate", make_signals);
}

static void of_seeks(void **state)
{
	(void)state;
	try(seeks, "syscalls", "sys_enter_lseek", make_seeks);
}

static void of_sockets(void **state)
{
	(void)state;
	try(sockets, "net", "net_dev_start_xmit", use_sockets);
}

/* Two threads of this process, which is looked at, and a child. */
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

/* Says who it is, and then makes calls on the other CPU than the first thread. */
static void *make_calls_there(void *there)
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

static void who_runs(void **state)
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
	if (n < 2 || !numbers_are_the_kernels())
		skip();
	our_cpu = cpus[0];
	pthread_barrier_init(&barrier, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, make_calls_there, &cpus[1]), 0);
	pthread_barrier_wait(&barrier);
	snprintf(texts[0], sizeof(texts[0]), "PID == %d && pid != 0", getpid());
	snprintf(texts[1], sizeof(texts[1]), "tid == %d && common_pid != %d", our_tid, getpid());
	snprintf(texts[2], sizeof(texts[2]), "cpu == %zu", our_cpu);
	pin(cpus[0]);
	begin(&t, rows, "raw_syscalls", "sys_enter");
	make_calls_everywhere(t.session, thread);
	end(&t);
	pthread_barrier_destroy(&barrier);
}

/* As many tests as there may be, and as many ways through them. */
static void longest(void **state)
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
	begin(&t, rows, "sched", "sched_switch");
	kt_session_free(t.session);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_calls),   cmocka_unit_test(of_switches),
		cmocka_unit_test(of_signals), cmocka_unit_test(of_seeks),
		cmocka_unit_test(of_sockets), cmocka_unit_test(who_runs),
		cmocka_unit_test(longest),
	};

	return cmocka_run_group_tests_name("filter", tests, read_ids, NULL);
}
