// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes calls that have no event. For tests/live/strace/untraced_calls.bats.
 *
 *	untraced COMPAT UNNAMED     so many 32-bit calls, and calls with unused numbers
 *
 * A child makes as many 32-bit calls. Exits with 3 if there is no 32-bit mode.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf without;

static void give_up(int signal)
{
	(void)signal;
	siglongjmp(without, 1);
}

/* getpid, whose number is writev's in 64-bit mode. */
static void make_compat(int n)
{
	long number;

	for (; n > 0; n--) {
		number = 20;
		__asm__ volatile("int $0x80" : "+a"(number) : : "memory");
	}
}

static void make_unnamed(int n)
{
	for (; n > 0; n--)
		syscall(n % 2 ? 999 : 5000);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	signal(SIGSEGV, give_up);
	if (sigsetjmp(without, 1))
		return 3;
	make_compat(atoi(argv[1]));
	make_unnamed(atoi(argv[2]));
	if (fork() == 0) {
		make_compat(atoi(argv[1]));
		_exit(0);
	}
	wait(NULL);
	return 0;
}
