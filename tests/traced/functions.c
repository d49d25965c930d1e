// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that says which of its functions it calls, with which arguments, and what they return:
 * the witness of uprobes.
 *
 *	functions values		// mix 1 -2 3 4 5 -6 = 5
 *	functions depth 10		// 11 calls of nest(), one inside the other
 *	functions threads 64 100	// 100 calls of mix() in each of 64 threads
 *	functions forks 5		// a call of mix() in each of 5 children
 *	functions exec 3		// a call of mix() in each of 3 programs of one process
 *	functions library FILE NAME N	// N calls of a function in a library that it loads
 *	functions wait			// a call of mix() for each line of input
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "threads.h"

#define FUNCTION __attribute__((noinline, noclone, visibility("default")))

long mix(long a, long b, long c, long d, long e, long f);
long nest(long depth);

FUNCTION long mix(long a, long b, long c, long d, long e, long f)
{
	__asm__ volatile("" ::: "memory");
	return a + b + c + d + e + f;
}

FUNCTION long nest(long depth)
{
	long below = depth ? nest(depth - 1) : -1;

	__asm__ volatile("" : "+r"(below)); /* the compiler must not make it a loop */
	return below + 1;
}

/* Another name of the same function. */
long mix_alias(long a, long b, long c, long d, long e, long f) __attribute__((alias("mix")));

static void call(long a, long b, long c, long d, long e, long f)
{
	printf("mix %ld %ld %ld %ld %ld %ld = %ld\n", a, b, c, d, e, f, mix(a, b, c, d, e, f));
}

static int run_values(void)
{
	call(1, -2, 3, 4, 5, -6);
	call(0, 0, 0, 0, 0, 0);
	call(4194303, 4194304, -4194304, -4194305, INT64_MAX, INT64_MIN);
	call((long)0xffffffff, -1, (long)0x7fffffff, (long)0x80000000, 1l << 40, -(1l << 40));
	return 0;
}

static void *run_thread(void *arg)
{
	long n = *(long *)arg;

	for (; n > 0; n--)
		mix(n, 0, 0, 0, 0, 0);
	return NULL;
}

static int run_forks(int n)
{
	for (; n > 0; n--) {
		if (fork() == 0) {
			mix(getpid(), n, 0, 0, 0, 0);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}

static int run_exec(char **argv)
{
	long left = atol(argv[2]);
	char next[24];

	mix(left, 0, 0, 0, 0, 0);
	if (left <= 1)
		return 0;
	snprintf(next, sizeof(next), "%ld", left - 1);
	argv[2] = next;
	execv("/proc/self/exe", argv);
	return 1;
}

static int run_library(const char *file, const char *name, long n)
{
	void *library = dlopen(file, RTLD_NOW);
	long (*function)(long) = library ? (long (*)(long))dlsym(library, name) : NULL;

	if (!function)
		return 1;
	for (; n > 0; n--)
		function(n);
	return dlclose(library);
}

static int run_wait(void)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		mix(atol(line), 0, 0, 0, 0, 0);
		puts("done");
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "values"))
		return run_values();
	if (!strcmp(what, "depth") && argc == 3)
		return nest(atol(argv[2])) != atol(argv[2]);
	if (!strcmp(what, "threads") && argc == 4)
		return run_threads(atoi(argv[2]), run_thread, atol(argv[3]));
	if (!strcmp(what, "forks") && argc == 3)
		return run_forks(atoi(argv[2]));
	if (!strcmp(what, "exec") && argc == 3)
		return run_exec(argv);
	if (!strcmp(what, "library") && argc == 5)
		return run_library(argv[2], argv[3], atol(argv[4]));
	return strcmp(what, "wait") ? 2 : run_wait();
}
