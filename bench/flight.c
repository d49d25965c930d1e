// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flight [ROUNDS [SIZE]]: how long it takes to start a flight recorder, and to write a snapshot of
 * its full rings of SIZE.
 *
 * For comparison: bpftrace starting and exiting, cp copying the snapshot, and one RCU grace period
 * (membarrier), as a swap of all CPUs' rings together needs one. A private BPF file system is
 * mounted, so no flight remains.
 */
#include <sys/syscall.h>

#include <linux/membarrier.h>

#include "base/error.h"
#include "base/size.h"
#include "events/tracefs.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "trace/flight/flight_snapshot.h"
#include "trace/recording.h"
#include "trace/trace_directory.h"

#include "commands.h"

enum { ROUNDS = 11 };

#define ONE     "one"
#define DEFAULT "default"
#define BPFFS   "/sys/fs/bpf"

static const char *size = "64M";

/* ktrace's default events. */
static struct command starts[] = {
	{"bpftrace -e 'BEGIN { exit(); }'", .argv = {"bpftrace", "-e", "BEGIN { exit(); }"}},
	{"ktrace start", .argv = {"ktrace", "start"}},
	{"ktrace stop", .argv = {"ktrace", "stop"}},
};

static struct command snapshots[] = {
	{"cp -r", .argv = {"cp", "-r", ONE, "copy"}},
	{"ktrace snapshot: one event", .argv = {"ktrace", "snapshot", ONE, "-o", ONE}},
	{"ktrace snapshot: the default events",
	 .argv = {"ktrace", "snapshot", DEFAULT, "-o", DEFAULT}},
};

/* Other readers print only their complaints about the traces. */
static struct command checks[] = {
	{"babeltrace2, of one event",
	 .argv = {"sh", "-c", "exec babeltrace2 " ONE " 2>&1 >/dev/null"}},
	{"babeltrace2, of the default events",
	 .argv = {"sh", "-c", "exec babeltrace2 " DEFAULT " 2>&1 >/dev/null"}},
};

enum { N_STARTS = sizeof(starts) / sizeof(starts[0]) };
enum { CP, OF_ONE, OF_DEFAULT };

/* Parts of a snapshot of one event, and the grace period that a swap contains. */
static double waits[ROUNDS_MAX], swaps[ROUNDS_MAX], writes[ROUNDS_MAX];
static size_t n_rings;
static unsigned long bytes; /* of a snapshot */

static void enter_bpffs(void)
{
	while (umount2(BPFFS, MNT_DETACH) == 0)
		;
	if (mount("nodev", BPFFS, "bpf", 0, NULL) < 0)
		fail("cannot mount a private BPF file system: %s", strerror(errno));
}

/* Times a command as its round-th. */
static void time_command(struct command *c, size_t round)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	uint64_t since = kt_clock_now();

	if (c->argv[0])
		run_command(c, null);
	c->seconds[round] = (kt_clock_now() - since) / 1e9;
	close(null);
}

/*
 * Returns the number of complete rounds. Sleeps after each: for about a second after a stop the
 * kernel detaches programs, and attaching waits for that.
 */
static size_t time_starts(size_t rounds)
{
	size_t round, i;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < N_STARTS && !stopped; i++)
			time_command(&starts[i], round);
		if (stopped || sleep(1))
			break;
	}
	return round;
}

static void start_full(void)
{
	struct command flights[] = {
		{"ktrace start " ONE,
		 .argv = {"ktrace", "start", ONE, "-b", size, "-e", "raw_syscalls:sys_enter"}},
		{"ktrace start " DEFAULT, .argv = {"ktrace", "start", DEFAULT, "-b", size}},
	};
	size_t i;

	for (i = 0; i < 2 && !stopped; i++)
		time_command(&flights[i], 0);
}

static struct kt_flight *get_flight(const char *name,
				    struct kt_flight *get(const char *, struct kt_error *))
{
	struct kt_error err;
	struct kt_flight *f = get(name, &err);

	if (!f)
		fail("%s", err.text);
	return f;
}

static void fill_ring(const struct kt_ring *ring, size_t cpu)
{
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		fail("CPU %zu: %s", cpu, strerror(errno));
	while (!kt_ring_overwritten(ring) && !stopped)
		for (i = 0; i < 1000; i++)
			syscall(SYS_getppid);
}

/* Fills all rings, until each has overwritten a record. */
static void fill_rings(const char *name)
{
	struct kt_flight *f = get_flight(name, kt_flight_open);
	struct kt_buffer_sets *sets = kt_flight_buffer_sets(f);
	const struct kt_rings *rings = kt_buffer_sets_rings(sets, kt_buffer_sets_active(sets));
	cpu_set_t all;
	size_t i;

	sched_getaffinity(0, sizeof(all), &all);
	for (n_rings = i = 0; i < kt_rings_cpus(rings); i++) {
		if (!kt_rings_at(rings, i))
			continue;
		fill_ring(kt_rings_at(rings, i), i);
		n_rings++;
	}
	sched_setaffinity(0, sizeof(all), &all);
	kt_flight_free(f);
}

/* How long a grace period takes depends on what ran just before it. */
static uint64_t begin_when_quiet(void)
{
	usleep(20000);
	return kt_clock_now();
}

