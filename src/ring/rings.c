// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/rings.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/bpffs.h"
#include "hook/rights.h"
#include "ring/ring.h"

struct kt_rings {
	int fd;
	struct kt_geometry geometry;
	size_t n_cpus;
	uint32_t row;
	struct kt_ring **at; /* by CPU */

	uint32_t n, *rows; /* where there is a ring, and its descriptor */
	int *fds;
};

/* The map of maps, for the like of the first ring. */
static int make_map(struct kt_rings *r, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = r->fds[0]);

	r->fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "kt_rings", sizeof(uint32_t),
			       sizeof(uint32_t), KT_BANKS * r->n_cpus, &opts);
	if (r->fd < 0)
		return kt_rights_fail(err, -r->fd, "cannot make a BPF map of maps");
	return 0;
}

/*
 * The first n. In one system call: from 6.8 on the kernel waits once at its end (kt_rings_settle),
 * before that for each of them.
 */
static int place(const struct kt_rings *r, uint32_t n)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);

	return bpf_map_update_batch(r->fd, r->rows, r->fds, &n, &opts);
}

/* NULL: it could not be made. */
static int put_ring(struct kt_rings *r, uint32_t cpu, struct kt_ring *ring,
		    const struct kt_error *err)
{
	if (!ring)
		return -err->code;
	r->at[cpu] = ring;
	r->rows[r->n] = r->row + cpu;
	r->fds[r->n++] = kt_ring_fd(r->at[cpu]);
	return 0;
}

static int make_ring(struct kt_rings *r, uint32_t cpu, struct kt_error *err)
{
	return put_ring(r, cpu, kt_ring_new(r->geometry, err), err);
}

static int place_all(const struct kt_rings *r, struct kt_error *err)
{
	int ret = place(r, r->n);

	return ret < 0 ? kt_rights_fail(err, -ret, "cannot put rings into their places") : 0;
}

static int make_rings(struct kt_rings *r, const bool *cpus, struct kt_error *err)
{
	size_t cpu;

	for (cpu = 0; cpu < r->n_cpus; cpu++)
		if (cpus[cpu] && make_ring(r, cpu, err) < 0)
			return -err->code;
	if (make_map(r, err) < 0)
		return -err->code;
	return place_all(r, err);
}

static struct kt_rings *allocate(size_t n_cpus, struct kt_geometry geometry, struct kt_error *err)
{
	struct kt_rings *r = calloc(1, sizeof(*r));

	if (!r)
		goto fail;
	r->fd = -1;
	r->geometry = geometry;
	r->n_cpus = n_cpus;
	r->at = calloc(n_cpus, sizeof(*r->at));
	r->rows = calloc(n_cpus, sizeof(*r->rows));
	r->fds = calloc(n_cpus, sizeof(*r->fds));
	if (r->at && r->rows && r->fds)
		return r;
	kt_rings_free(r);
fail:
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

static int make_all_rings(struct kt_rings *r, struct kt_error *err)
{
	bool *online = calloc(r->n_cpus, sizeof(*online));
	int ret;

	if (!online)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = kt_cpus_online(online, r->n_cpus, err);
	if (ret == 0)
		ret = make_rings(r, online, err);
	free(online);
	return ret;
}

struct kt_rings *kt_rings_new(struct kt_geometry geometry, const bool *cpus, struct kt_error *err)
{
	int n_cpus = kt_cpus(err), ret;
	struct kt_rings *r;

