// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/map_of_maps.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/capabilities.h"
#include "hook/map.h"

int kt_map_of_maps_make(const char *name, int like, size_t n, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = like);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, name, sizeof(uint32_t),
				sizeof(uint32_t), n, &opts);

	return fd < 0 ? kt_capabilities_fail(err, -fd, "cannot make a BPF map of maps") : fd;
}

int kt_map_of_maps_from(int fd, size_t n, struct kt_error *err)
{
	struct bpf_map_info info;

	if (kt_map_is(fd, BPF_MAP_TYPE_ARRAY_OF_MAPS, &info) && info.max_entries == n)
		return fd;
	close(fd);
	return kt_fail(err, EPROTO, "not a BPF map of ktrace");
}

uint32_t kt_map_of_maps_id(int maps, uint32_t place)
{
	uint32_t id;

	return bpf_map_lookup_elem(maps, &place, &id) < 0 ? 0 : id;
}
