/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the stacks of a hit (doc/stacks.md), as lines after the hit's own line, or as members of
 * its JSON object:
 *
 *	 => vfs_read+0x1a3
 *	 => ext4_file_read_iter+0x51 [ext4]
 *
 *	,"kernel_stack":["vfs_read+0x1a3","ext4_file_read_iter+0x51 [ext4]"]
 *
 * Frames of tracing itself, by which the program was called, are left out. An address without a
 * symbol is printed as such. A stack that was lost is "<lost>", in JSON null.
 */
#ifndef KT_VIEW_STACK_TEXT_H
#define KT_VIEW_STACK_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "constants/symbols.h"

struct kt_hit;
struct kt_hit_stack;
struct kt_text;

/* Print nothing if the hit has no stacks. */
void kt_stack_text_lines(struct kt_text *to, const struct kt_hit *hit);
void kt_stack_text_json(struct kt_text *to, const struct kt_hit *hit);

/*
 * Returns the hit whose stacks are those of a call: its entry, or its return, if only that has any.
 * Either may be NULL.
 */
const struct kt_hit *kt_stack_text_choose(const struct kt_hit *entry, const struct kt_hit *exit);

/* Returns the first frame that is not of tracing itself; or the number of frames. */
size_t kt_stack_first(const struct kt_hit_stack *s, const struct kt_symbols *symbols);

/* Returns the symbol of a frame's function; or NULL. */
const struct kt_symbol *kt_stack_symbol(const struct kt_hit_stack *s, size_t frame,
					const struct kt_symbols *symbols);

/* Writes the name of a frame: a symbol with an offset, or an address. Returns its length. */
size_t kt_stack_frame(const struct kt_hit_stack *s, size_t frame, const struct kt_symbols *symbols,
		      char text[KT_SYMBOL_MAX]);

#endif
