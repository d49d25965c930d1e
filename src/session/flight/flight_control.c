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
#include "hook/ask/rcu_wait.h"
#include "hook/bpffs.h"
#include "hook/probe.h"
#include "session/flight/flight_info.h"
#include "session/pid_filter.h"
#include "session/probes.h"
#include "session/tid_bitmap.h"

struct kt_flight_control {
	int dir;
	const struct kt_flight_info *info;
	struct kt_enable_word *enable;
	struct kt_pid_filter *pids;
	struct kt_prog_array_tables *tables; /* opened to see whether events are broken */
	struct kt_event_state
		*to; /* next state by event; the enable word's size, which may be larger */
	struct kt_enable_state to_be; /* next state of the recording */
	bool has_pids_ready; /* the slot of the PID filter that becomes valid has its tasks */
	char **filters;      /* next filters by event: NULL: unchanged, "": none */
	uint16_t number;     /* of programs made before the commit; 0: none yet */
};

/* Starts with the present state. */
static void start_changes(struct kt_flight_control *s)
{
	size_t i;

	for (i = 0; i < kt_enable_word_events(s->enable); i++) {
		s->to[i] = kt_enable_word_event(s->enable, i);
		free(s->filters[i]);
		s->filters[i] = NULL;
	}
	s->to_be = kt_enable_word_state(s->enable);
	s->has_pids_ready = false;
	s->number = 0;
}

static int read_state(struct kt_flight_control *s, int fd, struct kt_error *err)
{
	s->enable = kt_enable_word_from(fd, s->info->n_events, err);
	if (!s->enable)
		return -err->code;
	s->tables = calloc(1, sizeof(*s->tables));
	s->to = calloc(kt_enable_word_events(s->enable), sizeof(*s->to));
	s->filters = calloc(kt_enable_word_events(s->enable), sizeof(*s->filters));
	if (!s->tables || !s->to || !s->filters)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	start_changes(s);
	return 0;
}

struct kt_flight_control *kt_flight_control_from(int dir, const struct kt_flight_info *info,
						 struct kt_error *err)
{
	struct kt_flight_control *s = calloc(1, sizeof(*s));
	int fd;

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->dir = dir;
	s->info = info;
	s->pids = kt_pid_filter_from(dir, err);
	fd = s->pids ? kt_bpffs_get(dir, "enable", err) : -err->code;
	if (fd >= 0 && read_state(s, fd, err) == 0)
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
	if (s->number || s->has_pids_ready)
		kt_flight_control_remove_leftovers(s, &ignored);
	for (i = 0; s->filters && i < kt_enable_word_events(s->enable); i++)
		free(s->filters[i]);
	if (s->tables)
		kt_prog_array_tables_close(s->tables);
	free(s->tables);
	kt_enable_word_free(s->enable);
	kt_pid_filter_free(s->pids);
	free(s->filters);
	free(s->to);
	free(s);
}

struct kt_event_state kt_flight_control_event(const struct kt_flight_control *s, size_t event)
{
	return kt_enable_word_event(s->enable, event);
}

struct kt_enable_state kt_flight_control_state(const struct kt_flight_control *s)
{
	return kt_enable_word_state(s->enable);
}

/* The set is opened first; it is the right one if the word still selects it. */
int kt_flight_control_pid_filter(const struct kt_flight_control *s, struct kt_tid_bitmap *tids,
				 struct kt_error *err)
{
	bool second;
	int ret;

	do {
		*tids = (struct kt_tid_bitmap){0};
		second = kt_enable_word_is_second(s->enable);
		if (!kt_enable_word_state(s->enable).has_pid_filter)
			return 0;
		ret = kt_pid_filter_get(second, tids, s->dir, err);
		if (second == kt_enable_word_is_second(s->enable) &&
		    kt_enable_word_state(s->enable).has_pid_filter)
			return ret == -ENOENT ? kt_fail(err, EPROTO, "the PID filter is missing")
					      : ret;
		if (ret == 0)
			kt_tid_bitmap_free(tids);
	} while (true);
}

int kt_flight_control_pid_filter_fd(const struct kt_flight_control *s)
{
	return kt_pid_filter_fd(s->pids);
}

