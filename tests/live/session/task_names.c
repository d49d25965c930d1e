// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks as the kernel reports them: each name of this task, in order, or counted as lost;
 * and which tasks are followed. In a trace, no name is used that may have changed.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/pids.h"
#include "ctypes/btf.h"
#include "events/tracefs.h"
#include "session/followed_pids.h"
#include "session/task_names.h"
#include "tests/ctf/babeltrace.h"
#include "trace/metadata_writer.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/task_names_reader.h"
#include "trace/task_labels.h"
#include "trace/task_names_writer.h"

enum { MANY = KT_TASK_NAMES + 5000 }; /* more than there is room for */

static int set_up(void **state)
{
	struct kt_btf *btf = kt_btf_new();
	struct kt_error err;
	struct kt_task_names *t;

	assert_non_null(btf);
	t = kt_task_names_new(btf, NULL, true, &err);
	if (!t)
		print_message("%s\n", err.text);
	kt_btf_free(btf);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	kt_task_names_free(*state);
	return 0;
}

static struct kt_task_names *get_task_names(void **state)
{
	if (!*state || !kt_pids_are_the_kernels())
		skip();
	return *state;
}

static void read_names(struct kt_task_names *t, const struct kt_task_name **entries, size_t *n)
{
	struct kt_error err;

	assert_int_equal(kt_task_names_consume(t, entries, n, &err), 0);
}

static void rename_self(const char *fmt, int i)
{
	char comm[32];

	snprintf(comm, sizeof(comm), fmt, i);
	assert_int_equal(prctl(PR_SET_NAME, comm), 0);
}

/* Of this process only: others come and go. */
static bool is_ours(const struct kt_task_name *n)
{
	return n->tid == (uint32_t)syscall(SYS_gettid);
}

static size_t count_ours(const struct kt_task_name *entries, size_t n)
{
	size_t ours = 0;

	for (; n > 0; entries++, n--)
		ours += is_ours(entries);
	return ours;
}

static void names_in_order(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	const struct kt_task_name *entries;
	uint64_t before = 0;
	int i, seen = 0;
	char comm[16];
	size_t n;

	for (i = 0; i < 100; i++)
		rename_self("task %d", i);
	rename_self("of more than fifteen letters", 0);
	read_names(t, &entries, &n);
	for (; n > 0; entries++, n--) {
		assert_true(entries->time >= before);
		before = entries->time;
		assert_int_equal(entries->lost, 0);
		if (!is_ours(entries))
			continue;
		assert_int_equal(entries->pid, getpid());
		snprintf(comm, sizeof(comm), seen < 100 ? "task %d" : "of more than fi", seen);
		assert_string_equal(entries->comm, comm);
		seen++;
	}
	assert_int_equal(seen, 101);
	assert_true(before <= kt_clock_now());
	read_names(t, &entries, &n);
	assert_int_equal(count_ours(entries, n), 0);
}

/* Those found by a scan have one time, with earlier and later names around them. */
static void scanned_names(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	const struct kt_task_name *entries;
	struct kt_error err;
	static const char *const names[] = {"before", "it\nis", "it\nis", "after"};
	int ours = 0;
	size_t n;

	rename_self(names[0], 0);
	rename_self(names[1], 0);
	assert_int_equal(kt_task_names_find(t, getpid(), &err), 0);
	rename_self(names[3], 0);
	read_names(t, &entries, &n);
	for (; n > 0; entries++, n--)
		if (is_ours(entries))
			assert_string_equal(entries->comm, names[ours++]);
	assert_int_equal(ours, 4);
	assert_int_equal(kt_task_names_find(t, 0, &err), 0);
	read_names(t, &entries, &n);
	for (ours = 0; n > 0; entries++, n--)
		ours += is_ours(entries) && strcmp(entries->comm, names[3]) == 0;
	assert_int_equal(ours, 1);
}

