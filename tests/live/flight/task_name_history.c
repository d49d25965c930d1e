// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Task names from before anybody asked, from a ring written without a reader: of tasks older than
 * the ring, renamed, ended or neither since.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/pids.h"
#include "ctypes/btf.h"
#include "handlers/task_name_prog.h"
#include "session/task_name_ring.h"
#include "session/task_names.h"

/* A child that follows commands. */
struct child {
	pid_t pid;
	int to, from;
};

struct test {
	struct kt_task_names *writer; /* NULL: not on this kernel */
	uint64_t began;
	struct child quiet, renamed, gone, both;
	struct kt_task_names *reader;
	const struct kt_task_name *entries;
	size_t n;
};

static void rename_self(const char *comm)
{
	assert_int_equal(prctl(PR_SET_NAME, comm), 0);
}

/* Takes each name it is sent, and exits at the end. */
static void follow_commands(int to, int from)
{
	char comm[16];

	while (read(to, comm, sizeof(comm)) == sizeof(comm)) {
		prctl(PR_SET_NAME, comm);
		if (write(from, comm, 1) != 1)
			break;
	}
	_exit(0);
}

static void send_name(const struct child *c, const char *name)
{
	char comm[16] = {0};

	strncpy(comm, name, sizeof(comm) - 1);
	assert_int_equal(write(c->to, comm, sizeof(comm)), sizeof(comm));
	assert_int_equal(read(c->from, comm, 1), 1);
}

