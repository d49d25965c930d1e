/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that a command works on, selected by its options.
 *
 *	struct event_option options[] = {{.patterns = "sched:*", .filter = "cpu == 0"}, {}};
 *	struct event_selection c;
 *	int status = event_selection_make(&c, "record", options);
 *
 *	for (i = event_selection_next(&c, 0); i < c.n; i = event_selection_next(&c, i + 1))
 *		work_on(event_selection_read(&c, i, &usual, &err));
 *	event_selection_end(&c);
 */
#ifndef KT_APP_CLI_EVENT_SELECTION_H
#define KT_APP_CLI_EVENT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event_names.h"
#include "filter/point_matches.h"

struct kt_btf;
struct kt_error;
struct kt_event_reader;

/* An option that selects events, with the options that apply to it. */
struct event_option {
	const char *patterns; /* separated by commas; after a '!' if it is an exclusion */
	const char *filter;   /* filter (events/filter.h); NULL: all hits */
	bool is_trigger;   /* these hits freeze the rings (session/session.h), and are recorded, too
			    */
	bool is_rare;      /* records go to the rare-event buffer, as those of rare events do
			      (events/rare_events.h) */
	bool is_exclusion; /* other options do not select these events, except as triggers */
	unsigned int stacks; /* stacks that are recorded (bpf/callstacks.h); of the last one,
				without patterns: of options to come */
	bool no_data;        /* system calls are recorded without the data they read and write */
	bool may_be_missing; /* an event that the kernel lacks is no error, but reported */
	bool has_optional;   /* the same for each pattern after a '?' */
	bool *selected; /* set by event_selection_make(): by name, whether the event is selected */
	struct {
		bool are_added; /* among the names; set by event_selection_make() */
		struct kt_point_matches matches;
	} points;
};

/* Options for a command without any: what shows how a machine was doing; or all events. */
extern const struct event_option default_events, every_event;

struct event_selection {
	int tracefs; /* open; or -1 */
	struct kt_btf *btf;
	struct kt_event_reader *reader;
	struct kt_event_names *names;
	size_t n; /* number of names */
	struct event_option *event_options;
	bool has_rare; /* some events go to the rare-event buffer */
	bool paths;    /* record paths of descriptors (events/event.h) */
};

/*
 * Selects the events of the options, up to one without patterns; they must outlive c. Reports a
 * wrong pattern, and continues with the next one. Returns the worst exit status;
 * event_selection_end() must be called in any case.
 */
int event_selection_make(struct event_selection *c, const char *command,
			 struct event_option *event_options);
void event_selection_end(struct event_selection *c);

/*
 * Selects among other names: sets `selected` of each option but exclusions, to be freed by the
 * caller in any case.
 */
int event_selection_among(struct kt_event_names *names, const char *command,
			  struct event_option *event_options);

/* Adds a default if no option selects events to record; exclusions then apply to the default. */
void event_options_set_default(struct event_option *event_options,
			       const struct event_option *usual);

/*
 * Records paths of descriptors, if the kernel's structs are known. Returns the exit status; errors
 * are reported.
 */
int event_selection_add_paths(struct event_selection *c, const char *command);

/*
 * Removes events from triggers whose filters do not fit them, and reports each one; events selected
 * by other options remain. Reads each event.
 */
void event_selection_fit_triggers(struct event_selection *c, const char *command);

/* Assigns rare events, and events of rare options, to the rare-event buffer, unless all are. */
void event_selection_set_rare(struct event_selection *c);

/* Returns the first selected event from i on, or n. */
size_t event_selection_next(const struct event_selection *c, size_t i);

/*
 * Returns the event, curated if possible, with the filters of all options that select it: a hit is
 * recorded if any of them matches, and freezes if any trigger matches. The caller frees it. If it
 * could not be curated, *usual has the reason, else code 0. Returns NULL on error.
 */
struct kt_event *event_selection_read(const struct event_selection *c, size_t i,
				      struct kt_error *usual, struct kt_error *err);

/* Returns the stacks that any of the events has. */
unsigned int event_selection_stacks(const struct event_selection *c);

/* Returns whether the entries of all system calls are selected. */
bool event_selection_has_all_calls(const struct event_selection *c);

/* Returns how many events are selected. */
size_t event_selection_count(const struct event_selection *c);

#endif
