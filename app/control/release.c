// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/release.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/control/progress.h"
#include "base/clock.h"
#include "session/session.h"

enum { SECOND = 1000000000 }; /* ns */

static int compare_fds(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Closes all descriptors but these, from standard error on. */
static void close_others(int *fds, size_t n)
{
	unsigned int next = STDERR_FILENO + 1;
	size_t i;

	qsort(fds, n, sizeof(*fds), compare_fds);
	for (i = 0; i < n; i++) {
		if ((unsigned int)fds[i] > next)
			close_range(next, fds[i] - 1, 0);
		next = fds[i] + 1;
		fcntl(fds[i], F_SETFD, 0);
	}
	close_range(next, ~0u, 0);
}

/*
 * Becomes `ktrace release`: memory, terminal and files of the recording are given up. Standard
 * input ends when nobody else has the links.
 */
static void run_release(int *links, size_t n, int input)
{
	static char *const argv[] = {"ktrace", "release", NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	dup2(input, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_others(links, n);
	execv("/proc/self/exe", argv);
	_exit(127);
}

/*
 * Lets another process, which is no child of ours, hold the links until we have closed them: the
 * kernel waits at the last close. Returns a descriptor to be closed then; or -1, and there is no
 * such process.
 */
static int hand_over(int *links, size_t n)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		if (fork() == 0)
			run_release(links, n, ends[0]);
		_exit(0);
	}
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
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
