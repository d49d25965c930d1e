/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs for system calls, each run at one call's entry or return, by its number: a table, and
 * one program at the tracepoint of all calls that looks there (doc/syscalls.md).
 *
 *	struct kt_syscall_dispatch *calls = kt_syscall_dispatch_new(tracefs, btf, &err);
 *
 *	kt_syscall_dispatch_place(calls, event, program, &seat, &err);	// from here on it runs
 *	...
 *	kt_prog_array_slot_leave(&seat);					// from here on not
 *	kt_syscall_dispatch_free(calls);
 *
 * or, of a flight (doc/flight.md), in the directory of its pins:
 *
 *	kt_syscall_dispatch_pin(calls, dir, &err);
 *	...
 *	struct kt_syscall_dispatch *calls = kt_syscall_dispatch_of(dir, tracefs, btf, &err);	//
 *in another process
 *
 *	kt_syscall_dispatch_place(calls, event, program, &seat, &err);
 *	kt_prog_array_slot_pin(&seat, program, name, dir, &err);	// from here on
 *it runs
 *
 * A call that has no program costs some 3 ns; to come to one costs some 15.
 */
#ifndef KT_HOOK_SYSCALL_DISPATCH_H
#define KT_HOOK_SYSCALL_DISPATCH_H

#include "events/syscall_names.h"
#include "handlers/syscall_dispatch_prog.h"
#include "hook/prog_array_slot.h"

struct kt_btf;
struct kt_syscall_dispatch;
struct kt_error;
struct kt_event;

/* Nothing is attached yet. tracefs and btf must outlive it. On lack of memory NULL. */
struct kt_syscall_dispatch *kt_syscall_dispatch_new(int tracefs, struct kt_btf *btf,
						    struct kt_error *err);

/*
 * Those of what is pinned in a directory, which outlives them, or will be by what is placed. On
 * lack of memory NULL.
 */
struct kt_syscall_dispatch *kt_syscall_dispatch_of(int dir, int tracefs, struct kt_btf *btf,
						   struct kt_error *err);

/*
 * Detaches all, which have left before, but for what is pinned. A program may still be running on
 * another CPU then.
 */
void kt_syscall_dispatch_free(struct kt_syscall_dispatch *calls);

/* The same, until a program is placed again. All have left before. */
void kt_syscall_dispatch_detach(struct kt_syscall_dispatch *calls);

/*
 * Of the threads whose call a filter chose (generate/syscall_filter_marks.h): made when it is first
 * asked for, but for what is pinned, which has it from the beginning, or -ENOENT; and the calls'
 * own. On error -errno.
 */
int kt_syscall_dispatch_chosen(struct kt_syscall_dispatch *calls, struct kt_error *err);

/*
 * Of who is in an exec (generate/task_state.h), made where there is none; and the calls' own. On
 * error -errno.
 */
int kt_syscall_dispatch_task_states(struct kt_syscall_dispatch *calls, struct kt_error *err);

/*
 * From here on entries of calls that no event is of are counted (handlers/syscall_dispatch_prog.h),
 * all or of followed processes: 32-bit ones, and the unnamed, which is right where every entry that
 * has a name is placed. Before the first is placed; not of what is pinned. 0 or -errno.
 */
int kt_syscall_dispatch_count_untraced(struct kt_syscall_dispatch *calls, int followed,
				       bool unnamed, struct kt_error *err);

/* The counts now; 0 where nothing is counted, or no entry was placed. */
struct kt_untraced kt_syscall_dispatch_untraced(const struct kt_syscall_dispatch *calls);

/*
 * Finds the seat of an event's program, one of a curated call's, which its call's number says, and
 * puts it there, but for calls of what is pinned, of which that is left to kt_prog_array_slot_pin;
 * and attaches what looks there, with the first event of its side, and with an exec's return what
 * looks at entries. Of what is pinned there are two such seats, so that a program can follow one
 * that runs. 0, or -errno: as hook/syscall_numbers.h; -EEXIST where others have them; -EOPNOTSUPP
 * for a return by what its entry was chosen by (events/filter.h), where no such program of that was
 * placed, which of what is pinned the caller knows.
 */
int kt_syscall_dispatch_place(struct kt_syscall_dispatch *calls, const struct kt_event *event,
			      int program, struct kt_prog_array_slot *seat, struct kt_error *err);

/*
 * Scratch memory (generate/pointed_data_copy.h) of the programs of one side, which must not outlive
 * it. Its descriptor remains the calls' own. On error -errno.
 */
int kt_syscall_dispatch_scratch(struct kt_syscall_dispatch *calls, enum kt_side side,
				struct kt_error *err);

/* Pins what there is of them (hook/bpffs.h). 0 or -errno. */
int kt_syscall_dispatch_pin(const struct kt_syscall_dispatch *calls, int dir, struct kt_error *err);

#endif
