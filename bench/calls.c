// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calls [ROUNDS [CALLS]]: cost of recording system calls: to a call that is not recorded, compared
 * with reading the kernel's clock once; and to a call with both events recorded, with and without
 * its pointed-to data.
 *
 * The calls are lseek and read of /dev/zero, which do next to nothing. A way's cost is its
 * difference to empty programs at the same tracepoints, for the same call in the same round.
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ways.h"

enum {
	ROUNDS = 31,
	CALLS = 20000,
	CALLS_MAX = 20000, /* records of some 200 bytes fill most of a ring */
	BUFFER = 64,       /* bytes per read */
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

/* Records a call that nobody else makes, and makes it once, to see it recorded. */
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
		fail("%s: %lu events, %lu filtered, %lu lost, expected one", way->name, t.hits,
		     t.filtered, kt_counters_lost(t));
	kt_session_free(session);
}

#define SEEKS   .make = make_seeks
#define READS   .make = make_reads
#define ENTRY   .events = {{"raw_syscalls", "sys_enter"}}
#define BOTH    .events = {{"raw_syscalls", "sys_enter"}, {"raw_syscalls", "sys_exit"}}
#define OF_SEEK SEEKS, .events = {{"syscalls", "sys_enter_lseek"}, {"syscalls", "sys_exit_lseek"}}
#define OF_READ READS, .events = {{"syscalls", "sys_enter_read"}, {"syscalls", "sys_exit_read"}}

enum { CLOCK = 2, N_UNRECORDED = 4 };

/* lseek is not recorded. */
static struct way unrecorded[N_UNRECORDED] = {
	{"nothing", NOTHING, SEEKS},
	{"an empty program", PROGRAM, SEEKS, ENTRY},
	{"a program that reads the clock", PROGRAM, SEEKS, ENTRY, .reads_clock = true,
	 .floor = &unrecorded[1]},
	{"ktrace records another call", SEEKS, .attach = attach_another, .detach = detach_another,
	 .events = {{"syscalls", "sys_enter_sched_rr_get_interval"}}, .filters_all = true,
	 .floor = &unrecorded[1]},
};

enum { SEEK = 1, N_RECORDED = 5 };

static struct way recorded[N_RECORDED] = {
	{"lseek: empty programs", PROGRAM, SEEKS, BOTH},
	{"lseek: ktrace", SESSION, OF_SEEK, .floor = &recorded[0]},
	{"read: empty programs", PROGRAM, READS, BOTH},
	{"read: ktrace, without its 64 bytes", SESSION, OF_READ, .floor = &recorded[2]},
	{"read: ktrace, with its 64 bytes", SESSION, OF_READ, .bytes_max = BUFFER, .bytes = BUFFER,
	 .floor = &recorded[2]},
};

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS, n;

	stop_on_signals();
	calls_max = CALLS_MAX;
	calls = argc > 2 ? parse_number(argv[2], CALLS_MAX) : CALLS;
	device = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (device < 0)
		fail("/dev/zero: %s", strerror(errno));
	open_machine();
	n = time_ways(unrecorded, N_UNRECORDED, rounds);
	if (n) {
		printf("cost to a system call of recording another one: CPU %zu, medians of %zu "
		       "round%s of %lu calls\n",
		       cpu, n, n == 1 ? "" : "s", calls);
		print_ways(unrecorded, N_UNRECORDED, &unrecorded[CLOCK], n, "/ clock",
			   "attached to sys_enter");
	}
	n = time_ways(recorded, N_RECORDED, rounds);
	if (n) {
		printf("cost to a system call of recording its two events: medians of %zu "
		       "round%s\n",
		       n, n == 1 ? "" : "s");
		print_ways(recorded, N_RECORDED, &recorded[SEEK], n, "/ lseek", "attached");
	}
	close_machine();
	return stopped;
}
