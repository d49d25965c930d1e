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
#ifndef KT_APP_CLI_SIGNALS_H
#define KT_APP_CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * Blocks all signals that would end the process, and sets *signals to them. One that is ignored
 * stays ignored, as nohup wants it, but SIGINT and SIGTERM are always taken. SIGPIPE and SIGXFSZ
 * are ignored: a broken pipe hears no more messages, and a file that may not grow is an error, but
 * neither is a reason to lose what is recorded. Signals by which a terminal stops a process are
 * blocked, too: rings must be emptied all the time.
 */
void take_signals(sigset_t *signals);

/* Whether one of them has come. It stays so. */
bool is_ended(const sigset_t *signals);

#endif
