// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes calls that answer with more than a number: sets, causes of signals, what was left. */
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fib_rules.h>
#include <linux/mempolicy.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include "call.h"

static void descriptors(void)
{
	static struct timeval none_left, long_enough = {9, 5};
	static struct timespec soon = {0, 5000};
	static struct epoll_event want = {EPOLLIN, {.u64 = 5}};
	int events = call(eventfd2, 0, EFD_NONBLOCK), epoll = call(epoll_create1, 0);
	fd_set read, write;

	FD_ZERO(&read);
	FD_ZERO(&write);
	FD_SET(events, &read);
	FD_SET(epoll, &read);
	call(select, epoll + 1, &read, 0, 0, &none_left);
	FD_SET(events, &read);
	FD_SET(events, &write);
	call(select, epoll + 1, &read, &write, 0, &long_enough);
	FD_SET(events, &write);
	call(pselect6, 1000, 0, &write, 0, &soon, 0);
	FD_SET(900, &write);
	call(pselect6, 1000, 0, &write, 0, 0, 0);
	call(select, 5, NOWHERE, 0, 0, 0);
	call(select, -1, &read, 0, 0, 0);
	call(epoll_ctl, epoll, EPOLL_CTL_ADD, events, &want);
	call(epoll_ctl, epoll, EPOLL_CTL_DEL, events, &want);
	close(epoll);
	close(events);
}

static void processors(void)
{
	static unsigned long set[16], nodes[2];

	call(sched_getaffinity, 0, sizeof(set), set);
	call(sched_getaffinity, 0, 1, set);
	call(sched_setaffinity, 0, sizeof(set), set);
	call(sched_setaffinity, 0, 0, set);
	call(get_mempolicy, 0, nodes, 64, 0, 0);
	call(set_mempolicy, MPOL_DEFAULT, nodes, 65);
	call(set_mempolicy, MPOL_BIND, NOWHERE, 64);
	call(migrate_pages, -1, 64, nodes, nodes);
}

/* Arrays of which the last elements are unreadable. */
static void arrays(void)
{
	char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct iovec *vector = (struct iovec *)(page + 4096) - 1;
	struct sembuf *semaphores = (struct sembuf *)(page + 4096) - 2;

	munmap(page + 4096, 4096);
	*vector = (struct iovec){"abc", 3};
	call(writev, none, vector, 1);
	call(writev, none, vector, 2);
	call(process_vm_readv, -1, vector, 3, vector, 1, 0);
	call(writev, none, vector + 1, 2);
	semaphores[0] = (struct sembuf){1, -2, IPC_NOWAIT};
	semaphores[1] = (struct sembuf){3, 4, 0};
	call(semop, -1, semaphores, 3);
	call(mincore, page, 4096, room);
	call(mincore, page, 1, NOWHERE);
	call(munmap, page, 4096);
}

static void handle(int signal)
{
	(void)signal;
}

static void times(void)
{
	static struct itimerval soon = {{0, 0}, {0, 2000}};
	static struct timespec later = {5, 0}, left;

	signal(SIGALRM, handle);
	call(setitimer, ITIMER_REAL, &soon, 0);
	call(nanosleep, &later, &left);
	call(setitimer, ITIMER_REAL, &soon, 0);
	call(clock_nanosleep, CLOCK_MONOTONIC, 0, &later, &left);
	call(nanosleep, &soon, &left);
}

static void causes(void)
{
	static uint64_t set = 1 << (SIGUSR1 - 1) | 1 << (SIGUSR2 - 1);
	static struct timespec soon = {0, 5000};
	static struct rusage usage;
	static siginfo_t info;
	int child;

	call(rt_sigprocmask, SIG_BLOCK, &set, 0, 8);
	call(rt_sigprocmask, SIG_BLOCK, &set, 0, 16);
	call(rt_sigsuspend, &set, 4);
	raise(SIGUSR1);
	call(rt_sigtimedwait, &set, &info, &soon, 8);
	call(rt_sigtimedwait, &set, &info, &soon, 8);
	memset(&info, 0, sizeof(info));
	info.si_code = SI_QUEUE;
	info.si_pid = 7;
	info.si_value.sival_ptr = (void *)0x123456789;
	info.si_errno = 5;
	call(rt_sigqueueinfo, getpid(), SIGUSR2, &info);
	call(rt_sigtimedwait, &set, &info, 0, 8);
	call(rt_tgsigqueueinfo, -1, -1, SIGUSR1, &info);
	call(pidfd_send_signal, none, SIGUSR1, &info, 0);
	call(pidfd_send_signal, none, SIGUSR1, NOWHERE, 0);
	if ((child = fork()) == 0) {
		_exit(7);
	}
	call(waitid, P_PID, child, &info, WEXITED, &usage);
	call(waitid, P_PID, child, &info, WEXITED, 0);
}

