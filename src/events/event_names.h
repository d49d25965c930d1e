/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of events: of every tracepoint of a kernel, sorted by system, then by event, each once;
 * or of some.
 *
 *	struct kt_event_names *names = kt_event_names_read(tracefs, &err);
 *
 *	for (i = 0; i < kt_event_names_count(names); i++)
 *		printf("%s:%s\n", kt_event_names_at(names, i)->system, kt_event_names_at(names,
 *i)->event); kt_event_names_free(names);
 *
 * Source: available_events in tracefs. Reading some 2000 names takes about a millisecond.
 */
#ifndef KT_EVENTS_EVENT_NAMES_H
#define KT_EVENTS_EVENT_NAMES_H

#include <stddef.h>

struct kt_error;
struct kt_event_names;

struct kt_event_name {
	const char *system;
	const char *event;
};

/*
 * Those, in their order, which must outlive what is returned. Of each other one somebody might type
 * it is said that there is none there (" in session 'flight'"), and that this command lists the
 * ones that there are; both outlive it too. On error NULL.
 */
struct kt_event_names *kt_event_names_of(const struct kt_event_name *names, size_t n,
					 const char *there, const char *lister,
					 struct kt_error *err);

/* tracefs: a directory, open at its root. The caller frees what is returned. On error NULL. */
struct kt_event_names *kt_event_names_read(int tracefs, struct kt_error *err);
void kt_event_names_free(struct kt_event_names *names);

/* Where they are: "" if these are the kernel's. The command that lists them. */
const char *kt_event_names_there(const struct kt_event_names *names);
const char *kt_event_names_lister(const struct kt_event_names *names);

size_t kt_event_names_count(const struct kt_event_names *names);

/* i below the count; lives as long as the names do. */
const struct kt_event_name *kt_event_names_at(const struct kt_event_names *names, size_t i);

#endif
