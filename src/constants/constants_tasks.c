// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <asm/prctl.h>
#include <asm/ptrace-abi.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/ptrace.h>
#include <linux/rseq.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

/* clang-format off */

#define S(signal, name) {1ull << ((signal)-1), name}

static const struct kt_label arch_of[] = {
	C(ARCH_SET_GS), C(ARCH_SET_FS), C(ARCH_GET_FS), C(ARCH_GET_GS), C(ARCH_GET_CPUID),
	C(ARCH_SET_CPUID), C(ARCH_GET_XCOMP_SUPP), C(ARCH_GET_XCOMP_PERM),
	C(ARCH_REQ_XCOMP_PERM), C(ARCH_GET_XCOMP_GUEST_PERM), C(ARCH_REQ_XCOMP_GUEST_PERM),
	C(ARCH_MAP_VDSO_X32), C(ARCH_MAP_VDSO_32), C(ARCH_MAP_VDSO_64),
};

static const struct kt_label clone_of[] = {
	C(CLONE_VM), C(CLONE_FS), C(CLONE_FILES), C(CLONE_SIGHAND), C(CLONE_PIDFD),
	C(CLONE_PTRACE), C(CLONE_VFORK), C(CLONE_PARENT), C(CLONE_THREAD), C(CLONE_NEWNS),
	C(CLONE_SYSVSEM), C(CLONE_SETTLS), C(CLONE_PARENT_SETTID), C(CLONE_CHILD_CLEARTID),
	C(CLONE_DETACHED), C(CLONE_UNTRACED), C(CLONE_CHILD_SETTID), C(CLONE_NEWCGROUP),
	C(CLONE_NEWUTS), C(CLONE_NEWIPC), C(CLONE_NEWUSER), C(CLONE_NEWPID), C(CLONE_NEWNET),
	C(CLONE_IO), C(SIGHUP), C(SIGINT), C(SIGQUIT), C(SIGILL), C(SIGTRAP), C(SIGABRT),
	C(SIGBUS), C(SIGFPE), C(SIGKILL), C(SIGUSR1), C(SIGSEGV), C(SIGUSR2), C(SIGPIPE),
	C(SIGALRM), C(SIGTERM), C(SIGSTKFLT), C(SIGCHLD), C(SIGCONT), C(SIGSTOP), C(SIGTSTP),
	C(SIGTTIN), C(SIGTTOU), C(SIGURG), C(SIGXCPU), C(SIGXFSZ), C(SIGVTALRM), C(SIGPROF),
	C(SIGWINCH), C(SIGIO), C(SIGPWR), C(SIGSYS),
};

static const struct kt_label clone3_of[] = {
	C(CLONE_VM), C(CLONE_FS), C(CLONE_FILES), C(CLONE_SIGHAND), C(CLONE_PIDFD),
	C(CLONE_PTRACE), C(CLONE_VFORK), C(CLONE_PARENT), C(CLONE_THREAD), C(CLONE_NEWNS),
	C(CLONE_SYSVSEM), C(CLONE_SETTLS), C(CLONE_PARENT_SETTID), C(CLONE_CHILD_CLEARTID),
	C(CLONE_UNTRACED), C(CLONE_CHILD_SETTID), C(CLONE_NEWCGROUP),
	C(CLONE_NEWUTS), C(CLONE_NEWIPC), C(CLONE_NEWUSER), C(CLONE_NEWPID), C(CLONE_NEWNET),
	C(CLONE_IO), C(CLONE_NEWTIME), {1ull << 32, "CLONE_CLEAR_SIGHAND"},
	{1ull << 33, "CLONE_INTO_CGROUP"},
};

