// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/argument.h"

#include <stddef.h>

#include "catalog/event.h"
#include "catalog/rule.h"
#include "catalog/syscall.h"

/* One that is called so, of these calls, or of all. What is not labelled is shown in base. */
static const struct kt_rule rules[] = {
	/* Of all calls: where one means something else it stands further down, and wins. */
	{"at_flags", NULL, "at_flags", KT_HEX},
	{"attr_flags", NULL, NULL, KT_HEX},
	{"clockid", NULL, "clock", KT_DECIMAL},
	{"clone_flags", NULL, "clone", KT_HEX},
	{"dfd", NULL, "at", KT_DECIMAL},
	{"event_f_flags", NULL, "open", KT_HEX},
	{"family", NULL, "family", KT_DECIMAL},
	{"flag", NULL, "at_flags", KT_HEX},
	{"flags", NULL, NULL, KT_HEX},
	{"from_dfd", NULL, "at", KT_DECIMAL},
	{"mode", NULL, NULL, KT_OCTAL},
	{"msgflg", NULL, "ipc", KT_HEX},
	{"newdfd", NULL, "at", KT_DECIMAL},
	{"oflag", NULL, "open", KT_HEX},
	{"olddfd", NULL, "at", KT_DECIMAL},
	{"prot", NULL, "prot", KT_HEX},
	{"resource", NULL, "resource", KT_DECIMAL},
	{"ret", NULL, "error", KT_DECIMAL},
	{"semflg", NULL, "ipc", KT_HEX},
	{"shmflg", NULL, "ipc", KT_HEX},
	{"sig", NULL, "signal", KT_DECIMAL},
	{"swap_flags", NULL, NULL, KT_HEX},
	{"to_dfd", NULL, "at", KT_DECIMAL},
	{"unshare_flags", NULL, "unshare", KT_HEX},
	{"whence", NULL, "whence", KT_DECIMAL},
	{"which_clock", NULL, "clock", KT_DECIMAL},

	/* Addresses that are numbers to the kernel. */
	{"addr", NULL, NULL, KT_POINTER},
	{"arg", "ioctl", NULL, KT_HEX},
	{"brk", NULL, NULL, KT_POINTER},
	{"ctx_id", NULL, NULL, KT_POINTER},
	{"new_addr", NULL, NULL, KT_POINTER},
	{"newsp", NULL, NULL, KT_POINTER},
	{"ret", "brk mmap mremap shmat", "error", KT_HEX},
	{"off", "mmap", NULL, KT_HEX},
	{"ret", "umask", "error", KT_OCTAL},
	{"start", NULL, NULL, KT_POINTER},
	{"tls", NULL, NULL, KT_POINTER},

	/* Of some. */
	{"advice", "fadvise64", "advice", KT_DECIMAL},
	{"behavior", "madvise process_madvise", "madvise", KT_DECIMAL},
	{"cmd", "fcntl", "fcntl", KT_DECIMAL},
	{"cmd", "flock", "flock", KT_HEX},
	{"cmd", "ioctl", NULL, KT_HEX},
	{"fd", "execveat", "at", KT_DECIMAL},
	{"flags", "accept4", "accept", KT_HEX},
	{"flags", "clock_nanosleep timer_settime", "timer", KT_HEX},
	{"flags", "close_range", "close_range", KT_HEX},
	{"flags", "dup3", "dup", KT_HEX},
	{"flags", "epoll_create1", "epoll_create", KT_HEX},
	{"flags", "eventfd2", "eventfd", KT_HEX},
	{"flags", "execveat faccessat2 fchmodat2 linkat utimensat", "at_flags", KT_HEX},
	{"flags", "getrandom", "getrandom", KT_HEX},
	{"flags", "inotify_init1", "inotify_init", KT_HEX},
	{"flags", "memfd_create", "memfd", KT_HEX},
	{"flags", "mlockall", "mlockall", KT_HEX},
	{"flags", "mmap remap_file_pages", "mmap", KT_HEX},
	{"flags", "mount", "mount", KT_HEX},
	{"flags", "mremap", "mremap", KT_HEX},
	{"flags", "msync", "msync", KT_HEX},
	{"flags", "open open_by_handle_at openat", "open", KT_HEX},
	{"flags", "pipe2", "pipe", KT_HEX},
	{"flags", "recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto", "msg", KT_HEX},
	{"flags", "renameat2", "rename", KT_HEX},
	{"flags", "setns", "unshare", KT_HEX},
	{"flags", "signalfd4", "signalfd", KT_HEX},
	{"flags", "statx", "statx_flags", KT_HEX},
	{"flags", "timerfd_create", "timerfd", KT_HEX},
	{"flags", "timerfd_settime", "timerfd_settime", KT_HEX},
	{"flags", "umount", "umount", KT_HEX},
	{"how", "rt_sigprocmask", "sigmask", KT_DECIMAL},
	{"how", "shutdown", "shutdown", KT_DECIMAL},
	{"mask", "inotify_add_watch", "inotify", KT_HEX},
	{"mask", "statx", "statx", KT_HEX},
	{"mask", "umask", NULL, KT_OCTAL},
	{"mode", "access faccessat faccessat2", "access", KT_HEX},
	{"mode", "fallocate", "fallocate", KT_HEX},
	{"mode", "mknod mknodat", "mode", KT_OCTAL},
	{"mode", "mbind set_mempolicy", NULL, KT_HEX},
	{"op", "epoll_ctl", "epoll_ctl", KT_DECIMAL},
	{"op", "futex", "futex", KT_DECIMAL},
	{"options", "wait4 waitid", "wait", KT_HEX},
	{"policy", "sched_get_priority_max sched_get_priority_min sched_setscheduler", "sched",
	 KT_DECIMAL},
	{"type", "socket socketpair", "socket", KT_DECIMAL},
	{"which", "getitimer setitimer", "itimer", KT_DECIMAL},
	{"which", "getpriority setpriority", "priority", KT_DECIMAL},
	{"which", "waitid", "idtype", KT_DECIMAL},
	{"who", "getrusage", "rusage", KT_DECIMAL},
};

/* Numbers of files that are open, without a sign to some calls, where all the same -1 is none. */
static const char descriptors[] = "fd fildes newfd oldfd";

void kt_argument_label(struct kt_event *event)
{
	struct kt_field *fields = kt_event_fields(event);
	const struct kt_rule *r;
	enum kt_side side;
	const char *call = kt_syscall_of(event->system, event->name, &side);
	size_t i;

	for (i = 0; i < event->n_fields; i++) {
		if (fields[i].flags & KT_FIELD_POINTER)
			continue;
		if (kt_rule_is_in(descriptors, fields[i].name)) {
			fields[i].size = fields[i].width = sizeof(int);
			fields[i].flags |= KT_FIELD_SIGNED;
		}
		r = kt_rule_find(rules, sizeof(rules) / sizeof(*rules), call, fields[i].name);
		if (r)
			kt_rule_apply(r, &fields[i]);
	}
}
