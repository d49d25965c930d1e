// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/syscall_names.h"

#include <stdio.h>
#include <string.h>

/* The kernel's names for each side. */
static const struct side {
	const char *prefix, *tracepoint;
} sides[KT_SIDES] = {
	[KT_ENTER] = {"sys_enter_", "sys_enter"},
	[KT_EXIT] = {"sys_exit_", "sys_exit"},
};

const char *kt_syscall_of(const char *system, const char *event, enum kt_side *side)
{
	size_t n;

	if (strcmp(system, "syscalls") != 0)
		return NULL;
	for (*side = 0; *side < KT_SIDES; ++*side) {
		n = strlen(sides[*side].prefix);
		if (strncmp(event, sides[*side].prefix, n) == 0)
			return event + n;
	}
	return NULL;
}

void kt_syscall_name(const char *call, enum kt_side side, char name[KT_SYSCALL_NAME_MAX])
{
	snprintf(name, KT_SYSCALL_NAME_MAX, "%s%s", sides[side].prefix, call);
}

const char *kt_syscall_known_as(const char *call)
{
	static const char *const names[][2] = {
		{"newstat", "stat"},   {"newfstat", "fstat"}, {"newlstat", "lstat"},
		{"newuname", "uname"}, {"umount", "umount2"}, {"sendfile64", "sendfile"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(call, names[i][0]) == 0)
			return names[i][1];
	return call;
}

bool kt_syscall_returns(const char *call)
{
	return strcmp(call, "exit") != 0 && strcmp(call, "exit_group") != 0;
}

bool kt_syscall_is_exec(const char *call)
{
	return strcmp(call, "execve") == 0 || strcmp(call, "execveat") == 0;
}

const char *kt_syscall_tracepoint(enum kt_side side)
{
	return sides[side].tracepoint;
}
