/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the marking of system calls that a filter matches by their arguments: the entry's program
 * sets the mark, the return's program tests it.
 *
 *	kt_emit_clear_filter_mark(a, map);		// the entry, first of all
 *	...
 *	kt_emit_set_filter_mark(a, map, enable);	// if its filter matches
 *
 *	kt_emit_filter_mark_test(a, map, enable, 0, so, label);	// the return
 *
 * The map has one element of KT_CALL_MARKS_SIZE bytes, one for each possible thread number: it can
 * never be full. A thread is in one call at a time.
 *
 * While a session is paused, a call's return and the next entry may be missed, and the mark
 * outlives the call. So the mark is a number from the enable word's map (generate/enable_check.h; 1
 * without one, -1), and other numbers do not count.
 */
#ifndef KT_GENERATE_SYSCALL_FILTER_MARKS_H
#define KT_GENERATE_SYSCALL_FILTER_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct kt_asm;

/* The mark is a byte. */
enum { KT_MARK_MAX = 255 };

/* Thread numbers are below this on every 64-bit kernel, whatever kernel.pid_max is. */
enum { KT_CALL_MARKS_SIZE = 1 << 22 };

/* Clear and set the current thread's mark. Clobber r0 to r2. */
void kt_emit_clear_filter_mark(struct kt_asm *a, int map);
void kt_emit_set_filter_mark(struct kt_asm *a, int map, int enable);

/*
 * Jumps to the label if the mark is set (so), or not set (!so), and clears it. For an exec, the
 * thread's number at the entry is at stack offset tid; 0: the current thread's. Clobbers r0 to r2.
 */
void kt_emit_filter_mark_test(struct kt_asm *a, int map, int enable, int16_t tid, bool so,
			      int label);

#endif
