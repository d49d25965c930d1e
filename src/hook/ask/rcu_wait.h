/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits until running BPF programs have ended, without touching any of their maps.
 *
 *	kt_enable_word_swap(enable, row, now);
 *	kt_rcu_wait(&err);			// programs that saw the old value have ended
 */
#ifndef KT_HOOK_ASK_RCU_WAIT_H
#define KT_HOOK_ASK_RCU_WAIT_H

struct kt_error;

/*
 * Returns when every program that was running at the call, on any CPU, has ended: about 10 ms.
 * Changing an array of maps makes the kernel wait (synchronize_rcu), as in kt_rings_settle()
 * (ring/rings.h); here it is an array that is made for the call. Returns 0 or -errno.
 */
int kt_rcu_wait(struct kt_error *err);

#endif
