/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits copies of the data that system call arguments point to (KT_EXPR_STRING, BYTES and others),
 * and of paths of descriptors (generate/fd_path.h). They go to scratch memory first: the room in
 * the ring can only be reserved once their length is known.
 *
 *	kt_emit_enter(a, &r);
 *	kt_emit_pointed_data(a, &r, event);		// r2 = their bytes
 *	...
 *	kt_emit_reserve(a, &r);
 *	kt_emit_pointed_data_count(a, BPF_REG_1, 0);	// bytes of the first one
 *
 * Arrays of pointers are counted here, too: it takes a while, and a record must be filled quickly.
 *
 * - Data of fields follow each other in the order of the fields.
 * - A string has its NUL; one longer than kt_curated_pointed_max() is cut and has none; an
 *   unreadable one is empty.
 * - An array of strings ends before the first unreadable one, and after kt_curated_strings_max() of
 *   them; all together have a limit in bytes, plus a NUL.
 * - Buffers of an array of structs iovec are located by the copied structs. Each is preceded by its
 *   length and limited to c->bytes_max; all together have a limit, too.
 * - Members of a struct (KT_EXPR_MEMBER) are taken from the copied struct.
 * - Nothing is read twice: what another thread changes meanwhile is in the copy, or it is not.
 */
#ifndef KT_GENERATE_POINTED_DATA_COPY_H
#define KT_GENERATE_POINTED_DATA_COPY_H

#include "ctypes/recipe_expr.h"
#include "generate/reserve.h"
#include "generate/text_copy.h"

struct kt_asm;
struct kt_event;

/*
 * Stack offset of the address of scratch memory, until the record has the data; the counts follow.
 */
enum { KT_STACK_POINTED = KT_STACK_TEXT - KT_EXPR_STRUCT_SIZE };

/*
 * Bytes of r->scratch for each CPU and buffer set (KT_STACK_ROW). On one CPU no two programs of
 * entries run at once, nor of returns; each side has scratch memory of its own.
 */
enum { KT_SCRATCH_SIZE = 40 << 10 };

/* Copies all data. Clobbers r0 to r6, r8 and r9. */
void kt_emit_pointed_data(struct kt_asm *a, const struct kt_reserve *r,
			  const struct kt_event *event);

/* Emits dst = bytes of the i-th data. */
void kt_emit_pointed_data_count(struct kt_asm *a, int dst, size_t pointed);

/*
 * Computes the early values (kt_expr_is_early) of an event without pointed-to data. Clobbers r0 to
 * r6, r8 and r9.
 */
void kt_emit_early(struct kt_asm *a, const struct kt_event *event);

/* Emits dst = the early value of a field. */
void kt_emit_early_value(struct kt_asm *a, int dst, const struct kt_event *event, size_t field);

#endif
