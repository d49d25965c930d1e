// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes random calls of nearly two hundred kinds: with descriptors of files, pipes and sockets, and
 * invalid ones; with memory that is valid, cut, read-only, or the kernel's; with endless names and
 * any length and flag. It prints each result, so that traced and untraced runs, and the trace, can
 * be compared. For tests/live/strace/behaviour.bats.
 *
 *	odd ROUNDS [FIRST]	as root, in PID, IPC and network namespaces of its own, in an empty
 *				directory; FIRST: the first round, 1
 *
 * Each round is a process with a UID of its own, and depends only on its number: no argument
 * depends on time, varying addresses, memory left by other calls, or other processes; no call
 * blocks for long; signals go only to the process itself. It prints a line per call, and one for
 * the end of the round:
 *
 *	ROUND PROCESS NAME RESULT [MEMORY]
 *	ROUND PROCESS ended WAIT-STATUS SIGNALS-HANDLED
 *
 * RESULT is a number or an error's name, + if it varies, ? if the call did not return or changed
 * errno's address. MEMORY is a hash.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>

#include "call.h"
#include "kinds.h"

#define CALLS 64 // of a round
#define USER  54321
#define PAGE  4096
#define LAND  (16 * PAGE) // for calls that change what memory is where

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

// What came of a call, for the process that waits for the end of the round.
static struct report {
	struct result {
		const struct kind *kind;
		long value;
		uint64_t memory;
		int error;
		bool has_returned;
	} results[CALLS + 2];
	unsigned count, handled;
} * report;

// What arguments are drawn from; each but land is as it was at every call.
static struct {
	char room[PAGE], none[PAGE]; // what is given; refilled for each call
	union {
		struct {
			char names[16][128], still[PAGE / 2], endless[PAGE];
		};
		char frozen[2 * PAGE]; // not to be written
	};
	char end[PAGE], land[LAND], beyond[256 * PAGE];
} * memory;
static const char *const names[] = {"file",        "other",    "dir", "dir/in", "missing",
				    "dir/none/in", "user.odd", "",    ".",      "a\n\"\\\x01\xff"};
static int home; // the directory
static int self;
static uint64_t lot;

static uint64_t draw(uint64_t of)
{
	lot ^= lot << 13;
	lot ^= lot >> 7;
	lot ^= lot << 17;
	return (lot * 0x2545f4914f6cdd1d >> 11) % of;
}

#define ONE_OF(type, ...) ((const type[]){__VA_ARGS__}[draw(LENGTH(((const type[]){__VA_ARGS__})))])

static long draw_anything(void)
{
	return ONE_OF(long, 0, -1, 1, NOWHERE, KERNEL, ENDLESS, LONG_MIN, INT_MAX, UINT_MAX,
		      INT_MIN, (long)memory->none, (long)memory->still,
		      (long)(memory->room + PAGE - 1), (long)(memory->room + PAGE - 9),
		      (long)memory->endless, 1L << 47, 1L << 32);
}

static long draw_flags(void)
{
	return ONE_OF(long, 0, 1L << draw(32), (long)draw(1L << 32));
}

static long draw_place(void)
{
	return ONE_OF(long, 0, NOWHERE, (long)memory->none, (long)(memory->still + 64 * draw(2)),
		      (long)(memory->room + PAGE - 1), (long)(memory->room + PAGE - 8 * draw(8)),
		      (long)memory->room, (long)memory->room, (long)(memory->room + draw(64)),
		      (long)(memory->room + 64 * draw(32)));
}

