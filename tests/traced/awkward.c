// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes calls whose arguments are hard to read. For tests/live/strace/awkward.bats.
 *
 *	awkward addresses           nowhere, or in the kernel
 *	awkward edges               up to the last byte before an unmapped page
 *	awkward changes ROUNDS      while another thread overwrites the data and unmaps pages
 *
 * A thread named "caller" makes the calls, and no others of their kinds. It prints what it passed
 * to each: NAME ADDRESS, or a text's LENGTH and whether it "ends" or is "endless".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>

#include "call.h"

#define PAGE 4096
#define PATH 4096 // bytes of a path, the 0 at its end too
#define EDGE 16   // bytes, or elements, before a page that comes and goes
#define MANY 40   // elements

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const char *mode;
static int rounds, zero, null, listening;

static char *map(size_t pages)
{
	char *at = mmap(NULL, (pages + 1) * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || munmap(at + pages * PAGE, PAGE) < 0)
		abort();
	return at;
}

// All that is looked at where a pointer leads, of the calls that another does.
static void try_addresses(void)
{
	static const long addresses[] = {
		NOWHERE,
		KERNEL,
		0xffffffff81000000, // its program
		0xffffffffff600000, // a page of it that a program may call
		0x7fffffffffff,     // after the last
		0x7fffffffeff8,     // and so that what is there goes on after it
		0x800000000000,     // no addresses at all, on this side
		0x7fffffffffffffff,
		0x8000000000000000, // and on that
		0xffff7fffffffffff,
		-PAGE,
		-1, // goes on at 0
	};
	size_t i;

	for (i = 0; i < LENGTH(addresses); i++) {
		long at = addresses[i];

#define TRY(name, ...) (call(name, __VA_ARGS__), printf("%s %#lx\n", #name, at))
		TRY(openat, AT_FDCWD, at, O_RDONLY, 0);
		TRY(execve, "nowhere", at, NULL);
		TRY(execve, "nowhere", NULL, at);
		TRY(write, null, at, 100);
		TRY(write, null, at, ENDLESS);
		TRY(read, zero, at, 100);
		TRY(readlink, "/proc/self/exe", at, 100);
		TRY(connect, none, at, 16);
		TRY(getsockname, listening, at, at);
		TRY(utimensat, AT_FDCWD, "nowhere", at, 0);
		TRY(nanosleep, at, NULL);
		TRY(poll, at, 3, 0);
		TRY(writev, null, at, 2);
		TRY(writev, null, (&(struct iovec){(void *)at, 100}), 1);
		TRY(readv, zero, at, 2);
		TRY(readv, zero, (&(struct iovec){(void *)at, 100}), 1);
		TRY(sendmsg, none, at, 0);
		TRY(rt_sigprocmask, SIG_BLOCK, at, NULL, 8);
		TRY(newfstatat, AT_FDCWD, "/", at, 0);
#undef TRY
	}
}

static void try_edges(void)
{
	char *end = map(3) + 3 * PAGE;
	int length;

	memset(end - 3 * PAGE, 'x', 3 * PAGE);
	for (length = 0; length <= PATH + 64; length += length == 64 ? PATH - 128 : 1) {
		call(openat, AT_FDCWD, end - length, O_RDONLY, 0);
		printf("%d endless\n", length);
		end[-1] = 0;
		call(openat, AT_FDCWD, end - length - 1, O_RDONLY, 0);
		printf("%d ends\n", length);
		end[-1] = 'x';
	}
}

// What another thread changes: of three pages each, of which the middle one comes and goes, and
// which have bytes that nothing else has.
enum { TEXT, BYTES, ADDRESS, GIVEN, STATUS, TIMES, LIST, POLLED, VECTOR, MESSAGE, AREAS };
static struct area {
	const char *bytes;
	char *at;
	bool is_gone;
} areas[AREAS] = {
	[TEXT] = {"ab"},    [BYTES] = {"cd"},  [ADDRESS] = {"gh"},
	[GIVEN] = {"ij"},   [STATUS] = {"kl"}, [TIMES] = {"\1\2\3\4\5\6\7"},
	[LIST] = {NULL},    [POLLED] = {NULL}, [VECTOR] = {NULL},
	[MESSAGE] = {NULL},
};
static socklen_t length; // of the address
static const char *const listed[] = {"e", "ff", "eee", "ffffffffffff", "eeeeeeeeeeeeeeeeeeeeeee"};
static atomic_uint turns;
static atomic_bool done;

static uint64_t draw(uint64_t of)
{
	static uint64_t lot = 1;

	lot ^= lot << 13;
	lot ^= lot >> 7;
	lot ^= lot << 17;
	return (lot * 0x2545f4914f6cdd1d >> 11) % of;
}

// Begins so many bytes before the page that comes and goes.
static void *before_edge(int area, size_t bytes)
{
	return areas[area].at + PAGE - bytes;
}

static void turn_page(struct area *area)
{
	char *page = area->at + PAGE;

	if (area->is_gone)
		mmap(page, PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0);
	else if (draw(2) == 0)
		mprotect(page, PAGE, PROT_NONE);
	else
		munmap(page, PAGE);
	area->is_gone = !area->is_gone;
}

// Some of it, all in one page if the next is not there.
static void scribble(struct area *area)
{
	size_t size = (area->is_gone ? 1 : 3) * PAGE, at = draw(size);

	memset(area->at + at, area->bytes[draw(strlen(area->bytes))], draw(size - at) + 1);
	if (area == &areas[TEXT] && draw(2) == 0)
		area->at[draw(2) == 0 ? draw(PAGE) : draw(size)] = 0;
}

// One of so many elements that is there.
static size_t draw_slot(int area, size_t count)
{
	return draw(areas[area].is_gone ? EDGE : count);
}

