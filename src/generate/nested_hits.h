/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hits that come while the event's own program runs on that CPU, as an interrupt brings them. The
 * kernel keeps such a hit back from that program, but not from another one: so an event can have
 * two. The first says that it is at work, and the second records what comes meanwhile, and nothing
 * else.
 *
 *	struct kt_nested_hits n = {.map = map, .role = KT_NESTED_SECOND, .event = 5};
 *
 *	kt_emit_nested_begin(a, n, end);	// behind the gate (generate/enable_check.h)
 *	...
 *	kt_asm_place(a, done);
 *	kt_emit_nested_end(a, n, end);
 *	kt_asm_place(a, end);
 *
 * The map has an element for each CPU, of a struct kt_nested_hits_state for each event. What comes
 * before the first one says so, or after it has taken it back, nobody records, nor what comes while
 * both are at work: it is in the kernel's count of what it kept back from the first.
 */
#ifndef KT_GENERATE_NESTED_HITS_H
#define KT_GENERATE_NESTED_HITS_H

#include <stddef.h>
#include <stdint.h>

struct kt_asm;

enum kt_nested_hits_role { KT_NESTED_NONE, KT_NESTED_FIRST, KT_NESTED_SECOND };

struct kt_nested_hits {
	enum kt_nested_hits_role role; /* none: nothing is emitted */
	int map;
	size_t event; /* its index in the session */
};

/* One event on one CPU. */
struct kt_nested_hits_state {
	uint64_t at_work; /* 1: its first program is */
	uint64_t caught;  /* hits that came to the second meanwhile, recorded or not */
};

/*
 * The second goes to the label end where the first is not at work. On the stack the CPU's number is
 * a u32 at r10 + KT_STACK_ROW. r0 to r2 are lost; costs a lookup. Of the end the same holds.
 */
void kt_emit_nested_begin(struct kt_asm *a, struct kt_nested_hits n, int end);
void kt_emit_nested_end(struct kt_asm *a, struct kt_nested_hits n, int end);

#endif
