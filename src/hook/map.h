/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF array map that user space has in its memory, too: what a program stores there is seen by a
 * load, and the other way round, without a system call.
 *
 *	struct kt_map m = {0};
 *
 *	kt_map_make(&m, "kt_ledger", element_size, n, &err);
 *	kt_asm_move_map(a, BPF_REG_1, m.fd);			// a program looks elements up
 *	...
 *	element = (char *)m.memory + i * element_size;		// we have them one after the other
 *	...
 *	kt_map_free(&m);
 */
#ifndef KT_HOOK_MAP_H
#define KT_HOOK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_map_info;
struct kt_error;

struct kt_map {
	int fd;
	void *memory; /* NULL: there is none, and fd says nothing */
	size_t size;  /* bytes of it */
};

/*
 * Of n elements of that size, a multiple of 8; all zero. `bpftool map` shows it by its name, of at
 * most 15 letters. 0, or -errno and nothing to free.
 */
int kt_map_make(struct kt_map *m, const char *name, size_t element, size_t n, struct kt_error *err);

/*
 * One that was made so before, by anybody, from its descriptor, which is the map's then. 0; or
 * -errno, with the descriptor closed: -EPROTO where it is another kind of map, or none.
 */
int kt_map_from(struct kt_map *m, int fd, struct kt_error *err);

/* Whether a descriptor is a map's, of that type, and what the kernel says of it. */
bool kt_map_is(int fd, uint32_t type, struct bpf_map_info *info);

/* Which one it is: no other one has that number as long as it is there. 0: it is no map. */
uint32_t kt_map_id(int fd);

/* Programs that use it keep it alive for themselves. */
void kt_map_free(struct kt_map *m);

#endif
