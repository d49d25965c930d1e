/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals that end a command, which are to come between two of its steps, and never within one.
 *
 *	sigset_t signals;
 *
 *	take_signals(&signals);
 *	while (!is_ended(&signals))
 *		do_next_step();
 */
#ifndef KT_APP_SIGNALS_H
#define KT_APP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * Blocks them, and says which they are. A hang-up that nohup ignores stays ignored. A pipe that
 * breaks is one that no longer hears what we say, and no reason to lose what is recorded; nor is a
 * file that may not grow.
 */
void take_signals(sigset_t *signals);

/* Whether one of them has come. It stays so. */
bool is_ended(const sigset_t *signals);

#endif
