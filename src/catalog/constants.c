// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/constants.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/random.h>
#include <linux/vm_sockets.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/labels.h"

/* clang-format off */

/* In the order in which they are shown: of two flags that share bits the larger first. */
#define C(constant) {(uint64_t)(constant), #constant}
#define E(constant) {-(uint64_t)(constant), "-" #constant}

static const struct kt_label accept_of[] = {
	C(SOCK_CLOEXEC), C(SOCK_NONBLOCK),
};

static const struct kt_label access_of[] = {
	C(F_OK), C(R_OK), C(W_OK), C(X_OK),
};

static const struct kt_label advice_of[] = {
	C(POSIX_FADV_NORMAL), C(POSIX_FADV_RANDOM), C(POSIX_FADV_SEQUENTIAL),
	C(POSIX_FADV_WILLNEED), C(POSIX_FADV_DONTNEED), C(POSIX_FADV_NOREUSE),
};

static const struct kt_label at_of[] = {
	C(AT_FDCWD),
};

static const struct kt_label at_flags_of[] = {
	C(AT_SYMLINK_NOFOLLOW), C(AT_REMOVEDIR), C(AT_SYMLINK_FOLLOW), C(AT_NO_AUTOMOUNT),
	C(AT_EMPTY_PATH), C(AT_STATX_FORCE_SYNC), C(AT_STATX_DONT_SYNC), C(AT_RECURSIVE),
};

