/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry of a call that a thread was already in when its session started, as a hit, as far as
 * /proc reports it (session/unfinished_calls.h).
 *
 *	struct kt_unfinished_entry *o = kt_unfinished_entry_new(class, &call, time);
 *
 *	kt_syscall_lines_print(p, &text, kt_unfinished_entry_hit(o));
 *	kt_unfinished_entry_free(o);
 *
 * The hit has the call's arguments and the texts they point to, but no other pointed-to data.
 */
#ifndef KT_TRACE_READ_UNFINISHED_ENTRY_H
#define KT_TRACE_READ_UNFINISHED_ENTRY_H

#include <stdint.h>

struct kt_event_class;
struct kt_hit;
struct kt_unfinished_entry;
struct kt_unfinished_call;

/*
 * Creates an entry of the event `entry`, which must outlive it, at a time not after the first
 * record. Returns NULL without memory, or if the event has fields that cannot be known from /proc.
 */
struct kt_unfinished_entry *kt_unfinished_entry_new(const struct kt_event_class *entry,
						    const struct kt_unfinished_call *call,
						    uint64_t time);
void kt_unfinished_entry_free(struct kt_unfinished_entry *o);

/* Returns the hit, which remains o's. */
const struct kt_hit *kt_unfinished_entry_hit(const struct kt_unfinished_entry *o);

#endif
