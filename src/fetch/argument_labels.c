// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/argument_labels.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ctypes/number_format_rules.h"
#include "events/event.h"
#include "events/syscall_names.h"

/* Rules by argument name, for some calls or all. A number without a label is written in `base`. */
static const struct kt_number_format rules[] = {
	/* For all calls; a later rule for some calls wins. */
	{"at_flags", NULL, "at_flags", KT_HEX},
	{"attr_flags", NULL, "mount_attr", KT_HEX},
	{"clockid", NULL, "clock", KT_HEX},
	{"clone_flags", NULL, "clone", KT_HEX},
	{"dfd", NULL, "at", KT_DECIMAL},
	{"egid", NULL, "id", KT_DECIMAL},
	{"euid", NULL, "id", KT_DECIMAL},
	{"event_f_flags", NULL, "open", KT_HEX},
	{"family", NULL, "family", KT_HEX},
	{"flag", NULL, "at_flags", KT_HEX},
	{"flags", NULL, NULL, KT_HEX},
	{"from_dfd", NULL, "at", KT_DECIMAL},
	{"gid", NULL, "id", KT_DECIMAL},
	{"group", NULL, "id", KT_DECIMAL},
	{"key", NULL, "ipc_key", KT_HEX},
	{"mode", NULL, NULL, KT_OCTAL},
	{"mountdirfd", NULL, "at", KT_DECIMAL},
	{"newdfd", NULL, "at", KT_DECIMAL},
	{"oflag", NULL, "open", KT_HEX},
	{"olddfd", NULL, "at", KT_DECIMAL},
	{"prot", NULL, "prot", KT_HEX},
	{"resource", NULL, "resource", KT_HEX},
	{"ret", NULL, "error", KT_DECIMAL},
	{"rgid", NULL, "id", KT_DECIMAL},
	{"ruid", NULL, "id", KT_DECIMAL},
	{"sgid", NULL, "id", KT_DECIMAL},
	{"sig", NULL, "signal", KT_DECIMAL},
	{"suid", NULL, "id", KT_DECIMAL},
	{"swap_flags", NULL, "swapon", KT_HEX},
	{"to_dfd", NULL, "at", KT_DECIMAL},
	{"uid", NULL, "id", KT_DECIMAL},
	{"unshare_flags", NULL, "unshare", KT_HEX},
	{"user", NULL, "id", KT_DECIMAL},
	{"whence", NULL, "whence", KT_HEX},
	{"which_clock", NULL, "clock", KT_HEX},

	/* Addresses that are numbers to the kernel. */
	{"addr", NULL, NULL, KT_POINTER},
	{"arg", "fcntl ioctl", NULL, KT_HEX},
	{"brk", NULL, NULL, KT_POINTER},
	{"ctx", "io_destroy", NULL, KT_POINTER},
	{"ctx_id", NULL, NULL, KT_POINTER},
	{"data", "ptrace", NULL, KT_POINTER},
	{"new_addr", NULL, NULL, KT_POINTER},
	{"newsp", NULL, NULL, KT_POINTER},
	{"id", "quotactl quotactl_fd", "id", KT_DECIMAL},
	{"ret", "brk mmap mremap shmat", "error", KT_HEX},
	{"num", "ioperm", NULL, KT_HEX},
	{"off", "mmap", NULL, KT_HEX},
	{"ret", "umask", "error", KT_OCTAL},
	{"start", NULL, NULL, KT_POINTER},
	{"tls", NULL, NULL, KT_POINTER},

	/* For some calls. */
	{"advice", "fadvise64", "advice", KT_HEX},
	{"arg2", "arch_prctl keyctl prctl", NULL, KT_HEX},
	{"arg3", "keyctl prctl", NULL, KT_HEX},
	{"arg4", "keyctl prctl", NULL, KT_HEX},
	{"arg5", "keyctl prctl", NULL, KT_HEX},
	{"aux", "fsconfig", "at", KT_DECIMAL},
	{"behavior", "madvise process_madvise", "madvise", KT_HEX},
	{"cmd", "bpf", "bpf", KT_HEX},
	{"cmd", "fcntl", "fcntl", KT_HEX},
	{"cmd", "flock", "flock", KT_HEX},
	{"cmd", "fsconfig", "fsconfig", KT_HEX},
	{"cmd", "ioctl", "ioctl", KT_HEX},
	{"cmd", "membarrier", "membarrier", KT_HEX},
	{"cmd", "msgctl", "msgctl", KT_HEX},
	{"cmd", "quotactl quotactl_fd", "quotactl", KT_HEX},
	{"cmd", "reboot", "reboot", KT_HEX},
	{"cmd", "semctl", "semctl", KT_HEX},
	{"cmd", "shmctl", "shmctl", KT_HEX},
	{"destringid", "request_key", "keyring", KT_DECIMAL},
	{"dfd", "fanotify_mark", "at_fanotify", KT_DECIMAL},
	{"fd", "execveat", "at", KT_DECIMAL},
	{"dev", "mknod mknodat", NULL, KT_HEX},
	{"flag", "name_to_handle_at", "handle", KT_HEX},
	{"flags", "accept4", "accept", KT_HEX},
	{"flags", "clock_nanosleep timer_settime", "timer", KT_HEX},
	{"flags", "close_range", "close_range", KT_HEX},
	{"flags", "delete_module", "delete_module", KT_HEX},
	{"flags", "dup3", "dup", KT_HEX},
	{"flags", "epoll_create1", "epoll_create", KT_HEX},
	{"flags", "eventfd2", "eventfd", KT_HEX},
	{"flags", "execveat fchmodat2 linkat utimensat", "at_flags", KT_HEX},
	{"flags", "faccessat2", "faccess", KT_HEX},
	{"flags", "fanotify_init", "fanotify_init", KT_HEX},
	{"flags", "fanotify_mark", "fanotify_mark", KT_HEX},
	{"flags", "finit_module", "init_module", KT_HEX},
	{"flags", "fsetxattr lsetxattr setxattr", "xattr", KT_HEX},
	{"flags", "fsmount", "fsmount", KT_HEX},
	{"flags", "fsopen", "fsopen", KT_HEX},
	{"flags", "fspick", "fspick", KT_HEX},
	{"flags", "get_mempolicy", "policy_get", KT_HEX},
	{"flags", "getrandom", "getrandom", KT_HEX},
	{"flags", "inotify_init1", "inotify_init", KT_HEX},
	{"flags", "io_uring_enter", "io_uring_enter", KT_HEX},
	{"flags", "kexec_file_load", "kexec_file", KT_HEX},
	{"flags", "kexec_load", "kexec", KT_HEX},
	{"flags", "landlock_create_ruleset", "landlock", KT_HEX},
	{"flags", "mbind move_pages", "policy_move", KT_HEX},
	{"flags", "membarrier", "membarrier_flags", KT_HEX},
	{"flags", "memfd_create", "memfd", KT_HEX},
	{"flags", "mlock2", "mlock", KT_HEX},
	{"flags", "mlockall", "mlockall", KT_HEX},
	{"flags", "mmap remap_file_pages", "mmap", KT_HEX},
	{"flags", "mount", "mount", KT_HEX},
	{"flags", "mount_setattr", "at_flags", KT_HEX},
	{"flags", "move_mount", "move_mount", KT_HEX},
	{"flags", "mremap", "mremap", KT_HEX},
	{"flags", "msync", "msync", KT_HEX},
	{"flags", "open open_by_handle_at openat", "open", KT_HEX},
	{"flags", "open_tree open_tree_attr", "open_tree", KT_HEX},
	{"flags", "perf_event_open", "perf", KT_HEX},
	{"flags", "pidfd_open", "pidfd", KT_HEX},
	{"flags", "pidfd_send_signal", "pidfd_signal", KT_HEX},
	{"flags", "pipe2", "pipe", KT_HEX},
	{"flags", "preadv2 pwritev2", "rwf", KT_HEX},
	{"flags", "recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto", "msg", KT_HEX},
	{"flags", "renameat2", "rename", KT_HEX},
	{"flags", "memfd_secret", "secret", KT_HEX},
	{"flags", "process_vm_readv process_vm_writev", NULL, KT_DECIMAL},
	{"flags", "rseq", "rseq", KT_HEX},
	{"option", "sysfs", NULL, KT_HEX},
	{"rseq_len", "rseq", NULL, KT_HEX},
	{"sig", "rseq", NULL, KT_HEX},
	{"flags", "seccomp", "seccomp_flags", KT_HEX},
	{"flags", "setns", "setns", KT_HEX},
	{"flags", "signalfd4", "signalfd", KT_HEX},
	{"flags", "splice tee vmsplice", "splice", KT_HEX},
	{"flags", "statx", "statx_flags", KT_HEX},
	{"flags", "sync_file_range", "sync_range", KT_HEX},
	{"flags", "timerfd_create", "timerfd", KT_HEX},
	{"flags", "timerfd_settime", "timerfd_settime", KT_HEX},
	{"flags", "umount", "umount", KT_HEX},
	{"flags", "userfaultfd", "userfaultfd", KT_HEX},
	{"how", "rt_sigprocmask", "sigmask", KT_HEX},
	{"how", "shutdown", "shutdown", KT_HEX},
	{"from", "ioperm", NULL, KT_HEX},
	{"idx1", "kcmp", NULL, KT_HEX},
	{"idx2", "kcmp", NULL, KT_HEX},
	{"init_val", "pkey_alloc", "pkey", KT_HEX},
	{"level", "getsockopt setsockopt", "level", KT_HEX},
	{"magic1", "reboot", "reboot_magic", KT_HEX},
	{"magic2", "reboot", "reboot_magic", KT_HEX},
	{"mask", "fanotify_mark", "fanotify_event", KT_HEX},
	{"mask", "inotify_add_watch", "inotify", KT_HEX},
	{"mask", "statx", "statx", KT_HEX},
	{"mask", "umask", NULL, KT_OCTAL},
	{"mode", "access faccessat faccessat2", "access", KT_HEX},
	{"mode", "fallocate", "fallocate", KT_HEX},
	{"mode", "mbind set_mempolicy", "policy", KT_HEX},
	{"mode", "mknod mknodat", "mode", KT_OCTAL},
	{"msgflg", "msgget", "ipc", KT_OCTAL},
	{"msgflg", "msgrcv msgsnd", "msgrcv", KT_HEX},
	{"op", "epoll_ctl", "epoll_ctl", KT_HEX},
	{"op", "futex", "futex", KT_DECIMAL},
	{"op", "seccomp", "seccomp", KT_HEX},
	{"opcode", "io_uring_register", "io_uring_register", KT_HEX},
	{"option", "arch_prctl", "arch", KT_HEX},
	{"option", "keyctl", "keyctl", KT_HEX},
	{"option", "prctl", "prctl", KT_HEX},
	{"options", "wait4", "wait", KT_HEX},
	{"options", "waitid", "waitid", KT_HEX},
	{"personality", "personality", "personality", KT_HEX},
	{"policy", "sched_get_priority_max sched_get_priority_min sched_setscheduler", "sched",
	 KT_DECIMAL},
	{"request", "ptrace", "ptrace", KT_HEX},
	{"ringid", "add_key", "keyring", KT_DECIMAL},
	{"rule_type", "landlock_add_rule", "landlock_rule", KT_HEX},
	{"semflg", "semget", "ipc", KT_OCTAL},
	{"shmflg", "shmat", "shmat", KT_HEX},
	{"shmflg", "shmget", "shmget", KT_OCTAL},
	{"type", "kcmp", "kcmp", KT_HEX},
	{"type", "socket socketpair", "socket", KT_DECIMAL},
	{"type", "syslog", "syslog", KT_DECIMAL},
	{"val3", "futex", NULL, KT_HEX},
	{"which", "getitimer setitimer", "itimer", KT_HEX},
	{"which", "getpriority setpriority", "priority", KT_HEX},
	{"which", "ioprio_get ioprio_set", "io_priority", KT_HEX},
	{"which", "waitid", "idtype", KT_HEX},
	{"who", "getrusage", "rusage", KT_HEX},
};

