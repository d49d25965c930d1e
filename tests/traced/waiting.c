/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that run and wait for known reasons. For tests/live/record/waits.bats.
 *
 *	waiting CPU
 *
 * All are on that CPU. For each thread it prints the name, the number, and four times in ns: how
 * long it ran and waited for the CPU by /proc/self/task/TID/schedstat, for how long it waited for
 * something else by the clock, and how much longer each of the three may be, at most: what a thread
 * did after it read its times, and what a hypervisor took from one that never waits: the kernel
 * does not count that as the thread's, and no event shows it. Last is how often it gave up the CPU
 * until then.
 *
 *	sleeper 4711 812345 96123 300112233 41020 7
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begun;

static void must(int is)
{
	if (!is)
		abort();
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

static void sleep_for(uint64_t ns)
{
	struct timespec t = {.tv_nsec = (long)ns};

	nanosleep(&t, NULL);
}

/* Runs for that time, however long it takes to get it. */
static void spin_for(uint64_t ns)
{
	uint64_t until = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

struct times {
	uint64_t ran, runnable;
};

static struct times read_schedstat(void)
{
	char path[64], text[128] = "";
	struct times t = {0, 0};
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", gettid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	must(sscanf(text, "%lu %lu", &t.ran, &t.runnable) == 2);
	return t;
}

static void sleeper(void)
{
	int i;

	for (i = 0; i < 3; i++)
		sleep_for(50 * MS);
}

static void spinner(void)
{
	spin_for(100 * MS);
}

/* Has the lock while it sleeps. */
static void holder(void)
{
	pthread_mutex_lock(&lock);
	sleep_for(120 * MS);
	pthread_mutex_unlock(&lock);
}

static void locker(void)
{
	sleep_for(20 * MS);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

struct thread {
	const char *name;
	void (*work)(void);
	int never_waits;  /* but for the CPU */
	pthread_t parent; /* which joins the thread as soon as it ends */
	int tid;
	struct times times;
	uint64_t blocked, taken, read_at;
	long switches;
};

static struct thread threads[] = {
	{.name = "sleeper", .work = sleeper},
	{.name = "spinner", .work = spinner, .never_waits = 1},
	{.name = "rival", .work = spinner, .never_waits = 1},
	{.name = "holder", .work = holder},
	{.name = "locker", .work = locker},
};

enum { THREADS = sizeof(threads) / sizeof(*threads) };

/*
 * A thread that was joined may wait for the CPU in the last steps of its exit, for as long as any
 * other, unless it goes first.
 */
static void go_first(void)
{
	const struct sched_param lowest = {.sched_priority = 1};

	must(sched_setscheduler(0, SCHED_FIFO, &lowest) == 0);
}

static long count_switches(void)
{
	struct rusage used;

	must(getrusage(RUSAGE_THREAD, &used) == 0);
	return used.ru_nvcsw + used.ru_nivcsw;
}

/* Works, and keeps the times from the first to the last one known. */
static void *run_thread(void *arg)
{
	struct thread *t = arg;
	struct times from;
	uint64_t since;

	prctl(PR_SET_NAME, t->name);
	t->tid = gettid();
	pthread_barrier_wait(&begun);
	from = read_schedstat();
	since = now(CLOCK_MONOTONIC);
	t->work();
	t->read_at = now(CLOCK_MONOTONIC);
	t->times = read_schedstat();
	t->switches = count_switches();
	t->blocked = t->read_at - since - (t->times.ran - from.ran) -
		     (t->times.runnable - from.runnable);
	if (t->never_waits) {
		t->taken = t->blocked;
		t->blocked = 0;
	}
	go_first();
	return NULL;
}

static void *run_parent(void *arg)
{
	struct thread *t = arg;
	pthread_t child;
	char line[160];
	int len;

	must(pthread_create(&child, NULL, run_thread, t) == 0);
	pthread_join(child, NULL);
	len = snprintf(line, sizeof(line), "%s %d %lu %lu %ld %lu %ld\n", t->name, t->tid,
		       t->times.ran, t->times.runnable, (long)t->blocked,
		       now(CLOCK_MONOTONIC) - t->read_at + t->taken, t->switches);
	must(write(1, line, (size_t)len) == len);
	return NULL;
}

int main(int argc, char **argv)
{
	cpu_set_t cpus;
	int i;

	must(argc == 2);
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	must(sched_setaffinity(0, sizeof(cpus), &cpus) == 0);
	must(pthread_barrier_init(&begun, NULL, THREADS) == 0);
	for (i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i].parent, NULL, run_parent, &threads[i]) == 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].parent, NULL);
	return 0;
}
