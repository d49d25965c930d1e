/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the handling of nested hits: those that an interrupt causes while the event's own program
 * runs on that CPU. The kernel does not run the same program again, but it runs another one. So an
 * event can have two programs: the first marks that it is active, the second records only what
 * comes meanwhile.
 *
 *	struct kt_nested_hits n = {.map = map, .role = KT_NESTED_SECOND, .event = 5};
 *
 *	kt_emit_nested_begin(a, n, end);	// after the enable check (generate/enable_check.h)
 *	...
 *	kt_asm_place(a, done);
 *	kt_emit_nested_end(a, n, end);
 *	kt_asm_place(a, end);
 *
 * The map has an element per CPU, with a struct kt_nested_hits_state per event. Hits before the
 * first program has set its mark, after it has cleared it, and while both programs are active are
 * not recorded; the kernel counts them as missed by the first program.
 */
#ifndef KT_GENERATE_NESTED_HITS_H
#define KT_GENERATE_NESTED_HITS_H

#include <stddef.h>
#include <stdint.h>

struct kt_asm;

enum kt_nested_hits_role { KT_NESTED_NONE, KT_NESTED_FIRST, KT_NESTED_SECOND };

struct kt_nested_hits {
	enum kt_nested_hits_role role; /* NONE: nothing is emitted */
	int map;
	size_t event; /* the event's index in the session */
};

/* State of one event on one CPU. */
struct kt_nested_hits_state {
	uint64_t at_work; /* 1 while its first program is active */
	uint64_t caught;  /* nested hits that the second program got, recorded or not */
};

/*
 * Emit the start and the end. The second program jumps to `end` unless the first is active. The
 * CPU's number is the u32 at r10 + KT_STACK_ROW. Clobber r0 to r2; each costs a lookup.
 */
void kt_emit_nested_begin(struct kt_asm *a, struct kt_nested_hits n, int end);
void kt_emit_nested_end(struct kt_asm *a, struct kt_nested_hits n, int end);

#endif
