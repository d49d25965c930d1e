// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/flight_control.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "events/event.h"
#include "events/filter.h"
#include "hook/bpffs.h"
#include "hook/probe.h"
#include "hook/rcu_wait.h"
#include "session/flight/flight_info.h"
#include "session/pid_filter.h"
#include "session/probes.h"
#include "session/tid_bitmap.h"

struct kt_flight_control {
	int dir;
	const struct kt_flight_info *about;
	struct kt_enable_word *gate;
	struct kt_pid_filter *focus;
	struct kt_switched *to; /* what they are to be, by event; of the gate, so maybe more */
	struct kt_opened to_be; /* the gate */
	bool has_focus;         /* the place that is to hold has the tasks that are to be there */
	char **filters;         /* that are to be, by event: NULL where they stay, "": none */
	uint16_t number;        /* of programs that are made until the commit; 0: none is yet */
};

/* To what they are. */
static void begin(struct kt_flight_control *s)
{
	size_t i;

	for (i = 0; i < kt_enable_word_events(s->gate); i++) {
		s->to[i] = kt_enable_word_switched(s->gate, i);
		free(s->filters[i]);
		s->filters[i] = NULL;
	}
	s->to_be = kt_enable_word_opened(s->gate);
	s->has_focus = false;
	s->number = 0;
}

static int read_gate(struct kt_flight_control *s, int fd, struct kt_error *err)
{
	s->gate = kt_enable_word_from(fd, s->about->n_events, err);
	if (!s->gate)
		return -err->code;
	s->to = calloc(kt_enable_word_events(s->gate), sizeof(*s->to));
	s->filters = calloc(kt_enable_word_events(s->gate), sizeof(*s->filters));
	if (!s->to || !s->filters)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	begin(s);
	return 0;
}

struct kt_flight_control *kt_flight_control_from(int dir, const struct kt_flight_info *about,
						 struct kt_error *err)
{
	struct kt_flight_control *s = calloc(1, sizeof(*s));
	int fd;

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->dir = dir;
	s->about = about;
	s->focus = kt_pid_filter_from(dir, err);
	fd = s->focus ? kt_bpffs_get(dir, "gate", err) : -err->code;
	if (fd >= 0 && read_gate(s, fd, err) == 0)
		return s;
	kt_flight_control_free(s);
	return NULL;
}

void kt_flight_control_free(struct kt_flight_control *s)
{
	struct kt_error ignored;
	size_t i;

	if (!s)
		return;
	if (s->number || s->has_focus)
		kt_flight_control_tidy(s, &ignored);
	for (i = 0; s->filters && i < kt_enable_word_events(s->gate); i++)
		free(s->filters[i]);
	kt_enable_word_free(s->gate);
	kt_pid_filter_free(s->focus);
	free(s->filters);
	free(s->to);
	free(s);
}

struct kt_switched kt_flight_control_at(const struct kt_flight_control *s, size_t event)
{
	return kt_enable_word_switched(s->gate, event);
}

struct kt_opened kt_flight_control_opened(const struct kt_flight_control *s)
{
	return kt_enable_word_opened(s->gate);
}

/* They are opened first, and are then as they were if they still hold. */
int kt_flight_control_focused(const struct kt_flight_control *s, struct kt_tid_bitmap *tids,
			      struct kt_error *err)
{
	bool second;
	int ret;

	do {
		*tids = (struct kt_tid_bitmap){0};
		second = kt_enable_word_is_second(s->gate);
		if (!kt_enable_word_opened(s->gate).is_focused)
			return 0;
		ret = kt_pid_filter_get(second, tids, s->dir, err);
		if (second == kt_enable_word_is_second(s->gate) &&
		    kt_enable_word_opened(s->gate).is_focused)
			return ret == -ENOENT ? kt_fail(err, EPROTO, "the focus is gone") : ret;
		if (ret == 0)
			kt_tid_bitmap_free(tids);
	} while (true);
}

int kt_flight_control_focus_fd(const struct kt_flight_control *s)
{
	return kt_pid_filter_fd(s->focus);
}