static const struct kt_label clock_of[] = {
	C(CLOCK_REALTIME), C(CLOCK_MONOTONIC), C(CLOCK_PROCESS_CPUTIME_ID),
	C(CLOCK_THREAD_CPUTIME_ID), C(CLOCK_MONOTONIC_RAW), C(CLOCK_REALTIME_COARSE),
	C(CLOCK_MONOTONIC_COARSE), C(CLOCK_BOOTTIME), C(CLOCK_REALTIME_ALARM),
	C(CLOCK_BOOTTIME_ALARM), {10, "CLOCK_SGI_CYCLE"}, C(CLOCK_TAI),
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

static const struct kt_label close_range_of[] = {
	C(CLOSE_RANGE_UNSHARE), C(CLOSE_RANGE_CLOEXEC),
};

static const struct kt_label dup_of[] = {
	C(O_CLOEXEC),
};

static const struct kt_label epoll_create_of[] = {
	C(EPOLL_CLOEXEC),
};

static const struct kt_label epoll_ctl_of[] = {
	C(EPOLL_CTL_ADD), C(EPOLL_CTL_DEL), C(EPOLL_CTL_MOD),
};

static const struct kt_label error_of[] = {
	E(EPERM), E(ENOENT), E(ESRCH), E(EINTR), E(EIO), E(ENXIO), E(E2BIG), E(ENOEXEC),
	E(EBADF), E(ECHILD), E(EAGAIN), E(ENOMEM), E(EACCES), E(EFAULT), E(ENOTBLK), E(EBUSY),
	E(EEXIST), E(EXDEV), E(ENODEV), E(ENOTDIR), E(EISDIR), E(EINVAL), E(ENFILE), E(EMFILE),
	E(ENOTTY), E(ETXTBSY), E(EFBIG), E(ENOSPC), E(ESPIPE), E(EROFS), E(EMLINK), E(EPIPE),
	E(EDOM), E(ERANGE), E(EDEADLK), E(ENAMETOOLONG), E(ENOLCK), E(ENOSYS), E(ENOTEMPTY),
	E(ELOOP), E(ENOMSG), E(EIDRM), E(ECHRNG), E(EL2NSYNC), E(EL3HLT), E(EL3RST), E(ELNRNG),
	E(EUNATCH), E(ENOCSI), E(EL2HLT), E(EBADE), E(EBADR), E(EXFULL), E(ENOANO), E(EBADRQC),
	E(EBADSLT), E(EBFONT), E(ENOSTR), E(ENODATA), E(ETIME), E(ENOSR), E(ENONET), E(ENOPKG),
	E(EREMOTE), E(ENOLINK), E(EADV), E(ESRMNT), E(ECOMM), E(EPROTO), E(EMULTIHOP),
	E(EDOTDOT), E(EBADMSG), E(EOVERFLOW), E(ENOTUNIQ), E(EBADFD), E(EREMCHG), E(ELIBACC),
	E(ELIBBAD), E(ELIBSCN), E(ELIBMAX), E(ELIBEXEC), E(EILSEQ), E(ERESTART), E(ESTRPIPE),
	E(EUSERS), E(ENOTSOCK), E(EDESTADDRREQ), E(EMSGSIZE), E(EPROTOTYPE), E(ENOPROTOOPT),
	E(EPROTONOSUPPORT), E(ESOCKTNOSUPPORT), E(EOPNOTSUPP), E(EPFNOSUPPORT), E(EAFNOSUPPORT),
	E(EADDRINUSE), E(EADDRNOTAVAIL), E(ENETDOWN), E(ENETUNREACH), E(ENETRESET),
	E(ECONNABORTED), E(ECONNRESET), E(ENOBUFS), E(EISCONN), E(ENOTCONN), E(ESHUTDOWN),
	E(ETOOMANYREFS), E(ETIMEDOUT), E(ECONNREFUSED), E(EHOSTDOWN), E(EHOSTUNREACH),
	E(EALREADY), E(EINPROGRESS), E(ESTALE), E(EUCLEAN), E(ENOTNAM), E(ENAVAIL), E(EISNAM),
	E(EREMOTEIO), E(EDQUOT), E(ENOMEDIUM), E(EMEDIUMTYPE), E(ECANCELED), E(ENOKEY),
	E(EKEYEXPIRED), E(EKEYREVOKED), E(EKEYREJECTED), E(EOWNERDEAD), E(ENOTRECOVERABLE),
	E(ERFKILL), E(EHWPOISON), {-512ull, "-ERESTARTSYS"}, {-513ull, "-ERESTARTNOINTR"},
	{-514ull, "-ERESTARTNOHAND"}, {-516ull, "-ERESTART_RESTARTBLOCK"},
};

static const struct kt_label eventfd_of[] = {
	C(EFD_SEMAPHORE), C(EFD_CLOEXEC), C(EFD_NONBLOCK),
};

static const struct kt_label ethernet_of[] = {
	C(ETH_P_LOOP), C(ETH_P_PUP), C(ETH_P_IP), C(ETH_P_X25), C(ETH_P_ARP), C(ETH_P_RARP),
	C(ETH_P_8021Q), C(ETH_P_IPX), C(ETH_P_IPV6), C(ETH_P_PAUSE), C(ETH_P_SLOW),
	C(ETH_P_MPLS_UC), C(ETH_P_MPLS_MC), C(ETH_P_PPP_DISC), C(ETH_P_PPP_SES), C(ETH_P_PAE),
	C(ETH_P_AOE), C(ETH_P_8021AD), C(ETH_P_LLDP), C(ETH_P_MACSEC), C(ETH_P_1588),
	C(ETH_P_FCOE), C(ETH_P_FIP), C(ETH_P_802_3), C(ETH_P_AX25), C(ETH_P_ALL),
	C(ETH_P_802_2),
};

static const struct kt_label fallocate_of[] = {
	C(FALLOC_FL_KEEP_SIZE), C(FALLOC_FL_PUNCH_HOLE), C(FALLOC_FL_NO_HIDE_STALE),
	C(FALLOC_FL_COLLAPSE_RANGE), C(FALLOC_FL_ZERO_RANGE), C(FALLOC_FL_INSERT_RANGE),
	C(FALLOC_FL_UNSHARE_RANGE),
};

static const struct kt_label family_of[] = {
	C(AF_UNSPEC), C(AF_UNIX), C(AF_INET), C(AF_AX25), C(AF_IPX), C(AF_APPLETALK),
	C(AF_NETROM), C(AF_BRIDGE), C(AF_ATMPVC), C(AF_X25), C(AF_INET6), C(AF_ROSE),
	C(AF_NETBEUI), C(AF_SECURITY), C(AF_KEY), C(AF_NETLINK), C(AF_PACKET), C(AF_ASH),
	C(AF_ECONET), C(AF_ATMSVC), C(AF_RDS), C(AF_SNA), C(AF_IRDA), C(AF_PPPOX),
	C(AF_WANPIPE), C(AF_LLC), C(AF_IB), C(AF_MPLS), C(AF_CAN), C(AF_TIPC), C(AF_BLUETOOTH),
	C(AF_IUCV), C(AF_RXRPC), C(AF_ISDN), C(AF_PHONET), C(AF_IEEE802154), C(AF_CAIF),
	C(AF_ALG), C(AF_NFC), C(AF_VSOCK), C(AF_KCM), C(AF_QIPCRTR), C(AF_SMC), C(AF_XDP),
	{45, "AF_MCTP"},
};

static const struct kt_label fcntl_of[] = {
	C(F_DUPFD), C(F_GETFD), C(F_SETFD), C(F_GETFL), C(F_SETFL), C(F_GETLK), C(F_SETLK),
	C(F_SETLKW), C(F_SETOWN), C(F_GETOWN), C(F_SETSIG), C(F_GETSIG), C(F_SETOWN_EX),
	C(F_GETOWN_EX), C(F_OFD_GETLK), C(F_OFD_SETLK), C(F_OFD_SETLKW), C(F_SETLEASE),
	C(F_GETLEASE), C(F_NOTIFY), C(F_DUPFD_CLOEXEC), C(F_SETPIPE_SZ), C(F_GETPIPE_SZ),
	C(F_ADD_SEALS), C(F_GET_SEALS), C(F_GET_RW_HINT), C(F_SET_RW_HINT),
	C(F_GET_FILE_RW_HINT), C(F_SET_FILE_RW_HINT),
};

static const struct kt_label flock_of[] = {
	C(LOCK_SH), C(LOCK_EX), C(LOCK_NB), C(LOCK_UN),
};

static const struct kt_label futex_of[] = {
	C(FUTEX_WAIT), C(FUTEX_WAKE), C(FUTEX_FD), C(FUTEX_REQUEUE), C(FUTEX_CMP_REQUEUE),
	C(FUTEX_WAKE_OP), C(FUTEX_LOCK_PI), C(FUTEX_UNLOCK_PI), C(FUTEX_TRYLOCK_PI),
	C(FUTEX_WAIT_BITSET), C(FUTEX_WAKE_BITSET), C(FUTEX_WAIT_REQUEUE_PI),
	C(FUTEX_CMP_REQUEUE_PI), {13, "FUTEX_LOCK_PI2"}, C(FUTEX_PRIVATE_FLAG),
	C(FUTEX_CLOCK_REALTIME),
};

static const struct kt_label getrandom_of[] = {
	C(GRND_NONBLOCK), C(GRND_RANDOM), C(GRND_INSECURE),
};

static const struct kt_label hardware_of[] = {
	C(ARPHRD_NETROM), C(ARPHRD_ETHER), C(ARPHRD_AX25), C(ARPHRD_IEEE802), C(ARPHRD_ATM),
	C(ARPHRD_IEEE1394), C(ARPHRD_INFINIBAND), C(ARPHRD_SLIP), C(ARPHRD_X25), C(ARPHRD_CAN),
	C(ARPHRD_PPP), C(ARPHRD_HDLC), C(ARPHRD_RAWIP), C(ARPHRD_TUNNEL), C(ARPHRD_TUNNEL6),
	C(ARPHRD_LOOPBACK), C(ARPHRD_SIT), C(ARPHRD_IPGRE), C(ARPHRD_IEEE80211),
	C(ARPHRD_IEEE80211_PRISM), C(ARPHRD_IEEE80211_RADIOTAP), C(ARPHRD_IEEE802154),
	C(ARPHRD_IP6GRE), C(ARPHRD_NETLINK), C(ARPHRD_6LOWPAN), C(ARPHRD_VOID), C(ARPHRD_NONE),
};

static const struct kt_label idtype_of[] = {
	C(P_ALL), C(P_PID), C(P_PGID), C(P_PIDFD),
};

static const struct kt_label inotify_of[] = {
	C(IN_ACCESS), C(IN_MODIFY), C(IN_ATTRIB), C(IN_CLOSE_WRITE), C(IN_CLOSE_NOWRITE),
	C(IN_OPEN), C(IN_MOVED_FROM), C(IN_MOVED_TO), C(IN_CREATE), C(IN_DELETE),
	C(IN_DELETE_SELF), C(IN_MOVE_SELF), C(IN_UNMOUNT), C(IN_Q_OVERFLOW), C(IN_IGNORED),
	C(IN_ONLYDIR), C(IN_DONT_FOLLOW), C(IN_EXCL_UNLINK), C(IN_MASK_CREATE), C(IN_MASK_ADD),
	C(IN_ISDIR), C(IN_ONESHOT),
};

static const struct kt_label inotify_init_of[] = {
	C(IN_CLOEXEC), C(IN_NONBLOCK),
};

static const struct kt_label ipc_of[] = {
	C(IPC_CREAT), C(IPC_EXCL), C(IPC_NOWAIT),
};

static const struct kt_label itimer_of[] = {
	C(ITIMER_REAL), C(ITIMER_VIRTUAL), C(ITIMER_PROF),
};

static const struct kt_label madvise_of[] = {
	C(MADV_NORMAL), C(MADV_RANDOM), C(MADV_SEQUENTIAL), C(MADV_WILLNEED), C(MADV_DONTNEED),
	C(MADV_FREE), C(MADV_REMOVE), C(MADV_DONTFORK), C(MADV_DOFORK), C(MADV_MERGEABLE),
	C(MADV_UNMERGEABLE), C(MADV_HUGEPAGE), C(MADV_NOHUGEPAGE), C(MADV_DONTDUMP),
	C(MADV_DODUMP), C(MADV_WIPEONFORK), C(MADV_KEEPONFORK), C(MADV_COLD), C(MADV_PAGEOUT),
	C(MADV_POPULATE_READ), C(MADV_POPULATE_WRITE), {24, "MADV_DONTNEED_LOCKED"},
	{25, "MADV_COLLAPSE"}, C(MADV_HWPOISON), {101, "MADV_SOFT_OFFLINE"},
};

static const struct kt_label memfd_of[] = {
	C(MFD_CLOEXEC), C(MFD_ALLOW_SEALING), C(MFD_HUGETLB),
};

static const struct kt_label mlockall_of[] = {
	C(MCL_CURRENT), C(MCL_FUTURE), C(MCL_ONFAULT),
};

static const struct kt_label mmap_of[] = {
	C(MAP_FILE), C(MAP_SHARED), C(MAP_PRIVATE), C(MAP_SHARED_VALIDATE), C(MAP_FIXED),
	C(MAP_ANONYMOUS), C(MAP_32BIT), C(MAP_GROWSDOWN), C(MAP_DENYWRITE), C(MAP_EXECUTABLE),
	C(MAP_LOCKED), C(MAP_NORESERVE), C(MAP_POPULATE), C(MAP_NONBLOCK), C(MAP_STACK),
	C(MAP_HUGETLB), C(MAP_SYNC), C(MAP_FIXED_NOREPLACE),
};

static const struct kt_label mount_of[] = {
	C(MS_RDONLY), C(MS_NOSUID), C(MS_NODEV), C(MS_NOEXEC), C(MS_SYNCHRONOUS), C(MS_REMOUNT),
	C(MS_MANDLOCK), C(MS_DIRSYNC), {256, "MS_NOSYMFOLLOW"}, C(MS_NOATIME), C(MS_NODIRATIME),
	C(MS_BIND), C(MS_MOVE), C(MS_REC), C(MS_SILENT), C(MS_POSIXACL), C(MS_UNBINDABLE),
	C(MS_PRIVATE), C(MS_SLAVE), C(MS_SHARED), C(MS_RELATIME), C(MS_KERNMOUNT),
	C(MS_I_VERSION), C(MS_STRICTATIME), C(MS_LAZYTIME),
};

static const struct kt_label mremap_of[] = {
	C(MREMAP_MAYMOVE), C(MREMAP_FIXED), C(MREMAP_DONTUNMAP),
};

static const struct kt_label msg_of[] = {
	C(MSG_OOB), C(MSG_PEEK), C(MSG_DONTROUTE), C(MSG_CTRUNC), {0x10, "MSG_PROBE"},
	C(MSG_TRUNC), C(MSG_DONTWAIT), C(MSG_EOR), C(MSG_WAITALL), C(MSG_FIN), C(MSG_SYN),
	C(MSG_CONFIRM), C(MSG_RST), C(MSG_ERRQUEUE), C(MSG_NOSIGNAL), C(MSG_MORE),
	C(MSG_WAITFORONE), C(MSG_BATCH), C(MSG_ZEROCOPY), C(MSG_FASTOPEN), C(MSG_CMSG_CLOEXEC),
};

static const struct kt_label msync_of[] = {
	C(MS_ASYNC), C(MS_INVALIDATE), C(MS_SYNC),
};

static const struct kt_label open_of[] = {
	C(O_RDONLY), C(O_WRONLY), C(O_RDWR), C(O_ACCMODE), C(O_CREAT), C(O_EXCL), C(O_NOCTTY),
	C(O_TRUNC), C(O_APPEND), C(O_NONBLOCK), C(O_SYNC), C(O_DSYNC), C(O_ASYNC), C(O_DIRECT),
	{0100000, "O_LARGEFILE"}, C(O_TMPFILE), C(O_DIRECTORY), C(O_NOFOLLOW), C(O_NOATIME),
	C(O_CLOEXEC), C(O_PATH),
};

static const struct kt_label packet_of[] = {
	C(PACKET_HOST), C(PACKET_BROADCAST), C(PACKET_MULTICAST), C(PACKET_OTHERHOST),
	C(PACKET_OUTGOING), C(PACKET_LOOPBACK), C(PACKET_USER), C(PACKET_KERNEL),
};

static const struct kt_label pipe_of[] = {
	C(O_CLOEXEC), C(O_NONBLOCK), C(O_DIRECT), C(O_EXCL),
};

static const struct kt_label priority_of[] = {
	C(PRIO_PROCESS), C(PRIO_PGRP), C(PRIO_USER),
};

static const struct kt_label prot_of[] = {
	C(PROT_NONE), C(PROT_READ), C(PROT_WRITE), C(PROT_EXEC), C(PROT_GROWSDOWN),
	C(PROT_GROWSUP),
};

static const struct kt_label rename_of[] = {
	C(RENAME_NOREPLACE), C(RENAME_EXCHANGE), C(RENAME_WHITEOUT),
};

static const struct kt_label resource_of[] = {
	C(RLIMIT_CPU), C(RLIMIT_FSIZE), C(RLIMIT_DATA), C(RLIMIT_STACK), C(RLIMIT_CORE),
	C(RLIMIT_RSS), C(RLIMIT_NPROC), C(RLIMIT_NOFILE), C(RLIMIT_MEMLOCK), C(RLIMIT_AS),
	C(RLIMIT_LOCKS), C(RLIMIT_SIGPENDING), C(RLIMIT_MSGQUEUE), C(RLIMIT_NICE),
	C(RLIMIT_RTPRIO), C(RLIMIT_RTTIME),
};

static const struct kt_label rusage_of[] = {
	C(RUSAGE_SELF), C(RUSAGE_CHILDREN), C(RUSAGE_THREAD),
};

static const struct kt_label shutdown_of[] = {
	C(SHUT_RD), C(SHUT_WR), C(SHUT_RDWR),
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

static const struct kt_label socket_of[] = {
	C(SOCK_STREAM), C(SOCK_DGRAM), C(SOCK_RAW), C(SOCK_RDM), C(SOCK_SEQPACKET),
	C(SOCK_DCCP), C(SOCK_PACKET), C(SOCK_CLOEXEC), C(SOCK_NONBLOCK),
};

static const struct kt_label timer_of[] = {
	C(TIMER_ABSTIME),
};

static const struct kt_label timerfd_of[] = {
	C(TFD_CLOEXEC), C(TFD_NONBLOCK),
};

static const struct kt_label timerfd_settime_of[] = {
	C(TFD_TIMER_ABSTIME), C(TFD_TIMER_CANCEL_ON_SET),
};

static const struct kt_label umount_of[] = {
	C(MNT_FORCE), C(MNT_DETACH), C(MNT_EXPIRE), C(UMOUNT_NOFOLLOW),
};

static const struct kt_label unshare_of[] = {
	C(CLONE_NEWTIME), C(CLONE_VM), C(CLONE_FS), C(CLONE_FILES), C(CLONE_SIGHAND),
	C(CLONE_PIDFD), C(CLONE_PTRACE), C(CLONE_VFORK), C(CLONE_PARENT), C(CLONE_THREAD),
	C(CLONE_NEWNS), C(CLONE_SYSVSEM), C(CLONE_SETTLS), C(CLONE_PARENT_SETTID),
	C(CLONE_CHILD_CLEARTID), C(CLONE_DETACHED), C(CLONE_UNTRACED), C(CLONE_CHILD_SETTID),
	C(CLONE_NEWCGROUP), C(CLONE_NEWUTS), C(CLONE_NEWIPC), C(CLONE_NEWUSER), C(CLONE_NEWPID),
	C(CLONE_NEWNET), C(CLONE_IO),
};

static const struct kt_label vsock_of[] = {
	{0xffffffff, "VMADDR_CID_ANY"}, C(VMADDR_CID_HYPERVISOR), C(VMADDR_CID_LOCAL),
	C(VMADDR_CID_HOST),
};

static const struct kt_label wait_of[] = {
	C(WNOHANG), C(WUNTRACED), C(WEXITED), C(WCONTINUED), C(WNOWAIT), C(__WNOTHREAD),
	C(__WALL), C(__WCLONE),
};

static const struct kt_label whence_of[] = {
	C(SEEK_SET), C(SEEK_CUR), C(SEEK_END), C(SEEK_DATA), C(SEEK_HOLE),
};

#define N(table) .name = #table, .of = table##_of, .n = sizeof(table##_of) / sizeof(*table##_of)
#define VALUES(table) {N(table)}
#define FLAGS(table, bits) {N(table), .are_flags = true, .mask = (bits)}

static const struct kt_labels tables[] = {
	FLAGS(accept, 0), FLAGS(access, 0), VALUES(advice), VALUES(at), FLAGS(at_flags, 0),
	VALUES(clock), FLAGS(clone, CSIGNAL), FLAGS(close_range, 0), FLAGS(dup, 0),
	FLAGS(epoll_create, 0), VALUES(epoll_ctl), VALUES(error),
	VALUES(ethernet), FLAGS(eventfd, 0),
	FLAGS(fallocate, 0), VALUES(family), VALUES(fcntl), FLAGS(flock, 0), FLAGS(futex, 127),
	FLAGS(getrandom, 0), VALUES(hardware), VALUES(idtype), FLAGS(inotify, 0), FLAGS(inotify_init, 0),
	FLAGS(ipc, 0), VALUES(itimer), VALUES(madvise), FLAGS(memfd, 0), FLAGS(mlockall, 0),
	FLAGS(mmap, MAP_TYPE), FLAGS(mount, 0), FLAGS(mremap, 0), FLAGS(msg, 0),
	FLAGS(msync, 0), FLAGS(open, O_ACCMODE), VALUES(packet), FLAGS(pipe, 0), VALUES(priority),
	FLAGS(prot, 0), FLAGS(rename, 0), VALUES(resource), VALUES(rusage), VALUES(shutdown),
	VALUES(sigmask), VALUES(signal), FLAGS(signalfd, 0), FLAGS(socket, 0xf),
	FLAGS(timer, 0), FLAGS(timerfd, 0), FLAGS(timerfd_settime, 0), FLAGS(umount, 0),
	FLAGS(unshare, 0), VALUES(vsock), FLAGS(wait, 0), VALUES(whence),
};

/* clang-format on */

enum { N_TABLES = sizeof(tables) / sizeof(*tables) };

const struct kt_labels *kt_constants_at(size_t i)
{
	return i < N_TABLES ? &tables[i] : NULL;
}

const struct kt_labels *kt_constants_find(const char *name)
{
	size_t i;

	for (i = 0; i < N_TABLES; i++)
		if (strcmp(tables[i].name, name) == 0)
			return &tables[i];
	return NULL;
}