static double time_wait(void)
{
	uint64_t since = begin_when_quiet();

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) < 0)
		fail("membarrier: %s", strerror(errno));
	return (kt_clock_now() - since) / 1e9;
}

static double time_swap(const struct kt_flight *f)
{
	uint64_t since = begin_when_quiet();

	kt_buffer_sets_swap(kt_flight_buffer_sets(f));
	return (kt_clock_now() - since) / 1e9;
}

static double time_write(const struct kt_flight *f)
{
	struct kt_trace_directory dir;
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err), n = -1;
	uint64_t since = kt_clock_now();
	struct kt_flight_snapshot *s = NULL;
	double seconds;

	if (tracefs < 0 || kt_trace_directory_make(&dir, ONE, &err) < 0)
		fail("%s", err.text);
	s = kt_flight_snapshot_new(f, NULL, tracefs, "bench", dir.fd, &err);
	do
		n = s ? kt_recording_copy(kt_flight_snapshot_recording(s), &err) : -1;
	while (n > 0);
	if (n < 0 || kt_flight_snapshot_end(s, dir.fd, &err) < 0)
		fail("%s", err.text);
	seconds = (kt_clock_now() - since) / 1e9;
	kt_flight_snapshot_free(s);
	kt_trace_directory_close(&dir);
	close(tracefs);
	return seconds;
}

/* Takes a snapshot in the steps of the command. */
static void time_parts(size_t round)
{
	struct kt_flight *f = get_flight(ONE, kt_flight_lock);

	waits[round] = time_wait();
	swaps[round] = time_swap(f);
	writes[round] = time_write(f);
	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
	kt_flight_free(f);
}

/* A snapshot has the rings' contents, except for the sub-buffers about to be overwritten. */
static void check_trace(const char *path)
{
	struct kt_error err;
	uint64_t ring;

	if (kt_size_parse(size, &ring, &err) < 0)
		fail("%s", err.text);
	bytes = size_of_tree(path);
	if (bytes < n_rings * ring / 10 * 8)
		fail("snapshot has only %lu bytes, of %zu rings of %s", bytes, n_rings, size);
}

static void check_silence(struct command *check)
{
	char text[256];
	int output = open_memory();
	ssize_t n;

	run_command(check, output);
	n = pread(output, text, sizeof(text), 0);
	if (n > 0 && !stopped)
		fail("%s: %.*s", check->name, (int)n, text);
	close(output);
}

static void remove_tree(const char *path)
{
	if (nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) < 0)
		fail("%s: %s", path, strerror(errno));
}

static void check_and_remove(struct command *check, const char *path, bool first)
{
	if (stopped)
		return;
	check_trace(path);
	if (first)
		check_silence(check);
	remove_tree(path);
}

/* Returns the number of complete rounds. In the first, babeltrace2 reads the snapshots. */
static size_t time_snapshots(size_t rounds)
{
	size_t round;

	for (round = 0; round < rounds; round++) {
		fill_rings(ONE);
		time_parts(round);
		time_command(&snapshots[CP], round);
		remove_tree("copy");
		check_and_remove(&checks[0], ONE, round == 0);
		fill_rings(ONE);
		time_command(&snapshots[OF_ONE], round);
		check_and_remove(&checks[0], ONE, round == 0);
		fill_rings(DEFAULT);
		time_command(&snapshots[OF_DEFAULT], round);
		check_and_remove(&checks[1], DEFAULT, round == 0);
		if (stopped)
			break;
	}
	return round;
}

struct row {
	const char *name;
	const double *seconds;
};

/* Prints each row's time relative to the first one's, under the head "whose". */
static void print_rows(const struct row *rows, size_t n, size_t rounds, const char *whose)
{
	double first = median(rows[0].seconds, NULL, rounds), s;
	size_t i;

	printf("%10s %15s\n", "ms", whose);
	for (i = 0; i < n; i++) {
		s = median(rows[i].seconds, NULL, rounds);
		printf("%10.1f %15.2f  %s\n", s * 1e3, s / first, rows[i].name);
	}
}

static void print_snapshots(size_t rounds)
{
	const struct row swapping[] = {
		{"one RCU grace period (membarrier)", waits},
		{"swap of all CPUs' rings", swaps},
	};
	const struct row writing[] = {
		{snapshots[CP].name, snapshots[CP].seconds},
		{"writing it: one event", writes},
		{snapshots[OF_ONE].name, snapshots[OF_ONE].seconds},
		{snapshots[OF_DEFAULT].name, snapshots[OF_DEFAULT].seconds},
	};

	printf("a snapshot of %zu rings of %s: %.1f MB\n", n_rings, size, bytes / 1e6);
	print_rows(swapping, 2, rounds, "/ grace period");
	print_rows(writing, 4, rounds, "/ cp");
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? parse_number(argv[1], ROUNDS_MAX) : ROUNDS, n;

	if (argc > 2)
		size = argv[2];
	stop_on_signals();
	enter_scratch();
	enter_bpffs();
	n = time_starts(rounds);
	if (n) {
		printf("a flight recorder: medians of %zu round%s\n", n, n == 1 ? "" : "s");
		print_commands(starts, N_STARTS, n, "/ bpftrace");
	}
	start_full();
	n = stopped ? 0 : time_snapshots(rounds);
	if (n)
		print_snapshots(n);
	return stopped;
}
