/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes of records of many events, for readers of whole packets: as kt_event_record_size() and
 * kt_event_data_size(), from a table of the places of lengths.
 */
#ifndef KT_EVENTS_RECORD_SIZES_H
#define KT_EVENTS_RECORD_SIZES_H

#include <stddef.h>

struct kt_event;
struct kt_record_sizes;

/* Makes the table of n events, which it does not keep. The caller frees it. NULL: no memory. */
struct kt_record_sizes *kt_record_sizes_new(const struct kt_event *const *events, size_t n);

void kt_record_sizes_free(struct kt_record_sizes *sizes);

/*
 * Returns the size of a record of events[event] up to its last byte, of which `room` bytes can be
 * read. A size above room: the record is cut, or none.
 */
size_t kt_record_sizes_get(const struct kt_record_sizes *sizes, size_t event, const void *record,
			   size_t room);

#endif
