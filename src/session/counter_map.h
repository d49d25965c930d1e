/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of a session: what happened to each event's hits on each CPU (bpf/counters.h).
 *
 *	struct kt_counter_map *counters = kt_counter_map_new(n_events, &err);
 *
 *	kt_emit_count(a, kt_counter_map_fd(counters), 0);		// programs write them
 *	...
 *	hits = kt_counter_map_read(counters, 0, cpu).hits;		// user space reads them
 *
 * Reading takes loads from shared memory, and no system call.
 */
#ifndef KT_SESSION_COUNTER_MAP_H
#define KT_SESSION_COUNTER_MAP_H

#include <stddef.h>

#include "bpf/counters.h"

struct kt_error;
struct kt_counter_map;

/* Creates counters for events 0 to n_events - 1, all zero. Returns NULL on error. */
struct kt_counter_map *kt_counter_map_new(size_t n_events, struct kt_error *err);

/*
 * Opens the counters of an existing map for at least n_events events; takes ownership of fd.
 * Returns NULL on error; EPROTO for another map.
 */
struct kt_counter_map *kt_counter_map_from(int fd, size_t n_events, struct kt_error *err);
void kt_counter_map_free(struct kt_counter_map *counters);

/* Returns the BPF map, which remains the counters'. Programs that use it keep it alive. */
int kt_counter_map_fd(const struct kt_counter_map *counters);

/* Returns the number of CPUs; those that do not exist have counters of zero. */
size_t kt_counter_map_cpus(const struct kt_counter_map *counters);

/*
 * Returns the present counters, the sum of all buffer sets (doc/ring.md). They are read one by one.
 */
struct kt_counters kt_counter_map_read(const struct kt_counter_map *counters, size_t event,
				       size_t cpu);

/*
 * Returns what was counted in one buffer set, 0 to KT_BUFFER_SETS - 1, since it was made or
 * cleared.
 */
struct kt_counters kt_counter_map_read_set(const struct kt_counter_map *counters, size_t set,
					   size_t event, size_t cpu);

/* Returns what was counted in a buffer set before it was last cleared. */
struct kt_counters kt_counter_map_read_before(const struct kt_counter_map *counters, size_t set,
					      size_t event, size_t cpu);

/*
 * Makes a set's counters start at 0; no program may be writing to the set. The sum over all sets is
 * unchanged. May be repeated after an interruption.
 */
void kt_counter_map_clear_set(struct kt_counter_map *counters, size_t set);

/* Returns the sum over all CPUs. */
struct kt_counters kt_counter_map_sum(const struct kt_counter_map *counters, size_t event);

#endif
