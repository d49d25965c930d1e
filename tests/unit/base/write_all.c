// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/write_all.h"

enum { N = 1 << 20 };

static uint32_t sent[N], received[N];
static volatile sig_atomic_t interruptions;

static void interrupt(int sig)
{
	(void)sig;
	interruptions = interruptions + 1;
}

/* Reads slowly until the writer has often been interrupted. */
static void *receive(void *arg)
{
	int fd = *(int *)arg;
	size_t got = 0;
	ssize_t n;

	while (got < sizeof(received)) {
		if (interruptions < 50)
			usleep(1000);
		n = read(fd, (char *)received + got, 5000);
		if (n <= 0)
			break;
		got += n;
	}
	return NULL;
}

/* A pipe to a slow reader, and signals that cut writes short: all bytes arrive once, in order. */
static void writes_cut_short(void **state)
{
	static const struct itimerval often = {{0, 500}, {0, 500}}, never;
	struct sigaction sa = {.sa_handler = interrupt}; /* no SA_RESTART */
	struct iovec iov[] = {{sent, 1003},
			      {NULL, 0},
			      {(char *)sent + 1003, 100},
			      {(char *)sent + 1103, sizeof(sent) - 1103},
			      {NULL, 0}};
	pthread_t reader;
	sigset_t alarm;
	int fds[2], i, ret;

	(void)state;
	for (i = 0; i < N; i++)
		sent[i] = i;
	assert_int_equal(pipe(fds), 0);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	assert_int_equal(pthread_create(&reader, NULL, receive, &fds[0]), 0);
	sigaction(SIGALRM, &sa, NULL);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	ret = kt_write_all(fds[1], iov, 5);
	setitimer(ITIMER_REAL, &never, NULL);
	close(fds[1]);
	pthread_join(reader, NULL);
	close(fds[0]);
	assert_int_equal(ret, 0);
	assert_true(interruptions > 10);
	assert_memory_equal(sent, received, sizeof(sent));
}

static void errors(void **state)
{
	struct iovec iov = {sent, sizeof(sent)};
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(kt_write_all(fd, &iov, 1), -ENOSPC);
	close(fd);
	assert_int_equal(kt_write_all(-1, &iov, 1), -EBADF);
	assert_int_equal(kt_write_all(-1, &iov, 0), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_cut_short),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests_name("write_all", tests, NULL, NULL);
}
