// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

uint64_t kt_clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
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
