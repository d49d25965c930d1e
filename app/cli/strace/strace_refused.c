// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/strace/strace_refused.h"

#include "app/cli/command.h"

int refuse_injection(const char *command, void *to, char *arg)
{
	(void)to;
	(void)arg;
	return report_misuse(command, "ktrace never changes what it watches: no injection of "
				      "errors or delays; use strace for that");
}

int refuse_seccomp(const char *command, void *to, char *arg)
{
	(void)to;
	(void)arg;
	return report_misuse(command, "ktrace stops no call, so that --seccomp-bpf has nothing to "
				      "speed up; leave it out");
}

int refuse_instruction_pointers(const char *command, void *to, char *arg)
{
	(void)to;
	(void)arg;
	return report_misuse(command, "instruction pointers are not recorded; -k shows which calls "
				      "led to each system call");
}

int refuse_source_lines(const char *command, void *to, char *arg)
{
	(void)to;
	(void)arg;
	return report_misuse(command, "source lines of stacks are not shown; leave out one 'k'");
}
