/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads events one after the other. The return of a system call gets the call's entry, which
 * describes the arguments: each entry's file is read once for both events.
 *
 *	struct kt_event_reader *r = kt_event_reader_new(tracefs, &err);
 *
 *	event = kt_event_reader_read(r, &name, &err);
 *	...
 *	kt_event_reader_free(r);	// the events remain valid
 *	kt_event_free(event);
 *
 * Reading an event takes about 0.1 ms, twice that for a return whose entry was not read before.
 */
#ifndef KT_EVENTS_EVENT_READER_H
#define KT_EVENTS_EVENT_READER_H

struct kt_error;
struct kt_event;
struct kt_event_name;
struct kt_event_reader;

/* tracefs must outlive the result. Returns NULL on error. */
struct kt_event_reader *kt_event_reader_new(int tracefs, struct kt_error *err);
void kt_event_reader_free(struct kt_event_reader *r);

/* Reads an event; the caller frees it. Returns NULL on error. */
struct kt_event *kt_event_reader_read(struct kt_event_reader *r, const struct kt_event_name *name,
				      struct kt_error *err);

/* Reads a single event in the same way. */
struct kt_event *kt_event_read(int tracefs, const struct kt_event_name *name, struct kt_error *err);

#endif
