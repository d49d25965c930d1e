/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time and memory of whole commands: ktrace's and those of other tracers.
 *
 *	static struct command c[] = {
 *		{"perf script", .argv = {"perf", "script"}},
 *		{"ktrace print", .argv = {"ktrace", "print"}},
 *	};
 *
 *	enter_scratch();
 *	...
 *	rounds = time_commands(c, 2, rounds);
 *	printf("%f s, %lu bytes\n", median(c[1].seconds, NULL, rounds), c[1].memory);
 *
 * A command that fails ends the benchmark. A command that is not installed is reported and skipped:
 * its argv[0] is NULL from then on.
 */
#ifndef KT_BENCH_COMMANDS_H
#define KT_BENCH_COMMANDS_H

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#include "rounds.h"

enum { ARGS_MAX = 16 };

struct command {
	const char *name;
	const char *argv[ARGS_MAX];
	double seconds[ROUNDS_MAX];
	unsigned long memory; /* bytes: its largest process in any round */
};

static const char *ktrace = "ktrace"; /* or KTRACE=PATH in the environment */

/* The private directory that the commands run in. */
static char scratch[PATH_MAX];

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	return remove(path);
}

static inline void remove_scratch(void)
{
	if (chdir("/") < 0 || nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS) < 0)
		fprintf(stderr, "%s: %s\n", scratch, strerror(errno));
}

/*
 * Creates and enters the scratch directory, in a private mount namespace with a tracefs mounted:
 * some tracers need one, or would leave one mounted.
 */
static inline void enter_scratch(void)
{
	const char *path = getenv("KTRACE"), *tmp = getenv("TMPDIR");

	if (path && !(ktrace = realpath(path, NULL)))
		fail("KTRACE=%s: %s", path, strerror(errno));
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    (mount("nodev", "/sys/kernel/tracing", "tracefs", 0, NULL) < 0 && errno != EBUSY))
		fail("cannot mount a private tracefs: %s", strerror(errno));
	snprintf(scratch, sizeof(scratch), "%s/ktrace-bench-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch) || chdir(scratch) < 0 || !getcwd(scratch, sizeof(scratch)))
		fail("%s: %s", scratch, strerror(errno));
	atexit(remove_scratch);
}

static unsigned long tree_bytes;

static inline int add_bytes(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)path, (void)walk;
	if (type == FTW_F)
		tree_bytes += st->st_size;
	return 0;
}

/* Returns the bytes of all files below a directory. */
static inline unsigned long size_of_tree(const char *path)
{
	tree_bytes = 0;
	if (nftw(path, add_bytes, 8, FTW_PHYS) < 0)
		fail("%s: %s", path, strerror(errno));
	return tree_bytes;
}

/* Opens an unnamed file in memory. */
static inline int open_memory(void)
{
	int fd = memfd_create("ktrace-bench", MFD_CLOEXEC);

	if (fd < 0)
		fail("%s", strerror(errno));
	return fd;
}

/* Starts a command; returns false if it is not installed. */
static inline bool spawn_command(struct command *c, int output, int messages, pid_t *pid)
{
	bool is_ktrace = strcmp(c->argv[0], "ktrace") == 0;
	posix_spawn_file_actions_t files;
	int err;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
	err = posix_spawnp(pid, is_ktrace ? ktrace : c->argv[0], &files, NULL, (char **)c->argv,
			   environ);
	posix_spawn_file_actions_destroy(&files);
	if (err && err != ENOENT)
		fail("%s: %s", c->argv[0], strerror(err));
	return !err;
}

/* Runs a command with its output to a descriptor. Prints its messages only if it fails. */
static inline void run_command(struct command *c, int output)
{
	int messages = open_memory(), status;
	struct rusage used;
	pid_t pid;

	if (!spawn_command(c, output, messages, &pid)) {
		fprintf(stderr, "%s: not installed, skipped: %s\n", program_invocation_short_name,
			c->argv[0]);
		c->argv[0] = NULL;
		close(messages);
		return;
	}
	while (wait4(pid, &status, 0, &used) < 0)
		if (errno != EINTR)
			fail("%s: %s", c->name, strerror(errno));
	if (c->memory < (unsigned long)used.ru_maxrss << 10)
		c->memory = (unsigned long)used.ru_maxrss << 10;
	if (status && !stopped) {
		sendfile(STDERR_FILENO, messages, &(off_t){0}, 1 << 16);
		if (WIFEXITED(status))
			fail("%s: exit status %d", c->name, WEXITSTATUS(status));
		fail("%s: killed by signal %d", c->name, WTERMSIG(status));
	}
	close(messages);
}

/* Returns the output of a command. */
static inline FILE *open_output_of(struct command *c)
{
	int fd = open_memory();
	FILE *f;

	run_command(c, fd);
	f = lseek(fd, 0, SEEK_SET) < 0 ? NULL : fdopen(fd, "r");
	if (!f)
		fail("%s", strerror(errno));
	return f;
}

/*
 * Runs each of n commands once per round, in turn, and discards their output. Returns the number of
 * complete rounds.
 */
static inline size_t time_commands(struct command *c, size_t n, size_t rounds)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	uint64_t since;
	size_t i, round;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < n && !stopped; i++) {
			if (!c[i].argv[0])
				continue;
			since = kt_clock_now();
			run_command(&c[i], null);
			c[i].seconds[round] = (kt_clock_now() - since) / 1e9;
		}
		if (stopped)
			break;
	}
	close(null);
	return round;
}

/* Prints a column of a table; "-" for NAN. */
static inline void print_ratio(int width, int digits, double ratio)
{
	if (isnan(ratio))
		printf("%*s", width, "-");
	else
		printf("%*.*f", width, digits, ratio);
}

/* Prints a row per command, with its time relative to the first one's, under the head "whose". */
static inline void print_commands(const struct command *c, size_t n, size_t rounds,
				  const char *whose)
{
	double reference = c->argv[0] ? median(c->seconds, NULL, rounds) : NAN, seconds;
	size_t i;

	printf("%10s %15s %10s  command\n", "ms", whose, "MB");
	for (i = 0; i < n; i++) {
		if (!c[i].argv[0])
			continue;
		seconds = median(c[i].seconds, NULL, rounds);
		printf("%10.1f ", seconds * 1e3);
		print_ratio(15, 2, seconds / reference);
		printf(" %10.1f  %s\n", c[i].memory / 1e6, c[i].name);
	}
}

#endif
