// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/ledger.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/rights.h"

struct kt_ledger {
	int fd;
	size_t n_cpus;
	size_t row; /* bytes of one CPU's tallies */
	const char *rows;
};

static int make_map(struct kt_ledger *l, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int n_cpus = kt_cpus(err);

	if (n_cpus < 0)
		return n_cpus;
	l->n_cpus = n_cpus;
	l->fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kt_ledger", sizeof(uint32_t), l->row, n_cpus,
			       &opts);
	if (l->fd < 0)
		return kt_rights_fail(err, -l->fd, "cannot make a BPF map");
	return 0;
}

struct kt_ledger *kt_ledger_new(size_t n_events, struct kt_error *err)
{
	struct kt_ledger *l = malloc(sizeof(*l));
	void *rows;

	if (!l) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*l = (struct kt_ledger){.fd = -1, .row = kt_tallies_size(n_events)};
	if (make_map(l, err) < 0)
		goto fail;
	rows = mmap(NULL, l->n_cpus * l->row, PROT_READ, MAP_SHARED, l->fd, 0);
	if (rows == MAP_FAILED) {
		kt_fail(err, errno, "cannot map a BPF map: %s", strerror(errno));
		goto fail;
	}
	l->rows = rows;
	return l;
fail:
	kt_ledger_free(l);
	return NULL;
}

void kt_ledger_free(struct kt_ledger *l)
{
	if (!l)
		return;
	if (l->rows)
		munmap((void *)l->rows, l->n_cpus * l->row);
	if (l->fd >= 0)
		close(l->fd);
	free(l);
}

int kt_ledger_fd(const struct kt_ledger *l)
{
	return l->fd;
}

size_t kt_ledger_cpus(const struct kt_ledger *l)
{
	return l->n_cpus;
}

/* A tally is figures and nothing else. */
enum { N_FIGURES = sizeof(struct kt_tally) / sizeof(uint64_t) };

static void add(struct kt_tally *sum, const struct kt_ledger *l, size_t event, size_t cpu)
{
	const struct kt_tally *t = (const struct kt_tally *)(l->rows + cpu * l->row) + event;
	const uint64_t *from = (const uint64_t *)t;
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
