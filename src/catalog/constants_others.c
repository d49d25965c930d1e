// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/constants_of.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <linux/random.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>

/* clang-format off */

#define E(constant) {-(uint64_t)(constant), "-" #constant}

static const struct kt_label adjust_of[] = {
	{0xa001, "ADJ_OFFSET_SS_READ"}, {0x8001, "ADJ_OFFSET_SINGLESHOT"}, C(ADJ_OFFSET),
	C(ADJ_FREQUENCY), C(ADJ_MAXERROR), C(ADJ_ESTERROR), C(ADJ_STATUS), C(ADJ_TIMECONST),
	C(ADJ_TAI), C(ADJ_SETOFFSET), C(ADJ_MICRO), C(ADJ_NANO), C(ADJ_TICK),
};

static const struct kt_label clock_of[] = {
	C(CLOCK_REALTIME), C(CLOCK_MONOTONIC), C(CLOCK_PROCESS_CPUTIME_ID),
	C(CLOCK_THREAD_CPUTIME_ID), C(CLOCK_MONOTONIC_RAW), C(CLOCK_REALTIME_COARSE),
	C(CLOCK_MONOTONIC_COARSE), C(CLOCK_BOOTTIME), C(CLOCK_REALTIME_ALARM),
	C(CLOCK_BOOTTIME_ALARM), {10, "CLOCK_SGI_CYCLE"}, C(CLOCK_TAI),
};

static const struct kt_label clock_status_of[] = {
	C(STA_PLL), C(STA_PPSFREQ), C(STA_PPSTIME), C(STA_FLL), C(STA_INS), C(STA_DEL),
	C(STA_UNSYNC), C(STA_FREQHOLD), C(STA_PPSSIGNAL), C(STA_PPSJITTER), C(STA_PPSWANDER),
	C(STA_PPSERROR), C(STA_CLOCKERR), C(STA_NANO), C(STA_MODE), C(STA_CLK),
};

static const struct kt_label epoll_of[] = {
	C(EPOLLIN), C(EPOLLPRI), C(EPOLLOUT), C(EPOLLERR), C(EPOLLHUP), {0x20, "EPOLLNVAL"},
	C(EPOLLRDNORM), C(EPOLLRDBAND), C(EPOLLWRNORM), C(EPOLLWRBAND), C(EPOLLMSG),
	C(EPOLLRDHUP), C(EPOLLEXCLUSIVE), C(EPOLLWAKEUP), C(EPOLLONESHOT),
	{1u << 31, "EPOLLET"},
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

static const struct kt_label getrandom_of[] = {
	C(GRND_NONBLOCK), C(GRND_RANDOM), C(GRND_INSECURE),
};

static const struct kt_label io_uring_of[] = {
	C(IORING_SETUP_IOPOLL), C(IORING_SETUP_SQPOLL), C(IORING_SETUP_SQ_AFF),
	C(IORING_SETUP_CQSIZE), C(IORING_SETUP_CLAMP), C(IORING_SETUP_ATTACH_WQ),
	{1u << 6, "IORING_SETUP_R_DISABLED"}, {1u << 7, "IORING_SETUP_SUBMIT_ALL"},
	{1u << 8, "IORING_SETUP_COOP_TASKRUN"}, {1u << 9, "IORING_SETUP_TASKRUN_FLAG"},
	{1u << 10, "IORING_SETUP_SQE128"}, {1u << 11, "IORING_SETUP_CQE32"},
	{1u << 12, "IORING_SETUP_SINGLE_ISSUER"}, {1u << 13, "IORING_SETUP_DEFER_TASKRUN"},
};

static const struct kt_label io_uring_features_of[] = {
	C(IORING_FEAT_SINGLE_MMAP), C(IORING_FEAT_NODROP), C(IORING_FEAT_SUBMIT_STABLE),
	C(IORING_FEAT_RW_CUR_POS), C(IORING_FEAT_CUR_PERSONALITY), C(IORING_FEAT_FAST_POLL),
	C(IORING_FEAT_POLL_32BITS), {1u << 7, "IORING_FEAT_SQPOLL_NONFIXED"},
	{1u << 8, "IORING_FEAT_EXT_ARG"}, {1u << 9, "IORING_FEAT_NATIVE_WORKERS"},
	{1u << 10, "IORING_FEAT_RSRC_TAGS"}, {1u << 11, "IORING_FEAT_CQE_SKIP"},
	{1u << 12, "IORING_FEAT_LINKED_FILE"},
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

static const struct kt_label mlockall_of[] = {
	C(MCL_CURRENT), C(MCL_FUTURE), C(MCL_ONFAULT),
};

static const struct kt_label mmap_of[] = {
	C(MAP_FILE), C(MAP_SHARED), C(MAP_PRIVATE), C(MAP_SHARED_VALIDATE), C(MAP_FIXED),
	C(MAP_ANONYMOUS), C(MAP_32BIT), C(MAP_GROWSDOWN), C(MAP_DENYWRITE), C(MAP_EXECUTABLE),
	C(MAP_LOCKED), C(MAP_NORESERVE), C(MAP_POPULATE), C(MAP_NONBLOCK), C(MAP_STACK),
	C(MAP_HUGETLB), C(MAP_SYNC), C(MAP_FIXED_NOREPLACE),
};

static const struct kt_label mremap_of[] = {
	C(MREMAP_MAYMOVE), C(MREMAP_FIXED), C(MREMAP_DONTUNMAP),
};

static const struct kt_label msync_of[] = {
	C(MS_ASYNC), C(MS_INVALIDATE), C(MS_SYNC),
};

static const struct kt_label poll_of[] = {
	C(POLLIN), C(POLLPRI), C(POLLOUT), C(POLLERR), C(POLLHUP), C(POLLNVAL), C(POLLRDNORM),
	C(POLLRDBAND), C(POLLWRNORM), C(POLLWRBAND), C(POLLMSG), C(POLLREMOVE), C(POLLRDHUP),
	{-0x8000ull, "POLL_BUSY_LOOP"},
};

static const struct kt_label prot_of[] = {
	C(PROT_NONE), C(PROT_READ), C(PROT_WRITE), C(PROT_EXEC), C(PROT_GROWSDOWN),
	C(PROT_GROWSUP),
};

static const struct kt_label semop_of[] = {
	C(SEM_UNDO), C(IPC_NOWAIT),
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

static const struct kt_labels tables[] = {
	FLAGS(adjust, 0), VALUES(clock), FLAGS(clock_status, 0), FLAGS(epoll, 0),
	FLAGS(epoll_create, 0), VALUES(epoll_ctl), VALUES(error), FLAGS(eventfd, 0),
	FLAGS(getrandom, 0), FLAGS(io_uring, 0), FLAGS(io_uring_features, 0), FLAGS(ipc, 0),
	VALUES(itimer), VALUES(madvise), FLAGS(mlockall, 0), FLAGS(mmap, MAP_TYPE),
	FLAGS(mremap, 0), FLAGS(msync, 0), FLAGS(poll, 0), FLAGS(prot, 0), FLAGS(semop, 0),
	FLAGS(timer, 0), FLAGS(timerfd, 0), FLAGS(timerfd_settime, 0),
};

/* clang-format on */

const struct kt_constants kt_constants_of_others = {tables, sizeof(tables) / sizeof(*tables)};
