/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dispatch of system calls: programs for the entry or return of single calls. One dispatcher at the
 * tracepoint of all calls runs the program in the call's slot of a table (doc/syscalls.md).
 *
 *	struct kt_syscall_dispatch *d = kt_syscall_dispatch_new(tracefs, btf, &err);
 *
 *	kt_syscall_dispatch_place(d, event, 0, program, &slot, &err);	// runs from here on
 *	...
 *	kt_prog_array_slot_leave(&slot);				// no longer runs
 *	kt_syscall_dispatch_free(d);
 *
 * or, for a flight recorder (doc/flight.md), in the directory of its pins:
 *
 *	kt_syscall_dispatch_pin(d, dir, &err);
 *	...
 *	// in another process
 *	d = kt_syscall_dispatch_open(dir, tracefs, btf, &err);
 *	kt_syscall_dispatch_place(d, event, 0, program, &slot, &err);
 *	kt_prog_array_slot_pin(&slot, program, name, dir, &err);	// runs from here on
 *
 * A call without a program costs about 3 ns, running one about 15.
 */
#ifndef KT_HOOK_SYSCALL_DISPATCH_H
#define KT_HOOK_SYSCALL_DISPATCH_H

#include "events/syscall_names.h"
#include "handlers/syscall_dispatch_prog.h"
#include "hook/prog_array_slot.h"
#include "hook/program.h"

struct kt_asm;
struct kt_btf;
struct kt_syscall_dispatch;
struct kt_error;
struct kt_event;

/* Returns an object with nothing attached; tracefs and btf must outlive it. NULL without memory. */
struct kt_syscall_dispatch *kt_syscall_dispatch_new(int tracefs, struct kt_btf *btf,
						    struct kt_error *err);

/*
 * Opens the dispatch tables pinned in dir, which must stay open while the result is used. Creates
 * and pins a missing table on first use. Returns NULL without memory.
 */
struct kt_syscall_dispatch *kt_syscall_dispatch_open(int dir, int tracefs, struct kt_btf *btf,
						     struct kt_error *err);

/*
 * Detaches everything that is not pinned; all slots must be left before. A program may still be
 * running on another CPU on return.
 */
void kt_syscall_dispatch_free(struct kt_syscall_dispatch *calls);

/* Detaches the dispatchers until a program is placed again. All slots must be left before. */
void kt_syscall_dispatch_detach(struct kt_syscall_dispatch *calls);

/*
 * Returns the map of marked calls (generate/syscall_filter_marks.h), which remains the dispatch's;
 * it is created on first use. A pinned one exists from the start: -ENOENT if it is missing. Returns
 * -errno on error.
 */
int kt_syscall_dispatch_marks(struct kt_syscall_dispatch *calls, struct kt_error *err);

/*
 * Returns the map of task states (generate/task_state.h), which remains the dispatch's; it is
 * created on first use. Returns -errno on error.
 */
int kt_syscall_dispatch_task_states(struct kt_syscall_dispatch *calls, struct kt_error *err);

/*
 * Counts entries of calls without an event from here on (handlers/syscall_dispatch_prog.h), of all
 * processes or of followed ones: 32-bit calls, and unnamed ones if every named entry has a program.
 * Must be called before the first program is placed; not for pinned tables. Returns 0 or -errno.
 */
int kt_syscall_dispatch_count_untraced(struct kt_syscall_dispatch *calls, int followed,
				       bool unnamed, struct kt_error *err);

/*
 * Ignores calls of a process, by its number in the initial PID namespace (hook/ask/own_tgid.h).
 * Must be called before the first program is placed; not for pinned tables.
 */
void kt_syscall_dispatch_exclude(struct kt_syscall_dispatch *calls, uint32_t tgid);

/*
 * Returns how many calls the kernel missed, entries and returns, since the dispatchers exist
 * (kt_program_missed): since Linux 7.2, where another task can run on a CPU while a dispatcher's
 * task waits there. Which calls they were is not known.
 */
uint64_t kt_syscall_dispatch_missed(const struct kt_syscall_dispatch *calls);

/* Returns the counts; 0 if nothing is counted, or no entry has a program. */
struct kt_untraced kt_syscall_dispatch_untraced(const struct kt_syscall_dispatch *calls);

/*
 * Returns the map of event indices of one side (generate/event_index.h), which is created on first
 * use, for programs that events share. Not for pinned tables, whose programs have one event each.
 * Returns -errno on error.
 */
int kt_syscall_dispatch_indices(struct kt_syscall_dispatch *calls, enum kt_side side,
				struct kt_error *err);
bool kt_syscall_dispatch_shares(const struct kt_syscall_dispatch *calls);

/*
 * Load a program, and begin to load one whose code the dispatch takes (hook/program_cache.h). The
 * first returns a descriptor that the caller closes, or -errno.
 */
int kt_syscall_dispatch_load(struct kt_syscall_dispatch *calls, struct kt_program_kind kind,
			     const char *event, struct kt_asm *code, struct kt_error *err);
void kt_syscall_dispatch_expect(struct kt_syscall_dispatch *calls, struct kt_program_kind kind,
				const char *event, struct kt_asm *code);

/* Frees what is only needed for loading; it is made again if necessary. */
void kt_syscall_dispatch_end_loading(struct kt_syscall_dispatch *calls);

/*
 * Puts the program of a curated call's event, which has that index in the session, into the slot of
 * the call's number. In pinned tables
 * that is left to kt_prog_array_slot_pin(). Attaches the dispatcher with the first event of its
 * side, and with the return of an exec the one for entries, too. Pinned tables have two slots per
 * event, so that a program can succeed a running one. Returns 0 or -errno: as
 * hook/syscall_numbers.h; -EEXIST if the slots are taken; -EOPNOTSUPP for a return whose filter
 * tests a mark (events/filter.h) that no entry sets, which for pinned tables the caller must check.
 */
int kt_syscall_dispatch_place(struct kt_syscall_dispatch *calls, const struct kt_event *event,
			      size_t index, int program, struct kt_prog_array_slot *slot,
			      struct kt_error *err);

/*
 * Returns the map of scratch memory (generate/pointed_data_copy.h) for the programs of one side,
 * which must not outlive the dispatch. Returns -errno on error.
 */
int kt_syscall_dispatch_scratch(struct kt_syscall_dispatch *calls, enum kt_side side,
				struct kt_error *err);

/* Pins the tables, dispatchers and maps (hook/bpffs.h). Returns 0 or -errno. */
int kt_syscall_dispatch_pin(const struct kt_syscall_dispatch *calls, int dir, struct kt_error *err);

#endif
