// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/release.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/control/progress.h"
#include "base/clock.h"
#include "session/session.h"

static const char command_line[] = "ktrace\0release"; /* what /proc has of such a process */

enum { SECOND = 1000000000 }; /* ns */

static int compare_fds(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Moves these descriptors to those after standard error, and closes all others. */
static void keep_only(int *fds, size_t n)
{
	int next = STDERR_FILENO + 1;
	size_t i;

	qsort(fds, n, sizeof(*fds), compare_fds);
	for (i = 0; i < n; i++, next++)
		if (fds[i] == next)
			fcntl(next, F_SETFD, 0);
		else
			dup2(fds[i], next);
	close_range(next, ~0u, 0);
}

/*
 * Becomes `ktrace release`: memory, terminal and files of the recording are given up. Standard
 * input ends when nobody else has the links.
 */
static void become_release(int *links, size_t n, int input)
{
	static char *const argv[] = {"ktrace", "release", NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	if (chdir("/") < 0)
		_exit(127);
	dup2(input, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	keep_only(links, n);
	execv("/proc/self/exe", argv);
	_exit(127);
}

/*
 * Lets another process hold the links until we have closed them: the kernel waits at the last
 * close. Returns a descriptor to be closed then; or -1, and there is no such process.
 */
static int hand_over(int *links, size_t n)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = vfork(); /* returns when the other program runs, and status can find it */
	if (pid == 0)
		become_release(links, n, ends[0]);
	close(ends[0]);
	return ends[1];
}

static void detach_all(struct kt_session *s, const char *command)
{
	uint64_t began = kt_clock_now(), reported = began, now, rest;
	bool terminal = isatty(STDERR_FILENO);
	size_t left, done;

	for (done = 1; (left = kt_session_detach_one(s)) > 0; done++) {
		now = kt_clock_now();
		rest = (now - began) / done * left;
		if (now - reported < SECOND || (!terminal && (reported > began || rest < SECOND)))
			continue;
		reported = now;
		print_detaching(command, left, rest, terminal);
	}
	if (terminal && reported > began)
		fputs("\r\033[K", stderr);
}

void release_probes(struct kt_session *s, const char *command)
{
	size_t n = kt_session_count(s);
	int *links = malloc((n + 1) * sizeof(*links)), held = -1;

	n = links ? kt_session_slow_links(s, links) : 0;
	if (n)
		held = hand_over(links, n);
	detach_all(s, command);
	if (held >= 0)
		close(held);
	free(links);
}

int run_release(void)
{
	struct stat input;
	int fd;
	char c;

	if (fstat(STDIN_FILENO, &input) < 0 || !S_ISFIFO(input.st_mode)) {
		fputs("ktrace release: run by ktrace itself, to detach the probes of a recording "
		      "that has ended\n",
		      stderr);
		return EXIT_USAGE;
	}
	prctl(PR_SET_NAME, "ktrace-release");
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	/* One by one: close_range() would hide all of them first, and then wait. */
	for (fd = STDERR_FILENO + 1; close(fd) == 0; fd++)
		;
	return EXIT_OK;
}

static bool is_release(const char *pid)
{
	char path[sizeof("/proc/") + NAME_MAX + sizeof("/cmdline")];
	char text[sizeof(command_line) + 1];
	size_t n = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/cmdline", pid);
	file = fopen(path, "re");
	if (file) {
		n = fread(text, 1, sizeof(text), file);
		fclose(file);
	}
	return n == sizeof(command_line) && !memcmp(text, command_line, n);
}

/* Returns how many links such a process still has. */
static size_t count_links(const char *pid)
{
	char path[sizeof("/proc/") + NAME_MAX + sizeof("/fd")];
	size_t n = 0;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	fds = opendir(path);
	if (!fds)
		return 0;
	for (struct dirent *e; (e = readdir(fds));)
		n += atoi(e->d_name) > STDERR_FILENO;
	closedir(fds);
	return n;
}

void report_releasing(const char *command)
{
	DIR *processes = opendir("/proc");
	size_t n;

	if (!processes)
		return;
	for (struct dirent *e; (e = readdir(processes));) {
		n = is_release(e->d_name) ? count_links(e->d_name) : 0;
		if (n)
			fprintf(stderr,
				"ktrace %s: the kernel is detaching %zu probe%s of a recording "
				"that "
				"has ended (process %s)\n",
				command, n, n == 1 ? "" : "s", e->d_name);
	}
	closedir(processes);
}
