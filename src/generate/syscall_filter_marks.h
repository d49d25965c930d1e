/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which threads are in a system call that a filter chose by its arguments: the program of the entry
 * says so, and the program of the return asks.
 *
 *	kt_emit_clear_filter_mark(a, map);		// the entry, first of all
 *	...
 *	kt_emit_set_filter_mark(a, map, gate);		// where its filter is so
 *
 *	kt_emit_filter_mark_test(a, map, gate, 0, so, label);	// the return
 *
 * The map's one element has KT_CHOSEN_SIZE bytes, all 0, one for each number that a thread can
 * have: so it is never full, and no thread has to be forgotten. A thread is in one call at a time.
 *
 * Where neither its return nor the next entry is seen, as the session is paused, a mark outlives
 * the call. So it is the gate's (generate/enable_check.h), or 1 where there is none (-1), and one
 * that the gate has no more is none.
 */
#ifndef KT_GENERATE_SYSCALL_FILTER_MARKS_H
#define KT_GENERATE_SYSCALL_FILTER_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct kt_asm;

/* A byte. */
enum { KT_MARK_MAX = 255 };

/* Numbers of threads are below that on every 64-bit kernel, whatever kernel.pid_max says. */
enum { KT_CHOSEN_SIZE = 1 << 22 };

/* The thread that runs is in no such call, or in one. r0 to r2 are lost. */
void kt_emit_clear_filter_mark(struct kt_asm *a, int map);
void kt_emit_set_filter_mark(struct kt_asm *a, int map, int gate);

/*
 * Goes to the label where it is, or is not; and it is no longer. Of an exec the number that the
 * thread had at the entry is on the stack; 0: it is that of the thread that runs. r0 to r2 are
 * lost.
 */
void kt_emit_filter_mark_test(struct kt_asm *a, int map, int gate, int16_t tid, bool so, int label);

#endif
