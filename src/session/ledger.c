// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/map.h"

struct kt_ledger {
	struct kt_map map; /* a row of tallies for each CPU */
	size_t n_cpus;
	size_t row; /* bytes */
};

struct kt_ledger *kt_ledger_new(size_t n_events, struct kt_error *err)
{
	struct kt_ledger *l = calloc(1, sizeof(*l));
	int n_cpus = kt_cpus(err);

	if (!l)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (!l || n_cpus < 0)
		goto fail;
	l->n_cpus = n_cpus;
	l->row = kt_tallies_size(n_events);
	if (kt_map_make(&l->map, "kt_ledger", l->row, l->n_cpus, err) == 0)
		return l;
fail:
	free(l);
	return NULL;
}

void kt_ledger_free(struct kt_ledger *l)
{
	if (!l)
		return;
	kt_map_free(&l->map);
	free(l);
}

int kt_ledger_fd(const struct kt_ledger *l)
{
	return l->map.fd;
}

size_t kt_ledger_cpus(const struct kt_ledger *l)
{
	return l->n_cpus;
}

/* A tally is figures and nothing else. */
enum { N_FIGURES = sizeof(struct kt_tally) / sizeof(uint64_t) };

static void add(struct kt_tally *sum, const struct kt_ledger *l, size_t event, size_t cpu)
{
	const char *row = (const char *)l->map.memory + cpu * l->row;
	const uint64_t *from = (const uint64_t *)((const struct kt_tally *)row + event);
	uint64_t *to = (uint64_t *)sum;
	size_t i;

	for (i = 0; i < N_FIGURES; i++)
		to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

struct kt_tally kt_ledger_read(const struct kt_ledger *l, size_t event, size_t cpu)
{
	struct kt_tally t = {0};

	add(&t, l, event, cpu);
	return t;
}

struct kt_tally kt_ledger_sum(const struct kt_ledger *l, size_t event)
{
	struct kt_tally sum = {0};
	size_t cpu;

	for (cpu = 0; cpu < l->n_cpus; cpu++)
		add(&sum, l, event, cpu);
	return sum;
}
