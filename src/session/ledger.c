// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/map.h"

struct kt_ledger {
	struct kt_map map; /* a row of tallies for each CPU */
	size_t n_cpus;
	size_t row; /* bytes */
};

/* Without a map. */
static struct kt_ledger *allocate(size_t n_events, struct kt_error *err)
{
	struct kt_ledger *l = calloc(1, sizeof(*l));
	int n_cpus = kt_cpus(err);

	if (!l)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (!l || n_cpus < 0) {
		free(l);
		return NULL;
	}
	l->n_cpus = n_cpus;
	l->row = kt_tallies_size(n_events);
	return l;
}

struct kt_ledger *kt_ledger_new(size_t n_events, struct kt_error *err)
{
	struct kt_ledger *l = allocate(n_events, err);

	if (!l || kt_map_make(&l->map, "kt_ledger", l->row, l->n_cpus, err) == 0)
		return l;
	free(l);
	return NULL;
}

struct kt_ledger *kt_ledger_from(int fd, size_t n_events, struct kt_error *err)
{
	struct kt_ledger *l = allocate(n_events, err);
	size_t row;

	if (!l) {
		close(fd);
		return NULL;
	}
	if (kt_map_from(&l->map, fd, err) == 0) {
		row = l->map.size / l->n_cpus;
		if (row >= l->row && row * l->n_cpus == l->map.size) {
			l->row = row;
			return l;
		}
		kt_fail(err, EPROTO, "this is the ledger of other events");
	}
	kt_ledger_free(l);
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

struct kt_tally kt_ledger_read(const struct kt_ledger *l, size_t event, size_t cpu)
{
	const char *row = (const char *)l->map.memory + cpu * l->row;
	const uint64_t *from = (const uint64_t *)((const struct kt_tally *)row + event);
	struct kt_tally t;
	size_t i;

	for (i = 0; i < N_FIGURES; i++)
		((uint64_t *)&t)[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
	return t;
}

struct kt_tally kt_ledger_sum(const struct kt_ledger *l, size_t event)
{
	struct kt_tally sum = {0};
	size_t cpu;

	for (cpu = 0; cpu < l->n_cpus; cpu++)
		kt_tally_add(&sum, kt_ledger_read(l, event, cpu));
	return sum;
}
