/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all benchmarks share: rounds that Ctrl-C ends early, one CPU, medians, and one way to fail.
 * A benchmark is one .c file, so these are inline functions.
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

static volatile sig_atomic_t stopped; /* complete rounds are still printed; exit status 1 */

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

static inline void note_signal(int signal)
{
	(void)signal;
	stopped = 1;
}

static inline void stop_on_signals(void)
{
	signal(SIGINT, note_signal);
	signal(SIGTERM, note_signal);
}

/*
 * Pins this process to the last CPU it may run on and returns it: interrupts tend to go to the
 * first.
 */
static inline size_t pin_to_last_cpu(void)
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

/* Parses a number of the command line. */
static inline unsigned long parse_number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || n < 1 || n > max)
		fail("not a number from 1 to %lu: '%s'", max, text);
	return n;
}

static inline int compare_values(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the median of n rounds, minus another way's time in the same round unless NULL. */
static inline double median(const double *rounds, const double *other, size_t n)
{
	double v[ROUNDS_MAX];
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = rounds[i] - (other ? other[i] : 0);
	qsort(v, n, sizeof(v[0]), compare_values);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

#endif