bool kt_flight_control_are_current(const struct kt_flight_control *s)
{
	return kt_flight_control_opened(s).about == s->about->number;
}

static struct kt_probe_name name_of(const struct kt_flight_control *s, size_t event,
				    uint16_t number)
{
	const struct kt_flight_info_event *e = &s->about->events[event];

	return (struct kt_probe_name){e->system, e->name, number};
}

/* 0: none. */
static uint64_t missed_by_program(const struct kt_flight_control *s, size_t event, uint16_t number)
{
	return number ? kt_probe_missed(name_of(s, event, number), s->dir) : 0;
}

/* What was switched off meanwhile may not be there any more. */
bool kt_flight_control_is_broken(const struct kt_flight_control *s, size_t event)
{
	uint16_t at, now = kt_flight_control_at(s, event).number;
	bool is_pinned;

	do {
		at = now;
		is_pinned = !at || kt_probe_is_pinned(name_of(s, event, at), s->dir);
		now = kt_flight_control_at(s, event).number;
	} while (now != at);
	return !is_pinned;
}

struct kt_time_span kt_flight_control_complete(const struct kt_flight_control *s, size_t event)
{
	return kt_flight_control_is_broken(s, event) ? (struct kt_time_span){0}
						     : kt_flight_control_at(s, event).complete;
}

/* Here, too. Where it is broken there may be less of it than was taken off. */
uint64_t kt_flight_control_missed(const struct kt_flight_control *s, size_t event)
{
	struct kt_switched at, now = kt_flight_control_at(s, event);
	uint64_t missed;

	do {
		at = now;
		missed = at.missed + missed_by_program(s, event, at.recorder);
		now = kt_flight_control_at(s, event);
	} while (now.recorder != at.recorder || now.missed != at.missed);
	return (int64_t)missed < 0 ? 0 : missed;
}

void kt_flight_control_disable(struct kt_flight_control *s, size_t event)
{
	s->to[event].number = 0;
}

void kt_flight_control_pause(struct kt_flight_control *s)
{
	s->to_be.is_open = false;
}

void kt_flight_control_resume(struct kt_flight_control *s)
{
	s->to_be.is_open = true;
}

int kt_flight_control_focus(struct kt_flight_control *s, const struct kt_tid_bitmap *tids,
			    struct kt_error *err)
{
	bool next = !kt_enable_word_is_second(s->gate);

	if (tids && kt_pid_filter_put(s->focus, next, tids, s->dir, err) < 0)
		return -err->code;
	s->to_be.is_focused = s->has_focus = tids;
	return 0;
}

/* On those that it is focused on already, where it is. */
static int keep_focus(struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_tid_bitmap tids;
	int ret;

	if (!s->to_be.is_focused || s->has_focus)
		return 0;
	ret = kt_flight_control_focused(s, &tids, err);
	if (ret == 0)
		ret = kt_flight_control_focus(s, &tids, err);
	kt_tid_bitmap_free(&tids);
	return ret;
}

/* Which records the returns of calls that this one chooses, or is to; n_events: none does. */
static size_t find_chosen(const struct kt_flight_control *s, size_t entry)
{
	size_t i = 0;

	while (i < s->about->n_events &&
	       (s->filters[i] || kt_flight_info_chooser(s->about, i) != entry))
		i++;
	return i;
}

/* Others are to be chosen by the same filter as long as one is. */
static int check_chosen(const struct kt_flight_control *s, size_t entry, struct kt_error *err)
{
	size_t i = find_chosen(s, entry);

	if (i == s->about->n_events)
		return 0;
	return kt_fail(
		err, EBUSY,
		"the filter of %s:%s chooses the calls whose returns %s records: that one is "
		"to have another filter first",
		s->about->events[entry].system, s->about->events[entry].name,
		s->about->events[i].name);
}