static const struct kt_label futex_of[] = {
	C(FUTEX_FD),
	C(FUTEX_WAIT), C(FUTEX_WAIT_PRIVATE),
	C(FUTEX_WAKE), C(FUTEX_WAKE_PRIVATE),
	C(FUTEX_REQUEUE), C(FUTEX_REQUEUE_PRIVATE),
	C(FUTEX_CMP_REQUEUE), C(FUTEX_CMP_REQUEUE_PRIVATE),
	C(FUTEX_WAKE_OP), C(FUTEX_WAKE_OP_PRIVATE),
	C(FUTEX_LOCK_PI), C(FUTEX_LOCK_PI_PRIVATE),
	C(FUTEX_UNLOCK_PI), C(FUTEX_UNLOCK_PI_PRIVATE),
	C(FUTEX_TRYLOCK_PI), C(FUTEX_TRYLOCK_PI_PRIVATE),
	C(FUTEX_WAIT_BITSET), C(FUTEX_WAIT_BITSET_PRIVATE),
	C(FUTEX_WAKE_BITSET), C(FUTEX_WAKE_BITSET_PRIVATE),
	C(FUTEX_WAIT_REQUEUE_PI), C(FUTEX_WAIT_REQUEUE_PI_PRIVATE),
	C(FUTEX_CMP_REQUEUE_PI), C(FUTEX_CMP_REQUEUE_PI_PRIVATE),
	{13, "FUTEX_LOCK_PI2"}, {141, "FUTEX_LOCK_PI2_PRIVATE"},
	C(FUTEX_CLOCK_REALTIME),
};

static const struct kt_label futex_bitset_of[] = {
	C(FUTEX_BITSET_MATCH_ANY),
};

static const struct kt_label futex2_of[] = {
	{2, "FUTEX_32"}, C(FUTEX_PRIVATE_FLAG),
};

static const struct kt_label handler_of[] = {
	{0, "SIG_DFL"}, {1, "SIG_IGN"},
};

static const struct kt_label id_of[] = {
	{0xffffffff, "-1"},
};

static const struct kt_label idtype_of[] = {
	C(P_ALL), C(P_PID), C(P_PGID), C(P_PIDFD),
};

static const struct kt_label io_priority_of[] = {
	{1, "IOPRIO_WHO_PROCESS"}, {2, "IOPRIO_WHO_PGRP"}, {3, "IOPRIO_WHO_USER"},
};

static const struct kt_label kcmp_of[] = {
	C(KCMP_FILE), C(KCMP_VM), C(KCMP_FILES), C(KCMP_FS), C(KCMP_SIGHAND), C(KCMP_IO),
	C(KCMP_SYSVSEM), C(KCMP_EPOLL_TFD),
};

static const struct kt_label limit_of[] = {
	{~0ull, "RLIM64_INFINITY"},
};

static const struct kt_label notify_of[] = {
	C(SIGEV_SIGNAL), C(SIGEV_NONE), C(SIGEV_THREAD), C(SIGEV_THREAD_ID),
};

static const struct kt_label personality_of[] = {
	{0xffffffff, "0xffffffff"}, C(PER_LINUX), C(PER_LINUX32), C(ADDR_NO_RANDOMIZE),
	C(MMAP_PAGE_ZERO), C(ADDR_COMPAT_LAYOUT), C(READ_IMPLIES_EXEC), C(ADDR_LIMIT_32BIT),
	C(SHORT_INODE), C(WHOLE_SECONDS), C(STICKY_TIMEOUTS), C(ADDR_LIMIT_3GB), C(UNAME26),
	C(FDPIC_FUNCPTRS),
};

static const struct kt_label pidfd_of[] = {
	{O_NONBLOCK, "PIDFD_NONBLOCK"}, {O_EXCL, "PIDFD_THREAD"},
};

static const struct kt_label pidfd_signal_of[] = {
	{1, "PIDFD_SIGNAL_THREAD"}, {2, "PIDFD_SIGNAL_THREAD_GROUP"},
	{4, "PIDFD_SIGNAL_PROCESS_GROUP"},
};

static const struct kt_label priority_of[] = {
	C(PRIO_PROCESS), C(PRIO_PGRP), C(PRIO_USER),
};

