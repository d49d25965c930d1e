// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Execs in unusual ways.
 *
 *	execs at FILE          a child calls execveat with a descriptor, failing with -1 first
 *	execs thread FILE      a second thread calls execve, a third one execveat on a missing file,
 *	                       and the first one waits
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

/* In memory before the calls, because the program writes it. */
static char *file, empty[1], missing[16];
static sem_t failed;

static void exec_by_descriptor(void)
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

static void *fail_to_exec(void *arg)
{
	char *argv[] = {file, NULL};

	syscall(SYS_execveat, AT_FDCWD, missing, argv, argv + 1, 0);
	sem_post(&failed);
	pause();
	return arg;
}

static void *exec_in_thread(void *arg)
{
	char *argv[] = {file, NULL};

	sem_wait(&failed);
	syscall(SYS_execve, file, argv, argv + 1);
	return arg;
}

static void run_threads(void)
{
	pthread_t threads[2];

	sem_init(&failed, 0, 0);
	if (pthread_create(&threads[0], NULL, fail_to_exec, NULL) ||
	    pthread_create(&threads[1], NULL, exec_in_thread, NULL))
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
		exec_by_descriptor();
	else
		run_threads();
	return 0;
}
