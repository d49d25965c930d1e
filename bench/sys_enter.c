// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sys_enter [ROUNDS [CALLS]]: what a hit of raw_syscalls:sys_enter costs the task that it happens
 * to, as ktrace records it in its several ways, and as ftrace does.
 *
 * In every round each way is attached in turn, CALLS system calls that do nothing are timed on one
 * CPU, and it is detached again, so that all are measured under the same conditions. What a way
 * adds is its difference to an empty program in the same round; all figures are medians. ftrace's
 * buffers, of an instance of its own, are as large as ours; they hold what is timed, and nobody
 * reads them meanwhile. Both have been full before: where memory is written for the first time that
 * can cost more than all else, once. Each time it is looked at whether every call was recorded, or
 * left out, as it was to be.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "catalog/btf.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/filter.h"
#include "catalog/tracefs.h"
#include "emit/asm.h"
#include "hook/probe.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/ledger.h"
#include "session/session.h"

#include "rounds.h"

enum {
	ROUNDS = 31,
	CALLS = 50000,
	CALLS_MAX = 50000, /* of some 70 bytes in a ring */
	WARM = 1000,
	BEFORE = 2,     /* times CALLS_MAX, and the ring has been round */
	RING = 4 << 20, /* bytes a CPU, as 'record' has it unless told otherwise */
};

static int tracefs;
static struct kt_btf *btf;
static size_t cpu; /* the one that all of it happens on */
static unsigned long calls;

/* One way to be at the event. What is attached at a time is one. */
struct way {
	const char *name;
	void (*attach)(const struct way *way);
	void (*detach)(const struct way *way);

	/* Of a session: whether it records what the kernel does, of whom, and by which filter. */
	bool classic, follows_us, follows_others;
	const char *filter;
	bool leaves_out;

	/* Or as a flight recorder does it, which is to be frozen by some other event. */
	bool overwrites, can_freeze;

	/* Of ftrace. */
	const char *clock;
};

static void attach_nothing(const struct way *way)
{
	(void)way;
}

static double time_calls(unsigned long n)
{
	uint64_t begin = kt_clock_now();
	unsigned long i;

	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	return (double)(kt_clock_now() - begin) / n;
}

/* ktrace */

static struct kt_event *event;
static struct kt_probe probe;
static struct kt_session *session;

static void read_event(bool curated)
{
	struct kt_error err;

	event = kt_event_read(tracefs, &(struct kt_name){"raw_syscalls", "sys_enter"}, &err);
	if (!event || (curated && kt_curate(event, btf, &err) < 0))
		fail("%s", err.text);
}

static void attach_empty(const struct way *way)
{
	struct kt_asm *a = kt_asm_new();
	struct kt_error err;

	(void)way;
	if (!a)
		fail("%s", strerror(ENOMEM));
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
	read_event(true);
	if (kt_probe_attach(&probe, event, a, &err) < 0)
		fail("%s", err.text);
	kt_asm_free(a);
}

static void detach_empty(const struct way *way)
{
	(void)way;
	kt_probe_detach(&probe);
	kt_probe_close(&probe);
	kt_event_free(event);
}

static void read_ring(struct kt_ring *ring)
{
	struct kt_packet packet;
	struct kt_error err;
	int ret;

	while ((ret = kt_ring_next(ring, &packet, &err)) > 0)
		kt_ring_release(ring);
	if (ret < 0)
		fail("%s", err.text);
}

/* What is timed then finds the ring as one that has been recorded into for long. */
static void go_round(const struct way *way)
{
	struct kt_ring *ring = kt_rings_at(kt_session_rings(session), cpu);
	int i;

	for (i = 0; i < BEFORE; i++) {
		time_calls(CALLS_MAX);
		if (!way->overwrites)
			read_ring(ring);
	}
	if (way->overwrites && !kt_ring_overwritten(ring))
		fail("%s: nothing is overwritten", way->name);
}

static void attach_session(const struct way *way)
{
	bool follows = way->follows_us || way->follows_others;
	struct kt_error err;

	read_event(!way->classic);
	if (way->filter && !(event->filter = kt_filter_parse(event, way->filter, &err)))
		fail("%s", err.text);
	session = kt_session_new(kt_geometry_of(RING), 1, NULL, &err);
	if (session && way->can_freeze)
		kt_session_freeze(session, 0);
	if (!session || (way->overwrites && kt_session_overwrite(session, &err) < 0) ||
	    (follows && kt_session_follow(session, tracefs, btf, &err) < 0) ||
	    kt_session_add(session, event, &err) < 0)
		fail("%s", err.text);
	if (!event->curated != way->classic)
		fail("the kernel refuses the curated program");
	kt_session_start(session);
	if (way->follows_us && kt_session_follow_self(session, &err) < 0)
		fail("%s", err.text);
	if (!way->leaves_out)
		go_round(way);
}

static void detach_session(const struct way *way)
{
	unsigned long made = WARM + calls + (way->leaves_out ? 0 : BEFORE * CALLS_MAX);
	struct kt_tally t;

	kt_session_stop(session);
	t = kt_ledger_read(kt_session_ledger(session), 0, cpu);
	if (kt_tally_lost(t))
		fail("%s: %lu hits lost", way->name, kt_tally_lost(t));
	if ((way->leaves_out ? t.filtered : t.hits) < made)
		fail("%s: %lu hits and %lu left out of at least %lu", way->name, t.hits, t.filtered,
		     made);
	kt_session_free(session);
}