static const struct kt_label ptrace_of[] = {
	C(PTRACE_TRACEME), C(PTRACE_PEEKTEXT), C(PTRACE_PEEKDATA), {3, "PTRACE_PEEKUSER"},
	C(PTRACE_POKETEXT), C(PTRACE_POKEDATA), {6, "PTRACE_POKEUSER"}, C(PTRACE_CONT),
	C(PTRACE_KILL), C(PTRACE_SINGLESTEP), C(PTRACE_GETREGS), C(PTRACE_SETREGS),
	C(PTRACE_GETFPREGS), C(PTRACE_SETFPREGS), C(PTRACE_ATTACH), C(PTRACE_DETACH),
	C(PTRACE_GETFPXREGS), C(PTRACE_SETFPXREGS), C(PTRACE_OLDSETOPTIONS), C(PTRACE_SYSCALL),
	C(PTRACE_GET_THREAD_AREA), C(PTRACE_SET_THREAD_AREA), C(PTRACE_ARCH_PRCTL),
	C(PTRACE_SYSEMU), C(PTRACE_SYSEMU_SINGLESTEP), C(PTRACE_SINGLEBLOCK),
	C(PTRACE_SETOPTIONS), C(PTRACE_GETEVENTMSG), C(PTRACE_GETSIGINFO), C(PTRACE_SETSIGINFO),
	C(PTRACE_GETREGSET), C(PTRACE_SETREGSET), C(PTRACE_SEIZE), C(PTRACE_INTERRUPT),
	C(PTRACE_LISTEN), C(PTRACE_PEEKSIGINFO), C(PTRACE_GETSIGMASK), C(PTRACE_SETSIGMASK),
	C(PTRACE_SECCOMP_GET_FILTER), C(PTRACE_SECCOMP_GET_METADATA),
	C(PTRACE_GET_SYSCALL_INFO), C(PTRACE_GET_RSEQ_CONFIGURATION),
	{0x4210, "PTRACE_SET_SYSCALL_USER_DISPATCH_CONFIG"},
	{0x4211, "PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG"},
	{0x4212, "PTRACE_SET_SYSCALL_INFO"},
};

static const struct kt_label ptrace_options_of[] = {
	C(PTRACE_O_TRACESYSGOOD), C(PTRACE_O_TRACEFORK), C(PTRACE_O_TRACEVFORK),
	C(PTRACE_O_TRACECLONE), C(PTRACE_O_TRACEEXEC), C(PTRACE_O_TRACEVFORKDONE),
	C(PTRACE_O_TRACEEXIT), C(PTRACE_O_TRACESECCOMP), C(PTRACE_O_EXITKILL),
	C(PTRACE_O_SUSPEND_SECCOMP),
};

static const struct kt_label registers_of[] = {
	C(NT_PRSTATUS), C(NT_FPREGSET), C(NT_386_TLS), C(NT_386_IOPERM), C(NT_X86_XSTATE),
	{0x203, "NT_X86_SHSTK"}, C(NT_PRXFPREG),
};

static const struct kt_label resource_of[] = {
	C(RLIMIT_CPU), C(RLIMIT_FSIZE), C(RLIMIT_DATA), C(RLIMIT_STACK), C(RLIMIT_CORE),
	C(RLIMIT_RSS), C(RLIMIT_NPROC), C(RLIMIT_NOFILE), C(RLIMIT_MEMLOCK), C(RLIMIT_AS),
	C(RLIMIT_LOCKS), C(RLIMIT_SIGPENDING), C(RLIMIT_MSGQUEUE), C(RLIMIT_NICE),
	C(RLIMIT_RTPRIO), C(RLIMIT_RTTIME),
};

static const struct kt_label rseq_of[] = {
	C(RSEQ_FLAG_UNREGISTER),
};

static const struct kt_label rusage_of[] = {
	C(RUSAGE_SELF), C(RUSAGE_CHILDREN), C(RUSAGE_THREAD),
};

static const struct kt_label sched_of[] = {
	C(SCHED_OTHER), C(SCHED_FIFO), C(SCHED_RR), C(SCHED_BATCH), {4, "SCHED_ISO"},
	C(SCHED_IDLE), C(SCHED_DEADLINE), {7, "SCHED_EXT"}, C(SCHED_RESET_ON_FORK),
};

static const struct kt_label sched_flags_of[] = {
	{0x1, "SCHED_FLAG_RESET_ON_FORK"}, {0x2, "SCHED_FLAG_RECLAIM"},
	{0x4, "SCHED_FLAG_DL_OVERRUN"}, {0x8, "SCHED_FLAG_KEEP_POLICY"},
	{0x10, "SCHED_FLAG_KEEP_PARAMS"}, {0x20, "SCHED_FLAG_UTIL_CLAMP_MIN"},
	{0x40, "SCHED_FLAG_UTIL_CLAMP_MAX"},
};

static const struct kt_label seccomp_of[] = {
	C(SECCOMP_SET_MODE_STRICT), C(SECCOMP_SET_MODE_FILTER), C(SECCOMP_GET_ACTION_AVAIL),
	C(SECCOMP_GET_NOTIF_SIZES),
};