static long draw_argument(char of)
{
	if (of >= 'a' && draw(8) == 0)
		return draw_anything();
	switch (of) {
	case 'a':
		return (long)(memory->land + PAGE * draw(LAND / PAGE));
	case 'f':
		return draw(8) == 0 ? ONE_OF(int, -1, 99, AT_FDCWD) : (int)draw(16);
	case 'i':
		return (long)draw(16);
	case 'k':
		return PAGE * (long)draw(LAND / PAGE / 2) + (draw(8) == 0 ? 1 : 0);
	case 'l':
		return draw_flags();
	case 'm':
		return ONE_OF(int, 0, 0600, 0644, 0755, 07777, S_IFREG | 0600, S_IFSOCK | 0700,
			      S_IFCHR | 0600, 0xffff);
	case 'n':
		return ONE_OF(long, 0, 1, 8, 8, 16, 64, 100, 255, PAGE - 1, PAGE, PAGE + 1, 65536,
			      1 << 20);
	case 'o':
		return ONE_OF(long, 0, 0, 1, 100, PAGE, 1 << 20, 1L << 31, -PAGE);
	case 'p':
		return draw_place();
	case 's':
		return draw(16) == 0 ? (long)memory->endless
				     : (long)memory->names[draw(LENGTH(names))];
	case 'x':
		return draw_anything();

	case 'A':
		return ONE_OF(int, AF_UNIX, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, -1, 99);
	case 'B':
		return ONE_OF(long, NOWHERE, KERNEL, (long)memory->none, 1L << 47);
	case 'C':
		return ONE_OF(int, F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_GETOWN,
			      F_GETSIG, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS, 99,
			      -1);
	case 'D':
		return ONE_OF(int, self, self, 0, 99999);
	case 'G':
		return ONE_OF(int, 0, SIGUSR1, SIGUSR2, SIGCHLD, SIGURG, SIGWINCH, 99, -1);
	case 'H':
		return draw_flags() | WNOHANG;
	case 'I':
		return ONE_OF(long, FIONREAD, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ, 0, -1);
	case 'L':
		return (long)draw(16) | LOCK_NB;
	case 'M':
		return ONE_OF(int, MAP_PRIVATE, MAP_SHARED, MAP_PRIVATE | MAP_ANONYMOUS, 0,
			      MAP_SHARED | MAP_ANONYMOUS,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
	case 'N':
		return ONE_OF(int, CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI, 99);
	case 'O':
		return draw(2) == 0 ? O_NONBLOCK : draw_flags() | O_NONBLOCK;
	case 'P':
		// But not how late a sleep may end.
		of = (char)draw(PR_GET_IO_FLUSHER + 1);
		return of == PR_SET_TIMERSLACK ? -1 : of;
	case 'Q':
		return ONE_OF(int, SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_RAW, 99) |
		       SOCK_NONBLOCK;
	case 'R':
		return RLIMIT_CPU + 1 + (long)draw(16);
	case 'S':
		return draw_flags() | 2; // SPLICE_F_NONBLOCK
	case 'T':
		return (long)(memory->still + 16 * draw(3));
	case 'V':
		return ONE_OF(int, 0, MREMAP_MAYMOVE, MREMAP_MAYMOVE, 8);
	case 'W':
		return draw_flags() | MSG_DONTWAIT;
	default:
		return 0; // 'Z'
	}
}

static void refill(void)
{
	long *of = (long *)memory->room;

	for (size_t n = 0; n < PAGE / sizeof *of; n++)
		of[n] = ONE_OF(long, (long)draw(16), (long)draw(256), draw_anything(),
			       (long)memory->room + (long)draw(PAGE),
			       (long)(draw(1L << 32) << 32 | draw(1L << 32)));
}

// What a call left in memory.
static uint64_t hash(void)
{
	const uint64_t *of = (const uint64_t *)memory->room;
	uint64_t made = 0;

	for (size_t n = 0; n < PAGE / sizeof *of; n++)
		made = (made ^ of[n]) * 0x9e3779b97f4a7c15;
	return made ^ made >> 32;
}

static long tell(const struct kind *kind, const long arguments[6])
{
	struct result *result = &report->results[report->count++];
	long value;

	result->kind = kind;
	result->has_returned = false;
	result->memory = 0;
	errno = 0;
	value = syscall(kind->number, arguments[0], arguments[1], arguments[2], arguments[3],
			arguments[4], arguments[5]);
	if (value == 0 && kind->number == SYS_fork)
		return 0;
	result->value = value;
	result->error = errno;
	if (*kind->args == '=')
		result->memory = hash();
	result->has_returned = true;
	return value;
}

#define TELL(name, args, ...)                                       \
	({                                                          \
		static const struct kind kind_told = K(name, args); \
		tell(&kind_told, (const long[6]){__VA_ARGS__});     \
	})

static void count(int signal, siginfo_t *info, void *context)
{
	(void)context;
	report->handled = report->handled * 31 + (unsigned)(signal + info->si_code);
}

// The descriptors that a round begins with: as many as it takes, from 0 on.
static void open_some(void)
{
	int ends[2];

	close_range(0, UINT_MAX, 0);
	open("file", O_RDWR);
	if (pipe2(ends, O_NONBLOCK) != 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0)
		_exit(99);
	epoll_create1(0);
	eventfd(3, EFD_NONBLOCK);
	open(".", O_RDONLY | O_DIRECTORY);
	timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	open("/dev/null", O_RDWR);
	memfd_create("odd", MFD_ALLOW_SEALING);
	open("other", O_RDONLY);
	socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
}

static void limit(int resource, rlim_t to)
{
	if (setrlimit(resource, &(struct rlimit){to, to}) != 0)
		_exit(99);
}

static void begin(void)
{
	struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO};
	sigset_t none_blocked;

	sigemptyset(&none_blocked);
	sigprocmask(SIG_SETMASK, &none_blocked, NULL);
	setpgid(0, 0);
	fchmod(home, 0700);
	chmod("dir", 0700);
	for (size_t n = LENGTH(names); n-- > 0;)
		if (unlink(names[n]) != 0)
			rmdir(names[n]);
	mkdir("dir", 0755);
	close(creat("file", 0644));
	setxattr("file", "user.odd", "value", 5, 0);
	symlink("missing", "other");
	open_some();
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags |= SA_RESTART;
	sigaction(SIGUSR2, &action, NULL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 1 << 20);
	limit(RLIMIT_AS, 256 << 20);
	limit(RLIMIT_NOFILE, 64);
	umask(022);
}

