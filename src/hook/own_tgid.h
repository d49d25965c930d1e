/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own number of the calling process. getpid() would not do: in a pid namespace it
 * counts from 1 again.
 *
 *	int program = kt_own_tgid_load(&err);
 *	...
 *	kt_own_tgid_number(program, &self, &err);	// here, or in a child
 *	close(program);
 */
#ifndef KT_HOOK_OWN_TGID_H
#define KT_HOOK_OWN_TGID_H

#include <stdint.h>

struct kt_error;

/* Returns the descriptor of the program that knows it, the caller's, or -errno. Takes 0.3 ms. */
int kt_own_tgid_load(struct kt_error *err);

/* Sets *self to the number of the process (the tgid) that calls. 0 or -errno. One system call. */
int kt_own_tgid_number(int program, uint32_t *self, struct kt_error *err);

#endif
