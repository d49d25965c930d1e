/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that end a command, handled between two of its steps, never within one.
 *
 *	sigset_t signals;
 *
 *	take_signals(&signals);
 *	while (!is_ended(&signals))
 *		do_next_step();
 */
#ifndef KT_APP_CLI_SIGNALS_H
#define KT_APP_CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * Blocks all signals that would end the process, and sets *signals to them. Ignored signals remain
 * ignored, as nohup wants, except SIGINT and SIGTERM. SIGPIPE and SIGXFSZ are ignored: they make
 * writing fail, which is no reason to lose what is recorded. Signals by which a terminal stops a
 * process are blocked, too, as rings must be read all the time.
 */
void take_signals(sigset_t *signals);

/* Returns whether one of the signals is pending; it remains pending. */
bool is_ended(const sigset_t *signals);

#endif
