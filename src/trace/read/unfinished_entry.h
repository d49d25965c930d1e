/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry of a call that a thread was in already when its session started, as a hit: as far as
 * /proc tells it (session/unfinished_calls.h).
 *
 *	struct kt_unfinished_entry *o = kt_unfinished_entry_new(class, &call, time);
 *
 *	kt_syscall_lines_print(p, &text, kt_unfinished_entry_hit(o));
 *	kt_unfinished_entry_free(o);
 *
 * It has the call's arguments and the texts they point to; of other data it has none, as if it
 * could not be read.
 */
#ifndef KT_TRACE_READ_UNFINISHED_ENTRY_H
#define KT_TRACE_READ_UNFINISHED_ENTRY_H

#include <stdint.h>

struct kt_event_class;
struct kt_hit;
struct kt_unfinished_entry;
struct kt_unfinished_call;

/*
 * Of that class, an entry's, which is to outlive it; at a time not after that of the first record.
 * NULL where there is no memory, or the class has fields that cannot be known from outside.
 */
struct kt_unfinished_entry *kt_unfinished_entry_new(const struct kt_event_class *entry,
						    const struct kt_unfinished_call *call,
						    uint64_t time);
void kt_unfinished_entry_free(struct kt_unfinished_entry *o);

/* It remains o's. */
const struct kt_hit *kt_unfinished_entry_hit(const struct kt_unfinished_entry *o);

#endif
