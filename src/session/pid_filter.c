// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/pid_filter.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/bpffs.h"
#include "hook/capabilities.h"
#include "hook/map_of_maps.h"
#include "session/tid_bitmap.h"

struct kt_pid_filter {
	int map;
};

enum { PLACES = 2 };

static const char *get_pin_name(bool second)
{
	return second ? "tids1" : "tids0";
}

static struct kt_pid_filter *allocate_filter(struct kt_error *err)
{
	struct kt_pid_filter *f = malloc(sizeof(*f));

	if (f)
		f->map = -1;
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return f;
}

struct kt_pid_filter *kt_pid_filter_new(struct kt_error *err)
{
	struct kt_pid_filter *f = allocate_filter(err);
	struct kt_tid_bitmap like = {0};

	if (!f)
		return NULL;
	if (kt_tid_bitmap_make(&like, "kt_tids", err) == 0)
		f->map = kt_map_of_maps_make("kt_pid_filter", like.map.fd, PLACES, err);
	kt_tid_bitmap_free(&like);
	if (f->map >= 0)
		return f;
	kt_pid_filter_free(f);
	return NULL;
}

struct kt_pid_filter *kt_pid_filter_from(int dir, struct kt_error *err)
{
	struct kt_pid_filter *f = allocate_filter(err);

	if (!f)
		return NULL;
	f->map = kt_bpffs_get(dir, "pid_filter", err);
	if (f->map >= 0)
		f->map = kt_map_of_maps_from(f->map, PLACES, err);
	if (f->map >= 0)
		return f;
	kt_pid_filter_free(f);
	return NULL;
}

void kt_pid_filter_free(struct kt_pid_filter *f)
{
	if (!f)
		return;
	if (f->map >= 0)
		close(f->map);
	free(f);
}

int kt_pid_filter_fd(const struct kt_pid_filter *f)
{
	return f->map;
}

int kt_pid_filter_pin(const struct kt_pid_filter *f, int dir, struct kt_error *err)
{
	return kt_bpffs_pin(dir, "pid_filter", f->map, err);
}

/* The kernel refuses a map of another kind. */
int kt_pid_filter_put(const struct kt_pid_filter *f, bool second, const struct kt_tid_bitmap *tids,
		      int dir, struct kt_error *err)
{
	uint32_t place = second;
	int ret;

	if (kt_bpffs_drop(dir, get_pin_name(second), err) < 0 ||
	    kt_bpffs_pin(dir, get_pin_name(second), tids->map.fd, err) < 0)
		return -err->code;
	ret = bpf_map_update_elem(f->map, &place, &tids->map.fd, BPF_ANY);
	return ret < 0 ? kt_capabilities_fail(err, -ret, "cannot set the PID filter") : 0;
}

int kt_pid_filter_get(bool second, struct kt_tid_bitmap *tids, int dir, struct kt_error *err)
{
	int fd = kt_bpffs_get(dir, get_pin_name(second), err);

	return fd < 0 ? fd : kt_tid_bitmap_from(tids, fd, err);
}

int kt_pid_filter_drop(const struct kt_pid_filter *f, bool second, int dir, struct kt_error *err)
{
	uint32_t place = second;
	int ret = bpf_map_delete_elem(f->map, &place);

	if (ret < 0 && ret != -ENOENT)
		return kt_capabilities_fail(err, -ret, "cannot clear the PID filter");
	return kt_bpffs_drop(dir, get_pin_name(second), err);
}
