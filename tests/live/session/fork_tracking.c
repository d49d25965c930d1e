// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which calls a session that follows processes looks at, against who made how many: every hit of
 * the followed ones is recorded, every other one filtered.
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

static void calls(int n)
{
	while (n--)
		call(NO_TASK);
}

static struct kt_btf *btf; /* the way in which forks are seen: NULL for that of old kernels */

static struct kt_session *following_session(void)
{
	struct kt_session *s = session_of(16, 256); /* room for all */

	follow_forks(s, btf);
	add(s, "syscalls", names[ENTER]);
	add(s, "syscalls", names[EXIT]);
	kt_session_start(s);
	return s;
}

/* In what is forked: no test of the parent's must go on in there. */
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

/* What came of enter and exit alike. */
static void assert_tallies(const struct kt_session *s, uint64_t hits, uint64_t filtered)
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

/* Does nothing until the other end of the pipe is closed. */
static void hold(const int pipe[2])
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
	calls(THREAD);
	return NULL;
}

/* One thread is there before it is followed, one comes later. */
static void be_family(struct kt_session *s)
{
	pthread_barrier_t followed;
	pthread_t threads[2];
	int i;

	calls(10); /* before */
	pthread_barrier_init(&followed, NULL, 2);
	pthread_create(&threads[0], NULL, call_in_thread, &followed);
	follow_self(s);
	pthread_barrier_wait(&followed);
	pthread_create(&threads[1], NULL, call_in_thread, NULL);
	if (fork() == 0) {
		calls(CHILD);
		if (fork() == 0) {
			setsid();
			calls(ORPHAN);
		}
		_exit(0);
	}
	calls(SELF);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

/* The family of one process, while we call on every CPU too. */
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
	s = following_session();
	assert_int_equal(pipe(stays), 0); /* every descendant holds its end open until it ends */
	child = fork();
	if (child == 0)
		be_family(s);
	close(stays[1]);
	others = 10 + start_callers(callers, cpus, n, 0, 10000);
	join_callers(callers, n);
	await(child);
	assert_int_equal(read(stays[0], &c, 1), 0);
	close(stays[0]);
	assert_tallies(s, FAMILY, others);
	kt_session_free(s);
}

/* A process that gets the number of a followed one that is no more is not followed. */
static void used_number(void **state)
{
	struct clone_args args = {.exit_signal = SIGCHLD, .set_tid_size = 1};
	struct kt_session *s;
	pid_t first, second;

	(void)state;
	skip_where_refused();
	s = following_session();
	first = fork();
	if (first == 0) {
		follow_self(s);
		calls(20);
		_exit(0);
	}
	await(first);
	args.set_tid = (uintptr_t)&first;
	second = syscall(SYS_clone3, &args, sizeof(args));
	if (second == 0) {
		calls(30);
		_exit(0);
	}
	if (second < 0) {
		print_message("# a process of a chosen number: %s\n", strerror(errno));
		kt_session_free(s);
		skip();
	}
	assert_int_equal(second, first);
	await(second);
	assert_tallies(s, 20, 30);
	kt_session_free(s);
}

/* Where processes are counted from 1 again. */
static void container(void **state)
{
	struct kt_session *s;
	pid_t child;
	int status;

	(void)state;
	skip_where_refused();
	s = following_session();
	child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWPID) < 0)
			_exit(77);
		child = fork();
		if (child == 0) {
			follow_self(s);
			calls(20);
			_exit(getpid() != 1);
		}
		waitpid(child, &status, 0);
		calls(30);
		_exit(status != 0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("# no pid namespaces\n");
		kt_session_free(s);
		skip();
	}
	assert_int_equal(status, 0);
	assert_tallies(s, 20, 30);
	kt_session_free(s);
}

/* One that is there already, by its number: all its threads, and what it forks from then on. */
static void process(void **state)
{
	struct kt_session *s;
	pthread_t thread;
	int held[2];
	pid_t child, grandchild;

	(void)state;
	skip_where_refused();
	if (!numbers_are_the_kernels())
		skip();
	s = following_session();
	assert_int_equal(pipe(held), 0);
	child = fork();
	if (child == 0) {
		hold(held);
		pthread_create(&thread, NULL, call_in_thread, NULL);
		grandchild = fork();
		if (grandchild == 0) {
			calls(CHILD);
			_exit(0);
		}
		pthread_join(thread, NULL);
		calls(20);
		waitpid(grandchild, NULL, 0);
		_exit(0);
	}
	follow(s, child);
	close(held[1]);
	close(held[0]);
	calls(30);
	await(child);
	assert_tallies(s, THREAD + CHILD + 20, 30);
	kt_session_free(s);
}

