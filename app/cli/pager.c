// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/descriptors.h"

/* The default: less, where it is installed. */
#define LESS_OR_CAT "if command -v less >/dev/null; then exec less; else exec cat; fi"

/* Returns the shell command that shows pages, or NULL if there is none. */
static const char *find_command(void)
{
	const char *pager = getenv("PAGER");

	if (!isatty(STDOUT_FILENO))
		return NULL;
	if (!pager)
		return LESS_OR_CAT;
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

/* Runs the pager, in the child. */
static void run_command(const char *command, int input)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	restore_files_limit();
	if (dup2(input, STDIN_FILENO) < 0)
		_exit(1);
	setenv("LESS", "FRX", 0); /* ends if all fits on the screen; shows colors */
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/* Directs output to the pager. Returns whether the descriptors for it were there. */
static bool redirect(struct pager *p, int to)
{
	p->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	p->error = isatty(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) : -1;
	if (p->output < 0)
		return false;
	dup2(to, STDOUT_FILENO);
	if (p->error >= 0)
		dup2(to, STDERR_FILENO);
	return true;
}

void pager_begin(struct pager *p, bool is_unwanted)
{
	const char *command = is_unwanted ? NULL : find_command();
	int ends[2];

	*p = (struct pager){.output = -1, .error = -1};
	if (!command || pipe2(ends, O_CLOEXEC) < 0)
		return;
	p->pid = fork();
	if (p->pid == 0)
		run_command(command, ends[0]);
	close(ends[0]);
	if (p->pid < 0 || !redirect(p, ends[1]))
		p->pid = 0;
	else
		p->on_interrupt = signal(SIGINT, SIG_IGN);
	close(ends[1]);
}

void pager_end(struct pager *p)
{
	fflush(stdout);
	if (!p->pid)
		return;
	dup2(p->output, STDOUT_FILENO);
	close(p->output);
	if (p->error >= 0) {
		dup2(p->error, STDERR_FILENO);
		close(p->error);
	}
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, p->on_interrupt);
}
