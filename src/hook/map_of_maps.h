/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF array of maps: programs look a map up, and others can take its place while they run.
 *
 *	int maps = kt_map_of_maps_make("kt_rings", ring, n, &err);	// for maps like `ring`
 *
 *	bpf_map_update_elem(maps, &slot, &ring, BPF_ANY);
 *	...
 *	is_ours = kt_map_of_maps_id(maps, slot) == kt_map_id(ring);
 *	...
 *	close(maps);
 */
#ifndef KT_HOOK_MAP_OF_MAPS_H
#define KT_HOOK_MAP_OF_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;

/*
 * Creates an array of n map slots, all empty; inner maps must match `like` in type and size.
 * Returns the descriptor, or -errno.
 */
int kt_map_of_maps_make(const char *name, int like, size_t n, struct kt_error *err);

/*
 * Checks an existing map; takes ownership of fd. Returns fd; or -errno with fd closed: -EPROTO for
 * another kind of map or object, or another number of slots.
 */
int kt_map_of_maps_from(int fd, size_t n, struct kt_error *err);

/* Returns the id of the map in a slot (kt_map_id); 0 if it is empty. */
uint32_t kt_map_of_maps_id(int maps, uint32_t place);

#endif
