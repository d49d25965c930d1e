// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NS = 1000000000 };

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * (uint64_t)NS + t.tv_nsec;
}

/* Returns whether two links in /proc lead to the same object. */
static bool is_same_link(const char *one, const char *other)
{
	char a[64], b[64];
	ssize_t n = readlink(one, a, sizeof(a)), m = readlink(other, b, sizeof(b));

	return n > 0 && n == m && memcmp(a, b, n) == 0;
}

/*
 * Returns the offset of our time namespace from the kernel's clock. /proc/self/timens_offsets is
 * about the namespace of children. Before Linux 6.2 ours differs from it in a process that has made
 * a namespace and then executed another program.
 */
static int64_t read_offset(void)
{
	int64_t seconds = 0, ns = 0;
	FILE *f;

	if (!is_same_link("/proc/self/ns/time", "/proc/self/ns/time_for_children"))
		return 0;
	f = fopen("/proc/self/timens_offsets", "re");
	if (!f)
		return 0;
	if (fscanf(f, "monotonic %" SCNd64 " %" SCNd64, &seconds, &ns) != 2)
		seconds = ns = 0;
	fclose(f);
	return seconds * NS + ns;
}

uint64_t kt_clock_now(void)
{
	static bool is_known;
	static int64_t offset;

	if (!is_known)
		offset = read_offset();
	is_known = true;
	return read_clock(CLOCK_MONOTONIC) - offset;
}

/* Takes several readings, and uses the one between whose two clock reads the least time passed. */
int64_t kt_clock_since_1970(void)
{
	uint64_t before, real, after, best = UINT64_MAX;
	int64_t offset = 0;
	int i;

	for (i = 0; i < 10; i++) {
		before = kt_clock_now();
		real = read_clock(CLOCK_REALTIME);
		after = kt_clock_now();
		if (after - before < best) {
			best = after - before;
			offset = real - (before + best / 2);
		}
	}
	return offset;
}
