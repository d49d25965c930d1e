/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of the kernel's system calls. No file has them, so they are read from kernel memory
 * (doc/syscalls.md).
 *
 *	struct kt_syscall_numbers *numbers = kt_syscall_numbers_new(tracefs, btf, &err);
 *
 *	kt_syscall_numbers_find(numbers, event, &number, &err);	// 257 for sys_enter_openat
 *	kt_syscall_numbers_free(numbers);
 *
 * A program is loaded once, and run for each call, in some µs. Nothing is attached.
 */
#ifndef KT_HOOK_SYSCALL_NUMBERS_H
#define KT_HOOK_SYSCALL_NUMBERS_H

#include <stdint.h>

struct kt_btf;
struct kt_error;
struct kt_event;
struct kt_syscall_numbers;

/* Loads the program; tracefs and btf must outlive the result. Returns NULL on error. */
struct kt_syscall_numbers *kt_syscall_numbers_new(int tracefs, struct kt_btf *btf,
						  struct kt_error *err);
void kt_syscall_numbers_free(struct kt_syscall_numbers *n);

/*
 * Finds the number of the event's call. Returns 0 or -errno: -EOPNOTSUPP if the kernel's data is
 * not as expected, or has another call's name.
 */
int kt_syscall_numbers_find(struct kt_syscall_numbers *n, const struct kt_event *event,
			    uint32_t *number, struct kt_error *err);

#endif
