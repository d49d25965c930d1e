/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints an event's fields by the kernel's own print format (trace/print/print_format.h):
 *
 *	kt_event_text_put(&text, &hit);		// prev_comm=swapper/1 ... ==> next_comm=bash ...
 *
 * There are two differences to ftrace: addresses (%p) are not hashed, and characters that would
 * break the line are escaped.
 */
#ifndef KT_VALUES_RECORD_EVENT_TEXT_H
#define KT_VALUES_RECORD_EVENT_TEXT_H

struct kt_hit;
struct kt_text;

/* Prints the hit's fields; its event must have a print format. */
void kt_event_text_put(struct kt_text *t, const struct kt_hit *hit);

#endif
