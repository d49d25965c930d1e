/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the program at signal_generate that logs which signals two processes are sent, by whom and
 * when (session/signal_log.h).
 */
#ifndef KT_HANDLERS_SIGNAL_LOG_PROG_H
#define KT_HANDLERS_SIGNAL_LOG_PROG_H

#include <stdint.h>

struct kt_asm;
struct kt_event;

enum { KT_SIGNAL_MAX = 64, KT_SIGNAL_TARGETS = 2 };

struct kt_signal_sent {
	uint64_t sender; /* as bpf_get_current_pid_tgid() returns it */
	uint64_t time;   /* ns of CLOCK_MONOTONIC; 0: never */
};

/*
 * The only element of the program's map. A signal's entry is overwritten by the next one of its
 * number.
 */
struct kt_signal_targets {
	struct {
		uint64_t pid; /* the kernel's number of the process; 0: not set yet */
		struct kt_signal_sent signals[KT_SIGNAL_MAX + 1];
	} targets[KT_SIGNAL_TARGETS];
};

/* The event is signal:signal_generate, curated, with the fields sig and pid (the process's). */
void kt_emit_signal_log(struct kt_asm *a, int map, const struct kt_event *event);

#endif
