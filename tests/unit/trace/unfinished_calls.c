// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls that threads are within, as /proc reports them: a child reads from pipes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "session/unfinished_calls.h"

/* It reads a byte from a pipe, again and again. */
struct child {
	pid_t pid;
	int to;
	char *at; /* the address it reads to */
};

static char byte;

static struct child start_child(void)
{
	struct child c = {.at = &byte};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	c.pid = fork();
	assert_true(c.pid >= 0);
	while (c.pid == 0)
		if (syscall(SYS_read, ends[0], &byte, 1) != 1)
			_exit(1);
	close(ends[0]);
	c.to = ends[1];
	return c;
}

static void end_child(const struct child *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	close(c->to);
}

/* Finds the child's call once it blocks. */
static void find_call(struct kt_unfinished_calls *o, const struct child *c)
{
	struct kt_error err;

	while (o->n == 0) {
		usleep(1000);
		assert_int_equal(kt_unfinished_calls_find(o, c->pid, &err), 0);
	}
	assert_int_equal(o->n, 1);
}

static void test_call(void **state)
{
	struct child c = start_child();
	struct kt_unfinished_calls o = {0};

	(void)state;
	find_call(&o, &c);
	kt_unfinished_calls_settle(&o);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.calls->tid, c.pid);
	assert_int_equal(o.calls->number, SYS_read);
	assert_ptr_equal((void *)(uintptr_t)o.calls->args[1], c.at);
	assert_int_equal(o.calls->args[2], 1);
	kt_unfinished_calls_clear(&o);
	end_child(&c);
}

/* It is within a call of the same kind, entered later. */
static void test_next_call(void **state)
{
	struct child c = start_child();
	struct kt_unfinished_calls o = {0}, next = {0};

	(void)state;
	find_call(&o, &c);
	assert_int_equal(write(c.to, "x", 1), 1);
	do {
		kt_unfinished_calls_clear(&next);
		find_call(&next, &c);
	} while (next.calls->waits == o.calls->waits);
	kt_unfinished_calls_settle(&o);
	assert_int_equal(o.n, 0);
	kt_unfinished_calls_clear(&o);
	kt_unfinished_calls_clear(&next);
	end_child(&c);
}

/* A thread that has ended. */
static void test_none(void **state)
{
	struct child c = start_child();
	struct kt_unfinished_calls o = {0};
	struct kt_error err;

	(void)state;
	find_call(&o, &c);
	end_child(&c);
	kt_unfinished_calls_settle(&o);
	assert_int_equal(o.n, 0);
	assert_int_equal(kt_unfinished_calls_find(&o, c.pid, &err), 0);
	kt_unfinished_calls_clear(&o);
}

/* A text, as far as memory and room go. */
static void test_text(void **state)
{
	static char words[] = "some words";
	struct kt_unfinished_call self = {.pid = getpid(), .tid = getpid()};
	char to[64];

	(void)state;
	assert_int_equal(kt_unfinished_calls_text(&self, (uintptr_t)words, to, sizeof(to)),
			 sizeof(words));
	assert_string_equal(to, words);
	assert_int_equal(kt_unfinished_calls_text(&self, (uintptr_t)words, to, 4), 4);
	assert_memory_equal(to, words, 4);
	assert_int_equal(kt_unfinished_calls_text(&self, 16, to, sizeof(to)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_next_call),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
