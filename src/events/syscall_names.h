/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the two events that the kernel has for each system call, "syscalls:sys_enter_openat" and
 * "syscalls:sys_exit_openat" (doc/syscalls.md).
 *
 *	call = kt_syscall_of(event->system, event->name, &side);	// "openat", KT_ENTER
 *	kt_syscall_name(call, KT_EXIT, name);				// "sys_exit_openat"
 */
#ifndef KT_EVENTS_SYSCALL_NAMES_H
#define KT_EVENTS_SYSCALL_NAMES_H

#include <stdbool.h>

enum kt_side { KT_ENTER, KT_EXIT, KT_SIDES };

/*
 * Returns the call's name, a part of the event's name, and stores its side; NULL for other events.
 */
const char *kt_syscall_of(const char *system, const char *event, enum kt_side *side);

/* Writes the name of the event of a call's entry or return. */
enum { KT_SYSCALL_NAME_MAX = 128 };
void kt_syscall_name(const char *call, enum kt_side side, char name[KT_SYSCALL_NAME_MAX]);

/* Returns the name that programs use for a call: "stat" for the kernel's "newstat". */
const char *kt_syscall_known_as(const char *call);

/* Returns whether the call can return, so that its second event can be hit. */
bool kt_syscall_returns(const char *call);

/*
 * Returns whether the call is execve or execveat. A successful exec returns under execve's number
 * in the new program's word size, and a thread gets its process's number. Therefore its return has
 * an additional field: the thread's number at the entry.
 */
bool kt_syscall_is_exec(const char *call);
#define KT_ENTRY_TID "__entry_tid"

/* Returns the tracepoint that all calls pass at that side. */
const char *kt_syscall_tracepoint(enum kt_side side);

#endif
