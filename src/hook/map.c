// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/map.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/rights.h"

int kt_map_make(struct kt_map *m, const char *name, size_t element, size_t n, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	size_t size = n * element;
	void *memory;
	int fd;

	*m = (struct kt_map){0};
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(uint32_t), element, n, &opts);
	if (fd < 0)
		return kt_rights_fail(err, -fd, "cannot make a BPF map");
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		kt_fail(err, errno, "cannot map a BPF map: %s", strerror(errno));
		close(fd);
		return -err->code;
	}
	*m = (struct kt_map){fd, memory, size};
	return 0;
}

void kt_map_free(struct kt_map *m)
{
	if (!m->memory)
		return;
	munmap(m->memory, m->size);
	close(m->fd);
	*m = (struct kt_map){0};
}