bool kt_flight_control_is_current(const struct kt_flight_control *s)
{
	return kt_flight_control_state(s).info == s->info->number;
}

static struct kt_probe_name get_pin_name(const struct kt_flight_control *s, size_t event,
					 uint16_t number)
{
	const struct kt_flight_info_event *e = &s->info->events[event];

	return (struct kt_probe_name){
		.system = e->system,
		.event = e->name,
		.number = number,
		.has_point = e->point,
		.index = event,
	};
}

/* Returns 0 if there is no such program. */
static uint64_t read_program_missed(const struct kt_flight_control *s, size_t event,
				    uint16_t number)
{
	return number ? kt_probe_pinned_missed(get_pin_name(s, event, number), s->dir) : 0;
}

/* What was disabled meanwhile may have gone. */
bool kt_flight_control_is_broken(const struct kt_flight_control *s, size_t event)
{
	uint16_t at, now = kt_flight_control_event(s, event).number;
	bool is_pinned;

	do {
		at = now;
		is_pinned =
			!at || kt_probe_is_pinned(get_pin_name(s, event, at), s->dir, s->tables);
		now = kt_flight_control_event(s, event).number;
	} while (now != at);
	return !is_pinned;
}

struct kt_time_span kt_flight_control_complete(const struct kt_flight_control *s, size_t event)
{
	return kt_flight_control_is_broken(s, event) ? (struct kt_time_span){0}
						     : kt_flight_control_event(s, event).complete;
}