/*
 * Descriptors and process numbers that some calls declare unsigned or as long; -1 still means none.
 */
static const char ints[] = "fd fildes newfd oldfd pid";

/* Arguments of which the kernel uses only the lowest bytes, and how many. */
static const struct {
	const char *call, *name;
	unsigned int size;
} narrow[] = {
	{"clone", "clone_flags", sizeof(uint32_t)},
	{"umask", "mask", sizeof(uint16_t)},
};

static void make_narrow(struct kt_field *f, const char *call)
{
	size_t i;

	for (i = 0; i < sizeof(narrow) / sizeof(*narrow); i++) {
		if (strcmp(narrow[i].call, call) != 0 || strcmp(narrow[i].name, f->name) != 0)
			continue;
		f->size = f->width = narrow[i].size;
		f->flags &= ~KT_FIELD_SIGNED;
	}
}

void kt_argument_label(struct kt_event *event)
{
	struct kt_field *fields = kt_event_fields(event);
	const struct kt_number_format *r;
	enum kt_side side;
	const char *call = kt_syscall_of(event->system, event->name, &side);
	size_t i;

	for (i = 0; i < event->n_fields; i++) {
		if (fields[i].flags & KT_FIELD_POINTER)
			continue;
		if (kt_word_list_has(ints, fields[i].name)) {
			fields[i].size = fields[i].width = sizeof(int);
			fields[i].flags |= KT_FIELD_SIGNED;
		}
		make_narrow(&fields[i], call);
		r = kt_number_format_find(rules, sizeof(rules) / sizeof(*rules), call,
					  fields[i].name);
		if (r)
			kt_number_format_apply(r, &fields[i]);
	}
}