/* Nothing is chosen by what is disabled, and what it chose before is over. */
static int check_choosers(const struct kt_flight_control *s, struct kt_error *err)
{
	const struct kt_flight_info_event *events = s->about->events;
	size_t i, entry;

	for (i = 0; i < s->about->n_events; i++) {
		entry = s->to[i].number && !s->filters[i] ? kt_flight_info_chooser(s->about, i)
							  : s->about->n_events;
		if (entry == s->about->n_events || s->to[entry].number)
			continue;
		return kt_fail(err, EBUSY,
			       "%s:%s records the returns of what %s chooses: they are enabled and "
			       "disabled together",
			       events[i].system, events[i].name, events[entry].name);
	}
	return 0;
}

/* One that is recorded from now on. */
static bool begins(const struct kt_flight_control *s, size_t event)
{
	return s->to[event].number && !kt_flight_control_at(s, event).number;
}

/*
 * What an entry marked before it is recorded again is of another time; and where those of others
 * are forgotten with it, their returns are missing.
 */
static void forget_chosen(const struct kt_flight_control *s)
{
	size_t n = s->about->n_events, i = 0;

	while (i < n && !(s->about->events[i].calls && begins(s, i)))
		i++;
	if (i == n)
		return;
	kt_enable_word_forget_chosen(s->gate);
	for (i = 0; i < n; i++)
		if (s->to[i].number && kt_flight_info_chooser(s->about, i) < n)
			s->to[i].is_other = true;
}

/* That of what is made until the commit. */
static uint16_t take_number(struct kt_flight_control *s)
{
	if (!s->number)
		s->number = kt_enable_word_next_number(s->gate);
	return s->number;
}

/* Attached and pinned, where the event is to be recorded by it; else it is only seen that it can.
 */
static int try(struct kt_flight_control *s, struct kt_switch as, struct kt_probes *probes,
	       struct kt_event *event, struct kt_error *refused, struct kt_error *err)
{
	bool records = s->to[as.event].number;
	struct kt_probe probe;
	int ret = (records ? kt_probes_attach : kt_probes_load)(probes, as, event, &probe, refused,
								err);

	if (ret == 0) {
		if (kt_event_has_added(event) != s->about->events[as.event].extra)
			ret = kt_fail(err, EOPNOTSUPP,
				      "its records would have other fields than when the session "
				      "was started");
		else if (records)
			ret = kt_probe_pin(&probe, name_of(s, as.event, as.number), s->dir, err);
		kt_probe_close(&probe);
	}
	return ret < 0 ? kt_fail_because(err, "cannot record %s:%s", event->system, event->name)
		       : 0;
}

int kt_flight_control_enable(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			     struct kt_event *as, struct kt_error *refused, struct kt_error *err)
{
	struct kt_switch new = {.event = event, .number = take_number(s)};
	uint16_t before = s->to[event].number;

	s->to[event].number = new.number;
	if (try(s, new, probes, as, refused, err) == 0)
		return 0;
	s->to[event].number = before;
	return -err->code;
}

int kt_flight_control_filter(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			     struct kt_event *as, struct kt_error *refused, struct kt_error *err)
{
	struct kt_switch new = {.event = event, .number = take_number(s), .succeeds = true};
	char *filter;

	if (check_chosen(s, event, err) < 0)
		return -err->code;
	filter = strdup(as->filter ? as->filter->written : "");
	if (!filter)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (try(s, new, probes, as, refused, err) < 0) {
		free(filter);
		return -err->code;
	}
	if (s->to[event].number)
		s->to[event].number = new.number;
	s->to[event].is_other = true;
	free(s->filters[event]);
	s->filters[event] = filter;
	s->to_be.about = new.number;
	return 0;
}

/* What was kept back of the one that records then is not of the time before. */
static void note_missed(struct kt_flight_control *s, size_t event)
{
	struct kt_switched *to = &s->to[event];

	to->recorder = s->to_be.is_open ? to->number : 0;
	if (to->recorder != kt_flight_control_at(s, event).recorder)
		to->missed = kt_flight_control_missed(s, event) -
			     missed_by_program(s, event, to->recorder);
}

/* Of one that another one recorded before. */
static bool is_recorded_otherwise(const struct kt_flight_control *s, size_t event)
{
	uint16_t before = kt_enable_word_before(s->gate, event).recorder;

	return before && before != s->to[event].recorder;
}