static struct child start_child(const char *name)
{
	int to[2], from[2];
	struct child c;

	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	c = (struct child){.pid = fork(), .to = to[1], .from = from[0]};
	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		close(to[1]);
		close(from[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		follow_commands(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	send_name(&c, name);
	return c;
}

/* Later children have its pipe open, too: it is ended by a signal. */
static void end_child(struct child *c)
{
	if (!c->pid)
		return;
	assert_int_equal(kill(c->pid, SIGKILL), 0);
	assert_int_equal(waitpid(c->pid, NULL, 0), c->pid);
	close(c->to);
	close(c->from);
	c->pid = 0;
}

static int set_up(void **state)
{
	static struct test t;
	struct kt_btf *btf = kt_btf_new();
	struct kt_error err;

	t = (struct test){
		.quiet = start_child("quiet"),
		.renamed = start_child("renamed"),
		.gone = start_child("gone"),
		.both = start_child("both"),
	};
	assert_non_null(btf);
	t.writer = kt_task_names_new(btf, NULL, true, &err);
	if (t.writer && kt_task_names_log_ends(t.writer, btf, &err) < 0)
		fail_msg("%s", err.text);
	if (!t.writer)
		print_message("%s\n", err.text);
	kt_btf_free(btf);
	t.began = kt_clock_now();
	*state = &t;
	return 0;
}

static int tear_down(void **state)
{
	struct test *t = *state;

	kt_task_names_free(t->reader);
	kt_task_names_free(t->writer);
	end_child(&t->quiet);
	end_child(&t->renamed);
	end_child(&t->gone);
	end_child(&t->both);
	return 0;
}

static struct test *get_test(void **state)
{
	struct test *t = *state;

	if (!t->writer || !kt_pids_are_the_kernels())
		skip();
	return t;
}

static void read_names(struct test *t)
{
	struct kt_error err;
	size_t i;

	assert_int_equal(kt_task_names_consume(t->reader, &t->entries, &t->n, &err), 0);
	for (i = 0; i < t->n; i++) {
		assert_true(i == 0 || t->entries[i - 1].time <= t->entries[i].time);
		assert_int_not_equal(t->entries[i].kind, KT_TASK_NAME_ENDED);
	}
}

/* Reads the history as a process does that has seen none of it. */
static void read_history(struct test *t)
{
	struct kt_error err;

	kt_task_names_free(t->reader);
	t->reader = kt_task_names_from(dup(kt_task_names_fd(t->writer)), t->began, &err);
	if (!t->reader)
		fail_msg("%s", err.text);
	read_names(t);
}

/* Returns the name as far as known: a name is forgotten where some are missing. */
static const char *name_at(const struct test *t, pid_t tid, uint64_t time)
{
	const char *name = NULL;
	size_t i;

	for (i = 0; i < t->n && t->entries[i].time <= time; i++) {
		if (t->entries[i].lost)
			name = NULL;
		else if (t->entries[i].tid == (uint32_t)tid)
			name = t->entries[i].comm;
	}
	return name;
}

static void assert_name(const struct test *t, pid_t tid, uint64_t time, const char *expected)
{
	const char *name = name_at(t, tid, time);

	if (!expected)
		assert_null(name);
	else
		assert_string_equal(name ? name : "(none)", expected);
}

/* What happens to the tasks, in an order of their own; returns a time in the middle. */
static uint64_t run_tasks(struct test *t, pid_t *born)
{
	struct child child;
	uint64_t middle;

	send_name(&t->renamed, "once");
	send_name(&t->both, "before the end");
	middle = kt_clock_now();
	send_name(&t->renamed, "twice");
	child = start_child("born");
	*born = child.pid;
	end_child(&child);
	end_child(&t->gone);
	end_child(&t->both);
	return middle;
}

static void names_since_the_start(void **state)
{
	struct test *t = get_test(state);
	pid_t gone = t->gone.pid, both = t->both.pid, born;
	uint64_t middle = run_tasks(t, &born), now;

	read_history(t);
	now = kt_clock_now();
	assert_name(t, t->quiet.pid, t->began - 1000000, NULL);
	assert_name(t, t->quiet.pid, t->began, "quiet");
	assert_name(t, t->quiet.pid, now, "quiet");
	assert_name(t, t->renamed.pid, t->began, "renamed");
	assert_name(t, t->renamed.pid, middle, "once");
	assert_name(t, t->renamed.pid, now, "twice");
	assert_name(t, gone, t->began, "gone");
	assert_name(t, gone, now, "gone");
	assert_name(t, both, t->began, "both");
	assert_name(t, both, middle, "before the end");
	assert_name(t, born, middle, NULL);
	assert_name(t, born, now, "born");
	assert_name(t, getppid(), t->began, name_at(t, getppid(), now));
	assert_non_null(name_at(t, getppid(), now));
}

/* First everything, then what is new. */
static void read_again(void **state)
{
	struct test *t = get_test(state);

	read_history(t);
	assert_true(t->n > 4);
	send_name(&t->renamed, "later");
	read_names(t);
	assert_name(t, t->renamed.pid, kt_clock_now(), "later");
	assert_name(t, t->quiet.pid, kt_clock_now(), NULL);
}

/* More renames than the ring holds. */
static void rename_often(void)
{
	int i;

	for (i = 0; i < KT_TASK_NAMES + 100; i++)
		rename_self(i % 2 ? "odd" : "even");
}

/* No name is older than the oldest entry left; then all are there again. */
static void overwritten(void **state)
{
	struct test *t = get_test(state);
	pid_t gone = t->gone.pid, born;
	uint64_t full, now;

	run_tasks(t, &born);
	full = kt_clock_now();
	rename_often();
	read_history(t);
	now = kt_clock_now();
	assert_name(t, gone, now, NULL);
	assert_name(t, born, now, NULL);
	assert_name(t, t->quiet.pid, full, NULL);
	assert_name(t, t->quiet.pid, now, "quiet");
	assert_name(t, t->renamed.pid, full, NULL);
	assert_name(t, t->renamed.pid, now, "twice");
	assert_name(t, syscall(SYS_gettid), now, "odd");
	assert_name(t, t->both.pid, now, NULL);

	send_name(&t->quiet, "loud");
	end_child(&t->renamed);
	read_history(t);
	assert_name(t, t->quiet.pid, now, "quiet");
	assert_name(t, t->quiet.pid, kt_clock_now(), "loud");
}

/* Maps the ring as programs see it. */
static struct kt_task_name_ring_layout *map_ring(const struct test *t)
{
	void *ring = mmap(NULL, sizeof(struct kt_task_name_ring_layout), PROT_READ | PROT_WRITE,
			  MAP_SHARED, kt_task_names_fd(t->writer), 0);

	assert_true(ring != MAP_FAILED);
	return ring;
}

/*
 * A suspended writer may be about to write another name. Only names written after it are known from
 * there on; and what /proc has once somebody asks later.
 */
static void gap(void **state)
{
	struct test *t = get_test(state);
	struct kt_task_name_ring_layout *ring = map_ring(t);
	uint64_t before, now, missing;

	send_name(&t->renamed, "once");
	before = kt_clock_now();
	send_name(&t->both, "last");
	missing = __atomic_fetch_add(&ring->next, 1, __ATOMIC_SEQ_CST);
	read_history(t);
	now = kt_clock_now();
	assert_name(t, t->renamed.pid, before, "once");
	assert_name(t, t->quiet.pid, t->began, NULL);
	if (__atomic_load_n(&ring->next, __ATOMIC_SEQ_CST) == missing + 1) /* nor by other tasks */
		assert_name(t, t->quiet.pid, now, NULL);

	send_name(&t->both, "again");
	read_history(t);
	now = kt_clock_now();
	assert_name(t, t->renamed.pid, before, "once");
	assert_name(t, t->both.pid, now, "again");
	assert_name(t, t->quiet.pid, before, NULL);
	assert_name(t, t->quiet.pid, now, "quiet");
	assert_name(t, t->renamed.pid, now, "once");
	munmap(ring, sizeof(*ring));
}

/* An entry about to be complete. */
static void unfinished_entry(void **state)
{
	struct test *t = get_test(state);
	struct kt_task_name_ring_layout *ring = map_ring(t);
	uint64_t position = __atomic_fetch_add(&ring->next, 1, __ATOMIC_SEQ_CST);
	struct kt_task_name_slot *slot = &ring->slots[position % KT_TASK_NAMES];
	pid_t pid;

	__atomic_store_n(&slot->state, kt_task_name_begun(position), __ATOMIC_SEQ_CST);
	slot->entry = (struct kt_task_name){
		.time = kt_clock_now(),
		.tid = t->quiet.pid,
		.kind = KT_TASK_NAME_RENAMED,
		.comm = "new",
		.was = "old",
	};
	pid = fork();
	if (pid == 0) {
		usleep(20000);
		__atomic_store_n(&slot->state, kt_task_name_done(position), __ATOMIC_SEQ_CST);
		_exit(0);
	}
	read_history(t);
	assert_name(t, t->quiet.pid, t->began, "old");
	assert_name(t, t->quiet.pid, kt_clock_now(), "new");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	munmap(ring, sizeof(*ring));
}

static void no_ring(void **state)
{
	struct test *t = get_test(state);
	struct kt_error err;

	assert_null(kt_task_names_from(dup(STDIN_FILENO), t->began, &err));
	assert_int_equal(err.code, EPROTO);
}

enum { LIVES_US = 3000, PAUSE_US = 200 };

/* Children that start, take a name, live for a while and exit, several at a time. */
static pid_t start_children(void)
{
	pid_t bustle = fork();

	assert_true(bustle >= 0);
	if (bustle > 0)
		return bustle;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "bustle");
	signal(SIGCHLD, SIG_IGN);
	while (true) {
		if (fork() == 0) {
			prctl(PR_SET_NAME, "child");
			usleep(LIVES_US);
			_exit(0);
		}
		usleep(PAUSE_US);
	}
}

/* Counts the children whose start and end are there; the name between them is that of the end. */
static size_t count_children(const struct kt_task_names *writer)
{
	enum { PLACES = 1 << 12 };
	static struct kt_task_name last[PLACES];
	struct kt_task_name entry, *place;
	struct kt_task_name_ring ring;
	struct kt_error err;
	size_t n = 0;

	memset(last, 0, sizeof(last));
	assert_int_equal(kt_task_name_ring_from(&ring, dup(kt_task_names_fd(writer)), &err), 0);
	while (kt_task_name_ring_next(&ring, &entry)) {
		place = &last[entry.tid % PLACES];
		if (entry.kind == KT_TASK_NAME_BEGUN && strcmp(entry.comm, "bustle") == 0)
			*place = entry;
		if (entry.tid != place->tid)
			continue;
		if (entry.kind == KT_TASK_NAME_RENAMED)
			*place = entry;
		if (entry.kind != KT_TASK_NAME_ENDED)
			continue;
		assert_string_equal(place->comm, entry.comm);
		n++;
	}
	kt_task_name_ring_free(&ring);
	return n;
}

/* Tasks that start and are renamed while programs are being attached. */
static void started_meanwhile(void **state)
{
	struct kt_btf *btf = kt_btf_new();
	pid_t bustle = start_children();
	struct kt_task_names *writer;
	struct kt_error err;
	size_t n = 0;
	int i;

	assert_non_null(btf);
	for (i = 0; i < 50; i++) {
		writer = kt_task_names_new(btf, NULL, true, &err);
		if (!writer)
			break;
		assert_int_equal(kt_task_names_log_ends(writer, btf, &err), 0);
		usleep(2 * LIVES_US);
		n += count_children(writer);
		kt_task_names_free(writer);
	}
	kill(bustle, SIGKILL);
	waitpid(bustle, NULL, 0);
	kt_btf_free(btf);
	(void)state;
	if (i == 0)
		skip();
	assert_true(n > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_since_the_start, set_up, tear_down),
		cmocka_unit_test_setup_teardown(read_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(overwritten, set_up, tear_down),
		cmocka_unit_test_setup_teardown(gap, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unfinished_entry, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_ring, set_up, tear_down),
		cmocka_unit_test(started_meanwhile),
	};

	return cmocka_run_group_tests_name("task_name_history", tests, NULL, NULL);
}