// A process of the round's that is stopped, goes on, and ends by a signal.
static void beget(void)
{
	const int signals[] = {SIGSTOP, SIGCONT, ONE_OF(int, SIGTERM, SIGKILL, SIGSYS, SIGRTMAX)};
	long child = TELL(fork, "");

	while (child == 0)
		syscall(SYS_pause);
	for (size_t n = 0; n < LENGTH(signals) && child > 0; n++) {
		memset(memory->room, 0, PAGE);
		TELL(kill, "", child, signals[n]);
		TELL(wait4, "=", child, (long)memory->room, WUNTRACED | WCONTINUED);
	}
}

// The end of a round, in one of the ways that there are.
static _Noreturn void end(unsigned round)
{
	int ends[2];

	switch (draw(12)) {
	case 0:
		kill(self, SIGKILL);
		break;
	case 1:
		kill(self, ONE_OF(int, SIGTERM, SIGHUP, SIGALRM, SIGRTMIN, SIGXCPU));
		break;
	case 2:
		*(volatile char *)draw_anything() = 1;
		break;
	case 3:
		__builtin_trap();
	case 4:
		((void (*)(void))memory->still)();
		break;
	case 5:
		if (pipe(ends) == 0 && close(ends[0]) == 0)
			write(ends[1], "", 1);
		break;
	case 6:
		abort();
	case 7:
		*(volatile char *)mmap(NULL, PAGE, PROT_READ, MAP_SHARED, memfd_create("end", 0),
				       0);
		break;
	default:
		break;
	}
	syscall(SYS_exit_group, round & 0xff);
	__builtin_trap();
}

