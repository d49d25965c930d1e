// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/map.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/capabilities.h"

/* Maps the memory; takes ownership of fd. */
static int map_memory(struct kt_map *m, int fd, size_t size, struct kt_error *err)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED) {
		kt_fail(err, errno, "cannot map a BPF map: %s", strerror(errno));
		close(fd);
		return -err->code;
	}
	*m = (struct kt_map){fd, memory, size};
	return 0;
}

int kt_map_make(struct kt_map *m, const char *name, size_t element, size_t n, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int fd;

	*m = (struct kt_map){0};
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(uint32_t), element, n, &opts);
	if (fd < 0)
		return kt_capabilities_fail(err, -fd, "cannot make a BPF map");
	return map_memory(m, fd, n * element, err);
}

/*
 * For a program or link the kernel would fill in another struct. Keys of the types asked for have 4
 * bytes.
 */
bool kt_map_is(int fd, uint32_t type, struct bpf_map_info *info)
{
	uint32_t size = sizeof(*info), key;

	memset(info, 0, sizeof(*info));
	return bpf_obj_get_info_by_fd(fd, info, &size) == 0 && info->type == type &&
	       bpf_map_get_next_key(fd, NULL, &key) == 0;
}

uint32_t kt_map_id(int fd)
{
	struct bpf_map_info info;

	return kt_map_is(fd, BPF_MAP_TYPE_ARRAY, &info) ? info.id : 0;
}

int kt_map_from(struct kt_map *m, int fd, struct kt_error *err)
{
	struct bpf_map_info info;

	*m = (struct kt_map){0};
	if (kt_map_is(fd, BPF_MAP_TYPE_ARRAY, &info) && info.map_flags & BPF_F_MMAPABLE &&
	    info.value_size % 8 == 0)
		return map_memory(m, fd, (size_t)info.value_size * info.max_entries, err);
	close(fd);
	return kt_fail(err, EPROTO, "not a BPF map of ktrace");
}

void kt_map_free(struct kt_map *m)
{
	if (!m->memory)
		return;
	munmap(m->memory, m->size);
	close(m->fd);
	*m = (struct kt_map){0};
}
