/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two events that the kernel describes for each system call, "syscalls:sys_enter_openat" and
 * "syscalls:sys_exit_openat" (doc/syscalls.md).
 *
 *	call = kt_syscall_of(event->system, event->name, &side);	// "openat", KT_ENTER
 *
 *	kt_syscall_fit(event, btf);
 *	fields = kt_syscall_fields(event, btf);	// "__syscall_nr=id;dfd=regs->di;filename=regs->si"
 *
 * The registers that have the arguments still do when the call returns.
 */
#ifndef KT_CATALOG_SYSCALL_H
#define KT_CATALOG_SYSCALL_H

#include <stdbool.h>

struct kt_btf;
struct kt_event;

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

/* And how the number of a call comes from what that is called with, as catalog/expr.h has it. */
const char *kt_syscall_number(enum kt_side side);

/*
 * Of an event of one, and of no other: makes its fields as large as their types are, where these
 * are known, gives them labels (catalog/argument.h), and leaves out what the kernel puts behind
 * them for its own record alone.
 */
void kt_syscall_fit(struct kt_event *event, struct kt_btf *btf);

/*
 * Where such an event's fields come from, the copies of what its arguments point to among them, for
 * kt_curate_as (catalog/curated.h). The caller frees it. On lack of memory NULL.
 */
char *kt_syscall_fields(const struct kt_event *event, struct kt_btf *btf);

/*
 * An expression of the same kind, which is not 0 where what is called is none of these calls,
 * though it has the number of one: a 32-bit call on a 64-bit kernel.
 */
extern const char kt_syscall_foreign[];

#endif