static const struct kt_label seccomp_flags_of[] = {
	C(SECCOMP_FILTER_FLAG_TSYNC), C(SECCOMP_FILTER_FLAG_LOG),
	C(SECCOMP_FILTER_FLAG_SPEC_ALLOW), C(SECCOMP_FILTER_FLAG_NEW_LISTENER),
	C(SECCOMP_FILTER_FLAG_TSYNC_ESRCH), {1 << 5, "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"},
};

static const struct kt_label setns_of[] = {
	C(CLONE_NEWTIME), C(CLONE_NEWNS), C(CLONE_NEWCGROUP), C(CLONE_NEWUTS), C(CLONE_NEWIPC),
	C(CLONE_NEWUSER), C(CLONE_NEWPID), C(CLONE_NEWNET),
};

static const struct kt_label sigaction_of[] = {
	{0x04000000, "SA_RESTORER"}, C(SA_ONSTACK), C(SA_RESTART), C(SA_INTERRUPT), C(SA_NODEFER),
	C(SA_RESETHAND), C(SA_SIGINFO), C(SA_NOCLDSTOP), C(SA_NOCLDWAIT),
};

static const struct kt_label sigaltstack_of[] = {
	C(SS_ONSTACK), C(SS_DISABLE), {-0x80000000ull, "SS_AUTODISARM"},
};

static const struct kt_label sigmask_of[] = {
	C(SIG_BLOCK), C(SIG_UNBLOCK), C(SIG_SETMASK),
};

static const struct kt_label signal_of[] = {
	C(SIGHUP), C(SIGINT), C(SIGQUIT), C(SIGILL), C(SIGTRAP), C(SIGABRT), C(SIGBUS),
	C(SIGFPE), C(SIGKILL), C(SIGUSR1), C(SIGSEGV), C(SIGUSR2), C(SIGPIPE), C(SIGALRM),
	C(SIGTERM), C(SIGSTKFLT), C(SIGCHLD), C(SIGCONT), C(SIGSTOP), C(SIGTSTP), C(SIGTTIN),
	C(SIGTTOU), C(SIGURG), C(SIGXCPU), C(SIGXFSZ), C(SIGVTALRM), C(SIGPROF), C(SIGWINCH),
	C(SIGIO), C(SIGPWR), C(SIGSYS), {32, "SIGRTMIN"}, {33, "SIGRT_1"}, {34, "SIGRT_2"},
	{35, "SIGRT_3"}, {36, "SIGRT_4"}, {37, "SIGRT_5"}, {38, "SIGRT_6"}, {39, "SIGRT_7"},
	{40, "SIGRT_8"}, {41, "SIGRT_9"}, {42, "SIGRT_10"}, {43, "SIGRT_11"}, {44, "SIGRT_12"},
	{45, "SIGRT_13"}, {46, "SIGRT_14"}, {47, "SIGRT_15"}, {48, "SIGRT_16"},
	{49, "SIGRT_17"}, {50, "SIGRT_18"}, {51, "SIGRT_19"}, {52, "SIGRT_20"},
	{53, "SIGRT_21"}, {54, "SIGRT_22"}, {55, "SIGRT_23"}, {56, "SIGRT_24"},
	{57, "SIGRT_25"}, {58, "SIGRT_26"}, {59, "SIGRT_27"}, {60, "SIGRT_28"},
	{61, "SIGRT_29"}, {62, "SIGRT_30"}, {63, "SIGRT_31"}, {64, "SIGRT_32"},
};

static const struct kt_label signalfd_of[] = {
	C(SFD_CLOEXEC), C(SFD_NONBLOCK),
};

