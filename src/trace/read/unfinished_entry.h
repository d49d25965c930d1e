/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry of a call that a thread was in already when its session started, as a hit: as far as
 * /proc tells it (session/unfinished_calls.h).
 *
 *	struct kt_older *o = kt_older_new(class, &call, time);
 *
 *	kt_paired_print(p, &text, kt_older_hit(o));
 *	kt_older_free(o);
 *
 * It has the call's arguments and the texts they point to; of other data it has none, as if it
 * could not be read.
 */
#ifndef KT_TRACE_READ_UNFINISHED_ENTRY_H
#define KT_TRACE_READ_UNFINISHED_ENTRY_H

#include <stdint.h>

struct kt_event_class;
struct kt_hit;
struct kt_older;
struct kt_ongoing_call;

/*
 * Of that class, an entry's, which is to outlive it; at a time not after that of the first record.
 * NULL where there is no memory, or the class has fields that cannot be known from outside.
 */
struct kt_older *kt_older_new(const struct kt_event_class *entry,
			      const struct kt_ongoing_call *call, uint64_t time);
void kt_older_free(struct kt_older *o);

/* It remains o's. */
const struct kt_hit *kt_older_hit(const struct kt_older *o);

#endif
