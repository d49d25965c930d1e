// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/argument_variants.h"

#include <string.h>

#include "ctypes/number_format_rules.h"

enum kind {
	OWN,    /* its own type */
	NONE,   /* the call does not use it */
	NUMBER, /* a number, written by the rule */
	SIGNED, /* the same, signed */
	INT,    /* its lowest 32 bits as an int: the kernel ignores the others */
	WORD,   /* the same, unsigned */
};

/* clang-format off */
/* What processes have one of, if any. */
#define KCMP_WHOLE "KCMP_FILES KCMP_FS KCMP_IO KCMP_SIGHAND KCMP_SYSVSEM KCMP_VM"

/* Operations of prctl without further arguments, and with one. */
#define PRCTL_NONE \
	"PR_GET_DUMPABLE PR_GET_FP_MODE PR_GET_KEEPCAPS PR_GET_SECCOMP PR_GET_SECUREBITS " \
	"PR_GET_TIMERSLACK PR_GET_TIMING PR_SME_GET_VL PR_SVE_GET_VL " \
	"PR_TASK_PERF_EVENTS_DISABLE PR_TASK_PERF_EVENTS_ENABLE"
#define PRCTL_ONE \
	"PR_CAPBSET_DROP PR_CAPBSET_READ PR_GET_CHILD_SUBREAPER PR_GET_ENDIAN PR_GET_FPEMU " \
	"PR_GET_FPEXC PR_GET_NAME PR_GET_PDEATHSIG PR_GET_TID_ADDRESS PR_GET_TSC " \
	"PR_GET_UNALIGN PR_SET_CHILD_SUBREAPER PR_SET_DUMPABLE PR_SET_ENDIAN PR_SET_FPEMU " \
	"PR_SET_FPEXC PR_SET_FP_MODE PR_SET_KEEPCAPS PR_SET_NAME PR_SET_PDEATHSIG " \
	"PR_SET_PTRACER PR_SET_SECUREBITS PR_SET_TIMERSLACK PR_SET_TIMING PR_SET_TSC " \
	"PR_SET_UNALIGN PR_SME_SET_VL PR_SVE_SET_VL"
#define PRCTL_GET \
	"PR_GET_CHILD_SUBREAPER PR_GET_ENDIAN PR_GET_FPEMU PR_GET_FPEXC PR_GET_NAME " \
	"PR_GET_PDEATHSIG PR_GET_TID_ADDRESS PR_GET_TSC PR_GET_UNALIGN PR_SET_NAME"
#define PRCTL_NUMBER \
	"PR_SET_CHILD_SUBREAPER PR_SET_ENDIAN PR_SET_FPEMU PR_SET_FPEXC PR_SET_IO_FLUSHER " \
	"PR_SET_KEEPCAPS PR_SET_NO_NEW_PRIVS PR_SET_THP_DISABLE PR_SET_TIMING"

/* Requests of ptrace that continue the process. */
#define PTRACE_GOES_ON \
	"PTRACE_CONT PTRACE_DETACH PTRACE_SINGLEBLOCK PTRACE_SINGLESTEP PTRACE_SYSCALL " \
	"PTRACE_SYSEMU PTRACE_SYSEMU_SINGLESTEP"
#define PTRACE_NONE \
	"PTRACE_ATTACH PTRACE_INTERRUPT PTRACE_KILL PTRACE_LISTEN PTRACE_TRACEME"
#define PTRACE_SIZED \
	"PTRACE_GETSIGMASK PTRACE_GET_SYSCALL_INFO PTRACE_SECCOMP_GET_FILTER " \
	"PTRACE_SECCOMP_GET_METADATA PTRACE_SETSIGMASK PTRACE_SET_SYSCALL_INFO"

/* A futex operation, shared and private. */
#define F(OP) "FUTEX_" OP " FUTEX_" OP "_PRIVATE"
#define FUTEX_LOCKS F("LOCK_PI") " " F("LOCK_PI2") " " F("TRYLOCK_PI") " " F("UNLOCK_PI")
#define FUTEX_TWO \
	F("CMP_REQUEUE") " " F("CMP_REQUEUE_PI") " " F("REQUEUE") " " F("WAKE_OP")
