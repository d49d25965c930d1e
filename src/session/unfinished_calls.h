/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that threads are in already when a session starts: their entries are in no ring.
 *
 *	struct kt_ongoing o = {0};
 *
 *	kt_ongoing_find(&o, pid, &err);		// for each process
 *	kt_session_start(session);
 *	kt_ongoing_settle(&o);			// drops those whose threads have run since
 *	for (i = 0; i < o.n; i++)
 *		printf("thread %d is in call %u\n", o.calls[i].tid, o.calls[i].number);
 *	kt_ongoing_clear(&o);
 *
 * A thread that has not run between the two is in a call that it entered before the start. Each
 * reads two files of /proc per thread, some 30 µs, and may find nothing: no call, a 32-bit one,
 * whose numbers are others, or no right to look (that of ptrace(2)).
 */
#ifndef KT_SESSION_UNFINISHED_CALLS_H
#define KT_SESSION_UNFINISHED_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kt_error;

enum { KT_ARGUMENTS = 6 };

struct kt_ongoing_call {
	pid_t pid, tid;
	uint32_t number;
	uint64_t args[KT_ARGUMENTS];
	uint64_t stack, at; /* the thread's pointers to its stack and its next instruction */
	uint64_t waits;     /* how often it has given up its CPU to wait */
};

/* Zeroed there are none. */
struct kt_ongoing {
	struct kt_ongoing_call *calls;
	size_t n;
};

/* Adds those of the process's threads. 0 or -ENOMEM. */
int kt_ongoing_find(struct kt_ongoing *o, pid_t pid, struct kt_error *err);
void kt_ongoing_settle(struct kt_ongoing *o);
void kt_ongoing_clear(struct kt_ongoing *o);

/*
 * Copies the text at that address of the call's process, with its 0 if there is room. Returns its
 * bytes, 0 where it cannot be read.
 */
size_t kt_ongoing_text(const struct kt_ongoing_call *call, uint64_t address, char *to, size_t room);

#endif
