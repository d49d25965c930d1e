/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe: an event's program, with the link or the dispatch table slot by which the kernel runs
 * it.
 *
 *	struct kt_probe p;
 *
 *	kt_probe_attach(&p, event, code, &err);	// runs from here on
 *	...
 *	kt_probe_detach(&p);			// no longer runs
 *	missed = kt_probe_missed(&p);		// can still be read
 *	kt_probe_close(&p);
 */
#ifndef KT_HOOK_PROBE_H
#define KT_HOOK_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hook/links.h"
#include "hook/syscall_dispatch.h"

struct kt_asm;
struct kt_error;
struct kt_event;

/* Returns the kind of program that an event needs, by its name in hook/program.h (doc/probe.md). */
const char *kt_probe_kind(const struct kt_event *event);

/*
 * Returns the kind of program that measures the event's calls, since its probe was attached
 * (handlers/call_duration.h); or NULL.
 */
const char *kt_probe_timer_kind(const struct kt_event *event);

/* Returns whether the kernel waits when the event's program is detached. */
bool kt_probe_is_slow(const struct kt_event *event);

/*
 * A system call's probe has a slot (hook/syscall_dispatch.h) and no link; a point's may have
 * several links (hook/uprobe.h).
 */
struct kt_probe {
	int program; /* a descriptor, or -1 */
	struct kt_links links;
	struct kt_prog_array_slot slot;
	uint64_t missed; /* kt_link_missed() of those detached */
};

#define KT_NO_PROBE ((struct kt_probe){.program = -1, .slot = {.table = -1}})

/* Processes in which points are probed; n is 0: all. */
struct kt_probed_processes {
	const pid_t *pids;
	size_t n;
};

/*
 * Loads the code and attaches it to the event's tracepoint, in about 0.5 ms, or to its point. The
 * code remains the caller's. Returns 0, or -errno with nothing to close. While programs are shown
 * (kt_program_show), only loads it.
 */
int kt_probe_attach(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		    struct kt_error *err);

/* The same; attaches to a point in the given processes only. */
int kt_probe_attach_in(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		       struct kt_probed_processes in, struct kt_error *err);

/* Kinds of a second program of a point. */
enum kt_companion {
	KT_COMPANION_ENTRY,     /* of the function; or like the first one */
	KT_COMPANION_SLEEPS,    /* the same, and it may sleep */
	KT_COMPANION_BOTH_ENDS, /* of a function of the kernel (kt_kernel_function_session_kind) */
};

/*
 * Loads the code of a second program, and attaches it. What is attached later runs first. The links
 * keep the program. Returns 0 or -errno, with no link.
 */
int kt_probe_attach_companion(struct kt_links *links, const struct kt_event *event,
			      enum kt_companion as, struct kt_asm *code,
			      struct kt_probed_processes in, struct kt_error *err);

/* Loads the program without attaching it. */
int kt_probe_load(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		  struct kt_error *err);

/*
 * The same through the dispatch, which loads equal programs once. Their maps must exist for as long
 * as new ones are added: programs are compared by the descriptors of their maps.
 */
int kt_probe_load_shared(struct kt_probe *p, struct kt_syscall_dispatch *calls,
			 const struct kt_event *event, struct kt_asm *code, struct kt_error *err);

/*
 * Puts the loaded program of a curated system call's event, which has that index in the session,
 * into its slot of the dispatch tables, which must outlive the probe. In pinned tables the program
 * does not run before kt_probe_pin(). Returns 0, or -errno with nothing to close.
 */
int kt_probe_place_call(struct kt_probe *p, struct kt_syscall_dispatch *calls,
			const struct kt_event *event, size_t index, struct kt_error *err);

/* Begins to load what kt_probe_load_shared() will load; takes the code. */
void kt_probe_expect_shared(struct kt_syscall_dispatch *calls, const struct kt_event *event,
			    struct kt_asm *code);

/*
 * Detaches the program. A "raw_tp" or "tp_btf" program may still be running on another CPU on
 * return; for a "tracepoint" program the kernel waits.
 */
void kt_probe_detach(struct kt_probe *p);

/*
 * The name of a probe's pins: SYSTEM:EVENT, or SYSTEM:EVENT:NUMBER. A point's event may have a name
 * that no pin can have: its index stands for it.
 */
struct kt_probe_name {
	const char *system, *event;
	unsigned int number; /* or 0 */
	bool has_point;
	size_t index;
};

/*
 * Pins program and link (or slot) in the subdirectories "program" and "link" of dir (hook/bpffs.h),
 * which it creates if necessary. The probe remains attached when it is closed. Returns 0, or
 * -errno, when one of the two may be pinned.
 */
int kt_probe_pin(struct kt_probe *p, struct kt_probe_name name, int dir, struct kt_error *err);

/*
 * Removes both pins. When no process has the link open any more, the kernel detaches the program,
 * from a function of its own after some ms: then it is added to later. Missing pins are not an
 * error. Returns 0 or -errno.
 */
int kt_probe_unpin(struct kt_probe_name name, int dir, struct kt_detached *later,
		   struct kt_error *err);

/* Returns whether both pins exist, and a slot holds its program. */
bool kt_probe_is_pinned(struct kt_probe_name name, int dir, struct kt_prog_array_tables *tables);

/*
 * Returns the hits that the kernel did not pass to the probe's program: those of
 * kt_program_missed() and of kt_link_missed(), and of links that were detached already.
 */
uint64_t kt_probe_missed(const struct kt_probe *p);

/* Returns those of a pinned probe; 0 if there is none. */
uint64_t kt_probe_pinned_missed(struct kt_probe_name name, int dir);

void kt_probe_close(struct kt_probe *p);

#endif