/* What happens to tasks that do not run, and how a filter finds those of a name. */
static const struct {
	const char *event, *filter;
} targets[] = {
	{"sched_switch", "prev_comm == 'kt_family' || next_comm == 'kt_family'"},
	{"sched_waking", "COMM == 'kt_family' || comm == 'kt_family'"},
	{"sched_wakeup", "COMM == 'kt_family' || comm == 'kt_family'"},
	{"sched_wakeup_new", "COMM == 'kt_family' || comm == 'kt_family'"},
};

enum { N_TARGETS = sizeof(targets) / sizeof(*targets) };

static struct kt_session *target_session(bool by_name)
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

static void *doze(void *go)
{
	int i;

	if (go)
		pthread_barrier_wait(go);
	for (i = 0; i < 20; i++)
		usleep(500);
	return NULL;
}

/* A thread that was there before, one that comes later, and a child that has one, too. */
static void doze_off(const int held[2])
{
	pthread_barrier_t go;
	pthread_t threads[2];
	pid_t child;
	int i;

	prctl(PR_SET_NAME, "kt_family");
	pthread_barrier_init(&go, NULL, 2);
	pthread_create(&threads[0], NULL, doze, &go);
	hold(held);
	pthread_barrier_wait(&go);
	child = fork();
	pthread_create(&threads[1], NULL, doze, NULL);
	doze(NULL);
	for (i = child == 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (child > 0)
		waitpid(child, NULL, 0);
	_exit(0);
}

static bool sleeps(pid_t process, pid_t thread)
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

/* Both threads do, and have left their CPUs, unless one takes that long from saying so to it. */
static void await_sleep(pid_t process)
{
	int n, asleep;
	pid_t tid;
	DIR *d;

	do {
		d = kt_pids_open(process);
		assert_non_null(d);
		for (n = asleep = 0; (tid = kt_pids_next(d)); n++)
			asleep += sleeps(process, tid);
		closedir(d);
	} while (asleep < 2);
	assert_int_equal(n, 2);
	usleep(20000);
}

/* As many hits as one that looks at everybody finds of that name. */
static void assert_as_by_name(const struct kt_session *s, const struct kt_session *by_name)
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

/* Who is switched to, woken: the threads of a followed process, old and new, and its children's. */
static void target(void **state)
{
	struct kt_session *s, *by_name;
	int held[2];
	pid_t child;

	(void)state;
	skip_where_refused();
	if (!numbers_are_the_kernels())
		skip();
	s = target_session(false);
	by_name = target_session(true);
	assert_int_equal(pipe(held), 0);
	child = fork();
	if (child == 0)
		doze_off(held);
	await_sleep(child);
	kt_session_start(s);
	follow(s, child);
	kt_session_start(by_name);
	close(held[1]);
	close(held[0]);
	await(child);
	usleep(20000); /* it leaves its CPU after it has ended */
	kt_session_stop(by_name);
	kt_session_stop(s);
	assert_as_by_name(s, by_name);
	kt_session_free(by_name);
	kt_session_free(s);
}

/* What is written down of targets is a thread's number in this kernel, too. */
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

/* What is no number of a process would be a place outside of the map. */
static void no_process(void **state)
{
	static const pid_t pids[] = {-1, 0, 1 << 22, INT32_MAX};
	struct kt_session *s;
	struct kt_error err;
	size_t i;

	(void)state;
	skip_where_refused();
	if (!numbers_are_the_kernels())
		skip();
	s = following_session();
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

/* How many links of ours the kernel calls those of a raw_tp or tp_btf: no event of these tests. */
static size_t typed_links(void)
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

static void which_way(void **state)
{
	struct kt_session *s;

	(void)state;
	skip_where_refused();
	assert_int_equal(typed_links(), 0);
	s = following_session();
	assert_int_equal(typed_links(), btf && access("/sys/kernel/btf/vmlinux", R_OK) == 0);
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
		cmocka_unit_test(which_way),
		{"which_way_by_types", which_way, read_types, free_types, NULL},
		cmocka_unit_test(family),
		{"family_by_types", family, read_types, free_types, NULL},
		cmocka_unit_test(used_number),
		{"used_number_by_types", used_number, read_types, free_types, NULL},
		cmocka_unit_test(container),
		{"container_by_types", container, read_types, free_types, NULL},
		cmocka_unit_test(process),
		{"process_by_types", process, read_types, free_types, NULL},
		cmocka_unit_test(target),
		{"target_by_types", target, read_types, free_types, NULL},
		cmocka_unit_test(every_target),
		cmocka_unit_test(no_process),
		cmocka_unit_test(no_tracefs),
	};

	return cmocka_run_group_tests_name("follow", tests, read_ids, NULL);
}
