/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls for live tests to trace: sched_rr_get_interval, which no other process makes, with any PID,
 * which need not exist.
 */
#ifndef KT_TESTS_CALLS_H
#define KT_TESTS_CALLS_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/tracefs.h"
#include "hook/program.h"
#include "hook/tracepoint.h"
#include "session/counter_map.h"

enum { ENTER, EXIT, N_EVENTS };

static const char *const names[N_EVENTS] = {
	[ENTER] = "sys_enter_sched_rr_get_interval",
	[EXIT] = "sys_exit_sched_rr_get_interval",
};
static unsigned int ids[N_EVENTS];

static char refused[512]; /* why nothing can be traced here, or "" */

/* Tests whether this machine allows tracing; any later error is a failure. */
static inline int may_trace(struct kt_error *err)
{
	struct kt_counter_map *counters = kt_counter_map_new(1, err);

	if (!counters)
		return -1;
	kt_counter_map_free(counters);
	return kt_tracefs_open(err);
}

/* Group setup. */
static inline int read_ids(void **state)
{
	struct kt_error err;
	struct kt_event *e;
	int i, tracefs = may_trace(&err);

	(void)state;
	if (tracefs < 0) {
		if (err.code != EPERM && err.code != EACCES)
			fail_msg("%s", err.text);
		snprintf(refused, sizeof(refused), "%s", err.text);
		return 0;
	}
	for (i = 0; i < N_EVENTS; i++) {
		e = kt_event_read(tracefs, &(struct kt_event_name){"syscalls", names[i]}, &err);
		if (!e)
			fail_msg("%s", err.text);
		ids[i] = e->id;
		kt_event_free(e);
	}
	close(tracefs);
	return 0;
}

/* In a container, PIDs differ from the kernel's. */
static inline bool has_kernel_pids(void)
{
	char text[64] = "";

	return readlink("/proc/self/ns/pid", text, sizeof(text) - 1) > 0 &&
	       strcmp(text, "pid:[4026531836]") == 0;
}

static inline void skip_where_refused(void)
{
	if (!refused[0])
		return;
	print_message("# %s\n", refused);
	skip();
}

/* Attaches a program to the event. Returns its link or -errno. Frees the code. */
static inline int attach(int event, struct kt_asm *a, struct kt_error *err)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_TRACEPOINT};
	int link, program = kt_program_load(kind, names[event], a, err);

	kt_asm_free(a);
	if (program < 0)
		return program;
	link = kt_tracepoint_attach(ids[event], program, err);
	close(program);
	return link;
}

static inline void pin(size_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

static inline void call(int task)
{
	struct timespec interval;

	syscall(SYS_sched_rr_get_interval, task, &interval);
}

/* Lists the CPUs that this process may use; returns their number. */
static inline size_t our_cpus(size_t cpus[CPU_SETSIZE])
{
	cpu_set_t ours;
	size_t cpu, n = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &ours))
			cpus[n++] = cpu;
	return n;
}

/* A thread that makes calls first + 1 to first + n on a CPU of its own. */
struct caller {
	pthread_t thread;
	size_t cpu;
	int first, n;
	uint32_t tid;
	volatile bool done;
};

static inline void *call_there(void *arg)
{
	struct caller *c = arg;
	int i;

	pin(c->cpu);
	c->tid = gettid();
	for (i = 1; i <= c->n; i++)
		call(c->first + i);
	c->done = true;
	return NULL;
}

static inline void start_caller(struct caller *c)
{
	assert_int_equal(pthread_create(&c->thread, NULL, call_there, c), 0);
}

/* Runs a caller and waits for it. */
static inline void run_caller(struct caller *c)
{
	start_caller(c);
	pthread_join(c->thread, NULL);
}

enum { APART = 1 << 24 }; /* more than any caller makes */

/*
 * Starts a caller on each CPU, with first numbers 'apart' from each other. Each makes one call more
 * than the one before, so that they differ. Returns the number of calls.
 */
static inline uint64_t start_callers(struct caller *callers, const size_t *cpus, size_t n,
				     int apart, int n_calls)
{
	uint64_t sum = 0;
	size_t k;

	for (k = 0; k < n; k++) {
		callers[k] = (struct caller){.cpu = cpus[k], .first = k * apart, .n = n_calls + k};
		sum += callers[k].n;
		start_caller(&callers[k]);
	}
	return sum;
}

static inline bool are_done(const struct caller *callers, size_t n)
{
	size_t k;

	for (k = 0; k < n && callers[k].done; k++)
		;
	return k == n;
}

static inline void join_callers(const struct caller *callers, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		pthread_join(callers[k].thread, NULL);
}

#endif
