/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls: which return belongs to which entry (doc/syscalls.md).
 *
 *	struct kt_syscall_pairs *p = kt_syscall_pairs_new(schema);
 *	struct kt_call call;
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		if (kt_syscall_pairs_add(p, &hit, &call) == KT_CALL_RETURNED && call.entry)
 *			printf("%s took %" PRIu64 "\n", call.kind->name,
 *			       hit.time - call.entry->time);
 *	kt_syscall_pairs_free(p);
 *
 * Holds a copy of the last entry of each task; takes some 50 ns a hit.
 */
#ifndef KT_VIEW_SYSCALL_PAIRS_H
#define KT_VIEW_SYSCALL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "events/syscall_names.h"

struct kt_syscall_pairs;
struct kt_event_class;
struct kt_hit;
struct kt_metadata;

/* A call of which the trace has both events. */
struct kt_call_kind {
	const char *name; /* as programs call it: "stat" */
	const struct kt_event_class *events[KT_SIDES];
	bool returns; /* not exit, nor those that go back from a signal's handler */
	bool ends;    /* the task: exit */
	size_t ret;   /* the exit's member that has what was returned */
	const struct kt_member
		*entry_tid; /* the exit's: the thread's number at the entry; or NULL */
	size_t *given; /* by the entry's members: the exit's with what the call gives there, or 0 */
	size_t *late;  /* likewise, with text that was not in memory at the entry */
	size_t n_entered; /* of the entry's, those before the first of these */
};

struct kt_call {
	const struct kt_call_kind *kind;
	const struct kt_hit *entry; /* NULL: not known; valid until the task's next call */
};

enum kt_call_step { KT_CALL_NONE, KT_CALL_ENTERED, KT_CALL_RETURNED };

/* Of a trace that has that schema, which is to outlive it. Where there is no memory NULL. */
struct kt_syscall_pairs *kt_syscall_pairs_new(const struct kt_metadata *metadata);
void kt_syscall_pairs_free(struct kt_syscall_pairs *p);

/* A return of a call: with an error. */
bool kt_call_failed(const struct kt_hit *exit, size_t ret);

/*
 * From hit to hit, in the order of time. A return has its entry unless hits may be missing between
 * them: then a call is the one's that is not the other's. Hits of a time of which not all hits of
 * both events are known to be there are of no call: those that a filter of the one and one of the
 * other left out, that came while either was disabled, or that are early. Or -ENOMEM.
 */
int kt_syscall_pairs_add(struct kt_syscall_pairs *p, const struct kt_hit *hit,
			 struct kt_call *call);

/*
 * The calls that have not returned by now, in the order of their entries; not those whose returns
 * may be missing. How many, with an array to be freed, or -ENOMEM.
 */
ssize_t kt_syscall_pairs_open(const struct kt_syscall_pairs *p, struct kt_call **calls);

#endif
