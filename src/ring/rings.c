// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/rings.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/rights.h"
#include "ring/ring.h"

struct kt_rings {
	int fd;
	size_t n_cpus;
	struct kt_ring *at[];
};

/* The map of maps, made after the first ring and for its like. */
static int make_map(struct kt_rings *r, const struct kt_ring *like, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = kt_ring_fd(like));

	r->fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "kt_rings", sizeof(uint32_t),
			       sizeof(uint32_t), r->n_cpus, &opts);
	if (r->fd < 0)
		return kt_rights_fail(err, -r->fd, "cannot make a BPF map of maps");
	return 0;
}

static int make_ring(struct kt_rings *r, uint32_t cpu, struct kt_geometry geometry,
		     struct kt_error *err)
{
	int fd, ret;

	r->at[cpu] = kt_ring_new(geometry, err);
	if (!r->at[cpu])
		return -err->code;
	if (r->fd < 0 && make_map(r, r->at[cpu], err) < 0)
		return -err->code;
	fd = kt_ring_fd(r->at[cpu]);
	ret = bpf_map_update_elem(r->fd, &cpu, &fd, BPF_ANY);
	if (ret < 0)
		return kt_rights_fail(err, -ret, "cannot put a ring into its place");
	return 0;
}

static struct kt_rings *make_rings(const bool *online, size_t n_cpus, struct kt_geometry geometry,
				   struct kt_error *err)
{
	struct kt_rings *r = calloc(1, sizeof(*r) + n_cpus * sizeof(*r->at));
	size_t cpu;

	if (!r) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	r->fd = -1;
	r->n_cpus = n_cpus;
	for (cpu = 0; cpu < n_cpus; cpu++) {
		if (online[cpu] && make_ring(r, cpu, geometry, err) < 0) {
			kt_rings_free(r);
			return NULL;
		}
	}
	return r;
}

struct kt_rings *kt_rings_new(struct kt_geometry geometry, struct kt_error *err)
{
	struct kt_rings *r = NULL;
	int n_cpus = kt_cpus(err);
	bool *online;

	if (n_cpus < 0)
		return NULL;
	online = calloc(n_cpus, sizeof(*online));
	if (!online)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else if (kt_cpus_online(online, n_cpus, err) == 0)
		r = make_rings(online, n_cpus, geometry, err);
	free(online);
	return r;
}

void kt_rings_free(struct kt_rings *r)
{
	size_t cpu;

	if (!r)
		return;
	for (cpu = 0; cpu < r->n_cpus; cpu++)
		kt_ring_free(r->at[cpu]);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}

int kt_rings_fd(const struct kt_rings *r)
{
	return r->fd;
}

size_t kt_rings_cpus(const struct kt_rings *r)
{
	return r->n_cpus;
}

struct kt_ring *kt_rings_at(const struct kt_rings *r, size_t cpu)
{
	return r->at[cpu];
}