/* The same here. A broken event may have fewer than were subtracted. */
uint64_t kt_flight_control_missed(const struct kt_flight_control *s, size_t event)
{
	struct kt_event_state at, now = kt_flight_control_event(s, event);
	uint64_t missed;

	do {
		at = now;
		missed = at.missed + read_program_missed(s, event, at.recorder);
		now = kt_flight_control_event(s, event);
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

int kt_flight_control_set_pid_filter(struct kt_flight_control *s, const struct kt_tid_bitmap *tids,
				     struct kt_error *err)
{
	bool next = !kt_enable_word_is_second(s->enable);

	if (tids && kt_pid_filter_put(s->pids, next, tids, s->dir, err) < 0)
		return -err->code;
	s->to_be.has_pid_filter = s->has_pids_ready = tids;
	return 0;
}

/* Keeps the present PID filter, if there is one. */
static int keep_pid_filter(struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_tid_bitmap tids;
	int ret;

	if (!s->to_be.has_pid_filter || s->has_pids_ready)
		return 0;
	ret = kt_flight_control_pid_filter(s, &tids, err);
	if (ret == 0)
		ret = kt_flight_control_set_pid_filter(s, &tids, err);
	kt_tid_bitmap_free(&tids);
	return ret;
}

/*
 * Returns the event that records the returns of the calls that this entry marks, or will; n_events:
 * none.
 */
static size_t find_return(const struct kt_flight_control *s, size_t entry)
{
	size_t i = 0;

	while (i < s->info->n_events &&
	       (s->filters[i] || kt_flight_info_find_entry(s->info, i) != entry))
		i++;
	return i;
}

/* While returns are recorded, their entry's filter must not change. */
static int check_returns(const struct kt_flight_control *s, size_t entry, struct kt_error *err)
{
	size_t i = find_return(s, entry);

	if (i == s->info->n_events)
		return 0;
	return kt_fail(err, EBUSY,
		       "the filter of %s:%s selects the returns that %s records: change the filter "
		       "of that one first",
		       s->info->events[entry].system, s->info->events[entry].name,
		       s->info->events[i].name);
}

/* A disabled entry marks no calls, and earlier marks are void. */
static int check_entries(const struct kt_flight_control *s, struct kt_error *err)
{
	const struct kt_flight_info_event *events = s->info->events;
	size_t i, entry;

	for (i = 0; i < s->info->n_events; i++) {
		entry = s->to[i].number && !s->filters[i] ? kt_flight_info_find_entry(s->info, i)
							  : s->info->n_events;
		if (entry == s->info->n_events || s->to[entry].number)
			continue;
		return kt_fail(err, EBUSY,
			       "%s:%s records returns of calls that %s selects: enable and disable "
			       "both together",
			       events[i].system, events[i].name, events[entry].name);
	}
	return 0;
}

/* Returns whether an event is recorded from the commit on. */
static bool is_enabled_now(const struct kt_flight_control *s, size_t event)
{
	return s->to[event].number && !kt_flight_control_event(s, event).number;
}

/*
 * Marks that an entry set before it is recorded again are outdated. Changing the mark drops those
 * of other entries, too: their returns are not recorded.
 */
static void change_mark(const struct kt_flight_control *s)
{
	size_t n = s->info->n_events, i = 0;

	while (i < n && !(s->info->events[i].calls && is_enabled_now(s, i)))
		i++;
	if (i == n)
		return;
	kt_enable_word_change_mark(s->enable);
	for (i = 0; i < n; i++)
		if (s->to[i].number && kt_flight_info_find_entry(s->info, i) < n)
			s->to[i].is_other = true;
}

/* Returns the number of programs made before the commit. */
static uint16_t take_number(struct kt_flight_control *s)
{
	if (!s->number)
		s->number = kt_enable_word_next_number(s->enable);
	return s->number;
}

/*
 * Attaches and pins a program, if the event will be recorded by it; otherwise only tries to load
 * it.
 */
static int try_program(struct kt_flight_control *s, struct kt_enable_number as,
		       struct kt_probes *probes, struct kt_event *event, struct kt_error *refused,
		       struct kt_error *err)
{
	bool records = s->to[as.event].number;
	struct kt_probe probe;
	int ret = (records ? kt_probes_attach : kt_probes_load)(probes, as, event, &probe, refused,
								err);

	if (ret == 0) {
		if (kt_event_has_added(event) != s->info->events[as.event].extra)
			ret = kt_fail(err, EOPNOTSUPP,
				      "its records would have other fields than at the start");
		else if (records)
			ret = kt_probe_pin(&probe, get_pin_name(s, as.event, as.number), s->dir,
					   err);
		kt_probe_close(&probe);
	}
	return ret < 0 ? kt_fail_because(err, "cannot record %s:%s", event->system, event->name)
		       : 0;
}

int kt_flight_control_enable(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			     struct kt_event *as, struct kt_error *refused, struct kt_error *err)
{
	struct kt_enable_number new = {.event = event, .number = take_number(s)};
	uint16_t before = s->to[event].number;

	s->to[event].number = new.number;
	if (try_program(s, new, probes, as, refused, err) == 0)
		return 0;
	s->to[event].number = before;
	return -err->code;
}

int kt_flight_control_set_filter(struct kt_flight_control *s, size_t event,
				 struct kt_probes *probes, struct kt_event *as,
				 struct kt_error *refused, struct kt_error *err)
{
	struct kt_enable_number new = {.event = event, .number = take_number(s), .succeeds = true};
	char *filter;

	if (check_returns(s, event, err) < 0)
		return -err->code;
	filter = strdup(as->filter ? as->filter->written : "");
	if (!filter)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	if (try_program(s, new, probes, as, refused, err) < 0) {
		free(filter);
		return -err->code;
	}
	if (s->to[event].number)
		s->to[event].number = new.number;
	s->to[event].is_other = true;
	free(s->filters[event]);
	s->filters[event] = filter;
	s->to_be.info = new.number;
	return 0;
}

/* Hits that the kernel missed for the new program are not counted from before. */
static void note_missed(struct kt_flight_control *s, size_t event)
{
	struct kt_event_state *to = &s->to[event];

	to->recorder = s->to_be.is_open ? to->number : 0;
	if (to->recorder != kt_flight_control_event(s, event).recorder)
		to->missed = kt_flight_control_missed(s, event) -
			     read_program_missed(s, event, to->recorder);
}

/* Returns whether another program recorded the event before. */
static bool is_succeeded(const struct kt_flight_control *s, size_t event)
{
	uint16_t before = kt_enable_word_event_before(s->enable, event).recorder;

	return before && before != s->to[event].recorder;
}

/* Reads the missed hits up to now: the noted value is older. */
static void read_missed(struct kt_flight_control *s, size_t event)
{
	struct kt_event_state before = kt_enable_word_event_before(s->enable, event);

	if (is_succeeded(s, event))
		s->to[event].missed =
			before.missed + read_program_missed(s, event, before.recorder);
}

/* Subtracts the missed hits of the successor, which did not record before. */
static void correct_missed(const struct kt_flight_control *s, size_t event)
{
	const struct kt_event_state *to = &s->to[event];

	if (is_succeeded(s, event))
		kt_enable_word_note_missed(
			s->enable, event, to->missed - read_program_missed(s, event, to->recorder));
}

/* Waits until the programs that recorded before are done. */
static int settle_handover(const struct kt_flight_control *s, struct kt_error *err)
{
	if (!kt_enable_word_hands_over(s->enable))
		return 0;
	if (kt_rcu_wait(err) < 0)
		return -err->code;
	kt_enable_word_settle_handover(s->enable);
	return 0;
}

/* Pins an info with the new filters, if there are any. */
static int pin_info(const struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_flight_info info = *s->info;
	struct kt_flight_info_event *events;
	size_t i;
	int ret;

	if (s->to_be.info == kt_flight_control_state(s).info)
		return 0;
	events = calloc(info.n_events, sizeof(*events));
	if (!events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < info.n_events; i++) {
		events[i] = info.events[i];
		if (s->filters[i]) {
			events[i].filter = *s->filters[i] ? s->filters[i] : NULL;
			events[i].calls = events[i].others = NULL;
		}
	}
	info.number = s->to_be.info;
	info.events = events;
	ret = kt_flight_info_pin(&info, s->dir, err);
	free(events);
	return ret;
}

int kt_flight_control_commit(struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_error later;
	size_t i;

	if (check_entries(s, err) < 0 || keep_pid_filter(s, err) < 0 || pin_info(s, err) < 0)
		return -err->code;
	for (i = 0; i < s->info->n_events; i++) {
		s->to[i].is_other |= kt_flight_control_is_broken(s, i);
		note_missed(s, i);
	}
	change_mark(s);
	kt_enable_word_change(s->enable, s->to, s->to_be, kt_clock_now());
	for (i = 0; i < s->info->n_events; i++)
		read_missed(s, i);
	settle_handover(s, &later); /* tried again if it fails */
	for (i = 0; i < s->info->n_events; i++)
		correct_missed(s, i);
	start_changes(s);
	return kt_flight_control_remove_leftovers(s, err);
}

static int detach_program(const struct kt_flight_control *s, struct kt_probe_name name,
			  struct kt_detached *later, struct kt_error *err)
{
	if (!name.number || kt_probe_unpin(name, s->dir, later, err) == 0)
		return 0;
	return kt_fail_because(err, "%s:%s remains attached", name.system, name.event);
}

/* Removes tasks that the PID filter no longer uses. */
static int remove_old_tasks(const struct kt_flight_control *s, struct kt_error *err)
{
	bool second = kt_enable_word_is_second(s->enable);

	if (kt_pid_filter_drop(s->pids, !second, s->dir, err) < 0 ||
	    (!kt_enable_word_state(s->enable).has_pid_filter &&
	     kt_pid_filter_drop(s->pids, second, s->dir, err) < 0))
		return -err->code;
	return 0;
}

/* A killed process left the program that recorded before, or one that should record now. */
static int detach_leftovers(struct kt_flight_control *s, struct kt_detached *later,
			    struct kt_error *err)
{
	uint16_t at, left[2];
	size_t i, j;

	left[1] = kt_enable_word_last_number(s->enable);
	for (i = 0; i < s->info->n_events; i++) {
		at = kt_flight_control_event(s, i).number;
		left[0] = kt_enable_word_event_before(s->enable, i).number;
		for (j = 0; j < 2; j++)
			if (left[j] != at &&
			    detach_program(s, get_pin_name(s, i, left[j]), later, err) < 0)
				return -err->code;
	}
	return 0;
}

/* Calls that begin after the wait have their returns (doc/points.md). */
int kt_flight_control_remove_leftovers(struct kt_flight_control *s, struct kt_error *err)
{
	struct kt_detached later = {0};
	int ret;

	if (settle_handover(s, err) < 0)
		return -err->code;
	ret = detach_leftovers(s, &later, err);
	kt_detached_await(&later);
	return ret < 0 ? ret : remove_old_tasks(s, err);
}