/* What was kept back until just now: the figure that was noted is of a moment before. */
static void read_missed(struct kt_flight_control *s, size_t event)
{
	struct kt_switched before = kt_enable_word_before(s->gate, event);

	if (is_recorded_otherwise(s, event))
		s->to[event].missed = before.missed + missed_by_program(s, event, before.recorder);
}

/* Less what was so of the next one, which has not recorded until now. */
static void correct_missed(const struct kt_flight_control *s, size_t event)
{
	const struct kt_switched *to = &s->to[event];

	if (is_recorded_otherwise(s, event))
		kt_enable_word_note_missed(s->gate, event,
					   to->missed - missed_by_program(s, event, to->recorder));
}

/* Once the programs are done that recorded before. */
static int settle(const struct kt_flight_control *s, struct kt_error *err)
{
	if (!kt_enable_word_hands_over(s->gate))
		return 0;
	if (kt_rcu_wait(err) < 0)
		return -err->code;
	kt_enable_word_settle_handover(s->gate);
	return 0;
}

/* With the filters that are to be, where that is so. */
static int pin_about(const struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_flight_info about = *s->about;
	struct kt_flight_info_event *events;
	size_t i;
	int ret;

	if (s->to_be.about == kt_flight_control_opened(s).about)
		return 0;
	events = calloc(about.n_events, sizeof(*events));
	if (!events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < about.n_events; i++) {
		events[i] = about.events[i];
		if (s->filters[i]) {
			events[i].filter = *s->filters[i] ? s->filters[i] : NULL;
			events[i].calls = events[i].others = NULL;
		}
	}
	about.number = s->to_be.about;
	about.events = events;
	ret = kt_flight_info_pin(&about, s->dir, err);
	free(events);
	return ret;
}

int kt_flight_control_commit(struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_error later;
	size_t i;

	if (check_choosers(s, err) < 0 || keep_focus(s, err) < 0 || pin_about(s, err) < 0)
		return -err->code;
	for (i = 0; i < s->about->n_events; i++) {
		s->to[i].is_other |= kt_flight_control_is_broken(s, i);
		note_missed(s, i);
	}
	forget_chosen(s);
	kt_enable_word_switch(s->gate, s->to, s->to_be, kt_clock_now());
	for (i = 0; i < s->about->n_events; i++)
		read_missed(s, i);
	settle(s, &later); /* where that fails it is tried once more */
	for (i = 0; i < s->about->n_events; i++)
		correct_missed(s, i);
	begin(s);
	return kt_flight_control_tidy(s, err);
}

static int detach(const struct kt_flight_control *s, struct kt_probe_name name,
		  struct kt_error *err)
{
	if (!name.number || kt_probe_unpin(name, s->dir, err) == 0)
		return 0;
	return kt_fail_because(err, "%s:%s remains attached", name.system, name.event);
}

/* Of tasks that it is not focused on. */
static int tidy_focus(const struct kt_flight_control *s, struct kt_error *err)
{
	bool second = kt_enable_word_is_second(s->gate);

	if (kt_pid_filter_drop(s->focus, !second, s->dir, err) < 0 ||
	    (!kt_enable_word_opened(s->gate).is_focused &&
	     kt_pid_filter_drop(s->focus, second, s->dir, err) < 0))
		return -err->code;
	return 0;
}

/* Who was killed has left the one that recorded before, or one that was to do so now. */
int kt_flight_control_tidy(struct kt_flight_control *s, struct kt_error *err)
{
	uint16_t at, left[2];
	size_t i, j;

	if (settle(s, err) < 0)
		return -err->code;
	left[1] = kt_enable_word_last_number(s->gate);
	for (i = 0; i < s->about->n_events; i++) {
		at = kt_flight_control_at(s, i).number;
		left[0] = kt_enable_word_before(s->gate, i).number;
		for (j = 0; j < 2; j++)
			if (left[j] != at && detach(s, name_of(s, i, left[j]), err) < 0)
				return -err->code;
	}
	return tidy_focus(s, err);
}