static void capabilities(void)
{
	static struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0}, old;
	static struct __user_cap_data_struct data[2];

	call(capget, &head, data);
	call(capset, &head, data);
	data[0].effective = 1 << 31 | 1;
	data[1] = (struct __user_cap_data_struct){~0, 1, 1u << 31};
	head.pid = -5;
	call(capset, &head, data);
	call(capget, &old, 0);
}

static void clones(void)
{
	static struct clone_args args = {.flags = CLONE_PARENT_SETTID, .exit_signal = SIGCHLD};
	static int number;

	args.parent_tid = (uintptr_t)&number;
	if (call(clone3, &args, sizeof(args)) == 0) {
		syscall(SYS_exit, 0);
	}
	wait(0);
	args = (struct clone_args){.flags = CLONE_SETTLS | CLONE_CHILD_CLEARTID,
				   .child_tid = NOWHERE,
				   .stack = 4096,
				   .tls = 5,
				   .cgroup = 7};
	call(clone3, &args, sizeof(args));
}

static void entries(void)
{
	int fd = open("/proc/self/fdinfo", O_RDONLY | O_DIRECTORY);

	call(getdents64, fd, room, 4096);
	call(getdents64, fd, room, 4096);
	call(getdents64, fd, NOWHERE, 4096);
	close(fd);
	fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY);
	call(getdents, fd, room, 4096);
	close(fd);
}

static void ask(int fd, uint16_t type, uint16_t flags, const void *what, size_t size)
{
	struct {
		struct nlmsghdr header;
		char payload[64];
	} message = {{NLMSG_LENGTH(size), type, NLM_F_REQUEST | flags, 7, 0}, ""};
	struct iovec vector = {room, 8192};
	struct sockaddr_nl from;
	struct msghdr got;
	long n;

	memcpy(message.payload, what, size);
	call(sendto, fd, &message, message.header.nlmsg_len, 0, 0, 0);
	do {
		/* strace decodes messages only with an address */
		got = (struct msghdr){.msg_name = &from,
				      .msg_namelen = sizeof(from),
				      .msg_iov = &vector,
				      .msg_iovlen = 1};
		n = call(recvmsg, fd, &got, MSG_DONTWAIT);
	} while (n > 0);
}

static void messages(void)
{
	static const struct ifaddrmsg address = {.ifa_family = AF_INET};
	static const struct rtmsg route = {.rtm_family = AF_INET, .rtm_table = RT_TABLE_MAIN};
	static const struct ifinfomsg missing = {.ifi_index = 99999};
	static const struct fib_rule_hdr rule = {.family = AF_INET};
	static const struct unix_diag_req unknown = {.sdiag_family = AF_UNIX,
						     .udiag_states = 1 << 10,
						     .udiag_show = UDIAG_SHOW_NAME,
						     .udiag_ino = 1};
	static const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), on = 1;

	/* strace asks the kernel for sockets that are bound */
	bind(fd, (const struct sockaddr *)&kernel, sizeof(kernel));
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	ask(fd, RTM_GETADDR, NLM_F_DUMP, &address, sizeof(address));
	ask(fd, RTM_GETROUTE, NLM_F_DUMP, &route, sizeof(route));
	ask(fd, RTM_GETRULE, NLM_F_DUMP, &rule, sizeof(rule));
	ask(fd, RTM_DELLINK, NLM_F_ACK, &missing, sizeof(missing));
	ask(fd, RTM_NEWRULE + 2000, 0, &rule, 3);
	call(sendto, fd, room, 8, 0, &kernel, sizeof(kernel));
	call(sendto, fd, NOWHERE, 50, 0, 0, 0);
	call(sendto, fd, "", 0, 0, 0, 0);
	close(fd);
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
	bind(fd, (const struct sockaddr *)&kernel, sizeof(kernel));
	ask(fd, SOCK_DIAG_BY_FAMILY, 0, &unknown, sizeof(unknown));
	close(fd);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	call(sendto, fd, "not a message of netlink, but as long as one", 44, 0, 0, 0);
	close(fd);
}

int main(void)
{
	descriptors();
	processors();
	arrays();
	times();
	causes();
	capabilities();
	clones();
	entries();
	messages();
	return 0;
}
