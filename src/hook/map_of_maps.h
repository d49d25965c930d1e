/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF array whose elements are maps: a program looks one up, and others can be put there while it
 * runs.
 *
 *	int maps = kt_map_of_maps_make("kt_rings", ring, n, &err);	// for maps like that one
 *
 *	bpf_map_update_elem(maps, &place, &ring, BPF_ANY);
 *	...
 *	is_ours = kt_map_of_maps_id(maps, place) == kt_map_id(ring);
 *	...
 *	close(maps);
 */
#ifndef KT_HOOK_MAP_OF_MAPS_H
#define KT_HOOK_MAP_OF_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;

/* Of n places for maps of the kind and size of that one; none is there yet. It, or -errno. */
int kt_map_of_maps_make(const char *name, int like, size_t n, struct kt_error *err);

/*
 * One that was made so before, by anybody: its descriptor. It; or -errno, with the descriptor
 * closed: -EPROTO where it is another kind of map, or none, or of another number of places.
 */
int kt_map_of_maps_from(int fd, size_t n, struct kt_error *err);

/* Which map is there, as kt_map_id says; 0: none. */
uint32_t kt_map_of_maps_id(int maps, uint32_t place);

#endif
