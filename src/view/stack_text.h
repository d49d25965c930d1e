/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the stacks of a hit (doc/stacks.md), as lines after the hit's own line, or as members of
 * its JSON object:
 *
 *	 => vfs_read+0x1a3
 *	 => ext4_file_read_iter+0x51 [ext4]
 *
 *	 => read+0x1d (/usr/lib/x86_64-linux-gnu/libc.so.6)
 *	 => /usr/bin/stripped+0x4721
 *
 *	 > /usr/lib/x86_64-linux-gnu/libc.so.6(read+0x1d) [0xf81bd]
 *	 > /usr/bin/stripped() [0x4721]
 *
 *	,"kernel_stack":["vfs_read+0x1a3","ext4_file_read_iter+0x51 [ext4]"],"user_stack":[...]
 *
 * Frames of tracing itself, by which the program was called, are left out. In user space, a place
 * in a file without symbols is an offset there, or in the file with that build id; else an address
 * is printed. After the last frame that was recorded, "..." stands for more. A stack that was lost
 * is "<lost>", in JSON null. The lines with '>' are strace's, which tell the offset in the file;
 * there the kernel's functions are in [kernel], and addresses in no file in [unknown].
 */
#ifndef KT_VIEW_STACK_TEXT_H
#define KT_VIEW_STACK_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "constants/symbols.h"

/* Of a longer path the end is cut off. */
enum { KT_STACK_FRAME_MAX = KT_SYMBOL_MAX + 4096 };

struct kt_hit;
struct kt_hit_stack;
struct kt_text;

/* Print nothing if the hit has no stacks. */
void kt_stack_text_lines(struct kt_text *to, const struct kt_hit *hit);
void kt_stack_text_strace_lines(struct kt_text *to, const struct kt_hit *hit);
void kt_stack_text_json(struct kt_text *to, const struct kt_hit *hit);

/*
 * Returns the hit whose stacks are those of a call: its entry, or its return, if only that has any.
 * Either may be NULL.
 */
const struct kt_hit *kt_stack_text_choose(const struct kt_hit *entry, const struct kt_hit *exit);

/*
 * Returns the number of frames without the outermost ones in user space that are addresses alone:
 * where frame pointers end, they differ from process to process.
 */
size_t kt_stack_known(const struct kt_hit_stack *s, const struct kt_symbols *symbols);

/* Returns the first frame that is not of tracing itself; or the number of frames. */
size_t kt_stack_first(const struct kt_hit_stack *s, const struct kt_symbols *symbols);

/* Writes where a frame is, as above. Returns the length. */
size_t kt_stack_frame(const struct kt_hit_stack *s, size_t frame, const struct kt_symbols *symbols,
		      char text[KT_STACK_FRAME_MAX]);

/* Writes a frame without an offset: "read", "[libc.so.6]", "[unknown]". Returns the length. */
size_t kt_stack_function(const struct kt_hit_stack *s, size_t frame,
			 const struct kt_symbols *symbols, char text[KT_STACK_FRAME_MAX]);

#endif
