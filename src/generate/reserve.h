/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room for one record in this CPU's ring, taken before and given to the reader after it is filled.
 *
 *	struct kt_reserve r = {
 *		.ledger = kt_counter_map_fd(ledger), .rings = kt_rings_fd(rings, KT_MAIN), .gate =
 *-1, .followed = -1, .focus = -1, .globs = -1, .geometry = geometry, .event = 0, .size =
 *kt_record_size(sizeof(struct kt_record) + 8),
 *	};
 *
 *	kt_emit_begin(a, &r);
 *	kt_emit_enter(a, &r);
 *	kt_emit_reserve(a, &r);
 *	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_6, 16);
 *	kt_asm_store(a, BPF_DW, BPF_REG_8, sizeof(struct kt_record), BPF_REG_1);
 *	kt_emit_commit(a, &r);
 *
 * is a whole program: it counts the hit, and records thread, time and the 8 bytes at 16 of what the
 * tracepoint passes; or it counts the loss. doc/ring.md says how, and why that is safe however
 * programs interrupt each other. It costs one reading of the clock, two atomic additions, one
 * compare-and-swap and four inlined lookups.
 */
#ifndef KT_GENERATE_RESERVE_H
#define KT_GENERATE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/ring_layout.h"
#include "generate/enable_check.h"
#include "generate/nested_hits.h"

struct kt_asm;

struct kt_reserve {
	int ledger, rings; /* maps: of tallies by CPU, of rings by CPU */
	int gate; /* map that says whether hits count at all (generate/enable_check.h); -1: they do
		   */
	int followed; /* map of those whose hits alone count (generate/fork_tracking.h, record.h);
			 -1: all */
	int focus; /* likewise, which the gate can switch to (generate/pid_filter_check.h); -1: it
		      cannot */
	struct kt_geometry geometry;
	size_t event;        /* index in the session: its tally, and what stands in the record */
	unsigned int number; /* among the event's programs, by which it is switched; 0: it is not */
	bool succeeds;       /* another one of them (generate/enable_check.h) */
	struct kt_freezing freezing;
	size_t size;    /* of the record, a multiple of 8, at most kt_record_max(geometry) */
	bool varies;    /* size is but the most; that of each record is left at KT_STACK_SIZE */
	bool overwrite; /* in a full ring what is oldest makes room, and not what is newest is lost
			 */
	bool some_cpus; /* hits where there is no ring do not count */
	bool filters;   /* some hits go to other, as those that a filter leaves out do */
	int globs;      /* map of the patterns by which they do; -1: without */
	int chosen;     /* map of the threads whose call a filter chose
			   (generate/syscall_filter_marks.h); or -1 */
	bool chooses;   /* the event's filter does */
	struct kt_nested_hits nested; /* the event's index in it is set by begin */
	int scratch; /* by row, for pointees (generate/pointed_data_copy.h); -1: where there are
			none */

	int done, unfit; /* labels, left by begin: the end; for a hit that no record can hold */
	int end;         /* the end where nothing is to be undone */
	int other;       /* for one that does not count, between begin and enter */
	int no_ring;
};

/*
 * A program's first part. Behind it the context stands at KT_STACK_CONTEXT, r6 is the gate's word
 * where there is a gate, and the other registers and the stack below KT_STACK_RESERVE are free.
 */
void kt_emit_begin(struct kt_asm *a, struct kt_reserve *r);

/*
 * Its second part, which counts the hit. Behind it r7 must be left alone, the other registers are
 * free. Where r->varies, what comes next stores a u64 at KT_STACK_SIZE, or goes to r->unfit.
 */
void kt_emit_enter(struct kt_asm *a, const struct kt_reserve *r);

/*
 * Its third part. Behind it r6 is the context, r8 the record, its struct kt_record written; r9
 * must be left alone, r7 and the stack below KT_STACK_RESERVE are free. A record that varies is
 * certain of r->size bytes.
 */
void kt_emit_reserve(struct kt_asm *a, const struct kt_reserve *r);

/* Its last part. */
void kt_emit_commit(struct kt_asm *a, const struct kt_reserve *r);

/* On the stack, from r10 on. */
enum {
	KT_STACK_CONTEXT = -16,
	KT_STACK_SIZE = -48,
	KT_STACK_DATA = -56, /* how many bytes vary in length, for the parts in between */
	KT_STACK_RESERVE = KT_STACK_DATA,
};

#endif
