// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/argument_pointers.h"

#include <string.h>

#include "ctypes/number_format_rules.h"

#define LOCKS  "F_GETLK F_OFD_GETLK"
#define SHARED "IPC_STAT SHM_STAT SHM_STAT_ANY"
#define QUEUED "IPC_STAT MSG_STAT MSG_STAT_ANY"

/* clang-format off */
static const struct kt_argument_pointer pointers[] = {
	{"cmd", {LOCKS " F_SETLK F_SETLKW F_OFD_SETLK F_OFD_SETLKW", LOCKS},
	 "struct flock *", "arg", "fcntl"},
	{"cmd", {"LINUX_REBOOT_CMD_RESTART2", NULL}, "char *", "arg", "reboot"},
	{"op", {"EPOLL_CTL_ADD EPOLL_CTL_MOD", NULL}, "struct epoll_event *", "event", "epoll_ctl"},
	{"option", {"PR_SET_NAME", "PR_GET_NAME"}, "char *", "arg2", "prctl"},
	{"option", {"PR_SET_VMA", NULL}, "char *", "arg5", "prctl"},
	{"request", {"PTRACE_GETREGSET PTRACE_SETREGSET", NULL}, "struct iovec *", "data", "ptrace"},
	{"cmd", {"IPC_SET", QUEUED}, "struct msqid64_ds *", "buf", "msgctl"},
	{"cmd", {"IPC_SET", SHARED}, "struct shmid64_ds *", "buf", "shmctl"},
};
/* clang-format on */

const struct kt_argument_pointer *kt_argument_pointer_of(const char *call, const char *argument)
{
	const struct kt_argument_pointer *p, *end = pointers + sizeof(pointers) / sizeof(*pointers);

	for (p = pointers; p < end; p++)
		if (!strcmp(p->name, argument) && kt_word_list_has(p->of, call))
			return p;
	return NULL;
}
