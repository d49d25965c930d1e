/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The strings of a system call (KT_EXPR_STRING), copied from the memory of the process that makes
 * it to scratch memory first, as only then it is known how long they are.
 *
 *	kt_emit_enter(a, &r);
 *	kt_emit_strings(a, &r, event);		// r2 = their bytes
 *	...
 *	kt_emit_reserve(a, &r);
 *	kt_emit_strings_count(a, BPF_REG_1, 0);	// those of the first one
 *
 * They follow one another in the order of their fields, each with the 0 at its end. One that is
 * longer than kt_curated_string_max has so many bytes, and no 0; of one that cannot be read there
 * are none. Nothing is copied twice: what another thread changes meanwhile is in it or is not.
 */
#ifndef KT_EMIT_STRINGS_H
#define KT_EMIT_STRINGS_H

#include "emit/reserve.h"
#include "emit/text.h"

struct kt_asm;
struct kt_event;

/* On the stack, where they are, until the record has them; and behind it their counts. */
enum { KT_STACK_STRINGS = KT_STACK_TEXT };

/*
 * What r->scratch has for each CPU. No two programs of calls' entries are at work on one, nor of
 * their returns: each side has scratch memory of its own.
 */
enum { KT_SCRATCH_SIZE = 32 << 10 };

/* r6, r8, r9 and r0 to r5 are lost. */
void kt_emit_strings(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event);

/* dst = the bytes of one of them, from 0 */
void kt_emit_strings_count(struct kt_asm *a, int dst, size_t string);

#endif
