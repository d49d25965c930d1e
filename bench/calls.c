// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calls [ROUNDS [CALLS]]: what it costs a system call that other ones are recorded, beside one look
 * at the kernel's clock; and what both of its own events cost it, with what its argument points to
 * and without.
 *
 * The calls do next to nothing: lseek and read of a device that has no place and all zeros. What a
 * way adds is its difference to empty programs where ours are, in the same round, at the same call.
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ways.h"

enum {
	ROUNDS = 31,
	CALLS = 20000,
	CALLS_MAX = 20000, /* of some 200 bytes in a ring */
	BUFFER = 64,       /* that a read fills */
};

static int device;

static void make_seeks(unsigned long n)
{
	while (n--)
		lseek(device, 0, SEEK_CUR);
}

static void make_reads(unsigned long n)
{
	char buffer[BUFFER];

	while (n--)
		if (read(device, buffer, sizeof(buffer)) != sizeof(buffer))
			fail("read: %s", strerror(errno));
}

/* One that nobody else makes, of no task, once: that it is recorded. */
static void attach_another(const struct way *way)
{
	attach_session(way);
	syscall(SYS_sched_rr_get_interval, -1, NULL);
}

static void detach_another(const struct way *way)
{
	struct kt_counters t;

	kt_session_stop(session);
	t = kt_counter_map_read(kt_session_counters(session), 0, cpu);
	if (t.hits != 1 || t.filtered || kt_counters_lost(t))
		fail("%s: %lu hits, %lu left out, %lu lost, of one", way->name, t.hits, t.filtered,
		     kt_counters_lost(t));
	kt_session_free(session);
}

#define SEEKS   .make = make_seeks
#define READS   .make = make_reads
#define ENTRY   .events = {{"raw_syscalls", "sys_enter"}}
#define BOTH    .events = {{"raw_syscalls", "sys_enter"}, {"raw_syscalls", "sys_exit"}}
#define OF_SEEK SEEKS, .events = {{"syscalls", "sys_enter_lseek"}, {"syscalls", "sys_exit_lseek"}}
#define OF_READ READS, .events = {{"syscalls", "sys_enter_read"}, {"syscalls", "sys_exit_read"}}

enum { CLOCK = 2, N_LEFT = 4 };

/* By the side of another call. */
static struct way left[N_LEFT] = {
	{"nothing", NOTHING, SEEKS},
	{"an empty program", PROGRAM, SEEKS, ENTRY},
	{"a program that reads the clock", PROGRAM, SEEKS, ENTRY, .reads_clock = true,
	 .floor = &left[1]},
	{"ktrace, another call", SEEKS, .attach = attach_another, .detach = detach_another,
	 .events = {{"syscalls", "sys_enter_sched_rr_get_interval"}}, .leaves_out = true,
	 .floor = &left[1]},
};

enum { SEEK = 1, N_RECORDED = 5 };

static struct way recorded[N_RECORDED] = {
	{"lseek: empty programs", PROGRAM, SEEKS, BOTH},
	{"lseek: ktrace", SESSION, OF_SEEK, .floor = &recorded[0]},
	{"read: empty programs", PROGRAM, READS, BOTH},
	{"read: ktrace, nothing of its 64 bytes", SESSION, OF_READ, .floor = &recorded[2]},
	{"read: ktrace, with its 64 bytes", SESSION, OF_READ, .bytes_max = BUFFER, .bytes = BUFFER,
	 .floor = &recorded[2]},
};

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? number(argv[1], ROUNDS_MAX) : ROUNDS, n;

	stop_when_told();
	calls_max = CALLS_MAX;
	calls = argc > 2 ? number(argv[2], CALLS_MAX) : CALLS;
	device = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (device < 0)
		fail("/dev/zero: %s", strerror(errno));
	open_machine();
	n = time_ways(left, N_LEFT, rounds);
	if (n) {
		printf("what recording another system call adds to one: CPU %zu, medians of %zu "
		       "round%s of %lu\n",
		       cpu, n, n == 1 ? "" : "s", calls);
		print_ways(left, N_LEFT, &left[CLOCK], n, "of a clock's", "attached to sys_enter");
	}
	n = time_ways(recorded, N_RECORDED, rounds);
	if (n) {
		printf("what recording both events of one adds to it: medians of %zu round%s\n", n,
		       n == 1 ? "" : "s");
		print_ways(recorded, N_RECORDED, &recorded[SEEK], n, "of lseek's", "attached");
	}
	close_machine();
	return stopped;
}
