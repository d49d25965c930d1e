/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code that a process has mapped now, of /proc/PID/maps.
 *
 *	struct kt_process_maps m = {0};
 *	const struct kt_mapping *found;
 *
 *	if (kt_process_maps_read(&m, 42) == 0 && (found = kt_process_maps_find(&m, address)))
 *		printf("%s+%#lx\n", found->path, address - found->begin + found->offset);
 *	kt_process_maps_clear(&m);
 */
#ifndef KT_STACKS_PROCESS_MAPS_H
#define KT_STACKS_PROCESS_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct kt_mapping {
	uint64_t begin, end, offset;
	uint64_t device, inode; /* of the file; 0: none */
	const char *path;       /* as the process sees it; "[vdso]"; "" for memory of its own */
};

/* All zeros: none. */
struct kt_process_maps {
	size_t n;
	struct kt_mapping *of; /* sorted */
	char *text;
};

/* Replaces the contents. Returns 0; or -errno with none: -ENOENT if the process is gone. */
int kt_process_maps_read(struct kt_process_maps *m, int pid);
void kt_process_maps_clear(struct kt_process_maps *m);

/* Returns the mapping that contains the address; or NULL. */
const struct kt_mapping *kt_process_maps_find(const struct kt_process_maps *m, uint64_t address);

#endif
