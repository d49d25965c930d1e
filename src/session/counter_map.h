/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of a session: what happened to each of its events on each CPU.
 *
 *	struct kt_counter_map *ledger = kt_counter_map_new(n_events, &err);
 *
 *	kt_emit_count(a, kt_counter_map_fd(ledger), 0);		// the programs write it
 *	...
 *	hits = kt_counter_map_read(ledger, 0, cpu).hits;		// we read it
 *
 * Reading takes a load from shared memory and no system call.
 */
#ifndef KT_SESSION_COUNTER_MAP_H
#define KT_SESSION_COUNTER_MAP_H

#include <stddef.h>

#include "bpf/counters.h"

struct kt_error;
struct kt_counter_map;

/* All zero, for events 0 to n_events - 1. On error NULL. */
struct kt_counter_map *kt_counter_map_new(size_t n_events, struct kt_error *err);

/*
 * That of a map made by this before for as many events or more, whose descriptor it takes. On error
 * NULL; -EPROTO for another map.
 */
struct kt_counter_map *kt_counter_map_from(int fd, size_t n_events, struct kt_error *err);
void kt_counter_map_free(struct kt_counter_map *ledger);

/* The BPF map. It remains the ledger's; programs that use it keep it alive. */
int kt_counter_map_fd(const struct kt_counter_map *ledger);

/* CPUs are 0 to this - 1, those that do not exist with tallies of zero. */
size_t kt_counter_map_cpus(const struct kt_counter_map *ledger);

/* Now, of all banks (doc/ring.md); each figure of the tally for itself. */
struct kt_counters kt_counter_map_read(const struct kt_counter_map *ledger, size_t event,
				       size_t cpu);

/* What was counted in one bank, 0 to KT_BUFFER_SETS - 1, since it was made or cleared. */
struct kt_counters kt_counter_map_read_bank(const struct kt_counter_map *ledger, size_t bank,
					    size_t event, size_t cpu);

/* The same, before it was last cleared. */
struct kt_counters kt_counter_map_read_before(const struct kt_counter_map *ledger, size_t bank,
					      size_t event, size_t cpu);

/*
 * From here on nothing was, in a bank that nobody writes. All banks together still have it. Done
 * twice, or half and then once more, it is the same.
 */
void kt_counter_map_clear_bank(struct kt_counter_map *ledger, size_t bank);

/* Of all CPUs. */
struct kt_counters kt_counter_map_sum(const struct kt_counter_map *ledger, size_t event);

#endif
