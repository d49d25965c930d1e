/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every bench does: so many rounds unless it is ended early, on one CPU, medians, and one way
 * to fail. A bench is one file, so all of it is here.
 */
#ifndef KT_BENCH_ROUNDS_H
#define KT_BENCH_ROUNDS_H

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 1000 };

static volatile sig_atomic_t stopped; /* what there is by then is shown, and the status is 1 */

__attribute__((format(printf, 1, 2), noreturn)) static inline void fail(const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static inline void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static inline void stop_when_told(void)
{
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
}

/* To the last CPU that we may run on, which it returns: interrupts tend to go to the first. */
static inline size_t pin(void)
{
	size_t i, cpu = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		fail("%s", strerror(errno));
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpu = i;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		fail("CPU %zu: %s", cpu, strerror(errno));
	return cpu;
}

/* Of a command line. */
static inline unsigned long number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || n < 1 || n > max)
		fail("'%s' is not a number from 1 to %lu", text, max);
	return n;
}

static inline int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of n rounds, less what another way took in each, which may be NULL. */
static inline double median(const double *rounds, const double *other, size_t n)
{
	double v[ROUNDS_MAX];
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = rounds[i] - (other ? other[i] : 0);
	qsort(v, n, sizeof(v[0]), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

#endif