// Half of it lies in the page that comes and goes.
static struct msghdr *find_message(void)
{
	return before_edge(MESSAGE, offsetof(struct msghdr, msg_iovlen));
}

static void change_message(void)
{
	struct msghdr *message = find_message();

	message->msg_name = ((void *const[]){before_edge(ADDRESS, EDGE), (void *)NOWHERE,
					     (void *)KERNEL, NULL})[draw(4)];
	message->msg_namelen = ((const socklen_t[]){0, 2, 16, 64, 1 << 30, -1})[draw(6)];
	message->msg_iov = ((void *const[]){before_edge(VECTOR, EDGE * sizeof(struct iovec)),
					    (void *)NOWHERE, (void *)KERNEL, NULL})[draw(4)];
	if (areas[MESSAGE].is_gone)
		return;
	message->msg_iovlen = ((const size_t[]){0, 1, EDGE, MANY, -1})[draw(5)];
	message->msg_control = ((void *const[]){before_edge(ADDRESS, 3 * EDGE), (void *)NOWHERE,
						(void *)KERNEL, NULL})[draw(4)];
	message->msg_controllen = ((const size_t[]){0, 15, 16, 3 * EDGE, PAGE, -1})[draw(6)];
}

static void *change(void *unused)
{
	const char **list = before_edge(LIST, EDGE * sizeof *list);
	struct pollfd *polled = before_edge(POLLED, EDGE * sizeof *polled);
	struct iovec *vector = before_edge(VECTOR, EDGE * sizeof *vector);
	size_t i;

	for (i = 0; i < MANY; i++)
		polled[i].fd = none;
	while (!done) {
		for (i = 0; i < AREAS; i++) {
			if (draw(2) == 0)
				turn_page(&areas[i]);
			if (areas[i].bytes)
				scribble(&areas[i]);
		}
		i = draw(LENGTH(listed) + 3);
		list[draw_slot(LIST, MANY - 1)] = i < LENGTH(listed)        ? listed[i]
						  : i == LENGTH(listed)     ? NULL
						  : i == LENGTH(listed) + 1 ? (const char *)NOWHERE
									    : (const char *)KERNEL;
		polled[draw_slot(POLLED, MANY)] =
			(struct pollfd){none, draw(2) == 0 ? POLLIN : POLLOUT, 0};
		vector[draw_slot(VECTOR, MANY)] = (struct iovec){
			((void *const[]){before_edge(BYTES, EDGE), before_edge(BYTES, EDGE),
					 (void *)NOWHERE, (void *)KERNEL, NULL})[draw(5)],
			((const size_t[]){0, 5, EDGE, 64, 2 * PAGE, -1})[draw(6)]};
		change_message();
		length = ((const socklen_t[]){0, 2, 16, 110, 1 << 30, -1})[draw(6)];
		turns++;
	}
	return unused;
}

static void make_areas(void)
{
	size_t i;

	for (i = 0; i < AREAS; i++) {
		areas[i].at = map(3);
		memset(areas[i].at, areas[i].bytes ? areas[i].bytes[0] : 0, 3 * PAGE);
	}
}

static void try_changes(void)
{
	unsigned turn;
	int round;

	for (round = 0; round < rounds; round++) {
		for (turn = turns; turns == turn;)
			sched_yield();
		call(openat, AT_FDCWD, before_edge(TEXT, EDGE), O_RDONLY, 0);
		call(write, null, before_edge(BYTES, EDGE), 64);
		call(write, null, before_edge(BYTES, EDGE), 2 * PAGE);
		call(execve, "nowhere", before_edge(LIST, EDGE * sizeof(char *)), NULL);
		call(connect, none, before_edge(ADDRESS, EDGE), 64);
		call(getsockname, listening, before_edge(GIVEN, EDGE), &length);
		call(utimensat, AT_FDCWD, "nowhere", before_edge(TIMES, EDGE), 0);
		call(poll, before_edge(POLLED, EDGE * sizeof(struct pollfd)), MANY, 0);
		call(writev, null, before_edge(VECTOR, EDGE * sizeof(struct iovec)), MANY);
		call(sendmsg, none, find_message(), 0);
		call(newfstatat, AT_FDCWD, "/", before_edge(STATUS, EDGE), 0);
		call(read, zero, before_edge(GIVEN, EDGE), 64);
	}
}

static void *run_caller(void *unused)
{
	prctl(PR_SET_NAME, "caller");
	if (strcmp(mode, "addresses") == 0)
		try_addresses();
	else if (strcmp(mode, "edges") == 0)
		try_edges();
	else
		try_changes();
	prctl(PR_SET_NAME, "called");
	return unused;
}

static pthread_t start_thread(void *(*what)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, what, NULL) != 0)
		abort();
	return thread;
}

// A socket whose address has letters of its own.
static int make_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int made = socket(AF_UNIX, SOCK_STREAM, 0);

	memset(address.sun_path, 'g', sizeof address.sun_path - 1);
	if (bind(made, (const void *)&address, sizeof address) < 0)
		abort();
	unlink(address.sun_path);
	return made;
}

int main(int argc, char *argv[])
{
	static char output[1 << 16]; // until the end, so that printing makes no call
	pthread_t caller, changer;

	if (argc < 2)
		return 2;
	mode = argv[1];
	rounds = argc > 2 ? atoi(argv[2]) : 0;
	setvbuf(stdout, output, _IOFBF, sizeof output);
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	listening = make_socket();
	make_areas();
	done = strcmp(mode, "changes") != 0;
	changer = start_thread(change);
	caller = start_thread(run_caller);
	pthread_join(caller, NULL);
	done = true;
	pthread_join(changer, NULL);
	return 0;
}
