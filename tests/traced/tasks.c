// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the other system calls, of memory, signals, time, the network and processes, as files.c
 * does.
 *
 *	tasks        in an empty directory; creates a socket there, and removes it
 */
#include <elf.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/ioprio.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <linux/netlink.h>
#include <linux/reboot.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "call.h"

static void memory(void)
{
	static struct robust_list_head head = {{&head.list}, 0, 0};
	char *page = (char *)call(mmap, 0, 65536, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	call(mmap, 0, 0, PROT_NONE, MAP_SHARED, none, 0);
	call(mmap, 0, ENDLESS, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	     -1, 0);
	call(mmap, page, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_POPULATE,
	     -1, 0);
	call(mprotect, page, 4096, PROT_READ | PROT_WRITE);
	call(mprotect, page + 1, 4096, PROT_NONE);
	call(pkey_mprotect, page, 4096, PROT_READ, -1);
	call(madvise, page, 4096, MADV_DONTNEED);
	call(madvise, page, 4096, 99);
	call(process_madvise, none, 0, 0, MADV_COLD, 0);
	call(mlock, page, 4096);
	call(mlock2, page, 4096, MLOCK_ONFAULT);
	call(munlock, page, 4096);
	call(mlockall, 0);
	call(munlockall);
	call(msync, page, 4096, MS_SYNC);
	call(msync, page, 4096, MS_ASYNC | MS_INVALIDATE);
	call(mremap, page + 32768, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, page + 16384);
	call(mremap, page, 4096, 4096, 0);
	call(mremap, page, 4096, 4096, MREMAP_MAYMOVE, NOWHERE);
	call(mremap, page, 4096, 8192, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NOWHERE);
	call(mincore, page + 1, 4096, room);
	call(remap_file_pages, page, 4096, 0, 0, 0);
	call(munmap, page, 4096);
	call(munmap, page + 1, 4096);
	call(brk, 0);
	call(brk, 1);
	call(mbind, page, 4096, MPOL_DEFAULT, 0, 0, MPOL_MF_STRICT);
	call(set_mempolicy, MPOL_BIND, NOWHERE, 99);
	call(get_mempolicy, room, 0, 0, 0, 0);
	call(get_mempolicy, NOWHERE, 0, 0, 0, MPOL_F_MEMS_ALLOWED);
	call(migrate_pages, -1, 0, 0, 0);
	call(move_pages, 0, 0, 0, 0, 0, MPOL_MF_MOVE);
	call(pkey_alloc, 0, 99);
	call(pkey_free, 99);
	call(process_vm_readv, -1, 0, 0, 0, 0, 0);
	call(process_vm_writev, -1, 0, 0, 0, 0, 9);
	call(userfaultfd, 99);
	call(memfd_secret, 99);
	call(shmget, IPC_PRIVATE, 4096, 0);
	call(shmat, -1, 0, SHM_RDONLY);
	call(shmdt, page);
	call(shmctl, -1, IPC_RMID, 0);
	call(shmctl, -1, IPC_SET, NOWHERE);
	call(membarrier, 99, 0);
	call(membarrier, 99, 0, 5);
	call(membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU, 999);
	call(getrandom, room, 20, GRND_NONBLOCK);
	call(getrandom, room, 20, 99);
	call(getrandom, NOWHERE, 20, 0);
	call(arch_prctl, 99, 0);
	call(set_tid_address, room);
	call(set_robust_list, &head, 24);
	call(set_robust_list, 0, 9);
	call(get_robust_list, -1, room, room);
}

static void ends(int signal)
{
	(void)signal;
}

static void signals(void)
{
	static struct {
		void (*handler)(int);
		long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {(void (*)(int))SIG_IGN, SA_RESTART, 0, 0x10000}, before;
	static uint64_t set = 0x4200, full = -1, old;
	static struct timespec soon = {0, 1000}, wrong = {0, 1000000000};
	static struct itimerval interval = {{0, 0}, {100, 5}}, left;

	signal(SIGUSR1, ends);
	call(rt_sigaction, SIGUSR2, &action, 0, 8);
	call(rt_sigaction, SIGUSR2, 0, 0, 8);
	call(rt_sigaction, SIGKILL, NOWHERE, 0, 8);
	call(rt_sigaction, SIGRTMIN + 2, 0, NOWHERE, 8);
	call(rt_sigaction, 99, 0, &before, 8);
	call(rt_sigprocmask, SIG_BLOCK, &set, &old, 8);
	call(rt_sigprocmask, SIG_UNBLOCK, &set, 0, 8);
	call(rt_sigprocmask, SIG_SETMASK, &full, &old, 8);
	call(rt_sigprocmask, SIG_SETMASK, &old, 0, 8);
	call(rt_sigprocmask, 99, &set, 0, 8);
	call(rt_sigprocmask, SIG_BLOCK, NOWHERE, 0, 8);
	call(rt_sigpending, room, 8);
	call(rt_sigpending, NOWHERE, 8);
	call(rt_sigsuspend, NOWHERE, 8);
	call(rt_sigtimedwait, &set, 0, &soon, 8);
	call(rt_sigtimedwait, &set, 0, &wrong, 8);
	call(sigaltstack, 0, NOWHERE);
	call(kill, getpid(), 0);
	call(kill, getpid(), SIGUSR1);
	call(kill, -99999, SIGTERM);
	call(kill, getpid(), 99);
	call(tkill, getpid(), SIGUSR1);
	call(tkill, -1, SIGRTMIN);
	call(tgkill, getpid(), getpid(), 0);
	call(tgkill, -1, -1, SIGSTOP);
	call(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, 0);
	call(pidfd_open, getpid(), 0);
	call(pidfd_open, -1, 99);
	call(pidfd_send_signal, none, SIGUSR1, 0, 0);
	call(pidfd_getfd, none, 5, 0);
	call(alarm, 100);
	call(alarm, 0);
	call(setitimer, ITIMER_VIRTUAL, &interval, &left);
	call(setitimer, 99, &interval, 0);
	call(setitimer, ITIMER_REAL, NOWHERE, 0);
	call(getitimer, ITIMER_VIRTUAL, &left);
	call(getitimer, 99, &left);
	call(restart_syscall);
}

static void clocks(void)
{
	static struct timespec soon = {0, 5000}, wrong = {-1, 5}, later = {5, 6};
	static struct itimerspec at = {{1, 2}, {300, 4}}, before;
	int timer = -1;
	int fd = call(timerfd_create, CLOCK_REALTIME, TFD_NONBLOCK);

	call(nanosleep, &soon, 0);
	call(nanosleep, &wrong, 0);
	call(nanosleep, NOWHERE, 0);
	call(clock_nanosleep, CLOCK_MONOTONIC, 0, &soon, 0);
	call(clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &soon, 0);
	call(clock_nanosleep, 99, 0, &soon, 0);
	call(clock_gettime, CLOCK_MONOTONIC, room);
	call(clock_gettime, CLOCK_BOOTTIME, NOWHERE);
	call(clock_gettime, 99, room);
	call(clock_getres, CLOCK_PROCESS_CPUTIME_ID, room);
	call(clock_settime, CLOCK_MONOTONIC, &later);
	call(clock_adjtime, 99, NOWHERE);
	call(gettimeofday, room, 0);
	call(gettimeofday, NOWHERE, 0);
	call(settimeofday, NOWHERE, 0);
	call(adjtimex, NOWHERE);
	call(time, NOWHERE);
	call(timer_create, CLOCK_MONOTONIC, 0, &timer);
	call(timer_create, 99, 0, &timer);
	call(timer_settime, timer, 0, &at, &before);
	call(timer_settime, timer, TIMER_ABSTIME, NOWHERE, 0);
	call(timer_gettime, timer, &before);
	call(timer_gettime, 99, &before);
	call(timer_getoverrun, timer);
	call(timer_delete, timer);
	call(timer_delete, 99);
	call(timerfd_settime, fd, 0, &at, &before);
	call(timerfd_settime, fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, 0);
	call(timerfd_gettime, fd, &before);
	call(timerfd_gettime, none, &before);
	call(times, NOWHERE);
	close(fd);
}

static void pass_messages(const int pair[2])
{
	struct {
		struct cmsghdr head;
		int fd[2];
	} one = {{CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS}, {1}}, other;
	struct iovec given[] = {{"text of ", 8}, {"the message", 11}};
	struct iovec taken[] = {{room, 4}, {room + 4, 100}};
	struct msghdr m = {NULL, 0, given, 2, &one, sizeof one, MSG_EOR};

	call(sendmsg, pair[0], &m, 0);
	m = (struct msghdr){NULL, 0, taken, 2, &other, sizeof other, 0};
	call(recvmsg, pair[1], &m, 0);
	m.msg_controllen = 0;
	call(sendmsg, none, &m, MSG_DONTWAIT);
	call(sendmsg, none, NOWHERE, MSG_EOR);
	call(recvmsg, none, NOWHERE, MSG_WAITALL);
}

static void options(int fd)
{
	static const struct {
		int level, name;
	} all[] = {
		{SOL_SOCKET, SO_REUSEADDR},
		{SOL_SOCKET, SO_RCVTIMEO},
		{SOL_SOCKET, SO_TIMESTAMP},
		{SOL_SOCKET, SO_ZEROCOPY},
		{SOL_SOCKET, 99},
		{SOL_IP, IP_TOS},
		{SOL_IP, MCAST_MSFILTER},
		{SOL_IPV6, IPV6_V6ONLY},
		{SOL_IPV6, IPV6_FREEBIND},
		{SOL_TCP, TCP_NODELAY},
		{SOL_TCP, TCP_TX_DELAY},
		{SOL_UDP, UDP_CORK},
		{SOL_PACKET, 1},
		{SOL_NETLINK, 1},
		{SOL_ALG, 1},
		{SOL_RAW, 1},
		{SOL_TLS, 1},
		{SOL_XDP, 1},
		{AF_VSOCK, 1},
	};
	static int value = 1;
	static socklen_t length = sizeof value;
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		call(setsockopt, none, all[i].level, all[i].name, NOWHERE, 4);
		call(getsockopt, none, all[i].level, all[i].name, room, NOWHERE);
	}
	call(setsockopt, fd, SOL_SOCKET, SO_KEEPALIVE, &value, sizeof value);
	call(getsockopt, fd, SOL_SOCKET, SO_TYPE, &value, &length);
}

static void network(void)
{
	static struct sockaddr_in in = {AF_INET, 0, {0}, {0}};
	static struct sockaddr_un un = {AF_UNIX, "socket"};
	static struct sockaddr_storage peer;
	static socklen_t length = sizeof peer;
	int pair[2];
	int fd = call(socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int udp = call(socket, AF_INET, SOCK_DGRAM, 0);

	in.sin_port = htons(1), in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	call(socket, AF_UNIX, 99, 0);
	call(socket, 99, SOCK_RAW | SOCK_NONBLOCK, 0);
	call(socket, AF_INET6, 0, IPPROTO_TCP);
	call(socket, AF_INET, 0, 99);
	call(socket, AF_NETLINK, 0, NETLINK_GENERIC);
	call(socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
	call(socketpair, AF_UNIX, SOCK_DGRAM, 0, NOWHERE);
	call(bind, fd, &un, sizeof un);
	call(bind, fd, &un, 0);
	call(bind, none, NOWHERE, 16);
	call(listen, fd, 5);
	call(listen, none, -1);
	call(accept, none, &peer, &length);
	call(accept, udp, 0, 0);
	call(accept4, none, 0, 0, SOCK_NONBLOCK);
	call(connect, udp, &in, sizeof in);
	call(connect, none, &un, sizeof un);
	call(getsockname, udp, &peer, &length);
	length = 4;
	call(getsockname, fd, &peer, &length);
	call(getpeername, udp, &peer, &length);
	call(getpeername, fd, NOWHERE, &length);
	call(sendto, pair[0], "text of the message", 19, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);
	call(sendto, none, "text", 4, 0, &in, sizeof in);
	length = sizeof peer;
	call(recvfrom, pair[1], room, 100, 0, 0, 0);
	call(recvfrom, pair[1], room, 100, MSG_DONTWAIT, &peer, &length);
	call(recvfrom, none, room, 100, MSG_PEEK | MSG_TRUNC, 0, 0);
	pass_messages(pair);
	call(sendmmsg, none, NOWHERE, 1, 0);
	call(recvmmsg, none, NOWHERE, 1, 0, 0);
	call(shutdown, pair[0], SHUT_RDWR);
	call(shutdown, none, 99);
	options(fd);
	close(fd), close(udp), close(pair[0]), close(pair[1]);
	unlink("socket");
}

static void futexes(void)
{
	static const int two[] = {FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_CMP_REQUEUE_PI,
				  FUTEX_CMP_REQUEUE_PRIVATE, FUTEX_WAKE_OP};
	static uint32_t word = 5, other;
	/* A 32-bit number to some operations. */
	struct timespec *soon = mmap(0, 4096, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	size_t i;

	soon->tv_nsec = 5000;
	call(futex, &word, FUTEX_WAIT, 6, 0, &other, 7);
	call(futex, &word, FUTEX_WAIT, 6, soon, &other, 7);
	call(futex, &word, FUTEX_WAIT_PRIVATE, 5, soon);
	call(futex, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 6, soon, &other, 7);
	call(futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 5, soon, 0, FUTEX_BITSET_MATCH_ANY);
	call(futex, &word, FUTEX_WAIT_REQUEUE_PI, 6, soon, &other, 7);
	call(futex, &word, FUTEX_WAKE, 1, soon, &other, 7);
	call(futex, NOWHERE, FUTEX_WAKE_PRIVATE, 1);
	call(futex, &word, FUTEX_WAKE_BITSET, 1, soon, &other, FUTEX_BITSET_MATCH_ANY);
	call(futex, &word, FUTEX_LOCK_PI, 1, soon, &other, 7);
	call(futex, &word, FUTEX_TRYLOCK_PI_PRIVATE, 1, soon, &other, 7);
	call(futex, &word, FUTEX_UNLOCK_PI, 1, soon, &other, 7);
	call(futex, &word, 99, 1, 2, &other, 7);
	for (i = 0; i < sizeof two / sizeof *two; i++) {
		call(futex, &word, two[i], 0, 2, &other, 7);
		call(futex, &word, two[i], 0, soon, &other, 7);
	}
}

static void waiting(void)
{
	static struct epoll_event want = {EPOLLIN | EPOLLET, {.u64 = 5}}, got[4];
	static struct timespec soon = {0, 5000};
	static struct pollfd polled = {0, POLLOUT | POLLPRI, 0};
	int epoll = call(epoll_create1, EPOLL_CLOEXEC);

	call(poll, 0, 0, 0);
	call(poll, NOWHERE, 1, 0);
	polled.fd = none;
	call(poll, &polled, 1, 0);
	call(ppoll, 0, 0, &soon, 0, 8);
	call(select, 0, 0, 0, 0, NOWHERE);
	call(pselect6, 0, 0, 0, 0, NOWHERE, 0);
	call(epoll_create1, 99);
	call(epoll_ctl, epoll, EPOLL_CTL_ADD, none, &want);
	call(epoll_ctl, epoll, EPOLL_CTL_DEL, epoll, 0);
	call(epoll_ctl, none, 99, 0, NOWHERE);
	call(epoll_wait, epoll, got, 4, 0);
	call(epoll_wait, none, got, ENDLESS, -1);
	call(epoll_pwait, epoll, got, 4, 1, 0, 8);
	call(epoll_pwait2, epoll, got, 4, &soon, 0, 8);
	futexes();
	call(io_setup, 0, NOWHERE);
	call(io_destroy, 0);
	call(io_getevents, 0, 0, 0, 0, 0);
	call(io_cancel, 0, 0, 0);
	call(io_uring_setup, 0, NOWHERE);
	call(io_uring_enter, none, 1, 0, IORING_ENTER_GETEVENTS, 0, 0);
	call(io_uring_register, none, IORING_REGISTER_FILES, 0, 0);
	close(epoll);
}

static void others(void)
{
	static struct mq_attr queue = {.mq_maxmsg = 2, .mq_msgsize = 8};

	call(msgget, IPC_PRIVATE + 1, 0);
	call(msgsnd, -1, NOWHERE, 5, IPC_NOWAIT);
	call(msgrcv, -1, NOWHERE, 5, 0, MSG_NOERROR);
	call(msgctl, -1, IPC_RMID, 0);
	call(msgctl, -1, IPC_STAT, room);
	call(semget, IPC_PRIVATE, 0, IPC_CREAT | 0600);
	call(semop, -1, NOWHERE, 1);
	call(semtimedop, -1, 0, 0, 0);
	call(mq_open, "none", O_RDONLY, 0, 0);
	call(mq_open, "none", O_RDWR | O_CREAT | O_EXCL, 0600, NOWHERE);
	call(mq_open, "none", O_WRONLY, 0600, &queue);
	call(mq_open, "", O_WRONLY | O_CREAT, 07777, &queue);
	call(mq_unlink, "none");
	call(mq_timedsend, none, "text", 4, 1, 0);
	call(mq_timedreceive, none, room, 4, 0, 0);
	call(mq_notify, none, 0);
	call(mq_getsetattr, none, 0, NOWHERE);
	call(add_key, "user", "kt", NOWHERE, 5, KEY_SPEC_PROCESS_KEYRING);
	call(request_key, "kt", "kt", 0, 0);
	call(syslog, 99, 0, 0);
	call(sysinfo, NOWHERE);
	call(uname, NOWHERE);
	call(sethostname, NOWHERE, 5);
	call(setdomainname, NOWHERE, 5);
	call(iopl, 99);
	call(ioperm, 0, 0, 9);
	call(bpf, 99, NOWHERE, 0);
	call(perf_event_open, NOWHERE, 0, -1, -1, 0);
	call(seccomp, 99, 0, 0);
	call(kcmp, getpid(), getpid(), KCMP_FILES, 0, 0);
	call(kcmp, getpid(), getpid(), KCMP_VM, 7, 8);
	call(kcmp, getpid(), getpid(), KCMP_FILE, 0, 77);
	call(kcmp, 0, 0, 99, 7, 8);
	call(landlock_create_ruleset, NOWHERE, 99, 0);
	call(landlock_restrict_self, none, 0);
	call(name_to_handle_at, AT_FDCWD, "missing", NOWHERE, NOWHERE, 0);
	call(open_by_handle_at, none, NOWHERE, O_RDONLY);
	call(sysfs, 3);
	call(ustat, 0, NOWHERE);
	call(set_mempolicy_home_node, 0, 0, 0, 0);
}

static void settings(void)
{
	static char name[16] = "tasks";
	static const struct {
		int option;
		unsigned long value;
	} all[] = {
		{PR_GET_TIMING, 1},      {PR_GET_SECCOMP, 1},
		{PR_GET_TIMERSLACK, 1},  {PR_TASK_PERF_EVENTS_DISABLE, 1},
		{PR_SVE_GET_VL, 1},      {PR_GET_NAME, (unsigned long)NOWHERE},
		{PR_SET_PDEATHSIG, 0},   {PR_SET_PDEATHSIG, SIGHUP},
		{PR_SET_PDEATHSIG, 0},   {PR_SET_DUMPABLE, 1},
		{PR_SET_KEEPCAPS, 0},    {PR_SET_TIMERSLACK, -1},
		{PR_CAPBSET_READ, 3},    {PR_CAPBSET_DROP, -1},
		{PR_SET_SECUREBITS, -1}, {PR_SET_TSC, 9},
		{PR_SET_MM, 99},         {PR_SET_CHILD_SUBREAPER, 1},
		{PR_SET_TIMING, 0},      {PR_SET_NO_NEW_PRIVS, 2},
		{PR_MCE_KILL_GET, 1},    {PR_CAP_AMBIENT, 99},
		{PR_SET_THP_DISABLE, 1}, {PR_GET_NO_NEW_PRIVS, 1},
		{PR_SET_SECCOMP, 2},     {PR_SET_PTRACER, 0},
		{PR_SET_FPEMU, 1},       {9999, 1},
	};
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		call(prctl, all[i].option, all[i].value, 2, 3, 4);
	call(prctl, PR_GET_DUMPABLE, 1, 2, 3, 4);
	call(prctl, PR_SET_NAME, name, 2, 3, 4);
	call(prctl, PR_GET_NAME, room);
	call(prctl, PR_SET_NAME, NOWHERE);
	call(prctl, PR_SET_VMA, PR_SET_VMA_ANON_NAME, 0, 4096, name);
}

static void tracers(void)
{
	static const int all[] = {
		PTRACE_PEEKDATA,  PTRACE_POKETEXT,         PTRACE_CONT,       PTRACE_KILL,
		PTRACE_GETREGS,   PTRACE_ATTACH,           PTRACE_DETACH,     PTRACE_SYSCALL,
		PTRACE_SYSEMU,    PTRACE_SETOPTIONS,       PTRACE_SEIZE,      PTRACE_INTERRUPT,
		PTRACE_GETREGSET, PTRACE_GETSIGINFO,       PTRACE_GETSIGMASK, PTRACE_LISTEN,
		PTRACE_PEEKUSER,  PTRACE_GET_SYSCALL_INFO,
	};
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		call(ptrace, all[i], -1, NT_PRSTATUS, SIGCHLD);
	call(ptrace, PTRACE_CONT, -1, 0, 0);
}

static void tasks(void)
{
	static struct rlimit limit, unlimited = {RLIM_INFINITY, RLIM_INFINITY}, less = {5, 6};
	static char *arguments[] = {"/none", "argument", "an odd\none", NULL},
		    *environment[] = {"A=1", NULL};
	static char *many[40];
	static int status;
	static long set[16];
	int child;

	for (int i = 0; i < 39; i++) {
		many[i] = "one of them";
	}
	if ((child = call(fork)) == 0) {
		call(exit_group, 3);
	}
	call(wait4, child, &status, 0, 0);
	call(wait4, child, &status, 0, 0);
	if ((child = fork()) == 0) {
		raise(SIGKILL);
	}
	call(wait4, child, &status, 0, 0);
	call(wait4, -1, NOWHERE, WNOHANG | WUNTRACED, 0);
	call(waitid, P_PID, 99999999, 0, WEXITED | WNOWAIT, 0);
	call(execve, "/none", arguments, environment);
	call(execve, NOWHERE, NOWHERE, NOWHERE);
	call(execve, "/none", many, 0);
	call(execveat, AT_FDCWD, "/none", arguments, environment, AT_SYMLINK_NOFOLLOW);
	call(getpid);
	call(gettid);
	call(getppid);
	call(getpgrp);
	call(getsid, -1);
	call(setpgid, -1, 5);
	call(setsid);
	call(getuid);
	call(geteuid);
	call(getgid);
	call(getegid);
	call(getresuid, room, room + 4, room + 8);
	call(getresuid, NOWHERE, room, room);
	call(getresgid, room, room + 4, room + 8);
	call(setuid, 0);
	call(setgid, -1);
	call(setreuid, -1, -1);
	call(setregid, -1, 0);
	call(setresuid, -1, -1, -1);
	call(setresgid, 0, -1, 0);
	call(setfsuid, -1);
	call(setfsgid, -1);
	call(getgroups, 0, 0);
	call(getgroups, -1, room);
	call(setgroups, -1, NOWHERE);
	call(getrlimit, RLIMIT_NOFILE, NOWHERE);
	call(getrlimit, 99, &limit);
	call(setrlimit, RLIMIT_CORE, &less);
	call(setrlimit, RLIMIT_NPROC, NOWHERE);
	call(prlimit64, 0, RLIMIT_CORE, &unlimited, 0);
	call(prlimit64, -1, RLIMIT_STACK, 0, &limit);
	call(getrusage, 99, room);
	call(getpriority, PRIO_PROCESS, 0);
	call(getpriority, 99, 0);
	call(setpriority, PRIO_USER, -1, 0);
	call(ioprio_get, IOPRIO_WHO_PROCESS, -1);
	call(ioprio_set, 99, 0, 0);
	call(sched_yield);
	call(sched_getscheduler, -1);
	call(sched_setscheduler, 0, 99, NOWHERE);
	call(sched_getparam, 0, NOWHERE);
	call(sched_setparam, -1, NOWHERE);
	call(sched_get_priority_max, SCHED_FIFO);
	call(sched_get_priority_min, 99);
	call(sched_getaffinity, -1, 128, set);
	call(sched_setaffinity, -1, 8, NOWHERE);
	call(sched_getattr, -1, room, 48, 0);
	call(sched_setattr, -1, NOWHERE, 0);
	call(getcpu, 0, 0, 0);
	call(personality, 0xffffffff);
	settings();
	tracers();
	call(capget, NOWHERE, NOWHERE);
	call(capset, NOWHERE, 0);
	call(unshare, 0);
	call(unshare, CLONE_SIGHAND | CLONE_NEWUSER);
	call(setns, none, CLONE_NEWNET);
	call(clone, CLONE_SIGHAND | SIGCHLD, 0, 0, 0, 0);
	call(clone3, NOWHERE, 88);
	call(process_mrelease, none, 99);
	call(rseq, NOWHERE, 32, 0, 0x53053053);
	call(getcwd, room, 1);
	call(getcwd, NOWHERE, 4096);
	call(reboot, 1, 2, 3, 0);
	call(reboot, 1, 2, LINUX_REBOOT_CMD_RESTART, 7);
	call(reboot, 1, 2, LINUX_REBOOT_CMD_RESTART2, NOWHERE);
	call(reboot, 1, 2, LINUX_REBOOT_CMD_RESTART2, "now");
	call(modify_ldt, 99, NOWHERE, 16);
	call(exit_group, 7);
}

int main(void)
{
	memory();
	signals();
	clocks();
	network();
	waiting();
	others();
	tasks();
	return 1; // not reached
}
