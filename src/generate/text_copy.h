/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits copying of a text to the stack, and its comparison.
 *
 *	kt_emit_text_read(&x, path, 7);			// at most 6 bytes of it, and a NUL
 *	kt_emit_text_is(a, "nginx", 6, true, label);	// jumps to the label if it is equal
 */
#ifndef KT_GENERATE_TEXT_COPY_H
#define KT_GENERATE_TEXT_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "generate/curated_fields.h"

struct kt_asm;
struct kt_emit_expr;
struct kt_glob;
struct kt_member_path;

/* Bytes of the text's room on the stack, and its offset. */
enum { KT_TEXT_ROOM = KT_CURATED_TEXT_MAX + 1, KT_STACK_TEXT = KT_STACK_EXPR - KT_TEXT_ROOM };

/* Copies a constant text, truncated or padded to size. r0 = its length with the NUL. */
void kt_emit_text_put(struct kt_asm *a, const char *text, size_t size);

/*
 * Copies what a path leads to (generate/expr_value.h): size - 1 bytes and a NUL, or up to the
 * text's own NUL. r0 = bytes copied; negative, and the bytes 0, if the text is unreadable. Clobbers
 * r0 to r5.
 */
void kt_emit_text_read(struct kt_emit_expr *x, const struct kt_member_path *p, size_t size);

/* The same from the address in r3, by BPF_FUNC_probe_read_kernel_str or _user_str. */
void kt_emit_text_load(struct kt_asm *a, int function, size_t size);

/*
 * Jumps to the label if the text's first n bytes are these (so), or are not (!so). Clobbers r1 and
 * r2.
 */
void kt_emit_text_is(struct kt_asm *a, const char *text, size_t n, bool so, int label);

/*
 * Jumps to the label if the glob matches (so), or does not (!so), the text up to its NUL or n
 * bytes. The map's first element has a copy of g at that offset. Clobbers r0 to r5. Costs eleven
 * instructions per byte.
 */
void kt_emit_text_like(struct kt_asm *a, const struct kt_glob *g, int map, size_t offset, size_t n,
		       bool so, int label);

#endif
