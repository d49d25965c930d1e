/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for programs, without a trace of it in any map of theirs.
 *
 *	kt_enable_word_turn(gate, row, now);
 *	kt_rcu_wait(&err);			// who was on his way is done
 */
#ifndef KT_HOOK_RCU_WAIT_H
#define KT_HOOK_RCU_WAIT_H

struct kt_error;

/*
 * Returns when every program that ran at the time of the call, on whatever CPU, has ended. Some
 * 10 ms: the kernel's own wait for it, as in kt_rings_settle (ring/rings.h), at the end of a change
 * in maps of maps, here of one that lives no longer than the call. 0 or -errno.
 */
int kt_rcu_wait(struct kt_error *err);

#endif