static _Noreturn void go_round(unsigned round)
{
	lot = round * 0x9e3779b97f4a7c15;
	begin();
	self = (int)TELL(getpid, "");
	if (draw(8) == 0)
		beget();
	while (report->count < CALLS) {
		const struct kind *kind = &kinds[draw(LENGTH(kinds))];
		const char *letter = kind->args + strspn(kind->args, "~=");
		long arguments[6] = {0};

		refill();
		for (long *at = arguments; *letter != '\0'; letter++)
			*at++ = draw_argument(*letter);
		tell(kind, arguments);
	}
	end(round);
}

static void print_round(unsigned round, int process, int status)
{
	for (const struct result *at = report->results; at < report->results + report->count;
	     at++) {
		const char *error = at->error != 0 ? strerrorname_np(at->error) : NULL;

		printf("%u %d %s ", round, process, at->kind->name);
		if (!at->has_returned || (at->value == -1 && at->error == 0))
			printf("?");
		else if (error != NULL)
			printf("%s", error);
		else if (at->error != 0)
			printf("%d", at->error);
		else if (*at->kind->args == '~' && at->value > 0)
			printf("+");
		else
			printf("%ld", at->value);
		printf(at->memory != 0 ? " %016lx\n" : "\n", at->memory);
	}
	printf("%u %d ended %#x %u\n", round, process, (unsigned)status, report->handled);
}

static void *map(size_t size, int how)
{
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED) {
		perror("odd: memory");
		exit(1);
	}
	return made;
}

// Replaces memory by a file with the same in it, which no mprotect() makes writable.
static void freeze(void *start, size_t size, int prot)
{
	int fd = open("frozen", O_RDWR | O_CREAT | O_EXCL, 0400);
	bool is_written = write(fd, start, size) == (ssize_t)size;

	close(fd);
	fd = open("frozen", O_RDONLY);
	if (!is_written || mmap(start, size, prot, MAP_SHARED | MAP_FIXED, fd, 0) != start) {
		perror("odd: frozen memory");
		exit(1);
	}
	close(fd);
	unlink("frozen");
}

static void prepare(void)
{
	const struct timespec times[] = {{0, 0}, {0, 1000}, {0, -1}};
	const struct sockaddr_in address = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {0}};

	home = open(".", O_RDONLY | O_DIRECTORY);
	report = map(sizeof *report, MAP_SHARED);
	memory = map(sizeof *memory, MAP_PRIVATE);
	for (size_t n = 0; n < LENGTH(names); n++)
		strcpy(memory->names[n], names[n]);
	memcpy(memory->still, times, sizeof times);
	memcpy(memory->still + 64, &address, sizeof address);
	memset(memory->endless, 'x', PAGE);
	freeze(memory->frozen, sizeof memory->frozen, PROT_READ);
	freeze(memory->none, PAGE, PROT_NONE);
	freeze(memory->end, PAGE, PROT_NONE);
	freeze(memory->beyond, sizeof memory->beyond, PROT_NONE);
}

int main(int argc, char *argv[])
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	unsigned first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
	sigset_t child;

	if (rounds == 0 || getpid() != 1) {
		fprintf(stderr, "usage: odd ROUNDS [FIRST], as process 1 of a namespace\n");
		return 2;
	}
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	prepare();
	if (chown(".", USER, USER) != 0 || setgroups(0, NULL) != 0 ||
	    setresgid(USER, USER, USER) != 0 || setresuid(USER, USER, USER) != 0) {
		perror("odd: to be an ordinary user");
		return 1;
	}
	for (unsigned round = first; round < first + rounds; round++) {
		const struct timespec patience = {60, 0};
		int process, status;

		memset(report, 0, sizeof *report);
		fflush(stdout);
		process = fork();
		if (process == 0)
			go_round(round);
		while (waitpid(process, &status, WNOHANG) == 0)
			if (sigtimedwait(&child, NULL, &patience) < 0 && errno == EAGAIN) {
				fprintf(stderr, "odd: round %u is stuck in %s\n", round,
					report->results[report->count - 1].kind->name);
				return 1;
			}
		print_round(round, process, status);
	}
	return 0;
}
