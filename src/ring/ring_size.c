// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/ring_size.h"

#include <unistd.h>

enum { LEAST = 1 << 20, MOST = 16 << 20, PART = 64 };

uint64_t kt_ring_size_for(uint64_t memory, size_t n_cpus)
{
	uint64_t size = MOST;

	while (size > LEAST && size * n_cpus > memory / PART)
		size /= 2;
	return size;
}

uint64_t kt_ring_size_default(void)
{
	return kt_ring_size_for((uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
				sysconf(_SC_NPROCESSORS_ONLN));
}