	if (n_cpus < 0)
		return NULL;
	r = allocate(n_cpus, geometry, err);
	if (!r)
		return NULL;
	ret = cpus ? make_rings(r, cpus, err) : make_all_rings(r, err);
	if (ret == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

static int make_beside(struct kt_rings *r, const struct kt_rings *first, struct kt_error *err)
{
	size_t cpu;

	r->row = first->row ? 0 : first->n_cpus;
	r->fd = fcntl(first->fd, F_DUPFD_CLOEXEC, 0);
	if (r->fd < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	for (cpu = 0; cpu < r->n_cpus; cpu++)
		if (first->at[cpu] && make_ring(r, cpu, err) < 0)
			return -err->code;
	return place_all(r, err);
}

struct kt_rings *kt_rings_beside(const struct kt_rings *first, struct kt_error *err)
{
	struct kt_rings *r = allocate(first->n_cpus, first->geometry, err);

	if (!r || make_beside(r, first, err) == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

void kt_rings_free(struct kt_rings *r)
{
	size_t cpu;

	if (!r)
		return;
	for (cpu = 0; r->at && cpu < r->n_cpus; cpu++)
		kt_ring_free(r->at[cpu]);
	if (r->fd >= 0)
		close(r->fd);
	free(r->at);
	free(r->rows);
	free(r->fds);
	free(r);
}

/* Of a ring in its directory, or of that. */
struct pin_name {
	char text[32];
};

static struct pin_name pin_name(const char *of, size_t number)
{
	struct pin_name name;

	snprintf(name.text, sizeof(name.text), "%s%zu", of, number);
	return name;
}

static struct pin_name bank_name(const struct kt_rings *r)
{
	return pin_name("bank", kt_rings_bank(r));
}

/* Where the pins of a bank lie that is not there yet, or not any more. */
#define UNUSED "unused"

int kt_rings_announce(int dir, struct kt_error *err)
{
	int ret = kt_bpffs_enter(dir, UNUSED, true, err);

	if (ret < 0)
		return ret;
	close(ret);
	return 0;
}

static int pin_each(const struct kt_rings *r, int to, struct kt_error *err)
{
	int ret = 0;
	uint32_t i;

	for (i = 0; i < r->n && ret == 0; i++)
		ret = kt_bpffs_pin(to, pin_name("cpu", r->rows[i] - r->row).text, r->fds[i], err);
	return ret;
}

int kt_rings_pin(const struct kt_rings *r, int dir, struct kt_error *err)
{
	bool has_map = faccessat(dir, "rings", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	int ret = has_map ? 0 : kt_bpffs_pin(dir, "rings", r->fd, err), to;

	if (ret < 0)
		return ret;
	to = kt_bpffs_enter(dir, UNUSED, true, err);
	if (to < 0)
		return to;
	ret = pin_each(r, to, err);
	close(to);
	return ret < 0 ? ret : kt_bpffs_rename(dir, UNUSED, bank_name(r).text, err);
}

bool kt_rings_are_pinned(int dir, uint32_t bank)
{
	return faccessat(dir, pin_name("bank", bank).text, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int kt_rings_unpin(const struct kt_rings *r, int dir, struct kt_error *err)
{
	return kt_bpffs_rename(dir, bank_name(r).text, UNUSED, err);
}

int kt_rings_tidy(const struct kt_rings *r, bool is_gone, int dir, struct kt_error *err)
{
	uint32_t other = r->row ? 0 : r->n_cpus, i;

	if (faccessat(dir, UNUSED, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	for (i = 0; is_gone && i < r->n; i++)
		bpf_map_delete_elem(r->fd, &(uint32_t){r->rows[i] - r->row + other});
	return kt_bpffs_drop_directory(dir, UNUSED, err);
}

static int get_ring(struct kt_rings *r, int dir, uint32_t cpu, struct kt_error *err)
{
	int fd = kt_bpffs_get(dir, pin_name("cpu", cpu).text, err);

	if (fd == -ENOENT)
		return 0;
	return fd < 0 ? fd : put_ring(r, cpu, kt_ring_from(fd, r->geometry, err), err);
}

static int get_rings(struct kt_rings *r, int dir, uint32_t bank, struct kt_error *err)
{
	int ret = 0, from;
	size_t cpu;

	r->row = bank * r->n_cpus;
	r->fd = kt_bpffs_get(dir, "rings", err);
	if (r->fd < 0)
		return r->fd;
	from = kt_bpffs_enter(dir, bank_name(r).text, false, err);
	if (from < 0)
		return from;
	for (cpu = 0; cpu < r->n_cpus && ret == 0; cpu++)
		ret = get_ring(r, from, cpu, err);
	close(from);
	return ret;
}

struct kt_rings *kt_rings_from(int dir, uint32_t bank, struct kt_geometry geometry,
			       struct kt_error *err)
{
	int n_cpus = kt_cpus(err);
	struct kt_rings *r = n_cpus < 0 ? NULL : allocate(n_cpus, geometry, err);

	if (!r || get_rings(r, dir, bank, err) == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

/*
 * Who changes a map of maps is to know that no program uses what was there before. That it is the
 * same again makes no difference.
 */
void kt_rings_settle(const struct kt_rings *r)
{
	place(r, 1);
}

void kt_rings_flush(const struct kt_rings *r)
{
	size_t cpu;

	for (cpu = 0; cpu < r->n_cpus; cpu++) {
		if (!r->at[cpu])
			continue;
		kt_ring_mend(r->at[cpu]);
		kt_ring_flush(r->at[cpu]);
	}
}

void kt_rings_rewind(const struct kt_rings *r)
{
	size_t cpu;

	for (cpu = 0; cpu < r->n_cpus; cpu++)
		if (r->at[cpu])
			kt_ring_rewind(r->at[cpu]);
}

void kt_rings_clear(const struct kt_rings *r)
{
	size_t cpu;

	for (cpu = 0; cpu < r->n_cpus; cpu++)
		if (r->at[cpu])
			kt_ring_clear(r->at[cpu]);
}

int kt_rings_fd(const struct kt_rings *r)
{
	return r->fd;
}

uint32_t kt_rings_row(const struct kt_rings *r)
{
	return r->row;
}

size_t kt_rings_bank(const struct kt_rings *r)
{
	return r->row / r->n_cpus;
}

struct kt_geometry kt_rings_geometry(const struct kt_rings *r)
{
	return r->geometry;
}

size_t kt_rings_cpus(const struct kt_rings *r)
{
	return r->n_cpus;
}

struct kt_ring *kt_rings_at(const struct kt_rings *r, size_t cpu)
{
	return r->at[cpu];
}
