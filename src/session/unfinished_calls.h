/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that threads are already in when a session starts: their entries are not recorded.
 *
 *	struct kt_unfinished_calls o = {0};
 *
 *	kt_unfinished_calls_find(&o, pid, &err);	// for each process
 *	kt_session_start(session);
 *	kt_unfinished_calls_settle(&o);		// drops threads that have run since
 *	for (i = 0; i < o.n; i++)
 *		printf("thread %d is in call %u\n", o.calls[i].tid, o.calls[i].number);
 *	kt_unfinished_calls_clear(&o);
 *
 * A thread that has not run between the two is in a call that it entered before the start. Each
 * step reads two files of /proc per thread, about 30 µs. Threads are skipped that are in no call,
 * in a 32-bit one (with other numbers), or that this process may not inspect (as for ptrace(2)).
 */
#ifndef KT_SESSION_UNFINISHED_CALLS_H
#define KT_SESSION_UNFINISHED_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kt_error;

enum { KT_ARGUMENTS = 6 };

struct kt_unfinished_call {
	pid_t pid, tid;
	uint32_t number;
	uint64_t args[KT_ARGUMENTS];
	uint64_t stack, at; /* the thread's stack pointer and instruction pointer */
	uint64_t waits;     /* how often it has given up its CPU to wait */
};

/* All zeros: none. */
struct kt_unfinished_calls {
	struct kt_unfinished_call *calls;
	size_t n;
};

/* Adds the unfinished calls of a process's threads. Returns 0 or -ENOMEM. */
int kt_unfinished_calls_find(struct kt_unfinished_calls *o, pid_t pid, struct kt_error *err);
void kt_unfinished_calls_settle(struct kt_unfinished_calls *o);
void kt_unfinished_calls_clear(struct kt_unfinished_calls *o);

/*
 * Copies the text at an address of the call's process, with its NUL if there is room. Returns its
 * bytes, 0 if it cannot be read.
 */
size_t kt_unfinished_calls_text(const struct kt_unfinished_call *call, uint64_t address, char *to,
				size_t room);

#endif
