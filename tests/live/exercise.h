/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exercises the kernel for about a second: memory, files, pipes, the network, timers, processes,
 * and all CPUs busy so that interrupts occur meanwhile.
 */
#ifndef KT_TESTS_EXERCISE_H
#define KT_TESTS_EXERCISE_H

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/loop.h>
#include <linux/net_tstamp.h>
#include <linux/sched.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool exercise_ends;

static inline void *keep_busy(void *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	while (!exercise_ends)
		;
	return NULL;
}

/* Page faults by this process, and by the kernel writing for it. */
static inline void use_memory(void)
{
	size_t i, size = 4 << 20;
	char *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *zero = fopen("/dev/zero", "r");

	for (i = 0; i < size / 2; i += 4096)
		m[i] = 1;
	if (fread(m + size / 2, size / 2, 1, zero) != 1)
		_exit(2);
	fclose(zero);
	munmap(m, size);
}

static inline void use_files(void)
{
	char path[] = "/tmp/ktrace-test-XXXXXX", text[8192] = "";
	int i, fd = mkstemp(path);

	for (i = 0; i < 64; i++)
		if (fd < 0 || write(fd, text, sizeof(text)) != sizeof(text))
			_exit(3);
	fsync(fd);
	close(fd);
	unlink(path);
}

/* Sets the disk queue's scheduler, and returns the name of the old one. */
static inline bool set_scheduler(const char *path, const char *name, char old[static 64])
{
	char text[128] = "", *start;
	int fd = open(path, O_RDWR);
	bool set = read(fd, text, sizeof(text) - 1) > 0 && (start = strchr(text, '[')) != NULL &&
		   write(fd, name, strlen(name)) > 0;

	close(fd);
	if (set)
		snprintf(old, 64, "%.*s", (int)strcspn(start + 1, "]"), start + 1);
	return set;
}

/* Requests at once: one that continues another, one that another continues, and one between two. */
static inline void use_queue(int disk, char *text)
{
	static const int blocks[] = {0, 1, 5, 4, 8, 10, 9};
	enum { N = sizeof(blocks) / sizeof(blocks[0]) };
	struct iocb cb[N], *list[N];
	struct io_event events[N];
	aio_context_t queue = 0;
	int i;

	for (i = 0; i < N; i++) {
		cb[i] = (struct iocb){.aio_lio_opcode = IOCB_CMD_PWRITE,
				      .aio_fildes = (uint32_t)disk,
				      .aio_buf = (uintptr_t)text,
				      .aio_nbytes = 4096,
				      .aio_offset = blocks[i] * 4096};
		list[i] = &cb[i];
	}
	if (syscall(SYS_io_setup, N, &queue) < 0)
		return;
	if (syscall(SYS_io_submit, queue, N, list) == N)
		syscall(SYS_io_getevents, queue, N, N, events, NULL);
	syscall(SYS_io_destroy, queue);
}

/* Uses a disk in a file, if possible. */
static inline void use_disk(void)
{
	int control = open("/dev/loop-control", O_RDWR), fd, disk;
	uint64_t range[2] = {1 << 16, 1 << 16};
	char name[64], scheduler[64], old[64], ours[64], path[] = "/tmp/ktrace-test-XXXXXX", *text;
	int n = ioctl(control, LOOP_CTL_GET_FREE);

	snprintf(name, sizeof(name), "/dev/loop%d", n);
	snprintf(scheduler, sizeof(scheduler), "/sys/block/loop%d/queue/scheduler", n);
	fd = mkstemp(path);
	unlink(path);
	disk = open(name, O_RDWR | O_DIRECT);
	if (ftruncate(fd, 1 << 20) == 0 && ioctl(disk, LOOP_SET_FD, fd) == 0) {
		text = aligned_alloc(4096, 1 << 16);
		memset(text, 1, 1 << 16);
		if (pwrite(disk, text, 1 << 16, 0) != 1 << 16 ||
		    pread(disk, text, 1 << 15, 1 << 16) != 1 << 15)
			_exit(3);
		pwritev2(disk, &(struct iovec){text, 4096}, 1, 8192, RWF_DSYNC);
		fsync(disk);
		ioctl(disk, BLKDISCARD, range);
		ioctl(disk, BLKZEROOUT, range);
		ioctl(disk, BLKSECDISCARD, range);
		if (set_scheduler(scheduler, "mq-deadline", old)) {
			use_queue(disk, text);
			set_scheduler(scheduler, old, ours);
		}
		free(text);
		ioctl(disk, LOOP_CLR_FD);
	}
	close(disk);
	close(fd);
	close(control);
}

