/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the arguments of a system call point to (KT_EXPR_STRING, BYTES and others), copied from its
 * process's memory to scratch memory first, as only then it is known how long it is; and the paths
 * of descriptors' files (generate/fd_path.h).
 *
 *	kt_emit_enter(a, &r);
 *	kt_emit_pointed_data(a, &r, event);		// r2 = their bytes
 *	...
 *	kt_emit_reserve(a, &r);
 *	kt_emit_pointed_data_count(a, BPF_REG_1, 0);	// those of the first one
 *
 * Lists of pointers are counted then, too, as that takes a while, and a record is to be filled in
 * no time.
 *
 * They follow one another in the order of their fields, each string with the 0 at its end. One that
 * is longer than kt_curated_pointee_max has so many bytes, and no 0; of one that cannot be read
 * there are none. Of strings there are those before the first one that is so, and no more than
 * kt_curated_strings_max; their bytes are limited together, and a 0 more. Buffers that structs lead
 * to are copied by the structs as they have been, each up to c->bytes_max, all limited together,
 * with the length of each in front; and what members of a struct lead to (KT_EXPR_MEMBER), by that
 * one as it has been. Nothing is copied twice: what another thread changes meanwhile is in it or
 * not.
 */
#ifndef KT_GENERATE_POINTED_DATA_COPY_H
#define KT_GENERATE_POINTED_DATA_COPY_H

#include "ctypes/recipe_expr.h"
#include "generate/reserve.h"
#include "generate/text_copy.h"

struct kt_asm;
struct kt_event;

/* On the stack, where they are, until the record has them; and behind it their counts. */
enum { KT_STACK_POINTED = KT_STACK_TEXT - KT_EXPR_STRUCT_SIZE };

/*
 * What r->scratch has for each CPU and bank (KT_STACK_ROW). No two programs of calls' entries are
 * at work on a CPU, nor of their returns: each side has scratch memory of its own.
 */
enum { KT_SCRATCH_SIZE = 40 << 10 };

/* r6, r8, r9 and r0 to r5 are lost. */
void kt_emit_pointed_data(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event);

/* dst = the bytes of one of them, from 0 */
void kt_emit_pointed_data_count(struct kt_asm *a, int dst, size_t pointee);

/* dst = the value of one of the event's fields that are a KT_EXPR_COUNT */
void kt_emit_list_count(struct kt_asm *a, int dst, const struct kt_event *event, size_t field);

#endif