/* ftrace: an instance of our own, with buffers that stop when they are full. */

static char instance[64];

static void write_there(const char *file, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", instance, file);
	fd = openat(tracefs, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail("tracefs: %s: %s", path, strerror(errno));
	close(fd);
}

static void remove_instance(void)
{
	if (unlinkat(tracefs, instance, AT_REMOVEDIR) < 0)
		fprintf(stderr, "sys_enter: tracefs: %s: %s\n", instance, strerror(errno));
}

static void make_instance(void)
{
	char size[16];

	snprintf(instance, sizeof(instance), "instances/ktrace-bench-%d", (int)getpid());
	if (mkdirat(tracefs, instance, 0700) < 0)
		fail("tracefs: %s: %s", instance, strerror(errno));
	atexit(remove_instance);
	snprintf(size, sizeof(size), "%d", RING >> 10);
	write_there("buffer_size_kb", size);
	write_there("options/overwrite", "0");
}

static void attach_ftrace(const struct way *way)
{
	write_there("trace_clock", way->clock);
	write_there("trace", "");
	write_there("events/raw_syscalls/sys_enter/enable", "1");
}

static void detach_ftrace(const struct way *way)
{
	unsigned long entries = 0, overrun = 0, dropped = 0;
	char path[128], *text, *line;
	struct kt_error err;

	write_there("events/raw_syscalls/sys_enter/enable", "0");
	snprintf(path, sizeof(path), "%s/per_cpu/cpu%zu/stats", instance, cpu);
	text = kt_tracefs_read(tracefs, path, &err);
	if (!text)
		fail("%s", err.text);
	for (line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		sscanf(line, "entries: %lu", &entries);
		sscanf(line, "overrun: %lu", &overrun);
		sscanf(line, "dropped events: %lu", &dropped);
	}
	free(text);
	if (entries < WARM + calls || overrun || dropped)
		fail("%s: %lu entries of at least %lu, %lu overrun, %lu dropped", way->name,
		     entries, WARM + calls, overrun, dropped);
}

enum { EMPTY = 1 }; /* its place among the ways: the floor of the others */

#define NOTHING .attach = attach_nothing, .detach = attach_nothing
#define SESSION .attach = attach_session, .detach = detach_session
#define FTRACE  .attach = attach_ftrace, .detach = detach_ftrace

static const struct way ways[] = {
	{"nothing", NOTHING},
	{"an empty program", .attach = attach_empty, .detach = detach_empty},
	{"ktrace, the whole machine", SESSION},
	{"ktrace, a flight recorder", SESSION, .overwrites = true},
	{"ktrace, one that can freeze", SESSION, .overwrites = true, .can_freeze = true},
	{"ktrace, what this process does", SESSION, .follows_us = true},
	{"ktrace, what another one does", SESSION, .follows_others = true, .leaves_out = true},
	{"ktrace, no call passes the filter", SESSION, .filter = "id == -1", .leaves_out = true},
	{"ktrace, the kernel's own record", SESSION, .classic = true},
	{"ftrace, by ktrace's clock", FTRACE, .clock = "mono"},
	{"ftrace", FTRACE, .clock = "local"},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

static double times[N_WAYS][ROUNDS_MAX]; /* ns a call */

static void print_table(size_t n)
{
	double ftrace = median(times[N_WAYS - 1], times[EMPTY], n);
	double added;
	size_t i;

	printf("what recording one system call adds to it: CPU %zu, medians of %zu round%s of "
	       "%lu\n",
	       cpu, n, n == 1 ? "" : "s", calls);
	printf("%10s %10s %12s  attached to raw_syscalls:sys_enter\n", "ns a call", "ns more",
	       "of ftrace's");
	for (i = 0; i < N_WAYS; i++) {
		printf("%10.1f ", median(times[i], NULL, n));
		added = median(times[i], times[EMPTY], n);
		if (i > EMPTY)
			printf("%10.1f %12.2f", added, added / ftrace);
		else
			printf("%23s", "");
		printf("  %s\n", ways[i].name);
	}
}

/* The last CPU that we may run on: interrupts tend to go to the first. */
static void pin(void)
{
	cpu_set_t set;
	size_t i;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		fail("%s", strerror(errno));
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpu = i;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		fail("CPU %zu: %s", cpu, strerror(errno));
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? number(argv[1], ROUNDS_MAX) : ROUNDS;
	struct kt_error err;
	size_t i, round;

	stop_when_told();
	calls = argc > 2 ? number(argv[2], CALLS_MAX) : CALLS;
	tracefs = kt_tracefs_open(&err);
	if (tracefs < 0)
		fail("%s", err.text);
	btf = kt_btf_new();
	if (!btf)
		fail("%s", strerror(ENOMEM));
	make_instance();
	pin();
	for (round = 0; round < rounds && !stopped; round++) {
		for (i = 0; i < N_WAYS; i++) {
			ways[i].attach(&ways[i]);
			time_calls(WARM);
			times[i][round] = time_calls(calls);
			ways[i].detach(&ways[i]);
		}
	}
	if (round)
		print_table(round);
	kt_btf_free(btf);
	return stopped; /* tracefs is needed until the very end */
}
