/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map by which an event's second program knows that the first is active
 * (generate/nested_hits.h).
 *
 *	struct kt_nested_hits_map m = {0};
 *
 *	kt_nested_hits_map_make(&m, n_events, &err);
 *	...				// programs write it
 *	n = kt_nested_hits_map_caught(&m, 5);
 *	kt_nested_hits_map_free(&m);
 */
#ifndef KT_SESSION_NESTED_HITS_MAP_H
#define KT_SESSION_NESTED_HITS_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "hook/map.h"

struct kt_error;

/* All zeros: no map, nothing to free. */
struct kt_nested_hits_map {
	struct kt_map map;
	size_t n_cpus, row; /* bytes of a CPU's element */
};

/* Creates the map for events 0 to n_events - 1. Returns 0 or -errno. */
int kt_nested_hits_map_make(struct kt_nested_hits_map *m, size_t n_events, struct kt_error *err);
void kt_nested_hits_map_free(struct kt_nested_hits_map *m);

/* Returns how many hits the event's second program got, on all CPUs; 0 without a map. */
uint64_t kt_nested_hits_map_caught(const struct kt_nested_hits_map *m, size_t event);

#endif
