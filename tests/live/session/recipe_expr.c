// SPDX-License-Identifier: GPL-2.0-or-later
/* Values computed by recipes that are in no table. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "bpf/counters.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "fetch/curate.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "tests/live/calls.h"
#include "tests/live/exercise.h"
#include "tests/live/session.h"

/* Adds an event with these fields. */
static void add_with_fields(struct kt_session *s, struct kt_btf *btf, const char *system,
			    const char *event, const char *fields)
{
	struct kt_event *e = read_event(system, event);
	struct kt_error err;

	if (kt_curate_as(e, fields, btf, &err) < 0 || kt_session_add(s, e, &err) < 0)
		fail_msg("%s", err.text);
	assert_non_null(e->curated);
}

static bool has_field(const char *system, const char *event, const char *field)
{
	struct kt_event *e = read_event(system, event);
	bool has = kt_event_field(e, field);

	kt_event_free(e);
	return has;
}

/* Records everything a child does on one CPU. */
static void record_on_cpu(struct kt_session *s, size_t cpu, void (*work)(void))
{
	struct kt_error err;
	pid_t pid;

	kt_session_start(s);
	pid = fork();
	if (pid == 0) {
		pin(cpu);
		if (kt_session_follow_self(s, &err) == 0)
			work();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	kt_session_stop(s);
}

enum { SHORTEST = 250, N_PATHS = 10, HEAD = sizeof(struct kt_record) };

/* Runs programs with paths of that length and longer. */
static void execute(void)
{
	char path[SHORTEST + N_PATHS];
	size_t len;

	for (len = SHORTEST; len < sizeof(path); len++) {
		memset(path, '/', len);
		strcpy(path + len - strlen("bin/true"), "bin/true");
		if (fork() == 0) {
			execl(path, "true", NULL);
			_exit(1);
		}
		wait(NULL);
	}
}

static size_t assert_paths(struct kt_ring *ring)
{
	struct kt_packet p;
	struct kt_error err;
	size_t at, n = 0, len;
	const char *text;

	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring))
		for (at = 0; at < p.size; at += kt_record_size(HEAD + 10 + len), n++) {
			text = p.records + at + HEAD + 10;
			len = strlen(text) + 1;
			assert_int_equal(*(uint16_t *)(text - 10), len);
			assert_int_equal(len, SHORTEST + n + 1);
			assert_int_equal(strspn(text, "/"), len - 1 - strlen("bin/true"));
			assert_string_equal(text + len - 9, "bin/true");
		}
	return n;
}

/* A text longer than a program can hold is lost and counted. */
static void long_texts(void **state)
{
	struct kt_session *s = session_of(16, 16);
	size_t cpus[CPU_SETSIZE], n = 0;
	struct kt_btf *btf = kt_btf_new();
	struct kt_counters t;

	(void)state;
	skip_where_refused();
	if (access("/bin/true", X_OK) < 0)
		skip();
	our_cpus(cpus);
	follow_forks(s, btf);
	add_with_fields(s, btf, "sched", "sched_process_exec",
			"filename=bprm->filename; pid=p->pid; old_pid=old_pid");
	record_on_cpu(s, cpus[0], execute);
	n = assert_paths(kt_rings_at(kt_session_rings(s), cpus[0]));
	assert_int_equal(n, KT_CURATED_TEXT_MAX - SHORTEST);
	t = kt_counter_map_sum(kt_session_counters(s), 0);
	assert_int_equal(t.hits, N_PATHS);
	assert_int_equal(t.unfit, N_PATHS - n);
	assert_int_equal(kt_counters_lost(t), N_PATHS - n);
	kt_session_free(s);
	kt_btf_free(btf);
}

static volatile sig_atomic_t is_signaled;

static void note_signal(int sig)
{
	(void)sig;
	is_signaled = 1;
}

/* From the kernel without siginfo and with it, from a process, and finally to a handler. */
static void send_signals(void)
{
	struct itimerval soon = {.it_value = {.tv_usec = 1000}};
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	signal(SIGALRM, note_signal);
	signal(SIGUSR1, SIG_IGN);
	if (pipe(ends) < 0 || close(ends[0]) < 0 || write(ends[1], "", 1) != -1)
		return;
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!is_signaled) /* getitimer() says 0 up to 1 us before */
		;
	raise(SIGUSR1);
}

/* The verifier assumes this pointer argument valid, and must not decide the comparison by that. */
static void pointers_are_compared(void **state)
{
	struct kt_session *s = session_of(16, 16);
	struct kt_btf *btf = kt_btf_new();
	size_t cpus[CPU_SETSIZE], n = 0, at;
	struct kt_error err;
	struct kt_ring *ring;
	struct kt_packet p;
	char seen[32] = "";

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	follow_forks(s, btf);
	add_with_fields(s, btf, "signal", "signal_generate",
			"sig=info == 0 ? 0x61 : info == 1 ? 0x62 : 0x63; errno=0; code=0;"
			"comm=task->comm; pid=task->pid; group=group; result=result");
	record_on_cpu(s, cpus[0], send_signals);
	ring = kt_rings_at(kt_session_rings(s), cpus[0]);
	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring))
		for (at = 0; at < p.size && n < sizeof(seen) - 1; at += kt_record_size(HEAD + 40))
			memcpy(&seen[n++], p.records + at + HEAD, 1);
	assert_string_equal(seen, "abcc");
	kt_session_free(s);
	kt_btf_free(btf);
}

/* rx_sk, if not NULL, leads to the address family. */
static size_t assert_families(struct kt_ring *ring)
{
	struct kt_packet p;
	struct kt_error err;
	size_t at, n = 0;
	uint64_t socket;
	uint16_t family;

	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring))
		for (at = 0; at < p.size; at += kt_record_size(HEAD + 30)) {
			memcpy(&socket, p.records + at + HEAD + 16, sizeof(socket));
			memcpy(&family, p.records + at + HEAD + 24, sizeof(family));
			assert_int_equal(family != 0, socket != 0);
			n += family == AF_INET;
		}
	return n;
}

/* The verifier knows that this argument may be NULL, and requires a test before its use. */
static void pointers_are_checked(void **state)
{
	struct kt_session *s = session_of(16, 16);
	struct kt_btf *btf = kt_btf_new();
	size_t i, n = 0;

	(void)state;
	skip_where_refused();
	if (!has_field("skb", "kfree_skb", "rx_sk"))
		skip();
	add_with_fields(s, btf, "skb", "kfree_skb",
			"skbaddr=skb; location=skb->len; rx_sk=rx_sk;"
			"protocol=probe(rx_sk->__sk_common.skc_family); reason=reason");
	kt_session_start(s);
	if (fork() == 0) {
		create_network();
		flood_network();
		_exit(0);
	}
	wait(NULL);
	kt_session_stop(s);
	for (i = 0; i < kt_rings_cpus(kt_session_rings(s)); i++)
		if (kt_rings_at(kt_session_rings(s), i))
			n += assert_families(kt_rings_at(kt_session_rings(s), i));
	assert_true(n > 0);
	kt_session_free(s);
	kt_btf_free(btf);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_texts),
		cmocka_unit_test(pointers_are_compared),
		cmocka_unit_test(pointers_are_checked),
	};

	return cmocka_run_group_tests_name("recipe_expr", tests, read_ids, NULL);
}
