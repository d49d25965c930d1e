// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls recorded by a session that follows processes, compared with the calls made: every hit of a
 * followed process is recorded, every other one filtered.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/pids.h"
#include "ctypes/btf.h"
#include "events/event_target.h"
#include "fetch/curate.h"
#include "filter/filter_parser.h"
#include "session/counter_map.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

static void make_calls(int n)
{
	while (n--)
		call(NO_TASK);
}

static struct kt_btf *btf; /* how forks are tracked: NULL for the way of old kernels */

static struct kt_session *create_session(void)
{
	struct kt_session *s = session_of(16, 256); /* room for all */

	follow_forks(s, btf);
	add(s, "syscalls", names[ENTER]);
	add(s, "syscalls", names[EXIT]);
	kt_session_start(s);
	return s;
}

/* In a child, which must not continue the parent's test. */
static void follow_self(struct kt_session *s)
{
	struct kt_error err;

	if (kt_session_follow_self(s, &err) == 0)
		return;
	fprintf(stderr, "# %s\n", err.text);
	_exit(1);
}

static void await(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Asserts the counters of both events. */
static void assert_counters(const struct kt_session *s, uint64_t hits, uint64_t filtered)
{
	struct kt_counters t;
	size_t i;

	for (i = 0; i < kt_session_count(s); i++) {
		t = kt_counter_map_sum(kt_session_counters(s), i);
		assert_int_equal(t.hits, hits);
		assert_int_equal(t.filtered, filtered);
		assert_int_equal(kt_counters_lost(t), 0);
		assert_int_equal(kt_session_missed(s, i), 0);
	}
	assert_int_equal(kt_session_missed_all(s).forks, 0);
}

/* Waits until the other end of the pipe is closed. */
static void wait_for_close(const int pipe[2])
{
	char c;

	close(pipe[1]);
	if (read(pipe[0], &c, 1) < 0)
		_exit(1);
}

static void follow(struct kt_session *s, pid_t pid)
{
	struct kt_error err;

	if (kt_session_follow_process(s, pid, &err) < 0)
		fail_msg("%s", err.text);
}

enum { SELF = 100000, THREAD = 1000, CHILD = 500, ORPHAN = 70 };
enum { FAMILY = SELF + 2 * THREAD + CHILD + ORPHAN };

static void *call_in_thread(void *arg)
{
	if (arg)
		pthread_barrier_wait(arg);
	make_calls(THREAD);
	return NULL;
}

/* One thread exists before it is followed, one starts later. */
static void run_family(struct kt_session *s)
{
	pthread_barrier_t followed;
	pthread_t threads[2];
	int i;

	make_calls(10); /* before following */
	pthread_barrier_init(&followed, NULL, 2);
	pthread_create(&threads[0], NULL, call_in_thread, &followed);
	follow_self(s);
	pthread_barrier_wait(&followed);
	pthread_create(&threads[1], NULL, call_in_thread, NULL);
	if (fork() == 0) {
		make_calls(CHILD);
		if (fork() == 0) {
			setsid();
			make_calls(ORPHAN);
		}
		_exit(0);
	}
	make_calls(SELF);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

/* One process's family, while this process makes calls on every CPU. */
static void family(void **state)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus);
	uint64_t others;
	struct caller callers[CPU_SETSIZE] = {0};
	struct kt_session *s;
	int stays[2];
	pid_t child;
	char c;

	(void)state;
	skip_where_refused();
	s = create_session();
	assert_int_equal(pipe(stays), 0); /* open until every descendant has ended */
	child = fork();
	if (child == 0)
		run_family(s);
	close(stays[1]);
	others = 10 + start_callers(callers, cpus, n, 0, 10000);
	join_callers(callers, n);
	await(child);
	assert_int_equal(read(stays[0], &c, 1), 0);
	close(stays[0]);
	assert_counters(s, FAMILY, others);
	kt_session_free(s);
}

/* A process with the reused PID of a followed one is not followed. */
static void reused_pid(void **state)
{
	struct clone_args args = {.exit_signal = SIGCHLD, .set_tid_size = 1};
	struct kt_session *s;
	pid_t first, second;

	(void)state;
	skip_where_refused();
	s = create_session();
	first = fork();
	if (first == 0) {
		follow_self(s);
		make_calls(20);
		_exit(0);
	}
	await(first);
	args.set_tid = (uintptr_t)&first;
	second = syscall(SYS_clone3, &args, sizeof(args));
	if (second == 0) {
		make_calls(30);
		_exit(0);
	}
	if (second < 0) {
		print_message("# a process of a chosen number: %s\n", strerror(errno));
		kt_session_free(s);
		skip();
	}
	assert_int_equal(second, first);
	await(second);
	assert_counters(s, 20, 30);
	kt_session_free(s);
}

