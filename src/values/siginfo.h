/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a siginfo: what a signal says about its cause.
 *
 *	kt_siginfo_put(t, &value);	// {si_signo=SIGALRM, si_code=SI_TKILL, si_pid=7, si_uid=0}
 *
 * Which members are valid depends on the signal and the code.
 */
#ifndef KT_VALUES_SIGINFO_H
#define KT_VALUES_SIGINFO_H

#include <stdbool.h>

struct json_object;
struct kt_text;
struct kt_value;

/* Bytes of a siginfo that have a meaning, and of its first three members. */
enum { KT_SIGINFO_SIZE = 48, KT_SIGINFO_HEAD_SIZE = 12 };

/* Where members are. Some share a place. */
enum {
	KT_SIGINFO_SIGNO = 0,
	KT_SIGINFO_ERRNO = 4,
	KT_SIGINFO_CODE = 8,
	KT_SIGINFO_PID = 16,
	KT_SIGINFO_UID = 20,
	KT_SIGINFO_STATUS = 24,
	KT_SIGINFO_UTIME = 32,
	KT_SIGINFO_STIME = 40,
	KT_SIGINFO_TIMERID = 16,
	KT_SIGINFO_OVERRUN = 20,
	KT_SIGINFO_VALUE = 24,
	KT_SIGINFO_ADDR = 16,
	KT_SIGINFO_BAND = 16,
	KT_SIGINFO_FD = 24,
	KT_SIGINFO_CALL_ADDR = 16,
	KT_SIGINFO_SYSCALL = 24,
	KT_SIGINFO_ARCH = 28,
};

/* Returns whether a siginfo of that signal and code has a member of that name. */
bool kt_siginfo_has(int signal, int code, const char *name);

/* Prints the valid members that the bytes contain; {} without a signal. */
void kt_siginfo_put(struct kt_text *t, const struct kt_value *v);

/* Returns the same as an object; NULL without memory. */
struct json_object *kt_siginfo_object(const struct kt_value *v);

#endif
