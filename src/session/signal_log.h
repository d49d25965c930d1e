/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log of the signals that this process and one of its children are sent together: by kill(2) of
 * their process group, or by a supervisor that signals each process of a unit. A process that
 * forwards signals to a child asks here whether the child has got the signal already.
 *
 *	struct kt_signal_log *log = kt_signal_log_new(btf, &err);
 *
 *	if (fork() == 0) {
 *		kt_signal_log_add_child(log, &err);
 *		execv(path, argv);
 *	}
 *	sigwaitinfo(&signals, &info);
 *	if (!kt_signal_log_is_shared(log, info.si_signo))
 *		kill(child, info.si_signo);
 *
 * Costs a program of 30 instructions at each signal on the machine, and 2 KiB of memory.
 */
#ifndef KT_SESSION_SIGNAL_LOG_H
#define KT_SESSION_SIGNAL_LOG_H

#include <stdbool.h>

struct kt_btf;
struct kt_error;
struct kt_signal_log;

/* Logs signals to the calling process from here on. Returns NULL on error. */
struct kt_signal_log *kt_signal_log_new(struct kt_btf *btf, struct kt_error *err);
void kt_signal_log_free(struct kt_signal_log *log);

/* Logs signals to the calling process, a child, too. Returns 0 or -errno. */
int kt_signal_log_add_child(struct kt_signal_log *log, struct kt_error *err);

/*
 * Returns whether the child got the last signal of that number that this process got: from the same
 * sender, within 50 ms. Waits up to 20 ms for it, since a sender signals one process after the
 * other.
 */
bool kt_signal_log_is_shared(const struct kt_signal_log *log, int signal);

#endif
