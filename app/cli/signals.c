// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/signals.h"

#include <stddef.h>

/* Signals that end a process by default; SIGRTMIN to SIGRTMAX do, too. */
static const int ending[] = {
	SIGHUP,  SIGINT,  SIGQUIT, SIGILL,    SIGTRAP, SIGABRT,   SIGBUS,  SIGFPE, SIGUSR1, SIGSEGV,
	SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,  SIGPWR,  SIGSYS,
};

/* Signals by which a terminal stops a process. */
static const int stopping[] = {SIGTSTP, SIGTTIN, SIGTTOU};

/* Shells and nohup start processes with ignored signals. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) < 0 || action.sa_handler == SIG_IGN;
}

void take_signals(sigset_t *signals)
{
	sigset_t blocked;
	size_t i;
	int n;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(signals);
	for (i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (ending[i] == SIGINT || ending[i] == SIGTERM || !is_ignored(ending[i]))
			sigaddset(signals, ending[i]);
	for (n = SIGRTMIN; n <= SIGRTMAX; n++)
		if (!is_ignored(n))
			sigaddset(signals, n);
	blocked = *signals;
	for (i = 0; i < sizeof(stopping) / sizeof(*stopping); i++)
		sigaddset(&blocked, stopping[i]);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
}

bool is_ended(const sigset_t *signals)
{
	sigset_t ended;

	sigpending(&ended);
	return sigandset(&ended, &ended, signals) == 0 && !sigisemptyset(&ended);
}
