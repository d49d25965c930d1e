/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One text of a hit, on the stack: brought there, it can be compared.
 *
 *	kt_emit_text_read(&x, path, 7);			// at most 6 bytes of it, and a 0
 *	kt_emit_text_is(a, "nginx", 6, true, label);	// goes to the label where it is just that
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

/* Its place, and how many bytes that has. */
enum { KT_TEXT_ROOM = KT_CURATED_TEXT_MAX + 1, KT_STACK_TEXT = KT_STACK_EXPR - KT_TEXT_ROOM };

/* One of our own, or the first size bytes of it, or 0s behind it. r0 = its length, with a 0. */
void kt_emit_text_put(struct kt_asm *a, const char *text, size_t size);

/*
 * What a path leads to (generate/expr_value.h): size bytes of it, the last one of them a 0, or up
 * to its own. r0 = how many; of a text that cannot be read they are 0, and r0 is negative. r0 to r5
 * are lost.
 */
void kt_emit_text_read(struct kt_emit_expr *x, const struct kt_member_path *p, size_t size);

/* The same from an address, in r3, by BPF_FUNC_probe_read_kernel_str or _user_str. */
void kt_emit_text_load(struct kt_asm *a, int function, size_t size);

/*
 * Goes to the label where the text's first n bytes are these, or where they are not. r1 and r2 are
 * lost.
 */
void kt_emit_text_is(struct kt_asm *a, const char *text, size_t n, bool so, int label);

/*
 * The same where the pattern stands for all of it, up to a 0 or of n bytes. A map's first element
 * has a copy of g at that offset. r0 to r5 are lost. For each byte it costs eleven instructions.
 */
void kt_emit_text_like(struct kt_asm *a, const struct kt_glob *g, int map, size_t offset, size_t n,
		       bool so, int label);

#endif
