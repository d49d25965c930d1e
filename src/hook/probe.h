/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe: an event's program, and the link, or the seat, that makes the kernel run it.
 *
 *	struct kt_probe p;
 *
 *	kt_probe_attach(&p, event, code, &err);	// from here on it runs
 *	...
 *	kt_probe_detach(&p);			// from here on not
 *	missed = kt_program_missed(p.program);	// can still be asked
 *	kt_probe_close(&p);
 */
#ifndef KT_HOOK_PROBE_H
#define KT_HOOK_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "hook/syscall_dispatch.h"

struct kt_asm;
struct kt_error;
struct kt_event;

/*
 * Which kind of program the kernel is to run at the event's hits, by its name in hook/program.h
 * (doc/probe.md).
 */
const char *kt_probe_kind(const struct kt_event *event);

/*
 * Descriptors, or -1. Where there is a seat, a system call's (hook/syscall_dispatch.h), there is no
 * link.
 */
struct kt_probe {
	int program, link;
	struct kt_prog_array_slot seat;
};

#define KT_NO_PROBE ((struct kt_probe){.program = -1, .link = -1, .seat = {.table = -1}})

/*
 * Loads the code for the event's tracepoint and attaches it: some 0.5 ms. The code remains the
 * caller's. 0, or -errno and nothing to close. While programs are shown (kt_program_show) it is
 * kt_probe_load.
 */
int kt_probe_attach(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		    struct kt_error *err);

/*
 * The same of a curated call's event, at its seat among the calls, which must outlive it. In those
 * of what is pinned it does not run yet: kt_probe_pin has it do so.
 */
int kt_probe_attach_call(struct kt_probe *p, struct kt_syscall_dispatch *calls,
			 const struct kt_event *event, struct kt_asm *code, struct kt_error *err);

/* The first half of both: nothing runs it, link is -1. */
int kt_probe_load(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		  struct kt_error *err);

/*
 * No hit comes to it any more. A "raw_tp" or "tp_btf" program may still be running on another CPU
 * when this returns; for a "tracepoint" one the kernel waits.
 */
void kt_probe_detach(struct kt_probe *p);

/* What its pins are called: SYSTEM:EVENT, or SYSTEM:EVENT:NUMBER where it has one. */
struct kt_probe_name {
	const char *system, *event;
	unsigned int number; /* or 0 */
};

/*
 * Pins both in the directories "program" and "link" of that one (hook/bpffs.h), made where they are
 * not there, a seat as such: it remains attached when it is closed. 0 or -errno, where one may be
 * pinned already.
 */
int kt_probe_pin(struct kt_probe *p, struct kt_probe_name name, int dir, struct kt_error *err);

/*
 * Takes both names away, and once nobody else has the link open the event's program is detached, as
 * the kernel comes to it. It is well if there was none. 0 or -errno.
 */
int kt_probe_unpin(struct kt_probe_name name, int dir, struct kt_error *err);

/* Whether both are there. */
bool kt_probe_is_pinned(struct kt_probe_name name, int dir);

/* What kt_program_missed says of one that is pinned; 0 where there is none. */
uint64_t kt_probe_missed(struct kt_probe_name name, int dir);
void kt_probe_close(struct kt_probe *p);

#endif
