// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that sleeps, and so calls the kernel's hrtimer_nanosleep(), and says how long by its
 * own clock: the witness of durations.
 *
 *	naps 4 10 2000		// 10 naps of 2000 us in each of 4 threads, a line each: "TID NS"
 *	naps cut 50		// a signal after 50 ms ends a long nap: "TID NS"
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

static long us;

static int64_t get_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void nap(struct timespec *ts)
{
	int64_t before = get_time();

	clock_nanosleep(CLOCK_MONOTONIC, 0, ts, NULL);
	printf("%ld %" PRId64 "\n", syscall(SYS_gettid), get_time() - before);
}

static void *run_thread(void *arg)
{
	long n = *(long *)arg;
	struct timespec ts;

	for (; n > 0; n--) {
		ts = (struct timespec){.tv_nsec = 1000 * us};
		nap(&ts);
	}
	return NULL;
}

static void ignore(int signal)
{
	(void)signal;
}

static int run_cut(int ms)
{
	struct timespec long_time = {.tv_sec = 100};
	const struct itimerval soon = {.it_value = {.tv_usec = 1000 * ms}};

	signal(SIGALRM, ignore);
	setitimer(ITIMER_REAL, &soon, NULL);
	nap(&long_time);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "cut") == 0)
		return run_cut(atoi(argv[2]));
	if (argc != 4)
		return 2;
	us = atol(argv[3]);
	return run_threads(atoi(argv[1]), run_thread, atol(argv[2]));
}
