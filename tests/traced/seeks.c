// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that calls lseek() as often as it says, and so the kernel's shmem_file_llseek():
 * the witness of functions of the kernel.
 *
 *	seeks values			// seek -1 2 = 4095: offset, whence, result
 *	seeks threads 64 100		// 100 calls in each of 64 threads
 *	seeks forks 5			// a call in each of 5 children
 *	seeks exec 3			// a call in each of 3 programs of one process
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "threads.h"

enum { SIZE = 4096 };

static int file;

static void seek(int64_t offset, int whence)
{
	printf("seek %" PRId64 " %d = %" PRId64 "\n", offset, whence,
	       (int64_t)lseek(file, offset, whence));
}

static int run_values(void)
{
	seek(0, SEEK_SET);
	seek(777, SEEK_SET);
	seek(-7, SEEK_CUR);
	seek(-1, SEEK_END);
	seek(INT64_MAX, SEEK_SET);
	seek(INT64_MIN, SEEK_SET);
	seek(1l << 40, SEEK_DATA);
	return 0;
}

static void *run_thread(void *arg)
{
	long n = *(long *)arg;

	for (; n > 0; n--)
		lseek(file, n, SEEK_SET);
	return NULL;
}

static int run_forks(int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (fork() == 0) {
			lseek(file, i, SEEK_SET);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}

static int run_exec(char *program, int n)
{
	char left[16];

	lseek(file, n, SEEK_SET);
	if (n <= 1)
		return 0;
	snprintf(left, sizeof(left), "%d", n - 1);
	execl(program, program, "exec", left, NULL);
	return 1;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	file = memfd_create("seeks", MFD_CLOEXEC);
	if (argc < 2 || file < 0 || ftruncate(file, SIZE) < 0)
		return 2;
	if (strcmp(argv[1], "values") == 0)
		return run_values();
	if (strcmp(argv[1], "threads") == 0 && argc == 4 && n <= 256)
		return run_threads(n, run_thread, atol(argv[3]));
	if (strcmp(argv[1], "forks") == 0)
		return run_forks(n);
	return strcmp(argv[1], "exec") == 0 ? run_exec(argv[0], n) : 2;
}
