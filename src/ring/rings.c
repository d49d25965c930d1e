// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring/rings.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/bpffs.h"
#include "hook/capabilities.h"
#include "hook/map.h"
#include "hook/map_of_maps.h"
#include "ring/ring.h"

/* The rings of one channel, which have one geometry. */
struct set {
	int map; /* map of maps; -1: there is no such channel */
	struct kt_geometry geometry;
	struct kt_ring **at; /* by CPU */

	uint32_t n, *rows; /* rows that have a ring */
	int *fds;
};

struct kt_rings {
	size_t n_cpus;
	uint32_t row;
	ino_t place; /* inode of the directory they are pinned in; 0: unknown */
	struct set sets[KT_CHANNELS];
};

/* Names of a channel's map, and prefix of its rings. */
static const struct {
	const char *map, *ring;
} names[KT_CHANNELS] = {
	[KT_MAIN] = {"rings", "cpu"},
	[KT_RARE] = {"rare", "rare"},
};

static bool has_channel(const struct kt_rings *r, enum kt_channel c)
{
	return r->sets[c].map >= 0;
}

/* Creates the map of maps, for maps like the first ring. */
static int make_map(struct kt_rings *r, struct set *s, struct kt_error *err)
{
	s->map = kt_map_of_maps_make("kt_rings", s->fds[0], KT_BUFFER_SETS * r->n_cpus, err);
	return s->map < 0 ? s->map : 0;
}

/*
 * Puts the rings by one system call: from 6.8 on the kernel waits once at its end
 * (kt_rings_settle), before that for each ring.
 */
static int put_maps(int map, const uint32_t *rows, const int *fds, uint32_t n)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);

	return bpf_map_update_batch(map, rows, fds, &n, &opts);
}

/* Adds a ring; NULL: it could not be made. */
static int add_ring(const struct kt_rings *r, struct set *s, uint32_t cpu, struct kt_ring *ring,
		    const struct kt_error *err)
{
	if (!ring)
		return -err->code;
	s->at[cpu] = ring;
	s->rows[s->n] = r->row + cpu;
	s->fds[s->n++] = kt_ring_fd(ring);
	return 0;
}

static int make_ring(const struct kt_rings *r, struct set *s, uint32_t cpu, struct kt_error *err)
{
	return add_ring(r, s, cpu, kt_ring_new(s->geometry, err), err);
}

static int allocate_set(struct set *s, size_t n_cpus, struct kt_geometry geometry,
			struct kt_error *err)
{
	s->geometry = geometry;
	s->at = calloc(n_cpus, sizeof(*s->at));
	s->rows = calloc(n_cpus, sizeof(*s->rows));
	s->fds = calloc(n_cpus, sizeof(*s->fds));
	if (s->at && s->rows && s->fds)
		return 0;
	return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

static void free_set(struct set *s, size_t n_cpus)
{
	size_t cpu;

	for (cpu = 0; s->at && cpu < n_cpus; cpu++)
		kt_ring_free(s->at[cpu]);
	if (s->map >= 0)
		close(s->map);
	free(s->at);
	free(s->rows);
	free(s->fds);
}

/* Allocates rings without any channel. */
static struct kt_rings *allocate_rings(size_t n_cpus, struct kt_geometry geometry,
				       struct kt_error *err)
{
	struct kt_rings *r = calloc(1, sizeof(*r));

