// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/process_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/read_file.h"

enum { MAPS_MAX = 64 << 20 };

/* "BEGIN-END rwxp OFFSET MAJOR:MINOR INODE     PATH"; returns whether it is code. */
static bool parse_line(char *line, struct kt_mapping *m)
{
	unsigned int major, minor;
	char rights[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->begin,
		   &m->end, rights, &m->offset, &major, &minor, &m->inode, &at) < 7)
		return false;
	m->device = (uint64_t)major << 32 | minor;
	m->path = line + at;
	return rights[2] == 'x';
}

static int parse_lines(struct kt_process_maps *m)
{
	struct kt_mapping mapping, *larger;
	char *line, *rest = m->text;

	while ((line = strsep(&rest, "\n")) && *line) {
		if (!parse_line(line, &mapping))
			continue;
		larger = kt_grow(m->of, m->n, sizeof(*m->of));
		if (!larger)
			return -ENOMEM;
		m->of = larger;
		m->of[m->n++] = mapping;
	}
	return 0;
}

int kt_process_maps_read(struct kt_process_maps *m, int pid)
{
	char path[32];
	int fd, ret;

	kt_process_maps_clear(m);
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = kt_read_file(fd, MAPS_MAX, &m->text, NULL);
	close(fd);
	if (ret == 0)
		ret = parse_lines(m);
	if (ret < 0)
		kt_process_maps_clear(m);
	return ret;
}

void kt_process_maps_clear(struct kt_process_maps *m)
{
	free(m->of);
	free(m->text);
	*m = (struct kt_process_maps){0};
}

const struct kt_mapping *kt_process_maps_find(const struct kt_process_maps *m, uint64_t address)
{
	size_t low = 0, high = m->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (address < m->of[middle].begin)
			high = middle;
		else if (address >= m->of[middle].end)
			low = middle + 1;
		else
			return &m->of[middle];
	}
	return NULL;
}