static const struct kt_label sigset_of[] = {
	S(1, "HUP"), S(2, "INT"), S(3, "QUIT"), S(4, "ILL"), S(5, "TRAP"), S(6, "ABRT"),
	S(7, "BUS"), S(8, "FPE"), S(9, "KILL"), S(10, "USR1"), S(11, "SEGV"), S(12, "USR2"),
	S(13, "PIPE"), S(14, "ALRM"), S(15, "TERM"), S(16, "STKFLT"), S(17, "CHLD"),
	S(18, "CONT"), S(19, "STOP"), S(20, "TSTP"), S(21, "TTIN"), S(22, "TTOU"),
	S(23, "URG"), S(24, "XCPU"), S(25, "XFSZ"), S(26, "VTALRM"), S(27, "PROF"),
	S(28, "WINCH"), S(29, "IO"), S(30, "PWR"), S(31, "SYS"), S(32, "RTMIN"), S(33, "RT_1"),
	S(34, "RT_2"), S(35, "RT_3"), S(36, "RT_4"), S(37, "RT_5"), S(38, "RT_6"),
	S(39, "RT_7"), S(40, "RT_8"), S(41, "RT_9"), S(42, "RT_10"), S(43, "RT_11"),
	S(44, "RT_12"), S(45, "RT_13"), S(46, "RT_14"), S(47, "RT_15"), S(48, "RT_16"),
	S(49, "RT_17"), S(50, "RT_18"), S(51, "RT_19"), S(52, "RT_20"), S(53, "RT_21"),
	S(54, "RT_22"), S(55, "RT_23"), S(56, "RT_24"), S(57, "RT_25"), S(58, "RT_26"),
	S(59, "RT_27"), S(60, "RT_28"), S(61, "RT_29"), S(62, "RT_30"), S(63, "RT_31"),
	S(64, "RT_32"),
};

static const struct kt_label unshare_of[] = {
	C(CLONE_NEWTIME), C(CLONE_VM), C(CLONE_FS), C(CLONE_FILES), C(CLONE_SIGHAND),
	C(CLONE_THREAD), C(CLONE_NEWNS), C(CLONE_SYSVSEM), C(CLONE_NEWCGROUP), C(CLONE_NEWUTS),
	C(CLONE_NEWIPC), C(CLONE_NEWUSER), C(CLONE_NEWPID), C(CLONE_NEWNET),
};

static const struct kt_label wait_of[] = {
	C(WNOHANG), C(WSTOPPED), C(WEXITED), C(WCONTINUED), C(WNOWAIT), C(__WNOTHREAD),
	C(__WALL), C(__WCLONE),
};

/* WSTOPPED has the number of WUNTRACED: waitid(2) uses one name, wait4(2) the other. */
static const struct kt_label waitid_of[] = {
	C(WNOHANG), C(WSTOPPED), C(WEXITED), C(WCONTINUED), C(WNOWAIT), C(__WNOTHREAD),
	C(__WALL), C(__WCLONE),
};

static const struct kt_labels tables[] = {
	VALUES(arch, "ARCH_???"), FLAGS(clone, CSIGNAL, "CLONE_???"),
	FLAGS(clone3, 0, "CLONE_???"), FLAGS(futex, 0xff, "FUTEX_???"),
	FLAGS(futex2, 0, "FUTEX_???"), VALUES(futex_bitset, NULL), VALUES(handler, NULL),
	{N(id, NULL), .is_decimal = true}, VALUES(idtype, "P_???"), VALUES(io_priority, "IOPRIO_WHO_???"),
	VALUES(kcmp, "KCMP_???"), VALUES(limit, NULL), VALUES(notify, "SIGEV_???"),
	FLAGS(personality, 0xff, "PER_???"), FLAGS(pidfd, 0, "PIDFD_???"),
	FLAGS(pidfd_signal, 0, "PIDFD_SIGNAL_???"), VALUES(priority, "PRIO_???"),
	VALUES(ptrace, "PTRACE_???"), FLAGS(ptrace_options, 0, "PTRACE_O_???"),
	VALUES(registers, NULL), VALUES(resource, "RLIMIT_???"), FLAGS(rseq, 0, "RSEQ_FLAG_???"),
	VALUES(rusage, "RUSAGE_???"), FLAGS(sched, 0xff, "SCHED_???"),
	FLAGS(sched_flags, 0, "SCHED_FLAG_???"), VALUES(seccomp, "SECCOMP_SET_MODE_???"),
	FLAGS(seccomp_flags, 0, "SECCOMP_FILTER_FLAG_???"), FLAGS(setns, 0, "CLONE_NEW???"),
	FLAGS(sigaction, 0, "SA_???"), FLAGS(sigaltstack, 0, "SS_???"),
	VALUES(sigmask, "SIG_???"), {N(signal, NULL), .is_decimal = true}, FLAGS(signalfd, 0, "SFD_???"),
	FLAGS(sigset, 0, NULL), FLAGS(unshare, 0, "CLONE_???"), FLAGS(wait, 0, "W???"),
	FLAGS(waitid, 0, "W???"),
};

/* clang-format on */

const struct kt_constants kt_constants_of_tasks = {tables, sizeof(tables) / sizeof(*tables)};
