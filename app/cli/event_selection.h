/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that a command is to work on.
 *
 *	struct event_option picks[] = {{.patterns = "sched:*", .filter = "cpu == 0"}, {}};
 *	struct event_selection c;
 *	int status = choose(&c, "record", picks);
 *
 *	for (i = next_choice(&c, 0); i < c.n; i = next_choice(&c, i + 1))
 *		work_on(read_choice(&c, i, &usual, &err));
 *	end_choice(&c);
 */
#ifndef KT_APP_CLI_EVENT_SELECTION_H
#define KT_APP_CLI_EVENT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event_names.h"

struct kt_btf;
struct kt_error;

/* What a person asks for at once. */
struct event_option {
	const char *patterns; /* joined by commas; behind a '!' where it excludes */
	const char *filter;   /* which hits of theirs (events/filter.h); NULL: all */
	bool is_trigger;      /* those freeze the rings (session/session.h), and are recorded too */
	bool is_rare; /* and are kept apart, as those are that are rare (events/rare_events.h) */
	bool is_exclusion; /* none of them is to be among the other picks', but of those that freeze
			    */
	bool may_be_missing; /* no error where a kernel lacks some of them, which is just said */
	bool *chosen;        /* choose's: of all names, which events these are */
};

/* Where nothing is asked for: what tells what a machine was doing; or all. */
extern const struct event_option default_events, every_event;

struct event_selection {
	int tracefs; /* open, or -1 */
	struct kt_btf *btf;
	struct kt_event_names *names;
	size_t n; /* names */
	struct event_option *event_options;
	bool has_rare; /* some of them are of the kept channel */
	bool paths;    /* of descriptors paths are wanted (events/event.h) */
};

/*
 * The events of the picks, up to one without patterns, which must outlive c. Says what is wrong
 * with a pattern, and goes on with the next; returns the worst exit status of all. To be ended in
 * any case.
 */
int event_selection_make(struct event_selection *c, const char *command,
			 struct event_option *event_options);
void event_selection_end(struct event_selection *c);

/*
 * The same of other names: chosen of each pick, for the caller to free in any case, says which of
 * them these are; of one that excludes, none.
 */
int event_selection_among(const struct kt_event_names *names, const char *command,
			  struct event_option *event_options);

/* Where no pick names any to be recorded, these are: what is excluded is then of them. */
void event_options_set_default(struct event_option *event_options,
			       const struct event_option *usual);

/* That they are, where this kernel's can be found. Returns the exit status, having said why not. */
int event_selection_add_paths(struct event_selection *c, const char *command);

/*
 * Takes those out of the picks that freeze which their filters do not fit, and says so of each: so
 * what is chosen for its own sake remains so. Reads each of their events.
 */
void event_selection_fit_triggers(struct event_selection *c, const char *command);

/*
 * Those that are rare are of the kept channel from here on, and those of picks that keep; where
 * there are no others none is.
 */
void event_selection_set_rare(struct event_selection *c);

/* The first one chosen from i on, or n. */
size_t event_selection_next(const struct event_selection *c, size_t i);

/*
 * The event, curated where it can be, with the filters of all picks that it is in: a hit counts
 * where one of them means it, and freezes where one of those does. The caller frees it. On error
 * NULL. Where it could not be curated the reason is in *usual, else its code is 0.
 */
struct kt_event *event_selection_read(const struct event_selection *c, size_t i,
				      struct kt_error *usual, struct kt_error *err);

/* Whether the entries of all system calls are. */
bool event_selection_has_all_calls(const struct event_selection *c);

/* How many are. */
size_t event_selection_count(const struct event_selection *c);

#endif