#define FUTEX_WAKES "FUTEX_FD " F("WAKE") " " F("WAKE_BITSET")

/* Operations of keyctl with one argument, two or three; with a key; and the places of others. */
#define KEYCTL_NONE "KEYCTL_SESSION_TO_PARENT"
#define KEYCTL_ONE \
	"KEYCTL_ASSUME_AUTHORITY KEYCTL_CLEAR KEYCTL_INVALIDATE " \
	"KEYCTL_JOIN_SESSION_KEYRING KEYCTL_REVOKE KEYCTL_SET_REQKEY_KEYRING"
#define KEYCTL_TWO \
	"KEYCTL_CAPABILITIES KEYCTL_GET_KEYRING_ID KEYCTL_GET_PERSISTENT " \
	"KEYCTL_LINK KEYCTL_SETPERM KEYCTL_SET_TIMEOUT KEYCTL_UNLINK"
#define KEYCTL_THREE \
	"KEYCTL_CHOWN KEYCTL_DESCRIBE KEYCTL_GET_SECURITY KEYCTL_NEGATE " \
	"KEYCTL_READ KEYCTL_RESTRICT_KEYRING KEYCTL_UPDATE KEYCTL_WATCH_KEY"
#define KEYCTL_KEY \
	"KEYCTL_ASSUME_AUTHORITY KEYCTL_CHOWN KEYCTL_CLEAR KEYCTL_DESCRIBE " \
	"KEYCTL_GET_KEYRING_ID KEYCTL_GET_SECURITY KEYCTL_INSTANTIATE " \
	"KEYCTL_INSTANTIATE_IOV KEYCTL_INVALIDATE KEYCTL_LINK KEYCTL_MOVE " \
	"KEYCTL_NEGATE KEYCTL_PKEY_QUERY KEYCTL_READ KEYCTL_REJECT " \
	"KEYCTL_RESTRICT_KEYRING KEYCTL_REVOKE KEYCTL_SEARCH KEYCTL_SETPERM " \
	"KEYCTL_SET_TIMEOUT KEYCTL_UNLINK KEYCTL_UPDATE KEYCTL_WATCH_KEY"
#define KEYCTL_PKEY "KEYCTL_PKEY_DECRYPT KEYCTL_PKEY_ENCRYPT KEYCTL_PKEY_SIGN KEYCTL_PKEY_VERIFY"
#define KEYCTL_DATA \
	"KEYCTL_DESCRIBE KEYCTL_DH_COMPUTE KEYCTL_GET_SECURITY KEYCTL_INSTANTIATE " \
	"KEYCTL_READ KEYCTL_UPDATE"

/* Requests of ioctl without an argument. */
#define IOCTL_NONE \
	"BLKFLSBUF BLKRRPART BLKTRACESTART BLKTRACESTOP BLKTRACETEARDOWN FIFREEZE FIOCLEX " \
	"FIONCLEX FITHAW LOOP_CLR_FD LOOP_SET_CAPACITY NS_GET_NSTYPE NS_GET_PARENT " \
	"NS_GET_USERNS RTC_AIE_OFF RTC_AIE_ON RTC_PIE_OFF " \
	"RTC_PIE_ON RTC_UIE_OFF RTC_UIE_ON RTC_WIE_OFF RTC_WIE_ON TIOCCBRK TIOCCONS TIOCEXCL " \
	"TIOCNOTTY TIOCNXCL TIOCSBRK TIOCVHANGUP WDIOC_KEEPALIVE"

/* Requests of ioctl with a pointer, which their numbers do not say. */
#define IOCTL_POINTER "TIOCGWINSZ TIOCSWINSZ"

/* Actions of syslog without a buffer, and its length. */
#define SYSLOG_NONE \
	"SYSLOG_ACTION_CLEAR SYSLOG_ACTION_CLOSE SYSLOG_ACTION_CONSOLE_OFF " \
	"SYSLOG_ACTION_CONSOLE_ON SYSLOG_ACTION_OPEN SYSLOG_ACTION_SIZE_BUFFER " \
	"SYSLOG_ACTION_SIZE_UNREAD"