/* In a PID namespace. */
static void in_container(void **state)
{
	struct kt_session *s;
	pid_t child;
	int status;

	(void)state;
	skip_where_refused();
	s = create_session();
	child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWPID) < 0)
			_exit(77);
		child = fork();
		if (child == 0) {
			follow_self(s);
			make_calls(20);
			_exit(getpid() != 1);
		}
		waitpid(child, &status, 0);
		make_calls(30);
		_exit(status != 0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("# no pid namespaces\n");
		kt_session_free(s);
		skip();
	}
	assert_int_equal(status, 0);
	assert_counters(s, 20, 30);
	kt_session_free(s);
}

/* An existing process by its PID: all its threads, and its children from then on. */
static void process(void **state)
{
	struct kt_session *s;
	pthread_t thread;
	int held[2];
	pid_t child, grandchild;

	(void)state;
	skip_where_refused();
	if (!has_kernel_pids())
		skip();
	s = create_session();
	assert_int_equal(pipe(held), 0);
	child = fork();
	if (child == 0) {
		wait_for_close(held);
		pthread_create(&thread, NULL, call_in_thread, NULL);
		grandchild = fork();
		if (grandchild == 0) {
			make_calls(CHILD);
			_exit(0);
		}
		pthread_join(thread, NULL);
		make_calls(20);
		waitpid(grandchild, NULL, 0);
		_exit(0);
	}
	follow(s, child);
	close(held[1]);
	close(held[0]);
	make_calls(30);
	await(child);
	assert_counters(s, THREAD + CHILD + 20, 30);
	kt_session_free(s);
}

/* Events that happen to sleeping tasks, and filters that select them by name. */
static const struct {
	const char *event, *filter;
} targets[] = {
	{"sched_switch", "prev_comm == 'kt_family' || next_comm == 'kt_family'"},
	{"sched_waking", "COMM == 'kt_family' || comm == 'kt_family'"},
	{"sched_wakeup", "COMM == 'kt_family' || comm == 'kt_family'"},
	{"sched_wakeup_new", "COMM == 'kt_family' || comm == 'kt_family'"},
};

enum { N_TARGETS = sizeof(targets) / sizeof(*targets) };

static struct kt_session *create_target_session(bool by_name)
{
	struct kt_session *s = session_of(16, 256);
	struct kt_event *event;
	struct kt_error err;
	int i;

	if (!by_name)
		follow_forks(s, btf);
	for (i = 0; i < N_TARGETS; i++) {
		event = read_event("sched", targets[i].event);
		if (by_name)
			event->filter = kt_filter_parse(event, targets[i].filter, &err);
		assert_true(!by_name || event->filter);
		if (btf)
			kt_curate(event, btf, &err);
		if (kt_session_add(s, event, &err) < 0)
			fail_msg("%s", err.text);
	}
	return s;
}

static void *sleep_in_thread(void *go)
{
	int i;

	if (go)
		pthread_barrier_wait(go);
	for (i = 0; i < 20; i++)
		usleep(500);
	return NULL;
}

/* An old thread, a new one, and a child with a new one. */
static void sleep_in_family(const int held[2])
{
	pthread_barrier_t go;
	pthread_t threads[2];
	pid_t child;
	int i;

	prctl(PR_SET_NAME, "kt_family");
	pthread_barrier_init(&go, NULL, 2);
	pthread_create(&threads[0], NULL, sleep_in_thread, &go);
	wait_for_close(held);
	pthread_barrier_wait(&go);
	child = fork();
	pthread_create(&threads[1], NULL, sleep_in_thread, NULL);
	sleep_in_thread(NULL);
	for (i = child == 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (child > 0)
		waitpid(child, NULL, 0);
	_exit(0);
}

static bool is_asleep(pid_t process, pid_t thread)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", process, thread);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%*d (kt_family) %c", &state) != 1)
		state = 0;
	if (f)
		fclose(f);
	return state == 'S';
}

/* Waits until both threads are off their CPUs. */
static void await_sleep(pid_t process)
{
	int n, asleep;
	pid_t tid;
	DIR *d;

	do {
		d = kt_pids_open(process);
		assert_non_null(d);
		for (n = asleep = 0; (tid = kt_pids_next(d)); n++)
			asleep += is_asleep(process, tid);
		closedir(d);
	} while (asleep < 2);
	assert_int_equal(n, 2);
	usleep(20000);
}

/* Asserts as many hits as a session with a filter on the name has. */
static void assert_same_as_by_name(const struct kt_session *s, const struct kt_session *by_name)
{
	struct kt_counters ours, theirs;
	uint64_t missed;
	int i;

	for (i = 0; i < N_TARGETS; i++) {
		ours = kt_counter_map_sum(kt_session_counters(s), i);
		theirs = kt_counter_map_sum(kt_session_counters(by_name), i);
		missed = kt_session_missed(s, i) + kt_session_missed(by_name, i);
		print_message("# %s: %" PRIu64 " of %" PRIu64 ", %" PRIu64 " missed\n",
			      targets[i].event, ours.hits, theirs.hits, missed);
		assert_in_range(ours.hits, theirs.hits - missed, theirs.hits + missed);
		assert_in_range(theirs.hits, i < 3 ? 80 : 2, UINT32_MAX);
	}
}

