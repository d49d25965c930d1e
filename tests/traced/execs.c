// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Becomes other programs in the ways that are rare.
 *
 *     execs at FILE          a child calls execveat by a descriptor, which fails with -1 first
 *     execs thread FILE      a thread that is not the first one calls execve, another one execveat
 *                            on what is not there, and the first one waits
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In memory before the calls, as the program writes it there. */
static char *file, empty[1], missing[16];
static sem_t failed;

static void at(void)
{
	char *argv[] = {file, NULL}, *none[] = {NULL};
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fork() == 0) {
		syscall(SYS_execveat, -1, empty, argv, none, AT_EMPTY_PATH);
		syscall(SYS_execveat, fd, empty, argv, none, AT_EMPTY_PATH);
		_exit(1);
	}
	wait(NULL);
}

static void *fail(void *arg)
{
	char *argv[] = {file, NULL};

	syscall(SYS_execveat, AT_FDCWD, missing, argv, argv + 1, 0);
	sem_post(&failed);
	pause();
	return arg;
}

static void *become(void *arg)
{
	char *argv[] = {file, NULL};

	sem_wait(&failed);
	syscall(SYS_execve, file, argv, argv + 1);
	return arg;
}

static void thread(void)
{
	pthread_t threads[2];

	sem_init(&failed, 0, 0);
	if (pthread_create(&threads[0], NULL, fail, NULL) ||
	    pthread_create(&threads[1], NULL, become, NULL))
		exit(1);
	pause();
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: execs at|thread FILE\n");
		return 2;
	}
	file = argv[2];
	empty[0] = 0;
	snprintf(missing, sizeof(missing), "/nonexistent");
	if (strcmp(argv[1], "at") == 0)
		at();
	else
		thread();
	return 0;
}
