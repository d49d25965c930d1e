// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/signals.h"

#include <stddef.h>

void take_signals(sigset_t *signals)
{
	struct sigaction hup;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler != SIG_IGN)
		sigaddset(signals, SIGHUP);
	sigprocmask(SIG_BLOCK, signals, NULL);
}

bool is_ended(const sigset_t *signals)
{
	sigset_t ended;

	sigpending(&ended);
	return sigandset(&ended, &ended, signals) == 0 && !sigisemptyset(&ended);
}