	if (!r) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	r->n_cpus = n_cpus;
	r->sets[KT_MAIN].map = r->sets[KT_RARE].map = -1;
	if (allocate_set(&r->sets[KT_MAIN], n_cpus, geometry, err) == 0 &&
	    allocate_set(&r->sets[KT_RARE], n_cpus, kt_geometry_rare(geometry), err) == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

static int make_set(struct kt_rings *r, struct set *s, const bool *cpus, struct kt_error *err)
{
	size_t cpu;

	for (cpu = 0; cpu < r->n_cpus; cpu++)
		if (cpus[cpu] && make_ring(r, s, cpu, err) < 0)
			return -err->code;
	return make_map(r, s, err);
}

static int make_all_rings(struct kt_rings *r, struct kt_error *err)
{
	bool *online = calloc(r->n_cpus, sizeof(*online));
	int ret;

	if (!online)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = kt_cpus_online(online, r->n_cpus, err);
	if (ret == 0)
		ret = make_set(r, &r->sets[KT_MAIN], online, err);
	free(online);
	return ret;
}

struct kt_rings *kt_rings_new(struct kt_geometry geometry, const bool *cpus, struct kt_error *err)
{
	int n_cpus = kt_cpus_possible(err), ret;
	struct kt_rings *r;

	if (n_cpus < 0)
		return NULL;
	r = allocate_rings(n_cpus, geometry, err);
	if (!r)
		return NULL;
	ret = cpus ? make_set(r, &r->sets[KT_MAIN], cpus, err) : make_all_rings(r, err);
	if (ret == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

int kt_rings_add_rare(struct kt_rings *r, struct kt_error *err)
{
	bool *cpus = calloc(r->n_cpus, sizeof(*cpus));
	size_t cpu;
	int ret;

	if (!cpus)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (cpu = 0; cpu < r->n_cpus; cpu++)
		cpus[cpu] = r->sets[KT_MAIN].at[cpu];
	ret = make_set(r, &r->sets[KT_RARE], cpus, err);
	free(cpus);
	return ret;
}

static int make_spare_set(struct kt_rings *r, struct set *s, const struct set *first,
			  struct kt_error *err)
{
	size_t cpu;

	s->map = fcntl(first->map, F_DUPFD_CLOEXEC, 0);
	if (s->map < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	for (cpu = 0; cpu < r->n_cpus; cpu++)
		if (first->at[cpu] && make_ring(r, s, cpu, err) < 0)
			return -err->code;
	return 0;
}

struct kt_rings *kt_rings_new_spare(const struct kt_rings *first, struct kt_error *err)
{
	struct kt_rings *r = allocate_rings(first->n_cpus, first->sets[KT_MAIN].geometry, err);
	int ret = 0;
	size_t c;

	if (!r)
		return NULL;
	r->row = first->row ? 0 : first->n_cpus;
	for (c = 0; c < KT_CHANNELS && ret == 0; c++)
		if (has_channel(first, c))
			ret = make_spare_set(r, &r->sets[c], &first->sets[c], err);
	if (ret == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

/* Appends n bytes, which may be 0. Returns the end. */
static void *append_bytes(void *to, const void *bytes, size_t n)
{
	return n ? mempcpy(to, bytes, n) : to;
}

/* Puts the rings of a set, and of the other one. */
static int place_sets(const struct set *s, const struct set *also, struct kt_error *err)
{
	uint32_t n = s->n + also->n, *rows = calloc(n, sizeof(*rows));
	int *fds = calloc(n, sizeof(*fds)), ret = -ENOMEM;

	if (rows && fds) {
		append_bytes(append_bytes(rows, s->rows, s->n * sizeof(*rows)), also->rows,
			     also->n * sizeof(*rows));
		append_bytes(append_bytes(fds, s->fds, s->n * sizeof(*fds)), also->fds,
			     also->n * sizeof(*fds));
		ret = put_maps(s->map, rows, fds, n);
	}
	free(rows);
	free(fds);
	return ret < 0 ? kt_capabilities_fail(err, -ret, "cannot put rings into their places") : 0;
}

int kt_rings_place(const struct kt_rings *r, const struct kt_rings *also, struct kt_error *err)
{
	static const struct set none;
	int ret = 0;
	size_t c;

	for (c = 0; c < KT_CHANNELS && ret == 0; c++)
		if (has_channel(r, c))
			ret = place_sets(&r->sets[c], also ? &also->sets[c] : &none, err);
	return ret;
}

void kt_rings_free(struct kt_rings *r)
{
	size_t c;

	if (!r)
		return;
	for (c = 0; c < KT_CHANNELS; c++)
		free_set(&r->sets[c], r->n_cpus);
	free(r);
}

/* The name of a ring in its directory, or of that directory. */
struct format_ring_name {
	char text[32];
};

static struct format_ring_name format_ring_name(const char *of, size_t number)
{
	struct format_ring_name name;

	snprintf(name.text, sizeof(name.text), "%s%zu", of, number);
	return name;
}

static struct format_ring_name format_set_name(const struct kt_rings *r)
{
	return format_ring_name("set", kt_rings_buffer_set(r));
}

/* The directory of pins that are not complete yet, or no longer valid. */
#define UNUSED "unused"

int kt_rings_mark_pending(int dir, struct kt_error *err)
{
	int ret = kt_bpffs_enter(dir, UNUSED, true, err);

	if (ret < 0)
		return ret;
	close(ret);
	return 0;
}

static int pin_map(const struct kt_rings *r, enum kt_channel c, int dir, struct kt_error *err)
{
	if (kt_bpffs_has(dir, names[c].map))
		return 0;
	return kt_bpffs_pin(dir, names[c].map, r->sets[c].map, err);
}

static int pin_set(const struct kt_rings *r, enum kt_channel c, int to, struct kt_error *err)
{
	const struct set *s = &r->sets[c];
	int ret = 0;
	uint32_t i;

	for (i = 0; i < s->n && ret == 0; i++)
		ret = kt_bpffs_pin(to, format_ring_name(names[c].ring, s->rows[i] - r->row).text,
				   s->fds[i], err);
	return ret;
}

/* Returns the inode: another directory of the same name has another one. */
static ino_t get_inode(int set)
{
	struct stat s;

	return fstat(set, &s) == 0 ? s.st_ino : 0;
}

int kt_rings_pin(struct kt_rings *r, int dir, struct kt_error *err)
{
	int ret = 0, to;
	size_t c;

	for (c = 0; c < KT_CHANNELS && ret == 0; c++)
		if (has_channel(r, c))
			ret = pin_map(r, c, dir, err);
	if (ret < 0)
		return ret;
	to = kt_bpffs_enter(dir, UNUSED, true, err);
	if (to < 0)
		return to;
	for (c = 0; c < KT_CHANNELS && ret == 0; c++)
		ret = pin_set(r, c, to, err);
	r->place = get_inode(to);
	close(to);
	return ret < 0 ? ret : kt_bpffs_rename(dir, UNUSED, format_set_name(r).text, err);
}

bool kt_rings_are_pinned(const struct kt_rings *r, int dir, uint32_t set)
{
	struct stat s;

	if (fstatat(dir, format_ring_name("set", set).text, &s, AT_SYMLINK_NOFOLLOW) < 0)
		return !r;
	return r && r->place == s.st_ino;
}

/* Returns whether the set's rings are in place, and no CPU has another one. */
static bool is_set_placed(const struct kt_rings *r, const struct set *s)
{
	uint32_t id;
	size_t cpu;

	for (cpu = 0; cpu < r->n_cpus; cpu++) {
		id = s->at[cpu] ? kt_map_id(kt_ring_fd(s->at[cpu])) : 0;
		if (kt_map_of_maps_id(s->map, r->row + cpu) != id)
			return false;
	}
	return true;
}

bool kt_rings_are_placed(const struct kt_rings *r)
{
	size_t c;

	for (c = 0; c < KT_CHANNELS; c++)
		if (has_channel(r, c) && !is_set_placed(r, &r->sets[c]))
			return false;
	return true;
}

int kt_rings_unpin(const struct kt_rings *r, int dir, struct kt_error *err)
{
	return kt_bpffs_rename(dir, format_set_name(r).text, UNUSED, err);
}

/* Forgets the places of the other set in a channel's map. */
static void forget_places(const struct kt_rings *r, const struct set *s)
{
	uint32_t other = r->row ? 0 : r->n_cpus, i;

	for (i = 0; i < s->n; i++)
		bpf_map_delete_elem(s->map, &(uint32_t){s->rows[i] - r->row + other});
}

int kt_rings_remove_leftovers(const struct kt_rings *r, bool is_gone, int dir, struct kt_error *err)
{
	size_t c;

	if (!kt_bpffs_has(dir, UNUSED))
		return 0;
	for (c = 0; is_gone && c < KT_CHANNELS; c++)
		forget_places(r, &r->sets[c]);
	return kt_bpffs_drop(dir, UNUSED, err);
}

static int open_ring(struct kt_rings *r, enum kt_channel c, int dir, uint32_t cpu,
		     struct kt_error *err)
{
	struct set *s = &r->sets[c];
	int fd = kt_bpffs_get(dir, format_ring_name(names[c].ring, cpu).text, err);

	if (fd == -ENOENT)
		return 0;
	return fd < 0 ? fd : add_ring(r, s, cpu, kt_ring_from(fd, s->geometry, err), err);
}

static int open_set(struct kt_rings *r, enum kt_channel c, int dir, int set, struct kt_error *err)
{
	int ret = 0;
	size_t cpu;
	int fd = kt_bpffs_get(dir, names[c].map, err);

	if (fd >= 0)
		fd = kt_map_of_maps_from(fd, KT_BUFFER_SETS * r->n_cpus, err);
	if (fd < 0)
		return fd;
	r->sets[c].map = fd;
	for (cpu = 0; cpu < r->n_cpus && ret == 0; cpu++)
		ret = open_ring(r, c, set, cpu, err);
	return ret;
}

/* The rings may have been unpinned meanwhile. Otherwise others were put in their place. */
static int check_places(const struct kt_rings *r, int dir, struct kt_error *err)
{
	if (r->sets[KT_MAIN].n && kt_rings_are_placed(r))
		return 0;
	if (!kt_rings_are_pinned(r, dir, kt_rings_buffer_set(r)))
		return kt_fail(err, ENOENT, "%s no longer exists", format_set_name(r).text);
	return kt_fail(err, EPROTO, "%s has other rings than programs write to",
		       format_set_name(r).text);
}

static int open_rings(struct kt_rings *r, int dir, bool has_rare, struct kt_error *err)
{
	int set = kt_bpffs_enter(dir, format_set_name(r).text, false, err), ret;

	if (set < 0)
		return set;
	r->place = get_inode(set);
	ret = open_set(r, KT_MAIN, dir, set, err);
	if (ret == 0 && has_rare)
		ret = open_set(r, KT_RARE, dir, set, err);
	close(set);
	return ret < 0 ? ret : check_places(r, dir, err);
}

struct kt_rings *kt_rings_from(int dir, uint32_t set, struct kt_geometry geometry, bool has_rare,
			       struct kt_error *err)
{
	int n_cpus = kt_cpus_possible(err);
	struct kt_rings *r = n_cpus < 0 ? NULL : allocate_rings(n_cpus, geometry, err);

	if (!r)
		return NULL;
	r->row = set * r->n_cpus;
	if (open_rings(r, dir, has_rare, err) == 0)
		return r;
	kt_rings_free(r);
	return NULL;
}

/*
 * A change of a map of maps must wait until no program uses the old value. Putting the same value
 * again has the same effect.
 */
void kt_rings_settle(const struct kt_rings *r)
{
	const struct set *s = &r->sets[KT_MAIN];

	put_maps(s->map, s->rows, s->fds, 1);
}

void kt_rings_flush(const struct kt_rings *r)
{
	struct kt_ring *ring;
	size_t i;

	for (i = 0; i < kt_rings_count(r); i++) {
		ring = kt_rings_at(r, i);
		if (!ring)
			continue;
		kt_ring_mend(ring);
		kt_ring_flush(ring);
	}
}

void kt_rings_rewind(const struct kt_rings *r)
{
	size_t i;

	for (i = 0; i < kt_rings_count(r); i++)
		if (kt_rings_at(r, i))
			kt_ring_rewind(kt_rings_at(r, i));
}

void kt_rings_clear(const struct kt_rings *r)
{
	size_t i;

	for (i = 0; i < kt_rings_count(r); i++)
		if (kt_rings_at(r, i))
			kt_ring_clear(kt_rings_at(r, i));
}

int kt_rings_fd(const struct kt_rings *r, enum kt_channel c)
{
	return r->sets[c].map;
}

uint32_t kt_rings_row(const struct kt_rings *r)
{
	return r->row;
}

size_t kt_rings_buffer_set(const struct kt_rings *r)
{
	return r->row / r->n_cpus;
}

struct kt_geometry kt_rings_geometry(const struct kt_rings *r, enum kt_channel c)
{
	return r->sets[c].geometry;
}

size_t kt_rings_count(const struct kt_rings *r)
{
	return r->n_cpus * (1 + has_channel(r, KT_RARE));
}

size_t kt_rings_cpus(const struct kt_rings *r)
{
	return r->n_cpus;
}

struct kt_ring *kt_rings_at(const struct kt_rings *r, size_t i)
{
	return r->sets[i / r->n_cpus].at[i % r->n_cpus];
}

uint64_t kt_rings_size(const struct kt_rings *r)
{
	struct kt_geometry g;
	uint64_t size = 0;
	size_t i;

	for (i = 0; i < kt_rings_count(r); i++) {
		g = kt_rings_geometry(r, i / r->n_cpus);
		if (kt_rings_at(r, i))
			size += (uint64_t)g.n_subbufs << g.shift;
	}
	return size;
}
