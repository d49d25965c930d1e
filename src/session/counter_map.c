// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/counter_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "bpf/ring_layout.h"
#include "hook/map.h"

/*
 * Rows of counters, one per CPU: those of the first set, of the second, and the values that these
 * had when they were last cleared.
 */
enum { N_PARTS = 2 * KT_BUFFER_SETS };

struct kt_counter_map {
	struct kt_map map;
	size_t n_cpus;
	size_t row; /* in bytes */
};

/* Allocates an object without a map. */
static struct kt_counter_map *allocate_map(size_t n_events, struct kt_error *err)
{
	struct kt_counter_map *l = calloc(1, sizeof(*l));
	int n_cpus = kt_cpus_possible(err);

	if (!l)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (!l || n_cpus < 0) {
		free(l);
		return NULL;
	}
	l->n_cpus = n_cpus;
	l->row = kt_counters_size(n_events);
	return l;
}

struct kt_counter_map *kt_counter_map_new(size_t n_events, struct kt_error *err)
{
	struct kt_counter_map *l = allocate_map(n_events, err);

	if (!l || kt_map_make(&l->map, "kt_ledger", l->row, N_PARTS * l->n_cpus, err) == 0)
		return l;
	free(l);
	return NULL;
}

struct kt_counter_map *kt_counter_map_from(int fd, size_t n_events, struct kt_error *err)
{
	struct kt_counter_map *l = allocate_map(n_events, err);
	size_t row;

	if (!l) {
		close(fd);
		return NULL;
	}
	if (kt_map_from(&l->map, fd, err) == 0) {
		row = l->map.size / (N_PARTS * l->n_cpus);
		if (row >= l->row && row * N_PARTS * l->n_cpus == l->map.size) {
			l->row = row;
			return l;
		}
		kt_fail(err, EPROTO, "these are counters of other events");
	}
	kt_counter_map_free(l);
	return NULL;
}

void kt_counter_map_free(struct kt_counter_map *l)
{
	if (!l)
		return;
	kt_map_free(&l->map);
	free(l);
}

int kt_counter_map_fd(const struct kt_counter_map *l)
{
	return l->map.fd;
}

size_t kt_counter_map_cpus(const struct kt_counter_map *l)
{
	return l->n_cpus;
}

/* All members are 64-bit counters. */
enum { N_FIGURES = sizeof(struct kt_counters) / sizeof(uint64_t) };

static char *get_part(const struct kt_counter_map *l, size_t part)
{
	return (char *)l->map.memory + part * l->n_cpus * l->row;
}

static struct kt_counters read_part(const struct kt_counter_map *l, size_t part, size_t event,
				    size_t cpu)
{
	const char *row = get_part(l, part) + cpu * l->row;
	const uint64_t *from = (const uint64_t *)((const struct kt_counters *)row + event);
	struct kt_counters t;
	size_t i;

	for (i = 0; i < N_FIGURES; i++)
		((uint64_t *)&t)[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
	return t;
}

struct kt_counters kt_counter_map_read(const struct kt_counter_map *l, size_t event, size_t cpu)
{
	struct kt_counters sum = {0};
	size_t set;

	for (set = 0; set < KT_BUFFER_SETS; set++)
		kt_counters_add(&sum, read_part(l, set, event, cpu));
	return sum;
}

struct kt_counters kt_counter_map_read_set(const struct kt_counter_map *l, size_t set, size_t event,
					   size_t cpu)
{
	struct kt_counters t = read_part(l, set, event, cpu);

	kt_counters_subtract(&t, kt_counter_map_read_before(l, set, event, cpu));
	return t;
}

struct kt_counters kt_counter_map_read_before(const struct kt_counter_map *l, size_t set,
					      size_t event, size_t cpu)
{
	return read_part(l, KT_BUFFER_SETS + set, event, cpu);
}

void kt_counter_map_clear_set(struct kt_counter_map *l, size_t set)
{
	memcpy(get_part(l, KT_BUFFER_SETS + set), get_part(l, set), l->n_cpus * l->row);
}

struct kt_counters kt_counter_map_sum(const struct kt_counter_map *l, size_t event)
{
	struct kt_counters sum = {0};
	size_t cpu;

	for (cpu = 0; cpu < l->n_cpus; cpu++)
		kt_counters_add(&sum, kt_counter_map_read(l, event, cpu));
	return sum;
}