/* Without a reader: how many are missing, and the newest ones; then no more are missing. */
static void lost_names(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	const struct kt_task_name *entries;
	int next = -1;
	size_t n, i;

	for (i = 0; i < MANY; i++)
		rename_self("%d", i);
	read_names(t, &entries, &n);
	/* A few are of other processes, also during reading. */
	assert_in_range(n, 1 + KT_TASK_NAMES, 1 + KT_TASK_NAMES + 1000);
	assert_in_range(entries[0].lost, MANY - KT_TASK_NAMES, MANY - KT_TASK_NAMES + 1000);
	for (i = 1; i < n; i++) {
		assert_int_equal(entries[i].lost, 0);
		if (!is_ours(&entries[i]))
			continue;
		if (next < 0)
			next = atoi(entries[i].comm);
		assert_int_equal(atoi(entries[i].comm), next++);
	}
	assert_int_equal(next, MANY);
	rename_self("next", 0);
	read_names(t, &entries, &n);
	assert_in_range(n, 1, 1000);
	for (i = 0; i < n; i++)
		assert_int_equal(entries[i].lost, 0);
}

/* Maps this process's ring as programs see it. */
static struct kt_task_name_ring_layout *map_ring(void)
{
	struct bpf_map_info info;
	uint32_t size;
	void *ring;
	int fd;

