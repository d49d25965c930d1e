/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the entry of each return of a system call (doc/syscalls.md).
 *
 *	struct kt_syscall_pairs *p = kt_syscall_pairs_new(metadata);
 *	struct kt_call call;
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		if (kt_syscall_pairs_add(p, &hit, &call) == KT_CALL_RETURNED && call.entry)
 *			printf("%s took %" PRIu64 "\n", call.kind->name,
 *			       hit.time - call.entry->time);
 *	kt_syscall_pairs_free(p);
 *
 * Holds a copy of each task's last entry; takes some 50 ns per hit.
 */
#ifndef KT_TRACE_READ_SYSCALL_PAIRS_H
#define KT_TRACE_READ_SYSCALL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "events/syscall_names.h"
#include "trace/print_forms.h"

struct kt_syscall_pairs;
struct kt_event_class;
struct kt_hit;
struct kt_metadata;

/* A call with both events in the trace. */
struct kt_call_kind {
	const char *name; /* programs' name: "stat" */
	const struct kt_event_class *events[KT_SIDES];
	bool returns;             /* not exit, and not a return from a signal handler */
	bool ends;                /* it ends the task: exit */
	bool is_chosen_by_return; /* entries of all calls are there, returns of chosen ones */
	bool forks;               /* a new task returns from it, too, without having entered it */
	enum kt_call_form form;
	size_t ret; /* index of the exit's member with the return value */
	const struct kt_member *
		entry_tid; /* the exit's member with the thread's number at the entry; NULL: none */
	size_t *given; /* by member of the entry: the exit's member with what the call wrote there;
			  0: none */
	size_t *late;  /* the same for text that was not in memory at the entry */
	size_t *counted;  /* the same for the number of entries that it wrote */
	size_t n_entered; /* number of the entry's members before the first of these; if it answers,
			     all */
};

struct kt_call {
	const struct kt_call_kind *kind;
	const struct kt_hit *entry; /* NULL: unknown; valid until the task's next call */
	int *mark; /* with an entry: the caller's, 0 at first, kept until the return */
};

enum kt_call_step { KT_CALL_NONE, KT_CALL_ENTERED, KT_CALL_RETURNED };

/* Creates it for a trace with that metadata, which must outlive it. Returns NULL without memory. */
struct kt_syscall_pairs *kt_syscall_pairs_new(const struct kt_metadata *metadata);
void kt_syscall_pairs_free(struct kt_syscall_pairs *p);

/* Returns the call of an event, by its index in the metadata; NULL if it is of no call. */
const struct kt_call_kind *kt_syscall_pairs_kind(const struct kt_syscall_pairs *p, size_t event);

/* Returns the call of a hit; NULL if it is of no call. */
const struct kt_call_kind *kt_syscall_pairs_kind_of(const struct kt_syscall_pairs *p,
						    const struct kt_hit *hit);

/* Returns whether a return reports an error. */
bool kt_syscall_pairs_failed(const struct kt_hit *exit, size_t ret);

/* Returns whether a return without an entry is that of a new task from the call that made it. */
bool kt_syscall_pairs_is_of_child(const struct kt_call_kind *kind, const struct kt_hit *exit);

/*
 * Adds the next hit in the order of time. A return gets its entry unless hits may be missing
 * between them. Hits at times when hits of either event may be missing get no call: filters of the
 * two events differ, one of them was disabled, or the hits are early. Returns the step, or -ENOMEM.
 */
int kt_syscall_pairs_add(struct kt_syscall_pairs *p, const struct kt_hit *hit,
			 struct kt_call *call);

/*
 * Lists the calls that have not returned by now, in the order of their entries, without those whose
 * returns may be missing or were not chosen. Returns their number and an array to be freed; or
 * -ENOMEM.
 */
ssize_t kt_syscall_pairs_open(const struct kt_syscall_pairs *p, struct kt_call **calls);

#endif
