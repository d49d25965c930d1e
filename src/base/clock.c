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

/* Whether two links of /proc lead to the same. */
static bool are_same(const char *one, const char *other)
{
	char a[64], b[64];
	ssize_t n = readlink(one, a, sizeof(a)), m = readlink(other, b, sizeof(b));

	return n > 0 && n == m && memcmp(a, b, n) == 0;
}

/*
 * What our time namespace adds to the kernel's clock. The file tells of the namespace of children;
 * ours is another one only before Linux 6.2, when a process that has made one has become another
 * program.
 */
static int64_t read_offset(void)
{
	int64_t seconds = 0, ns = 0;
	FILE *f;

	if (!are_same("/proc/self/ns/time", "/proc/self/ns/time_for_children"))
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

/* Of several readings the one that was least disturbed. */
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
