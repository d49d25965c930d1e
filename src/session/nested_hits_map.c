// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/nested_hits_map.h"

#include "base/cpus.h"
#include "generate/nested_hits.h"

/* Elements fill whole cache lines, so that no two CPUs write to one line. */
int kt_nested_hits_map_make(struct kt_nested_hits_map *m, size_t n_events, struct kt_error *err)
{
	enum { LINE = 64 };
	int n_cpus = kt_cpus_possible(err);

	if (n_cpus < 0)
		return n_cpus;
	m->n_cpus = n_cpus;
	m->row = (n_events * sizeof(struct kt_nested_hits_state) + LINE - 1) / LINE * LINE;
	return kt_map_make(&m->map, "kt_nested", m->row, m->n_cpus, err);
}

void kt_nested_hits_map_free(struct kt_nested_hits_map *m)
{
	if (m->map.memory)
		kt_map_free(&m->map);
}

uint64_t kt_nested_hits_map_caught(const struct kt_nested_hits_map *m, size_t event)
{
	const struct kt_nested_hits_state *states;
	uint64_t n = 0;
	size_t cpu;

	for (cpu = 0; m->map.memory && cpu < m->n_cpus; cpu++) {
		states = (const void *)((const char *)m->map.memory + cpu * m->row);
		n += __atomic_load_n(&states[event].caught, __ATOMIC_RELAXED);
	}
	return n;
}
