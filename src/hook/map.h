/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF array map that is mapped into user space: programs and user space see each other's stores
 * without a system call.
 *
 *	struct kt_map m = {0};
 *
 *	kt_map_make(&m, "kt_ledger", element_size, n, &err);
 *	kt_asm_move_map(a, BPF_REG_1, m.fd);			// a program looks up an element
 *	...
 *	element = (char *)m.memory + i * element_size;		// user space has them in a row
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
	void *memory; /* NULL: there is no map, and fd is not valid */
	size_t size;  /* in bytes */
};

/*
 * Creates a map of n elements of a size that is a multiple of 8, all zero. `bpftool map` shows its
 * name, at most 15 characters. Returns 0, or -errno with nothing to free.
 */
int kt_map_make(struct kt_map *m, const char *name, size_t element, size_t n, struct kt_error *err);

/*
 * Maps an existing map of that kind; takes ownership of fd. Returns 0; or -errno with fd closed:
 * -EPROTO for another kind of map or object.
 */
int kt_map_from(struct kt_map *m, int fd, struct kt_error *err);

/* Returns whether fd is a map of that type, and stores what the kernel reports about it. */
bool kt_map_is(int fd, uint32_t type, struct bpf_map_info *info);

/* Returns the kernel's id of a map, unique among existing maps; 0 if fd is not a map. */
uint32_t kt_map_id(int fd);

/* Unmaps and closes the map. Programs that use it keep it alive. */
void kt_map_free(struct kt_map *m);

#endif