static inline void wait_for(pid_t pid, int options)
{
	int status;

	if (waitpid(pid, &status, options) != pid)
		_exit(6);
}

/* Sends a byte to and fro between two processes. */
static inline void use_pipes(void)
{
	int there[2], back[2], i;
	char byte = 0;
	pid_t pid;

	if (pipe(there) < 0 || pipe(back) < 0)
		_exit(4);
	pid = fork();
	if (pid == 0) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	for (i = 0; i < 500; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			_exit(4);
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	wait_for(pid, 0);
}

/* Creates a network namespace with a loopback interface. */
static inline void create_network(void)
{
	struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int fd;

	if (unshare(CLONE_NEWNET) < 0)
		return;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	ioctl(fd, SIOCSIFFLAGS, &lo);
	close(fd);
}

/* Sends more than a socket can buffer, so that packets are dropped; some to no socket. */
static inline void flood_network(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int i, at = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0),
	       small = 1;
	socklen_t len = sizeof(to);
	char text[1000] = "";

	setsockopt(at, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	if (bind(at, (struct sockaddr *)&to, len) < 0 ||
	    getsockname(at, (struct sockaddr *)&to, &len) < 0)
		_exit(5);
	for (i = 0; i < 20; i++)
		sendto(from, text, sizeof(text), 0, (struct sockaddr *)&to, len);
	close(at);
	for (i = 0; i < 3; i++)
		sendto(from, text, sizeof(text), 0, (struct sockaddr *)&to, len);
	close(from);
}

/* A connection over loopback, with timeouts. */
static inline void use_network(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct timeval soon = {.tv_usec = 10000};
	socklen_t len = sizeof(to);
	char text[1000] = "";
	static char much[200000];
	int i, at, from, small = 1400, listening = socket(AF_INET, SOCK_STREAM, 0);

	from = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(from, IPPROTO_TCP, TCP_MAXSEG, &small, sizeof(small));
	if (bind(listening, (struct sockaddr *)&to, len) < 0 || listen(listening, 1) < 0 ||
	    getsockname(listening, (struct sockaddr *)&to, &len) < 0 ||
	    connect(from, (struct sockaddr *)&to, len) < 0)
		_exit(5);
	at = accept(listening, NULL, NULL);
	setsockopt(at, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon));
	for (i = 0; i < 500; i++)
		if (send(from, text, sizeof(text), 0) != sizeof(text) ||
		    recv(at, text, sizeof(text), MSG_WAITALL) != sizeof(text))
			_exit(5);
	send(from, much, sizeof(much), MSG_DONTWAIT);
	while (recv(at, much, sizeof(much), 0) > 0)
		;
	for (i = 0; i < 10; i++)
		if (recv(at, text, 1, 0) != -1)
			_exit(5);
	close(at);
	close(from);
	close(listening);
}

