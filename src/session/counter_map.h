/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of a session: what happened to each of its events on each CPU.
 *
 *	struct kt_ledger *ledger = kt_ledger_new(n_events, &err);
 *
 *	kt_emit_count(a, kt_ledger_fd(ledger), 0);		// the programs write it
 *	...
 *	hits = kt_ledger_read(ledger, 0, cpu).hits;		// we read it
 *
 * Reading takes a load from shared memory and no system call.
 */
#ifndef KT_SESSION_COUNTER_MAP_H
#define KT_SESSION_COUNTER_MAP_H

#include <stddef.h>

#include "bpf/counters.h"

struct kt_error;
struct kt_ledger;

/* All zero, for events 0 to n_events - 1. On error NULL. */
struct kt_ledger *kt_ledger_new(size_t n_events, struct kt_error *err);

/*
 * That of a map made by this before for as many events or more, whose descriptor it takes. On error
 * NULL; -EPROTO for another map.
 */
struct kt_ledger *kt_ledger_from(int fd, size_t n_events, struct kt_error *err);
void kt_ledger_free(struct kt_ledger *ledger);

/* The BPF map. It remains the ledger's; programs that use it keep it alive. */
int kt_ledger_fd(const struct kt_ledger *ledger);

/* CPUs are 0 to this - 1, those that do not exist with tallies of zero. */
size_t kt_ledger_cpus(const struct kt_ledger *ledger);

/* Now, of all banks (doc/ring.md); each figure of the tally for itself. */
struct kt_tally kt_ledger_read(const struct kt_ledger *ledger, size_t event, size_t cpu);

/* What was counted in one bank, 0 to KT_BANKS - 1, since it was made or cleared. */
struct kt_tally kt_ledger_read_bank(const struct kt_ledger *ledger, size_t bank, size_t event,
				    size_t cpu);

/* The same, before it was last cleared. */
struct kt_tally kt_ledger_read_before(const struct kt_ledger *ledger, size_t bank, size_t event,
				      size_t cpu);

/*
 * From here on nothing was, in a bank that nobody writes. All banks together still have it. Done
 * twice, or half and then once more, it is the same.
 */
void kt_ledger_clear_bank(struct kt_ledger *ledger, size_t bank);

/* Of all CPUs. */
struct kt_tally kt_ledger_sum(const struct kt_ledger *ledger, size_t event);

#endif
