/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling process's number in the initial PID namespace. In another namespace getpid() returns
 * a different one.
 *
 *	int program = kt_own_tgid_load(&err);
 *	...
 *	kt_own_tgid_number(program, &self, &err);	// here, or in a child
 *	close(program);
 */
#ifndef KT_HOOK_ASK_OWN_TGID_H
#define KT_HOOK_ASK_OWN_TGID_H

#include <stdint.h>

struct kt_error;

/*
 * Loads the program that reads the number; the caller closes the descriptor. Returns -errno on
 * error. Takes 0.3 ms.
 */
int kt_own_tgid_load(struct kt_error *err);

/*
 * Stores the calling process's number (tgid) in *self. Returns 0 or -errno. Takes one system call.
 */
int kt_own_tgid_number(int program, uint32_t *self, struct kt_error *err);

#endif
