/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the two events that the kernel describes for each system call,
 * "syscalls:sys_enter_openat" and "syscalls:sys_exit_openat" (doc/syscalls.md).
 *
 *	call = kt_syscall_of(event->system, event->name, &side);	// "openat", KT_ENTER
 *	kt_syscall_name(call, KT_EXIT, name);				// "sys_exit_openat"
 */
#ifndef KT_EVENTS_SYSCALL_NAMES_H
#define KT_EVENTS_SYSCALL_NAMES_H

#include <stdbool.h>

enum kt_side { KT_ENTER, KT_EXIT, KT_SIDES };

/* The name of the call, which lies in the event's, and whether it is its entry; or NULL. */
const char *kt_syscall_of(const char *system, const char *event, enum kt_side *side);

/* The other way round. */
enum { KT_SYSCALL_NAME_MAX = 128 };
void kt_syscall_name(const char *call, enum kt_side side, char name[KT_SYSCALL_NAME_MAX]);

/* As programs call it, where the kernel has another name for it: "stat" for "newstat". */
const char *kt_syscall_known_as(const char *call);

/* Whether it ever does, and its second event can be hit. */
bool kt_syscall_returns(const char *call);

/*
 * Whether it is execve or execveat. When one succeeds it returns under the number of execve in the
 * new program's word size, and in a thread with the number of its process. So its return has a
 * field more: the number that the thread had at the entry.
 */
bool kt_syscall_is_exec(const char *call);
#define KT_ENTRY_TID "__entry_tid"

/* The tracepoint that all calls go through there. */
const char *kt_syscall_tracepoint(enum kt_side side);

#endif
