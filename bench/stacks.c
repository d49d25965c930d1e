// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks [ROUNDS [CALLS]]: cost of recording the stacks of raw_syscalls:sys_enter, by ktrace,
 * ftrace and perf.
 *
 * System calls that do nothing are made in a function that five others have called, with frame
 * pointers. A way's cost is its difference to an empty program in the same round, as in sys_enter.
 * ftrace and perf write each stack again, and have buffers that hold all of them.
 */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/callstacks.h"

#include "ftrace_instance.h"

enum {
	ROUNDS = 31,
	CALLS = 20000,
	CALLS_MAX = 40000, /* records of some 90 bytes fit into a ring */
	DEPTH = 5,
	OTHERS_BUFFER = 32 << 20, /* bytes */
};

/* Makes n calls in DEPTH functions. */
__attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) static void
descend(unsigned int depth, unsigned long n)
{
	long result;

	if (depth > 1)
		descend(depth - 1, n);
	else
		while (n--)
			__asm__ volatile("syscall"
					 : "=a"(result)
					 : "a"(SYS_getppid)
					 : "rcx", "r11", "memory");
	__asm__ volatile("");
}

static void make_calls(unsigned long n)
{
	descend(DEPTH, n);
}

static void attach_ftrace(const struct way *way)
{
	write_instance_file("trace_clock", "mono");
	write_instance_file("options/stacktrace", way->stacks ? "1" : "0");
	write_instance_file("options/userstacktrace",
			    way->stacks & KT_CALLSTACK_BIT(KT_CALLSTACK_USER) ? "1" : "0");
	write_instance_file("trace", "");
	write_instance_file("events/raw_syscalls/sys_enter/enable", "1");
}

static void detach_ftrace(const struct way *way)
{
	write_instance_file("events/raw_syscalls/sys_enter/enable", "0");
	check_instance(way, (WARM + calls) * (1 + __builtin_popcount(way->stacks)));
}

/* perf: an event with samples of this process. */

static struct perf_event_mmap_page *perf_ring;
static int perf_event;

static void attach_perf(const struct way *way)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW |
			       (way->stacks ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_callchain_user = !(way->stacks & KT_CALLSTACK_BIT(KT_CALLSTACK_USER)),
		.watermark = 1,
		.wakeup_watermark = OTHERS_BUFFER,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	struct kt_error err;
	char *id = kt_tracefs_read(tracefs, "events/raw_syscalls/sys_enter/id", &err);

	if (!id)
		fail("%s", err.text);
	attr.config = strtoul(id, NULL, 10);
	free(id);
	perf_event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (perf_event < 0)
		fail("perf_event_open: %s", strerror(errno));
	perf_ring = mmap(NULL, sysconf(_SC_PAGESIZE) + OTHERS_BUFFER, PROT_READ | PROT_WRITE,
			 MAP_SHARED, perf_event, 0);
	if (perf_ring == MAP_FAILED)
		fail("perf's buffer: %s", strerror(errno));
	make_calls(calls_max);
	__atomic_store_n(&perf_ring->data_tail, perf_ring->data_head, __ATOMIC_RELEASE);
}

static void detach_perf(const struct way *way)
{
	uint64_t size = perf_ring->data_head - perf_ring->data_tail, n;

	n = size / (way->stacks ? 128 : 64);
	if (n < WARM + calls || size > OTHERS_BUFFER / 10 * 9)
		fail("%s: %lu bytes of samples", way->name, (unsigned long)size);
	munmap(perf_ring, sysconf(_SC_PAGESIZE) + OTHERS_BUFFER);
	close(perf_event);
}

#define KERNEL KT_CALLSTACK_BIT(KT_CALLSTACK_KERNEL)
#define USER   KT_CALLSTACK_BIT(KT_CALLSTACK_USER)

#define CALL      .make = make_calls, .events = {{"raw_syscalls", "sys_enter"}}
#define FLOOR     .floor = &ways[0]
#define BY_KTRACE SESSION, CALL, FLOOR
#define BY_FTRACE .attach = attach_ftrace, .detach = detach_ftrace, CALL, FLOOR
#define BY_PERF   .attach = attach_perf, .detach = detach_perf, CALL, FLOOR

static struct way ways[] = {
	{"an empty program", PROGRAM, CALL},
	{"ktrace", BY_KTRACE},
	{"ktrace -k kernel", BY_KTRACE, .stacks = KERNEL},
	{"ktrace -k user", BY_KTRACE, .stacks = USER},
	{"ktrace -k both", BY_KTRACE, .stacks = KERNEL | USER},
	{"perf", BY_PERF},
	{"perf, the kernel's stack", BY_PERF, .stacks = KERNEL},
	{"perf -g, both", BY_PERF, .stacks = KERNEL | USER},
	{"ftrace", BY_FTRACE},
	{"ftrace, both stacks", BY_FTRACE, .stacks = KERNEL | USER},
	{"ftrace, the kernel's stack", BY_FTRACE, .stacks = KERNEL},
};

enum { N_WAYS = sizeof(ways) / sizeof(ways[0]) };

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS;

	stop_on_signals();
	calls_max = CALLS_MAX;
	calls = argc > 2 ? parse_number(argv[2], CALLS) : CALLS;
	open_machine();
	make_instance(OTHERS_BUFFER);
	rounds = time_ways(ways, N_WAYS, rounds);
	if (rounds) {
		printf("cost of recording stacks: CPU %zu, medians of %zu round%s of %lu events\n",
		       cpu, rounds, rounds == 1 ? "" : "s", calls);
		print_ways(ways, N_WAYS, &ways[N_WAYS - 1], rounds, "/ ftrace -k",
			   "attached to raw_syscalls:sys_enter");
	}
	close_machine();
	return stopped;
}
