/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the frame of a recording program: reserving room for a record in this CPU's ring, and
 * committing the record.
 *
 *	struct kt_reserve r = {
 *		.counters = kt_counter_map_fd(counters), .rings = kt_rings_fd(rings, KT_MAIN),
 *		.enable = -1, .followed = -1, .pid_filter = -1, .globs = -1, .geometry = geometry,
 *		.event = 0, .size = kt_record_size(sizeof(struct kt_record) + 8),
 *	};
 *
 *	kt_emit_begin(a, &r);
 *	kt_emit_enter(a, &r);
 *	kt_emit_reserve(a, &r);
 *	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_6, 16);
 *	kt_asm_store(a, BPF_DW, BPF_REG_8, sizeof(struct kt_record), BPF_REG_1);
 *	kt_emit_commit(a, &r);
 *
 * is a whole program: it counts the hit, and records thread, time and the 8 bytes at 16 of the
 * context; or it counts the loss. doc/ring.md says how, and why it is safe however programs
 * interrupt each other. Costs one reading of the clock, two atomic additions, one compare-and-swap
 * and four inlined lookups.
 */
#ifndef KT_GENERATE_RESERVE_H
#define KT_GENERATE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/callstacks.h"
#include "bpf/ring_layout.h"
#include "ctypes/mm_offsets.h"
#include "generate/enable_check.h"
#include "generate/event_index.h"
#include "generate/nested_hits.h"

struct kt_asm;
struct kt_curated;

/* Maps of stacks (bpf/callstacks.h), if events have them. */
struct kt_callstack_maps {
	int scratch, tables[KT_CALLSTACK_KINDS];
	bool keep;               /* the tables are arrays of buckets */
	struct kt_mm_offsets mm; /* for stacks in user space */
};

struct kt_reserve {
	int counters, rings; /* maps of counters and of rings, by CPU */
	int enable;          /* map of the enable word (generate/enable_check.h); -1: always on */
	int followed;        /* map of the followed tasks (generate/fork_tracking.h,
				handlers/record_prog.h); -1: all */
	int pid_filter;      /* maps of a PID filter (generate/pid_filter_check.h); -1: none */
	struct kt_geometry geometry;
	size_t event; /* index in the session: of its counters, and in its records */
	const struct kt_event_indices *shared; /* the index instead, if calls share the program; or
						  NULL */
	const struct kt_curated *call;         /* of a curated event; or NULL */
	unsigned int number;                   /* the program's enable number; 0: it has none */
	bool succeeds; /* it succeeds another program (generate/enable_check.h) */
	struct kt_freezing freezing;
	size_t size;     /* of the record, a multiple of 8, at most kt_record_max(geometry) */
	bool varies;     /* size is the maximum; each record's size is at KT_STACK_SIZE */
	bool reads_user; /* some hits jump to `unfit`, as their values cannot be read */
	bool overwrite;  /* when the ring is full, the oldest records are overwritten, instead of
			    losing the newest */
	bool some_cpus;  /* hits on CPUs without a ring are not counted */
	bool filters;    /* some hits jump to `other`, as those that a filter rejects */
	int globs;       /* map of the filter's globs; -1: none */
	int marks;       /* map of the marked calls (generate/syscall_filter_marks.h); -1: none */
	bool sets_mark;  /* the event's filter sets the mark */
	struct kt_nested_hits nested; /* its event index is set by begin */
	int calls;   /* map of a function's calls under way (handlers/call_duration.h); -1: none */
	int scratch; /* map of scratch memory by row (generate/pointed_data_copy.h); -1: none */
	struct kt_callstack_maps stacks;

	int done,
		unfit; /* labels, set by begin: the end; for a hit that does not fit in a record */
	int end;       /* the end, if nothing must be undone */
	int other;     /* for a hit that does not count; valid between begin and enter */
	int no_ring;
};

static inline struct kt_event_index kt_reserve_index(const struct kt_reserve *r)
{
	return (struct kt_event_index){r->event, r->shared};
}

/*
 * Emits the first part. Then the context is at KT_STACK_CONTEXT, r6 is the enable word if there is
 * one, and the other registers and the stack below KT_STACK_RESERVE are free.
 */
void kt_emit_begin(struct kt_asm *a, struct kt_reserve *r);

/*
 * Emits the second part, which counts the hit. Then r7 must be preserved; other registers are free.
 * If r->varies, the code that follows stores a u64 at KT_STACK_SIZE, or jumps to r->unfit.
 */
void kt_emit_enter(struct kt_asm *a, const struct kt_reserve *r);

/*
 * Emits the third part. Then r6 is the context and r8 the record, with its struct kt_record
 * written; r9 must be preserved, r7 and the stack below KT_STACK_RESERVE are free. A record that
 * varies has at least r->size bytes.
 */
void kt_emit_reserve(struct kt_asm *a, const struct kt_reserve *r);

/* Emits, between enter and commit, that a counter of struct kt_counters grows by 1. */
void kt_emit_count_loss(struct kt_asm *a, size_t counter);

/* Emits the commit: marks the record complete. Must be the last code of the program. */
void kt_emit_commit(struct kt_asm *a, const struct kt_reserve *r);

/*
 * Emits, instead of the third part and the commit, that the hit is lost: the kernel will not pass
 * it to the program that records. Must be the last code of the program.
 */
void kt_emit_lose_missed(struct kt_asm *a, const struct kt_reserve *r);

/*
 * Emits the end alone, of a program that does not record: `done` is here. Must be the last code of
 * the program.
 */
void kt_emit_end(struct kt_asm *a, const struct kt_reserve *r);

/* Stack offsets from r10. */
enum {
	KT_STACK_CONTEXT = -16,
	KT_STACK_SIZE = -48,
	KT_STACK_DATA = -56, /* bytes of varying data, for the parts in between */
	KT_STACK_RESERVE = KT_STACK_EVENT,
};

#endif
