/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event's fields as the kernel's own print format has them (trace/print/print_format.h):
 *
 *	kt_event_text_put(&text, &hit);		// prev_comm=swapper/1 ... ==> next_comm=bash ...
 *
 * Differs from ftrace in two ways: addresses (%p) are not hashed, and what would break the line is
 * escaped.
 */
#ifndef KT_VALUES_EVENT_TEXT_H
#define KT_VALUES_EVENT_TEXT_H

struct kt_hit;
struct kt_text;

/* The hit's event has a print format. */
void kt_event_text_put(struct kt_text *t, const struct kt_hit *hit);

#endif
