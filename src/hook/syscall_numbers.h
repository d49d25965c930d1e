/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of the kernel's system calls, which it tells in no file: they are read where it keeps
 * them (doc/syscalls.md).
 *
 *	struct kt_syscall_numbers *numbers = kt_syscall_numbers_new(tracefs, btf, &err);
 *
 *	kt_syscall_numbers_find(numbers, event, &number, &err);		// 257 of
 *syscalls:sys_enter_openat kt_syscall_numbers_free(numbers);
 *
 * A program looks for them, which is loaded once and run for each: some µs. Nothing is attached.
 */
#ifndef KT_HOOK_SYSCALL_NUMBERS_H
#define KT_HOOK_SYSCALL_NUMBERS_H

#include <stdint.h>

struct kt_btf;
struct kt_error;
struct kt_event;
struct kt_syscall_numbers;

/* tracefs and btf must outlive it. On error NULL. */
struct kt_syscall_numbers *kt_syscall_numbers_new(int tracefs, struct kt_btf *btf,
						  struct kt_error *err);
void kt_syscall_numbers_free(struct kt_syscall_numbers *n);

/*
 * Of the call that the event is of. 0, or -errno: -EOPNOTSUPP where it is not to be found, or what
 * is found has another call's name.
 */
int kt_syscall_numbers_find(struct kt_syscall_numbers *n, const struct kt_event *event,
			    uint32_t *number, struct kt_error *err);

#endif
