/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits code that takes the stacks of a hit: each goes to its table, unless it is there, and its id
 * into the record (bpf/callstacks.h).
 *
 *	kt_emit_reserve(a, &r);
 *	...					// the record's fields
 *	kt_emit_callstacks(a, &r, event);
 *	kt_emit_commit(a, &r);
 *
 * The id is a hash of the frames. A hit costs what the kernel takes to unwind the stack, four
 * instructions for each frame, and two lookups; a stack in user space three short reads more. If it
 * is not in the table, the kernel unwinds it again, and looks up the file of each frame.
 */
#ifndef KT_HANDLERS_CALLSTACK_H
#define KT_HANDLERS_CALLSTACK_H

struct kt_asm;
struct kt_event;
struct kt_reserve;

/*
 * Emits the code for event->stacks; nothing if there are none. r8 is the record; r8 and r9 are
 * preserved, and the other registers clobbered, and the stack below KT_STACK_RESERVE.
 */
void kt_emit_callstacks(struct kt_asm *a, const struct kt_reserve *r, const struct kt_event *event);

#endif