	for (fd = 3; fd < 100; fd++) {
		memset(&info, 0, sizeof(info));
		size = sizeof(info);
		if (bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
		    strcmp(info.name, "kt_namings") == 0)
			break;
	}
	ring = mmap(NULL, sizeof(struct kt_task_name_ring_layout), PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	assert_true(ring != MAP_FAILED);
	return ring;
}

/* Later entries wait, too: names are in order. */
static void unfinished_entry(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	struct kt_task_name_ring_layout *ring = map_ring();
	const struct kt_task_name *entries;
	struct kt_task_name_slot *slot;
	uint64_t position;
	size_t n;

	read_names(t, &entries, &n);
	position = __atomic_fetch_add(&ring->next, 1, __ATOMIC_SEQ_CST);
	slot = &ring->slots[position % KT_TASK_NAMES];
	rename_self("behind", 0);
	read_names(t, &entries, &n);
	assert_int_equal(count_ours(entries, n), 0);
	__atomic_store_n(&slot->state, kt_task_name_begun(position), __ATOMIC_SEQ_CST);
	read_names(t, &entries, &n);
	assert_int_equal(count_ours(entries, n), 0);
	slot->entry = (struct kt_task_name){.time = 1, .comm = "first"};
	__atomic_store_n(&slot->state, kt_task_name_done(position), __ATOMIC_SEQ_CST);
	read_names(t, &entries, &n);
	assert_string_equal(entries[0].comm, "first");
	assert_int_equal(count_ours(entries, n), 1);
	munmap(ring, sizeof(*ring));
}

/* A program suspended for long keeps its slot: no other writes there. */
static void abandoned_slot(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	struct kt_task_name_ring_layout *ring = map_ring();
	const struct kt_task_name *entries;
	uint64_t position, lost = 0;
	size_t n, i;

	position = __atomic_load_n(&ring->next, __ATOMIC_SEQ_CST) + 100;
	ring->slots[position % KT_TASK_NAMES].state = 1;
	for (i = 0; i < 200; i++)
		rename_self("%d", i);
	read_names(t, &entries, &n);
	for (i = 0; i < n; i++)
		lost += entries[i].lost;
	assert_int_equal(lost, 1);
	assert_in_range(count_ours(entries, n), 199, 200);
	assert_int_equal(ring->stuck, 1);
	assert_int_equal(ring->slots[position % KT_TASK_NAMES].state, 1);
	munmap(ring, sizeof(*ring));
}

/* Tasks some of which are followed: this process from a moment on, and its children. */
struct family {
	struct kt_followed_pids *followed;
	struct kt_task_names *tasks;
	int hold[2];   /* the stranger's, until it is written to */
	pid_t strange; /* forked before */
	pid_t child, thread;
	int worker; /* holds a kernel thread; -1: none */
};

static pid_t fork_renamed(const char *comm, const int *hold)
{
	pid_t pid = fork();
	char c;

	if (pid != 0)
		return pid;
	if (hold && read(hold[0], &c, 1) != 1)
		_exit(1);
	_exit(prctl(PR_SET_NAME, comm) < 0);
}

static void *rename_thread(void *arg)
{
	*(pid_t *)arg = syscall(SYS_gettid);
	rename_self("thread", 0);
	return NULL;
}

/* A map of CPUs starts a kernel thread, "cpumap/0/map:7"; older kernels also rename it. */
static int start_worker(void)
{
	int map = bpf_map_create(BPF_MAP_TYPE_CPUMAP, "kt_worker", 4, 4, 1, NULL);
	uint32_t cpu = 0, packets = 1;

	if (map >= 0 && bpf_map_update_elem(map, &cpu, &packets, 0) < 0) {
		close(map);
		map = -1;
	}
	return map;
}

static void await(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void start_family(struct family *f, bool all)
{
	struct kt_btf *btf = kt_btf_new();
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err);

	assert_int_equal(pipe(f->hold), 0);
	f->strange = fork_renamed("strange", f->hold);
	f->followed = kt_followed_pids_new(tracefs, btf, &err);
	assert_non_null(f->followed);
	f->tasks = kt_task_names_new(btf, f->followed, all, &err);
	assert_non_null(f->tasks);
	close(tracefs);
	kt_btf_free(btf);
}

static void run_family(struct family *f)
{
	struct kt_error err;
	pthread_t thread;

	rename_self("before", 0);
	assert_int_equal(kt_followed_pids_add(f->followed, getpid(), &err), 0);
	rename_self("after", 0);
	assert_int_equal(pthread_create(&thread, NULL, rename_thread, &f->thread), 0);
	pthread_join(thread, NULL);
	f->child = fork_renamed("child", NULL);
	await(f->child);
	f->worker = start_worker();
	assert_int_equal(write(f->hold[1], "", 1), 1);
	await(f->strange);
}

static void end_family(struct family *f)
{
	if (f->worker >= 0)
		close(f->worker);
	close(f->hold[0]);
	close(f->hold[1]);
	kt_task_names_free(f->tasks);
	kt_followed_pids_free(f->followed);
}

/* Counts the entries of a task that are all followed, or all not. */
static int count_entries(const struct kt_task_name *entries, size_t n, pid_t tid, bool is)
{
	int names = 0;

	for (; n > 0; entries++, n--) {
		if (entries->tid != (uint32_t)tid || strcmp(entries->comm, "before") == 0)
			continue;
		assert_int_equal(entries->followed, is);
		names++;
	}
	return names;
}

/* Counts unfollowed tasks whose name begins with that. */
static int count_unfollowed(const struct kt_task_name *entries, size_t n, const char *comm)
{
	int names = 0;

	for (; n > 0; entries++, n--) {
		if (strncmp(entries->comm, comm, strlen(comm)) != 0)
			continue;
		assert_false(entries->followed);
		names++;
	}
	return names;
}

static void check_followed(void **state, bool all)
{
	const struct kt_task_name *entries;
	struct kt_error err;
	struct family f;
	size_t n;

	get_task_names(state);
	start_family(&f, all);
	run_family(&f);
	read_names(f.tasks, &entries, &n);
	assert_int_equal(count_entries(entries, n, getpid(), true), 1);
	assert_int_equal(count_entries(entries, n, f.thread, true), 2);
	assert_int_equal(count_entries(entries, n, f.child, true), 2);
	assert_int_equal(count_entries(entries, n, f.strange, false), all ? 1 : 0);
	assert_int_equal(count_unfollowed(entries, n, "before"), 1);
	if (all && f.worker >= 0)
		assert_in_range(count_unfollowed(entries, n, "cpumap/"), 1, 2);
	else
		assert_int_equal(count_unfollowed(entries, n, "cpumap/"), 0);

	assert_int_equal(kt_task_names_find(f.tasks, 0, &err), 0);
	read_names(f.tasks, &entries, &n);
	assert_int_equal(count_entries(entries, n, getpid(), true), 1);
	assert_int_equal(count_entries(entries, n, getppid(), false), 1);
	end_family(&f);
}

static void followed_among_all(void **state)
{
	check_followed(state, true);
}

static void only_followed(void **state)
{
	check_followed(state, false);
}

/* A trace with only names, written and read. */
struct made {
	struct directory dir;
	struct kt_task_names_writer *writer;
	struct kt_task_labels labels;
	struct kt_metadata *metadata;
	struct kt_task_names_reader *reader;
	struct kt_error err;
};

static void begin_trace(struct made *m)
{
	struct kt_metadata_writer metadata = {.version = "1"};

	m->labels = (struct kt_task_labels){0};
	open_directory(&m->dir);
	assert_int_equal(kt_metadata_writer_fill(&metadata, &m->err), 0);
	assert_int_equal(kt_metadata_writer_write(&metadata, m->dir.fd, &m->err), 0);
	m->writer = kt_task_names_writer_new(&metadata, m->dir.fd, &m->err);
	assert_non_null(m->writer);
	m->metadata = kt_metadata_read(m->dir.fd, &m->err);
	assert_non_null(m->metadata);
	m->reader = kt_task_names_reader_new(m->metadata, m->dir.fd, false);
	assert_non_null(m->reader);
}

static void copy_names(struct made *m, struct kt_task_names *t)
{
	assert_int_equal(kt_task_names_writer_copy(m->writer, t, &m->labels, &m->err), 0);
}

static const char *name_at(struct made *m, uint64_t time)
{
	assert_int_equal(kt_task_names_reader_advance(m->reader, time, &m->err), 0);
	return kt_task_names_reader_comm(m->reader, syscall(SYS_gettid));
}

static void end_trace(struct made *m)
{
	kt_task_names_reader_free(m->reader);
	kt_metadata_free(m->metadata);
	kt_task_names_writer_free(m->writer);
	kt_task_labels_free(&m->labels);
	remove_directory(&m->dir);
}

static void rename_often(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		rename_self("%d", i);
}

/* Lost names are unknown, as are those before; the newest are known. */
static void loss_in_a_trace(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	uint64_t first, next;
	struct made m;

	begin_trace(&m);
	rename_self("first", 0);
	first = kt_clock_now();
	rename_self("second", 0);
	copy_names(&m, t);
	rename_often();
	copy_names(&m, t);
	assert_string_equal(name_at(&m, first), "first");
	for (next = first; name_at(&m, next); next++)
		assert_in_range(next, first, first + 1000000000);
	while (!name_at(&m, next))
		next += 1000;
	assert_in_range(atoi(name_at(&m, next)), MANY - KT_TASK_NAMES, MANY - 1);
	assert_int_equal(atoi(name_at(&m, kt_clock_now())), MANY - 1);
	end_trace(&m);
}

/* Names from before a loss are unknown, unless they are among the newest. */
static void loss_after_a_scan(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	pid_t child = fork();
	struct made m;

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	begin_trace(&m);
	assert_int_equal(kt_task_names_find(t, child, &m.err), 0);
	rename_often();
	copy_names(&m, t);
	assert_int_equal(kt_task_names_reader_advance(m.reader, kt_clock_now(), &m.err), 0);
	assert_null(kt_task_names_reader_comm(m.reader, child));
	assert_non_null(kt_task_names_reader_comm(m.reader, syscall(SYS_gettid)));
	assert_int_equal(kill(child, SIGKILL), 0);
	waitpid(child, NULL, 0);
	end_trace(&m);
}

/* A name found after a loss is known, even if read together with the loss. */
static void loss_before_others(void **state)
{
	struct kt_task_names *t = get_task_names(state);
	struct made m;

	begin_trace(&m);
	rename_often();
	assert_int_equal(kt_task_names_find(t, getppid(), &m.err), 0);
	copy_names(&m, t);
	assert_int_equal(kt_task_names_reader_advance(m.reader, kt_clock_now(), &m.err), 0);
	assert_non_null(kt_task_names_reader_comm(m.reader, getppid()));
	end_trace(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(scanned_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lost_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unfinished_entry, set_up, tear_down),
		cmocka_unit_test_setup_teardown(abandoned_slot, set_up, tear_down),
		cmocka_unit_test_setup_teardown(followed_among_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(loss_in_a_trace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(loss_after_a_scan, set_up, tear_down),
		cmocka_unit_test_setup_teardown(loss_before_others, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("task_names", tests, NULL, NULL);
}
