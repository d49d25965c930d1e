/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The maps through which programs pass stacks (bpf/callstacks.h, doc/stacks.md).
 *
 *	struct kt_callstack_tables *t = kt_callstack_tables_new(kinds, false, btf, &err);
 *
 *	probes.stacks = kt_callstack_tables_maps(t);		// programs add stacks
 *	...
 *	do {
 *		kt_callstack_tables_take(t, KT_CALLSTACK_KERNEL, &batch, &err);
 *		for (i = 0; i < batch.n; i++)
 *			use(batch.ids[i], &batch.kernel[i]);
 *	} while (!batch.is_last);
 *	kt_callstack_tables_free(t);
 *
 * or, of a flight recorder, with tables that keep the stacks that were hit last:
 *
 *	t = kt_callstack_tables_new(kinds, true, btf, &err);
 *	kt_callstack_tables_pin(t, dir, &err);
 *	...
 *	t = kt_callstack_tables_open(dir, NULL, &err);
 *	if (kt_callstack_tables_find(t, KT_CALLSTACK_KERNEL, id, &stack))
 *		use(id, &stack.kernel);
 *	kt_callstack_tables_free(t);
 */
#ifndef KT_SESSION_CALLSTACK_TABLES_H
#define KT_SESSION_CALLSTACK_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/callstacks.h"
#include "generate/reserve.h"

struct kt_btf;
struct kt_callstack_tables;
struct kt_error;

/*
 * Most stacks of a kind in a table at a time, unless it keeps them. Those beyond are lost, and
 * counted. Memory is taken for those that are there: 1 KiB for each of the kernel, 4 KiB for each
 * of user space.
 */
enum { KT_CALLSTACKS_MAX = 16384 };

/*
 * Makes the maps for stacks of these kinds; those of user space need BTF. If they keep stacks, all
 * their memory is taken at once (KT_CALLSTACK_BUCKETS). Returns NULL on error.
 */
struct kt_callstack_tables *kt_callstack_tables_new(unsigned int kinds, bool keep,
						    struct kt_btf *btf, struct kt_error *err);
void kt_callstack_tables_free(struct kt_callstack_tables *t);

/* Pins tables that keep stacks (hook/bpffs.h). Returns 0 or -errno. */
int kt_callstack_tables_pin(const struct kt_callstack_tables *t, int dir, struct kt_error *err);

/*
 * Opens pinned tables. Programs can be made with them if there is BTF. Returns NULL on error:
 * ENOENT if there are none; EPROTO for what no ktrace has left there.
 */
struct kt_callstack_tables *kt_callstack_tables_open(int dir, struct kt_btf *btf,
						     struct kt_error *err);

/* Return the kinds; whether they keep stacks; and the maps, which remain t's. */
unsigned int kt_callstack_tables_kinds(const struct kt_callstack_tables *t);
bool kt_callstack_tables_keep(const struct kt_callstack_tables *t);
struct kt_callstack_maps kt_callstack_tables_maps(const struct kt_callstack_tables *t);

/* Stacks that were taken out, valid until the next call. */
struct kt_callstack_batch {
	size_t n;
	const uint64_t *ids;
	const struct kt_callstack *kernel;    /* of that kind; or NULL */
	const struct kt_user_callstack *user; /* of that kind; or NULL */
	bool is_last;
};

/*
 * Takes stacks out of the table, in several batches: each that a program has added is in one of
 * them, and in a later one again if it is hit again. So the table never fills while somebody does
 * this often. Records whose commit was before the first batch have their stacks in one up to the
 * last. Returns 0; or -errno with an empty last batch. Takes about 50 us for an empty table.
 */
int kt_callstack_tables_take(struct kt_callstack_tables *t, enum kt_callstack_kind kind,
			     struct kt_callstack_batch *batch, struct kt_error *err);

/* A stack of either kind. */
union kt_any_callstack {
	struct kt_callstack kernel;
	struct kt_user_callstack user;
};

/*
 * Copies a stack out of a table that keeps stacks. Returns whether it is there: all are whose
 * records were committed, except those that others have replaced. Takes about 0.3 us.
 */
bool kt_callstack_tables_find(const struct kt_callstack_tables *t, enum kt_callstack_kind kind,
			      uint64_t id, union kt_any_callstack *stack);

#endif
