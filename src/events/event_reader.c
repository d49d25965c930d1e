// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/event_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "events/event.h"
#include "events/syscall_names.h"

struct kt_event_reader {
	int tracefs;
	struct kt_event **entries; /* in the order in which they were read */
	size_t n_entries;
	size_t next; /* after the entry that was found last */
};

struct kt_event_reader *kt_event_reader_new(int tracefs, struct kt_error *err)
{
	struct kt_event_reader *r = calloc(1, sizeof(*r));

	if (r)
		r->tracefs = tracefs;
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return r;
}

static void free_entries(struct kt_event_reader *r)
{
	while (r->n_entries)
		kt_event_free(r->entries[--r->n_entries]);
	free(r->entries);
}

void kt_event_reader_free(struct kt_event_reader *r)
{
	if (r)
		free_entries(r);
	free(r);
}

/* Keeps a copy of an entry for the call's return; without memory it is read again. */
static void keep_entry(struct kt_event_reader *r, const struct kt_event *entry)
{
	struct kt_event **entries = kt_grow(r->entries, r->n_entries, sizeof(*entries));

	if (!entries)
		return;
	r->entries = entries;
	entries[r->n_entries] = kt_event_copy(entry);
	r->n_entries += entries[r->n_entries] != NULL;
}

/* Returns are read in the order of the entries: the search begins after the entry found last. */
static const struct kt_event *find_entry(struct kt_event_reader *r, const char *name)
{
	const struct kt_event *entry;
	size_t i, at;

	for (i = 0; i < r->n_entries; i++) {
		at = (r->next + i) % r->n_entries;
		entry = r->entries[at];
		if (strcmp(entry->name, name) != 0)
			continue;
		r->next = at + 1;
		return entry;
	}
	return NULL;
}

/* Returns the entry of a call, or NULL: the return is then without it. */
static struct kt_event *read_entry(struct kt_event_reader *r, const char *system, const char *call)
{
	char name[KT_SYSCALL_NAME_MAX];
	const struct kt_event *entry;
	struct kt_error unknown;

	kt_syscall_name(call, KT_ENTER, name);
	entry = find_entry(r, name);
	return entry ? kt_event_copy(entry)
		     : kt_event_read_file(r->tracefs, &(struct kt_event_name){system, name},
					  &unknown);
}

struct kt_event *kt_event_reader_read(struct kt_event_reader *r, const struct kt_event_name *name,
				      struct kt_error *err)
{
	struct kt_event *event = kt_event_read_file(r->tracefs, name, err);
	const char *call;
	enum kt_side side;

	if (!event)
		return NULL;
	call = kt_syscall_of(event->system, event->name, &side);
	if (call && side == KT_ENTER)
		keep_entry(r, event);
	else if (call)
		event->call = read_entry(r, event->system, call);
	return event;
}

struct kt_event *kt_event_read(int tracefs, const struct kt_event_name *name, struct kt_error *err)
{
	struct kt_event_reader r = {.tracefs = tracefs};
	struct kt_event *event = kt_event_reader_read(&r, name, err);

	free_entries(&r);
	return event;
}