static const struct variant {
	const char *by, *when;
	enum kind kind;
	struct kt_number_format rule; /* the argument, its calls, and what it is if the kind does not say it */
} variants[] = {
	{"request", PTRACE_NONE, NONE, {"addr", "ptrace", NULL, KT_POINTER}},
	{"request", "PTRACE_GETFPREGS PTRACE_GETREGS PTRACE_SETFPREGS PTRACE_SETREGS", NONE,
	 {"addr", "ptrace", NULL, KT_POINTER}},
	{"request", PTRACE_SIZED, NUMBER, {"addr", "ptrace", NULL, KT_DECIMAL}},
	{"request", "PTRACE_GETREGSET PTRACE_SETREGSET", NUMBER,
	 {"addr", "ptrace", "registers", KT_HEX}},
	{"cmd", "F_DUPFD F_DUPFD_CLOEXEC F_SETOWN F_SETPIPE_SZ", INT,
	 {"arg", "fcntl", NULL, KT_DECIMAL}},
	{"cmd", "F_GETFD F_GETFL F_GETLEASE F_GETOWN F_GETPIPE_SZ F_GETSIG F_GET_SEALS", NONE,
	 {"arg", "fcntl", NULL, KT_DECIMAL}},
	{"cmd", "F_GETLK F_SETLK F_SETLKW F_OFD_GETLK F_OFD_SETLK F_OFD_SETLKW F_GETOWN_EX F_SETOWN_EX",
	 NUMBER, {"arg", "fcntl", NULL, KT_POINTER}},
	{"cmd", "F_ADD_SEALS", WORD, {"arg", "fcntl", "seals", KT_HEX}},
	{"cmd", "F_NOTIFY", WORD, {"arg", "fcntl", "dnotify", KT_HEX}},
	{"cmd", "F_SETFD", WORD, {"arg", "fcntl", "fd", KT_HEX}},
	{"cmd", "F_SETFL", WORD, {"arg", "fcntl", "open", KT_HEX}},
	{"cmd", "F_SETLEASE", WORD, {"arg", "fcntl", "lock", KT_HEX}},
	{"cmd", "F_SETSIG", WORD, {"arg", "fcntl", "signal", KT_DECIMAL}},
	{"cmd", "GETNCNT GETPID GETVAL GETZCNT IPC_RMID", NONE, {"arg", "semctl", NULL, KT_HEX}},
	{"cmd", "GETALL IPC_INFO IPC_SET IPC_STAT SEM_INFO SEM_STAT SEM_STAT_ANY SETALL", NUMBER,
	 {"arg", "semctl", NULL, KT_POINTER}},
	{"cmd", "SETVAL", INT, {"arg", "semctl", NULL, KT_DECIMAL}},
	{"cmd", IOCTL_NONE, NONE, {"arg", "ioctl", NULL, KT_HEX}},
	{"cmd", "FICLONE LOOP_CHANGE_FD LOOP_SET_FD TCSBRK TCSBRKP TIOCSCTTY", INT,
	 {"arg", "ioctl", NULL, KT_DECIMAL}},
	{"cmd", IOCTL_POINTER, NUMBER, {"arg", "ioctl", NULL, KT_POINTER}},
	{"cmd", "TCFLSH", NUMBER, {"arg", "ioctl", "tty_flush", KT_HEX}},
	{"cmd", "TCXONC", NUMBER, {"arg", "ioctl", "tty_flow", KT_HEX}},
	{"option", KEYCTL_NONE, NONE, {"arg2", "keyctl", NULL, KT_HEX}},
	{"option", KEYCTL_KEY, INT, {"arg2", "keyctl", "keyring", KT_DECIMAL}},
	{"option", "KEYCTL_GET_PERSISTENT", WORD, {"arg2", "keyctl", "id", KT_DECIMAL}},
	{"option", "KEYCTL_SET_REQKEY_KEYRING", INT, {"arg2", "keyctl", "key_default", KT_DECIMAL}},
	{"option", "KEYCTL_CAPABILITIES KEYCTL_DH_COMPUTE KEYCTL_JOIN_SESSION_KEYRING " KEYCTL_PKEY,
	 NUMBER, {"arg2", "keyctl", NULL, KT_POINTER}},
	{"option", PRCTL_NONE, NONE, {"arg2", "prctl", NULL, KT_HEX}},
	{"option", PRCTL_GET, NUMBER, {"arg2", "prctl", NULL, KT_POINTER}},
	{"option", PRCTL_NUMBER, NUMBER, {"arg2", "prctl", NULL, KT_DECIMAL}},
	{"option", "PR_SET_TIMERSLACK", SIGNED, {"arg2", "prctl", NULL, KT_DECIMAL}},
	{"option", "PR_CAPBSET_DROP PR_CAPBSET_READ", NUMBER,
	 {"arg2", "prctl", "capability", KT_HEX}},
	{"option", "PR_CAP_AMBIENT", NUMBER, {"arg2", "prctl", "ambient", KT_HEX}},
	{"option", "PR_GET_SPECULATION_CTRL PR_SET_SPECULATION_CTRL", NUMBER,
	 {"arg2", "prctl", "speculation", KT_HEX}},
	{"option", "PR_MCE_KILL", NUMBER, {"arg2", "prctl", "machine_check", KT_HEX}},
	{"option", "PR_PAC_RESET_KEYS", NUMBER, {"arg2", "prctl", "pac", KT_HEX}},
	{"option", "PR_PAC_SET_ENABLED_KEYS", NUMBER, {"arg2", "prctl", "pac_enabled", KT_HEX}},
	{"option", "PR_SCHED_CORE", WORD, {"arg2", "prctl", "core", KT_HEX}},
	{"option", "PR_SET_DUMPABLE", NUMBER, {"arg2", "prctl", "dumpable", KT_HEX}},
	{"option", "PR_SET_MM", NUMBER, {"arg2", "prctl", "map", KT_HEX}},
	{"option", "PR_SET_PDEATHSIG", NUMBER, {"arg2", "prctl", "signal", KT_DECIMAL}},
	{"option", "PR_SET_SECCOMP", NUMBER, {"arg2", "prctl", "seccomp_mode", KT_HEX}},
	{"option", "PR_SET_SECUREBITS", NUMBER, {"arg2", "prctl", "secure", KT_HEX}},
	{"option", "PR_SET_SYSCALL_USER_DISPATCH", NUMBER,
	 {"arg2", "prctl", "dispatch", KT_HEX}},
	{"option", "PR_SET_TAGGED_ADDR_CTRL", NUMBER, {"arg2", "prctl", "tagged_address", KT_HEX}},
	{"option", "PR_SET_TSC", WORD, {"arg2", "prctl", "tsc", KT_HEX}},
	{"option", "PR_SET_UNALIGN", WORD, {"arg2", "prctl", "unaligned", KT_HEX}},
	{"option", "PR_SET_VMA", NUMBER, {"arg2", "prctl", "vma", KT_HEX}},
	{"option", "PR_SME_SET_VL", NUMBER, {"arg2", "prctl", "sme", KT_HEX}},
	{"option", "PR_SVE_SET_VL", NUMBER, {"arg2", "prctl", "sve", KT_HEX}},
	{"option", KEYCTL_NONE " " KEYCTL_ONE, NONE, {"arg3", "keyctl", NULL, KT_HEX}},
	{"option", "KEYCTL_GET_PERSISTENT KEYCTL_LINK KEYCTL_MOVE KEYCTL_UNLINK", INT,
	 {"arg3", "keyctl", "keyring", KT_DECIMAL}},
	{"option", "KEYCTL_CHOWN", WORD, {"arg3", "keyctl", "id", KT_DECIMAL}},
	{"option", "KEYCTL_GET_KEYRING_ID KEYCTL_WATCH_KEY", INT, {"arg3", "keyctl", NULL, KT_DECIMAL}},
	{"option", "KEYCTL_NEGATE KEYCTL_REJECT KEYCTL_SET_TIMEOUT", WORD,
	 {"arg3", "keyctl", NULL, KT_DECIMAL}},
	{"option", "KEYCTL_SETPERM", WORD, {"arg3", "keyctl", NULL, KT_HEX}},
	{"option", "KEYCTL_CAPABILITIES", NUMBER, {"arg3", "keyctl", NULL, KT_DECIMAL}},
	{"option", KEYCTL_DATA " " KEYCTL_PKEY " KEYCTL_INSTANTIATE_IOV KEYCTL_RESTRICT_KEYRING KEYCTL_SEARCH",
	 NUMBER, {"arg3", "keyctl", NULL, KT_POINTER}},
	{"option", PRCTL_NONE " " PRCTL_ONE, NONE, {"arg3", "prctl", NULL, KT_HEX}},
	{"option", "PR_PAC_SET_ENABLED_KEYS", NUMBER, {"arg3", "prctl", "pac_enabled", KT_HEX}},
	{"option", "PR_SCHED_CORE", INT, {"arg3", "prctl", NULL, KT_DECIMAL}},
	{"option", "PR_SET_SECCOMP", NUMBER, {"arg3", "prctl", NULL, KT_POINTER}},
	{"option", "PR_SET_VMA", NUMBER, {"arg3", "prctl", NULL, KT_POINTER}},
	{"option", "PR_SET_SPECULATION_CTRL", NUMBER,
	 {"arg3", "prctl", "speculation_control", KT_HEX}},
	{"option", KEYCTL_NONE " " KEYCTL_ONE " " KEYCTL_TWO, NONE, {"arg4", "keyctl", NULL, KT_HEX}},
	{"option", "KEYCTL_MOVE KEYCTL_NEGATE", INT, {"arg4", "keyctl", "keyring", KT_DECIMAL}},
	{"option", "KEYCTL_CHOWN", WORD, {"arg4", "keyctl", "id", KT_DECIMAL}},
	{"option", "KEYCTL_WATCH_KEY", INT, {"arg4", "keyctl", NULL, KT_DECIMAL}},
	{"option", "KEYCTL_INSTANTIATE_IOV KEYCTL_REJECT", WORD, {"arg4", "keyctl", NULL, KT_DECIMAL}},
	{"option", KEYCTL_DATA, NUMBER, {"arg4", "keyctl", NULL, KT_DECIMAL}},
	{"option", KEYCTL_PKEY " KEYCTL_PKEY_QUERY KEYCTL_RESTRICT_KEYRING KEYCTL_SEARCH", NUMBER,
	 {"arg4", "keyctl", NULL, KT_POINTER}},
	{"option", PRCTL_NONE " " PRCTL_ONE " PR_SET_SECCOMP", NONE,
	 {"arg4", "prctl", NULL, KT_HEX}},
	{"option", "PR_SCHED_CORE", WORD, {"arg4", "prctl", "pid_type", KT_HEX}},
	{"option", "PR_SET_VMA", NUMBER, {"arg4", "prctl", NULL, KT_DECIMAL}},
	{"option", KEYCTL_NONE " " KEYCTL_ONE " " KEYCTL_TWO " " KEYCTL_THREE, NONE,
	 {"arg5", "keyctl", NULL, KT_HEX}},
	{"option", "KEYCTL_INSTANTIATE KEYCTL_INSTANTIATE_IOV KEYCTL_REJECT KEYCTL_SEARCH", INT,
	 {"arg5", "keyctl", "keyring", KT_DECIMAL}},
	{"option", "KEYCTL_MOVE", WORD, {"arg5", "keyctl", "key_move", KT_HEX}},
	{"option", KEYCTL_PKEY " KEYCTL_DH_COMPUTE KEYCTL_PKEY_QUERY", NUMBER,
	 {"arg5", "keyctl", NULL, KT_POINTER}},
	{"option", PRCTL_NONE " " PRCTL_ONE " PR_SET_SECCOMP", NONE,
	 {"arg5", "prctl", NULL, KT_HEX}},
	{"option", "PR_SCHED_CORE PR_SET_SYSCALL_USER_DISPATCH PR_SET_VMA", NUMBER,
	 {"arg5", "prctl", NULL, KT_POINTER}},
	{"cmd", "LINUX_REBOOT_CMD_RESTART2", OWN, {"arg", "reboot", NULL, KT_HEX}},
	{"cmd", NULL, NONE, {"arg", "reboot", NULL, KT_HEX}},
	{"flags", "MEMBARRIER_CMD_FLAG_CPU", OWN, {"cpu_id", "membarrier", NULL, KT_DECIMAL}},
	{"flags", NULL, NONE, {"cpu_id", "membarrier", NULL, KT_DECIMAL}},
	{"request", PTRACE_NONE, NONE, {"data", "ptrace", NULL, KT_POINTER}},
	{"request", PTRACE_GOES_ON, NUMBER, {"data", "ptrace", "signal", KT_DECIMAL}},
	{"request", "PTRACE_OLDSETOPTIONS PTRACE_SEIZE PTRACE_SETOPTIONS", NUMBER,
	 {"data", "ptrace", "ptrace_options", KT_HEX}},
	{"mode", "S_IFBLK S_IFCHR", OWN, {"dev", "mknod mknodat", NULL, KT_HEX}},
	{"mode", NULL, NONE, {"dev", "mknod mknodat", NULL, KT_HEX}},
	{"type", "KCMP_EPOLL_TFD KCMP_FILE", INT, {"idx1", "kcmp", NULL, KT_DECIMAL}},
	{"type", KCMP_WHOLE, NONE, {"idx1", "kcmp", NULL, KT_HEX}},
	{"type", "KCMP_EPOLL_TFD", NUMBER, {"idx2", "kcmp", NULL, KT_POINTER}},
	{"type", "KCMP_FILE", INT, {"idx2", "kcmp", NULL, KT_DECIMAL}},
	{"type", KCMP_WHOLE, NONE, {"idx2", "kcmp", NULL, KT_HEX}},
	{"flags", "O_CREAT O_TMPFILE", OWN, {"mode", "open openat", NULL, KT_OCTAL}},
	{"flags", NULL, NONE, {"mode", "open openat", NULL, KT_OCTAL}},
	{"oflag", "O_CREAT", OWN, {"mode", "mq_open", NULL, KT_OCTAL}},
	{"oflag", NULL, NONE, {"mode", "mq_open", NULL, KT_OCTAL}},
	{"flags", "MREMAP_DONTUNMAP MREMAP_FIXED", OWN, {"new_addr", "mremap", NULL, KT_POINTER}},
	{"flags", NULL, NONE, {"new_addr", "mremap", NULL, KT_POINTER}},
	{"type", "SYSLOG_ACTION_CONSOLE_LEVEL", NUMBER, {"buf", "syslog", "null", KT_HEX}},
	{"type", SYSLOG_NONE, NONE, {"buf", "syslog", NULL, KT_POINTER}},
	{"type", SYSLOG_NONE, NONE, {"len", "syslog", NULL, KT_DECIMAL}},
	{"level", "SOL_ALG", NUMBER, {"optname", "getsockopt setsockopt", "option_alg", KT_HEX}},
	{"level", "SOL_IP", NUMBER, {"optname", "getsockopt", "option_ip_get", KT_HEX}},
	{"level", "SOL_IP", NUMBER, {"optname", "setsockopt", "option_ip_set", KT_HEX}},
	{"level", "SOL_IPV6", NUMBER, {"optname", "getsockopt", "option_ipv6_get", KT_HEX}},
	{"level", "SOL_IPV6", NUMBER, {"optname", "setsockopt", "option_ipv6_set", KT_HEX}},
	{"level", "SOL_NETLINK", NUMBER, {"optname", "getsockopt setsockopt", "option_netlink", KT_HEX}},
	{"level", "SOL_PACKET", NUMBER, {"optname", "getsockopt setsockopt", "option_packet", KT_HEX}},
	{"level", "SOL_RAW", NUMBER, {"optname", "getsockopt setsockopt", "option_raw", KT_HEX}},
	{"level", "SOL_SOCKET", NUMBER, {"optname", "getsockopt", "option_socket_get", KT_HEX}},
	{"level", "SOL_SOCKET", NUMBER, {"optname", "setsockopt", "option_socket_set", KT_HEX}},
	{"level", "SOL_TCP", NUMBER, {"optname", "getsockopt setsockopt", "option_tcp", KT_HEX}},
	{"level", "SOL_TLS", NUMBER, {"optname", "getsockopt setsockopt", "option_tls", KT_HEX}},
	{"level", "SOL_UDP", NUMBER, {"optname", "getsockopt setsockopt", "option_udp", KT_HEX}},
	{"level", "AF_VSOCK", NUMBER, {"optname", "getsockopt setsockopt", "option_vsock", KT_HEX}},
	{"level", "SOL_XDP", NUMBER, {"optname", "getsockopt setsockopt", "option_xdp", KT_HEX}},
	{"request", "PTRACE_TRACEME", NONE, {"pid", "ptrace", NULL, KT_DECIMAL}},
	{"family", "AF_INET AF_INET6", NUMBER, {"protocol", "socket", "protocol", KT_HEX}},
	{"family", "AF_NETLINK", NUMBER, {"protocol", "socket", "netlink", KT_HEX}},
	{"oflag", "O_CREAT", OWN, {"u_attr", "mq_open", NULL, KT_POINTER}},
	{"oflag", NULL, NONE, {"u_attr", "mq_open", NULL, KT_POINTER}},
	{"op", FUTEX_LOCKS " " FUTEX_WAKES " " F("WAIT") " " F("WAIT_BITSET"), NONE,
	 {"uaddr2", "futex", NULL, KT_POINTER}},
	{"op", FUTEX_TWO, WORD, {"utime", "futex", NULL, KT_DECIMAL}},
	{"op", FUTEX_WAKES " " F("TRYLOCK_PI") " " F("UNLOCK_PI"), NONE,
	 {"utime", "futex", NULL, KT_POINTER}},
	{"op", FUTEX_LOCKS, NONE, {"val", "futex", NULL, KT_DECIMAL}},
	{"op", F("CMP_REQUEUE") " " F("CMP_REQUEUE_PI"), NUMBER,
	 {"val3", "futex", NULL, KT_DECIMAL}},
	{"op", F("WAIT_BITSET") " " F("WAKE_BITSET"), NUMBER,
	 {"val3", "futex", "futex_bitset", KT_HEX}},
	{"op", FUTEX_LOCKS " FUTEX_FD " F("REQUEUE") " " F("WAIT") " " F("WAIT_REQUEUE_PI") " " F("WAKE"),
	 NONE, {"val3", "futex", NULL, KT_HEX}},
};
/* clang-format on */

/* Returns the k-th variant of an argument, or NULL. */
static const struct variant *find_variant(const char *call, const char *argument, size_t k)
{
	const struct variant *v, *end = variants + sizeof(variants) / sizeof(*variants);

	for (v = variants; v < end; v++)
		if (!strcmp(v->rule.name, argument) && kt_word_list_has(v->rule.of, call) && !k--)
			return v;
	return NULL;
}

bool kt_argument_variant_at(const char *call, const struct kt_field *argument, size_t k,
			    struct kt_argument_variant *option)
{
	const struct variant *v = find_variant(call, argument->name, k);

	if (!v)
		return false;
	*option = (struct kt_argument_variant){v->by, v->when, v->kind == NONE, *argument};
	if (v->kind == SIGNED || v->kind == INT)
		option->field.flags |= KT_FIELD_SIGNED;
	if (v->kind == INT || v->kind == WORD)
		option->field.size = option->field.width = sizeof(uint32_t);
	if (v->kind != OWN && v->kind != NONE)
		kt_number_format_apply(&v->rule, &option->field);
	return true;
}
