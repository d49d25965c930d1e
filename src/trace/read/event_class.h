/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the names in an event's metadata mean: fields, arguments of calls, ids of stacks. */
#ifndef KT_TRACE_READ_EVENT_CLASS_H
#define KT_TRACE_READ_EVENT_CLASS_H

struct kt_event_class;
struct kt_metadata;
struct kt_record_layout;

/*
 * Completes a class that has its names and fields, and what is between a record's headers and its
 * fields: the context, of fixed size, which is not needed any more. It refers to the metadata.
 */
void kt_event_class_complete(struct kt_event_class *e, const struct kt_record_layout *context,
			     const struct kt_metadata *metadata);

#endif
