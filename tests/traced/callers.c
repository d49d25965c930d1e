// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program whose functions call each other, and that prints how: the witness of stacks in user
 * space. The innermost function calls getsid(), with a number that tells the calls apart.
 *
 *	callers once			// 1: innermost+0x2d inner+0x1a middle+0x18 run+0x22
 *	callers deep 200		// as many functions between, of which nothing is printed
 *	callers paths 6000		// as many calls, each on another path; nothing is printed
 *	callers threads 64 100		// 100 calls in each of 64 threads; nothing is printed
 *	callers exec 3			// 3 programs, one after the other, in one process
 *	callers fork			// a child's call
 *	callers wait			// a call for each line that is read
 *
 * The frames are those of its own walk along the frame pointers, but the innermost one, which is
 * the address after the call of the kernel. The names are those that the linker was given.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "threads.h"

#define CALLER __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))

/* A frame that a function's own frame pointer leads to. */
struct frame {
	const struct frame *caller;
	uintptr_t returns_to;
};

static int is_quiet;

void innermost(long number);
void inner(long number);
void middle(long number);
void run(long number);

/* Returns the function that contains an address, and the offset there. */
static const char *name_address(uintptr_t address, uintptr_t *offset)
{
	static const struct {
		void (*begin)(long number);
		const char *name;
	} functions[] = {
		{innermost, "innermost"}, {inner, "inner"}, {middle, "middle"}, {run, "run"}};
	const char *name = "?";
	size_t i;

	*offset = UINTPTR_MAX;
	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (address - (uintptr_t)functions[i].begin < *offset) {
			*offset = address - (uintptr_t)functions[i].begin;
			name = functions[i].name;
		}
	return name;
}

static void print_address(uintptr_t address)
{
	uintptr_t offset;
	const char *name = name_address(address, &offset);

	printf(" %s+%#lx", name, (unsigned long)offset);
}

CALLER void innermost(long number)
{
	const struct frame *f = __builtin_frame_address(0);
	uintptr_t after;
	long result = SYS_getsid;
	int i;

	__asm__ volatile("lea 1f(%%rip), %1\n\tsyscall\n1:"
			 : "+a"(result), "=&r"(after)
			 : "D"(number)
			 : "rcx", "r11", "memory");
	if (is_quiet)
		return;
	printf("%ld:", number);
	print_address(after);
	for (i = 0; i < 3; i++, f = f->caller)
		print_address(f->returns_to);
	printf("\n");
	fflush(stdout);
}

CALLER void inner(long number)
{
	innermost(number);
	__asm__ volatile("");
}

CALLER void middle(long number)
{
	inner(number);
	__asm__ volatile("");
}

CALLER void run(long number)
{
	middle(number);
	__asm__ volatile("");
}

CALLER static void descend(long depth)
{
	if (depth > 0)
		descend(depth - 1);
	else
		run(1);
	__asm__ volatile("");
}

/* Each call with another path below 2^depth has another stack. */
CALLER static void walk(long path, int depth)
{
	if (depth == 0) {
		run(1);
		__asm__ volatile("# end");
	} else if (path & 1) {
		walk(path >> 1, depth - 1);
		__asm__ volatile("# right");
	} else {
		walk(path >> 1, depth - 1);
		__asm__ volatile("# left");
	}
}

static int run_paths(long n)
{
	enum { DEPTH = 16 };
	long i;

	for (i = 0; i < n; i++)
		walk(i, DEPTH);
	return n > 1 << DEPTH;
}

static void *run_thread(void *arg)
{
	long i, n = *(long *)arg;

	for (i = 1; i <= n; i++)
		run(i);
	return NULL;
}

static int run_exec(char *self, int n)
{
	char left[16];

	run(n);
	if (n <= 1)
		return 0;
	snprintf(left, sizeof(left), "%d", n - 1);
	return execl(self, self, "exec", left, NULL);
}

static int run_fork(void)
{
	if (fork() == 0) {
		run(1);
		_exit(0);
	}
	return wait(NULL) < 0;
}

static int run_wait(void)
{
	long n = 0;
	int c;

	while ((c = getchar()) != EOF)
		if (c == '\n')
			run(++n);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "once";
	long n = argc > 2 ? atol(argv[2]) : 1, calls = argc > 3 ? atol(argv[3]) : 1;

	if (!strcmp(mode, "exec"))
		return run_exec(argv[0], n);
	if (!strcmp(mode, "fork"))
		return run_fork();
	if (!strcmp(mode, "wait"))
		return run_wait();
	is_quiet = strcmp(mode, "once") != 0;
	if (!strcmp(mode, "paths"))
		return run_paths(n);
	if (!strcmp(mode, "threads"))
		return run_threads(n, run_thread, calls);
	if (!strcmp(mode, "deep"))
		descend(n);
	else
		run(1);
	return 0;
}