/* Packets of an unknown protocol, with send timestamps. */
static inline void send_raw_packets(void)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = if_nametoindex("lo")};
	char text[100] = {[12] = (char)0x88, (char)0xb5};
	int i, fd = socket(AF_PACKET, SOCK_RAW, 0), stamps = SOF_TIMESTAMPING_TX_SOFTWARE;

	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof(stamps));
	for (i = 0; i < 20; i++)
		if (sendto(fd, text, sizeof(text), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
			_exit(5);
	close(fd);
}

/* Packets from a tun device, in each way a driver can pass them on. */
static inline void receive_packets(void)
{
	static const short ways[] = {0, IFF_NAPI, IFF_NAPI | IFF_NAPI_FRAGS};
	char head[60] = {[12] = 8, [14] = 0x45}, more[1000] = "";
	struct iovec parts[] = {{head, sizeof(head)}, {more, sizeof(more)}};
	int fd, way, i, control = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq card;

	for (way = 0; way < 3; way++) {
		card = (struct ifreq){.ifr_flags = IFF_TAP | IFF_NO_PI | ways[way]};
		fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
		if (fd < 0 || ioctl(fd, TUNSETIFF, &card) < 0)
			continue;
		card.ifr_flags = IFF_UP;
		if (ioctl(control, SIOCSIFFLAGS, &card) < 0)
			_exit(5);
		for (i = 0; i < 20; i++)
			if (writev(fd, parts, 1 + i % 2) < 0)
				_exit(5);
		close(fd);
	}
	close(control);
}

static inline void ignore_signal(int signal)
{
	(void)signal;
}

static inline void use_timers(void)
{
	struct itimerval often = {{0, 2000}, {0, 2000}}, late = {{0, 0}, {1000, 0}}, never = {};
	int i;

	signal(SIGALRM, ignore_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 50; i++)
		usleep(1000);
	setitimer(ITIMER_REAL, &late, NULL);
	setitimer(ITIMER_REAL, &never, NULL);
}

/* Signals from the kernel, with and without siginfo, and from a process with all of it. */
static inline void use_signals(void)
{
	siginfo_t info = {.si_signo = SIGUSR1, .si_code = SI_QUEUE, .si_errno = ERANGE};
	struct sigaction act = {.sa_handler = ignore_signal, .sa_flags = SA_RESTART | SA_NODEFER};
	int ends[2];

	sigaction(SIGUSR1, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (pipe(ends) < 0 || close(ends[0]) < 0 || write(ends[1], "", 1) != -1 ||
	    syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, &info) < 0)
		_exit(8);
	close(ends[1]);
}

/* A child with the arguments of a 32-bit call, which exits or is killed. */
static inline void call_as_32_bits(void)
{
#ifdef __x86_64__
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(20), "b"(1), "c"(2), "d"(3), "S"(4), "D"(5)
			 : "memory", "r8", "r9", "r10", "r11");
#endif
	_exit(0);
}

/* Allocates kernel memory on node 0. */
static inline void use_maps(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NUMA_NODE, .numa_node = 0);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kt_node", 4, 8, 1, &opts);

	if (fd < 0)
		_exit(7);
	close(fd);
}

/*
 * A packet buffer of 128 MiB in blocks of 8 pages, more than a CPU's page cache usually keeps, so
 * that pages are taken from all CPUs and usually returned there.
 */
static inline void use_pages(void)
{
	struct tpacket_req blocks = {
		.tp_block_size = 8 * 4096,
		.tp_block_nr = 4096,
		.tp_frame_size = 8 * 4096,
		.tp_frame_nr = 4096,
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &blocks, sizeof(blocks)) < 0)
		_exit(9);
	close(fd);
}

/* From each CPU to the next, and back to any. */
static inline void use_cpus(const size_t *cpus, size_t n)
{
	cpu_set_t before;
	size_t i;

	sched_getaffinity(0, sizeof(before), &before);
	for (i = 0; i < n; i++)
		pin(cpus[i]);
	sched_setaffinity(0, sizeof(before), &before);
}

static inline void *await_signal(void *set)
{
	int signal;

	sigwait(set, &signal);
	return NULL;
}

/* A thread that exits long before the others, with its own name, by a signal. */
static inline void use_threads(void)
{
	pthread_t thread;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, await_signal, &set);
	pthread_setname_np(thread, "kt_thread");
	pthread_kill(thread, SIGUSR2);
	pthread_join(thread, NULL);
}

/* Forks, with a clone3 flag beyond the first 32 bits if possible. */
static inline pid_t new_process(void)
{
	struct clone_args args = {.flags = CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD};
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	return pid < 0 ? fork() : pid;
}

/* Children that stop, that are traced, and that are waited for. */
static inline void use_processes(void)
{
	FILE *score = fopen("/proc/self/oom_score_adj", "w");
	pid_t pid;

	fputs("100", score);
	fclose(score);
	pid = new_process();
	if (pid == 0) {
		raise(SIGSTOP);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		call_as_32_bits();
	}
	wait_for(pid, WUNTRACED);
	kill(pid, SIGCONT);
	wait_for(pid, WUNTRACED);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	wait_for(pid, 0);
	pid = vfork();
	if (pid == 0)
		_exit(0);
	wait_for(pid, 0);
}

/* Exits on error. */
static inline void exercise(void)
{
	pthread_t threads[CPU_SETSIZE];
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), i;

	for (i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, keep_busy, (void *)cpus[i]);
	use_cpus(cpus, n);
	use_threads();
	use_memory();
	use_files();
	use_disk();
	use_pipes();
	create_network();
	use_network();
	flood_network();
	send_raw_packets();
	receive_packets();
	use_timers();
	use_signals();
	use_maps();
	use_pages();
	use_processes();
	exercise_ends = true;
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

#endif
