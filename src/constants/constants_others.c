// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <linux/random.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
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

static const struct kt_label clock_state_of[] = {
	C(TIME_OK), C(TIME_INS), C(TIME_DEL), C(TIME_OOP), C(TIME_WAIT), C(TIME_ERROR),
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

static const struct kt_label io_uring_enter_of[] = {
	C(IORING_ENTER_GETEVENTS), C(IORING_ENTER_SQ_WAKEUP), C(IORING_ENTER_SQ_WAIT),
	C(IORING_ENTER_EXT_ARG), {1u << 4, "IORING_ENTER_REGISTERED_RING"},
	{1u << 5, "IORING_ENTER_ABS_TIMER"}, {1u << 6, "IORING_ENTER_EXT_ARG_REG"},
	{1u << 7, "IORING_ENTER_NO_IOWAIT"},
};

static const struct kt_label io_uring_features_of[] = {
	C(IORING_FEAT_SINGLE_MMAP), C(IORING_FEAT_NODROP), C(IORING_FEAT_SUBMIT_STABLE),
	C(IORING_FEAT_RW_CUR_POS), C(IORING_FEAT_CUR_PERSONALITY), C(IORING_FEAT_FAST_POLL),
	C(IORING_FEAT_POLL_32BITS), {1u << 7, "IORING_FEAT_SQPOLL_NONFIXED"},
	{1u << 8, "IORING_FEAT_EXT_ARG"}, {1u << 9, "IORING_FEAT_NATIVE_WORKERS"},
	{1u << 10, "IORING_FEAT_RSRC_TAGS"}, {1u << 11, "IORING_FEAT_CQE_SKIP"},
	{1u << 12, "IORING_FEAT_LINKED_FILE"},
};

static const struct kt_label io_uring_register_of[] = {
	C(IORING_REGISTER_BUFFERS), C(IORING_UNREGISTER_BUFFERS), C(IORING_REGISTER_FILES),
	C(IORING_UNREGISTER_FILES), C(IORING_REGISTER_EVENTFD), C(IORING_UNREGISTER_EVENTFD),
	C(IORING_REGISTER_FILES_UPDATE), C(IORING_REGISTER_EVENTFD_ASYNC),
	C(IORING_REGISTER_PROBE), C(IORING_REGISTER_PERSONALITY),
	C(IORING_UNREGISTER_PERSONALITY), C(IORING_REGISTER_RESTRICTIONS),
	C(IORING_REGISTER_ENABLE_RINGS), {13, "IORING_REGISTER_FILES2"},
	{14, "IORING_REGISTER_FILES_UPDATE2"}, {15, "IORING_REGISTER_BUFFERS2"},
	{16, "IORING_REGISTER_BUFFERS_UPDATE"}, {17, "IORING_REGISTER_IOWQ_AFF"},
	{18, "IORING_UNREGISTER_IOWQ_AFF"}, {19, "IORING_REGISTER_IOWQ_MAX_WORKERS"},
	{20, "IORING_REGISTER_RING_FDS"}, {21, "IORING_UNREGISTER_RING_FDS"},
	{22, "IORING_REGISTER_PBUF_RING"}, {23, "IORING_UNREGISTER_PBUF_RING"},
	{24, "IORING_REGISTER_SYNC_CANCEL"}, {25, "IORING_REGISTER_FILE_ALLOC_RANGE"},
	{26, "IORING_REGISTER_PBUF_STATUS"}, {27, "IORING_REGISTER_NAPI"},
	{28, "IORING_UNREGISTER_NAPI"}, {29, "IORING_REGISTER_CLOCK"},
	{30, "IORING_REGISTER_CLONE_BUFFERS"}, {31, "IORING_REGISTER_SEND_MSG_RING"},
	{32, "IORING_REGISTER_ZCRX_IFQ"}, {33, "IORING_REGISTER_RESIZE_RINGS"},
	{34, "IORING_REGISTER_MEM_REGION"},
};

static const struct kt_label ipc_of[] = {
	C(IPC_CREAT), C(IPC_EXCL), C(IPC_NOWAIT),
};

static const struct kt_label ipc_key_of[] = {
	C(IPC_PRIVATE),
};

static const struct kt_label itimer_of[] = {
	C(ITIMER_REAL), C(ITIMER_VIRTUAL), C(ITIMER_PROF),
};

static const struct kt_label msgctl_of[] = {
	C(IPC_RMID), C(IPC_SET), C(IPC_STAT), C(IPC_INFO), C(MSG_STAT), C(MSG_INFO),
	{13, "MSG_STAT_ANY"},
};

static const struct kt_label msgrcv_of[] = {
	C(IPC_NOWAIT), C(MSG_NOERROR), C(MSG_EXCEPT), C(MSG_COPY),
};

static const struct kt_label poll_of[] = {
	C(POLLIN), C(POLLPRI), C(POLLOUT), C(POLLERR), C(POLLHUP), C(POLLNVAL), C(POLLRDNORM),
	C(POLLRDBAND), C(POLLWRNORM), C(POLLWRBAND), C(POLLMSG), C(POLLREMOVE), C(POLLRDHUP),
	{-0x8000ull, "POLL_BUSY_LOOP"},
};

static const struct kt_label semctl_of[] = {
	C(IPC_RMID), C(IPC_SET), C(IPC_STAT), C(IPC_INFO), C(GETPID), C(GETVAL), C(GETALL),
	C(GETNCNT), C(GETZCNT), C(SETVAL), C(SETALL), C(SEM_STAT), C(SEM_INFO),
	{20, "SEM_STAT_ANY"},
};

static const struct kt_label semop_of[] = {
	C(SEM_UNDO), C(IPC_NOWAIT),
};

static const struct kt_label shmat_of[] = {
	C(SHM_RDONLY), C(SHM_RND), C(SHM_REMAP), C(SHM_EXEC),
};

static const struct kt_label shmctl_of[] = {
	C(IPC_RMID), C(IPC_SET), C(IPC_STAT), C(IPC_INFO), C(SHM_LOCK), C(SHM_UNLOCK),
	C(SHM_STAT), C(SHM_INFO), {15, "SHM_STAT_ANY"},
};

static const struct kt_label null_of[] = {
	{0, "NULL"},
};

static const struct kt_label shmget_of[] = {
	C(IPC_CREAT), C(IPC_EXCL), C(SHM_HUGETLB), C(SHM_NORESERVE),
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
	FLAGS(adjust, 0, "ADJ_???"), VALUES(clock, "CLOCK_???"),
	VALUES(clock_state, NULL), FLAGS(clock_status, 0, "STA_???"), FLAGS(epoll, 0, "EPOLL???"),
	FLAGS(epoll_create, 0, "EPOLL_???"), VALUES(epoll_ctl, "EPOLL_CTL_???"),
	VALUES(error, NULL), FLAGS(eventfd, 0, "EFD_???"), FLAGS(getrandom, 0, "GRND_???"),
	FLAGS(io_uring, 0, "IORING_SETUP_???"), FLAGS(io_uring_enter, 0, "IORING_ENTER_???"),
	FLAGS(io_uring_features, 0, "IORING_FEAT_???"),
	VALUES(io_uring_register, "IORING_REGISTER_???"), FLAGS(ipc, 0, "IPC_???"),
	VALUES(ipc_key, NULL), VALUES(itimer, "ITIMER_???"), VALUES(msgctl, "MSG_???"),
	FLAGS(msgrcv, 0, "MSG_???"), VALUES(null, NULL), FLAGS(poll, 0, "POLL???"),
	VALUES(semctl, "SEM_???"), FLAGS(semop, 0, "SEM_???"), FLAGS(shmat, 0, "SHM_???"),
	VALUES(shmctl, "SHM_???"), FLAGS(shmget, 0, "SHM_???"), FLAGS(timer, 0, "TIMER_???"),
	FLAGS(timerfd, 0, "TFD_???"), FLAGS(timerfd_settime, 0, "TFD_???"),
};

/* clang-format on */

const struct kt_constants kt_constants_of_others = {tables, sizeof(tables) / sizeof(*tables)};