/* Switches to and wakeups of a followed process's threads, old and new, and its children's. */
static void followed_targets(void **state)
{
	struct kt_session *s, *by_name;
	int held[2];
	pid_t child;

	(void)state;
	skip_where_refused();
	if (!has_kernel_pids())
		skip();
	s = create_target_session(false);
	by_name = create_target_session(true);
	assert_int_equal(pipe(held), 0);
	child = fork();
	if (child == 0)
		sleep_in_family(held);
	await_sleep(child);
	kt_session_start(s);
	follow(s, child);
	kt_session_start(by_name);
	close(held[1]);
	close(held[0]);
	await(child);
	usleep(20000); /* it leaves its CPU after its end */
	kt_session_stop(by_name);
	kt_session_stop(s);
	assert_same_as_by_name(s, by_name);
	kt_session_free(by_name);
	kt_session_free(s);
}

/* Every target field is a TID in this kernel, too. */
static void every_target(void **state)
{
	const struct kt_field *field;
	struct kt_event_names *all;
	struct kt_event *e;
	struct kt_error err;
	size_t i, n = 0;
	int tracefs;

	(void)state;
	skip_where_refused();
	tracefs = kt_tracefs_open(&err);
	all = kt_event_names_read(tracefs, &err);
	assert_non_null(all);
	for (i = 0; i < kt_event_names_count(all); i++) {
		e = kt_event_read(tracefs, kt_event_names_at(all, i), &err);
		assert_non_null(e);
		field = kt_event_target(e);
		n += field != NULL;
		if (field && (field->width != 4 || !(field->flags & KT_FIELD_SIGNED)))
			fail_msg("%s: %s %s", e->name, field->type, field->name);
		kt_event_free(e);
	}
	assert_in_range(n, 8, 13); /* five of them are not in every kernel */
	kt_event_names_free(all);
	close(tracefs);
}

/* An invalid PID would be a place outside of the map. */
static void invalid_pid(void **state)
{
	static const pid_t pids[] = {-1, 0, 1 << 22, INT32_MAX};
	struct kt_session *s;
	struct kt_error err;
	size_t i;

	(void)state;
	skip_where_refused();
	if (!has_kernel_pids())
		skip();
	s = create_session();
	for (i = 0; i < sizeof(pids) / sizeof(*pids); i++)
		assert_int_equal(kt_session_follow_process(s, pids[i], &err), -ESRCH);
	kt_session_free(s);
}

static void no_tracefs(void **state)
{
	struct kt_session *s;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	s = session_of(12, 2);
	assert_int_equal(kt_session_follow(s, -1, NULL, &err), -EBADF);
	assert_string_equal(err.text, "cannot follow processes: "
				      "sched:sched_process_fork: tracefs: events/sched/"
				      "sched_process_fork/format: Bad file "
				      "descriptor");
	kt_session_free(s);
}

/* Counts our links that the kernel calls raw_tp or tp_btf: none are of these tests' events. */
static size_t count_typed_links(void)
{
	char line[256], path[64];
	bool is_raw;
	size_t n = 0;
	FILE *info;
	int fd;

	for (fd = 0; fd < 1024; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		info = fopen(path, "r");
		is_raw = false;
		while (info && fgets(line, sizeof(line), info))
			is_raw |= strstr(line, "raw_tracepoint") != NULL;
		n += is_raw;
		if (info)
			fclose(info);
	}
	return n;
}

static void tracking_used(void **state)
{
	struct kt_session *s;

	(void)state;
	skip_where_refused();
	assert_int_equal(count_typed_links(), 0);
	s = create_session();
	assert_int_equal(count_typed_links(), btf && access("/sys/kernel/btf/vmlinux", R_OK) == 0);
	kt_session_free(s);
}

static int read_types(void **state)
{
	(void)state;
	btf = kt_btf_new();
	return btf ? 0 : -1;
}

static int free_types(void **state)
{
	(void)state;
	kt_btf_free(btf);
	btf = NULL;
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tracking_used),
		{"tracking_used_by_types", tracking_used, read_types, free_types, NULL},
		cmocka_unit_test(family),
		{"family_by_types", family, read_types, free_types, NULL},
		cmocka_unit_test(reused_pid),
		{"reused_pid_by_types", reused_pid, read_types, free_types, NULL},
		cmocka_unit_test(in_container),
		{"in_container_by_types", in_container, read_types, free_types, NULL},
		cmocka_unit_test(process),
		{"process_by_types", process, read_types, free_types, NULL},
		cmocka_unit_test(followed_targets),
		{"followed_targets_by_types", followed_targets, read_types, free_types, NULL},
		cmocka_unit_test(every_target),
		cmocka_unit_test(invalid_pid),
		cmocka_unit_test(no_tracefs),
	};

	return cmocka_run_group_tests_name("fork_tracking", tests, read_ids, NULL);
}
