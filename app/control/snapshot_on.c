// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/snapshot_on.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/event_selection.h"
#include "app/cli/signals.h"
#include "app/control/attach_events.h"
#include "app/control/take_snapshot.h"
#include "base/clock.h"
#include "base/error.h"
#include "events/event.h"
#include "events/filter.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/trigger_wait.h"
#include "trace/flight/flight_snapshot.h"
#include "values/text.h"

#define NAME "snapshot"

#define SECOND UINT64_C(1000000000)

/* A running `ktrace snapshot --on`. */
struct watcher {
	const struct snapshot_on *how;
	struct snapshot_request *take;
	const struct kt_flight *found; /* the flight must still be the one opened first */
	struct kt_trigger_wait *watch;
	int signals;               /* descriptor, readable when a signal is pending */
	struct kt_trigger_hit hit; /* hit without a snapshot so far; .at 0: none */
	uint64_t n, last;          /* number of snapshots, time of the last one */
	bool is_busy;              /* another process has the flight locked, which was reported */
};

/* Returns the hit for the snapshot's metadata. */
static struct kt_occasion get_occasion(const struct watcher *w)
{
	struct kt_occasion o = {.hit = w->hit.at};
	const struct kt_event *event;

	if (w->hit.event < kt_trigger_wait_count(w->watch)) {
		event = kt_trigger_wait_event(w->watch, w->hit.event);
		o.system = event->system;
		o.event = event->name;
		o.filter = event->trigger ? event->trigger->written : NULL;
	}
	return o;
}

static void put_event(struct kt_text *to, const struct watcher *w)
{
	struct kt_occasion o = get_occasion(w);

	if (!o.system)
		return;
	kt_text_string(to, ", by ");
	kt_text_string(to, o.system);
	kt_text_char(to, ':');
	kt_text_string(to, o.event);
}

/* Returns why the snapshot may lack what led to the hit, as rings were swapped since then. */
static const char *get_shortcoming(const struct watcher *w, const struct kt_buffer_sets *sets,
				   uint64_t time)
{
	size_t inactive = kt_buffer_sets_inactive(sets);

	if (w->hit.at < kt_buffer_sets_began(sets, inactive))
		return "; during the previous snapshot, which may have it";
	if (w->hit.at < w->take->from)
		return "; already overwritten on some CPUs";
	if (w->hit.at > kt_buffer_sets_ended(sets, inactive, time))
		return "; the buffers were frozen by then";
	return "";
}

static void print_hit(const struct watcher *w, const struct kt_flight *flight)
{
	static struct kt_text reported;
	uint64_t time = kt_flight_snapshot_time(flight);

	reported.to = stderr;
	kt_text_string(&reported, "  hit ");
	kt_text_duration(&reported, time - w->hit.at);
	kt_text_string(&reported, " before");
	put_event(&reported, w);
	kt_text_string(&reported, get_shortcoming(w, kt_flight_buffer_sets(flight), time));
	kt_text_char(&reported, '\n');
	kt_text_flush(&reported);
}

/*
 * The trigger is armed before the swap: later hits are noticed, and earlier ones are in the
 * snapshot as far as they were recorded.
 */
static int take_held(struct watcher *w, struct kt_flight *flight)
{
	int status;

	w->is_busy = false;
	kt_trigger_wait_arm(w->watch);
	w->take->hit = get_occasion(w);
	status = take_snapshot(w->take, flight);
	if (status != EXIT_OK)
		return status;
	print_hit(w, flight);
	w->n++;
	w->last = kt_flight_snapshot_time(flight);
	w->hit.at = 0;
	return EXIT_OK;
}

/* Another process may lock the flight between two snapshots. */
static int take_hit(struct watcher *w)
{
	struct kt_error err;
	struct kt_flight *flight = kt_flight_lock(w->take->name, &err);
	int status;

	if (!flight && err.code == EBUSY) {
		if (!w->is_busy)
			report_error(NAME, &err);
		w->is_busy = true;
		return EXIT_OK;
	}
	if (flight && kt_flight_check(w->found, &err) == 0)
		status = take_held(w, flight);
	else
		status = report_error(NAME, &err);
	kt_flight_free(flight);
	return status;
}

/* Returns when the hit's snapshot must be taken. */
static uint64_t get_due_time(const struct watcher *w)
{
	uint64_t after = w->hit.at + w->how->after;
	uint64_t next = w->n ? w->last + w->how->every : 0;

	return after > next ? after : next;
}

/* Waits for a first hit, a signal, or that time; at most one second. */
static void pause_until(const struct watcher *w, uint64_t time)
{
	struct pollfd fds[] = {
		{w->signals, POLLIN, 0},
		{kt_trigger_wait_fd(w->watch), POLLIN, 0},
	};
	uint64_t now = kt_clock_now(), ns = time > now ? time - now : 0;

	if (ns > SECOND)
		ns = SECOND;
	poll(fds, w->hit.at ? 1 : 2, (ns + 999999) / 1000000);
}

/* Waits for a hit. Returns 1; 0: a signal is pending; or -errno: the flight has ended. */
static int await_hit(struct watcher *w, struct kt_error *err)
{
	uint64_t time;

	while (!is_ended(w->take->signals)) {
		if (kt_flight_check(w->found, err) < 0)
			return -err->code;
		if (!w->hit.at)
			w->hit = kt_trigger_wait_hit(w->watch);
		time = w->hit.at ? get_due_time(w) : UINT64_MAX;
		if (time <= kt_clock_now())
			return 1;
		pause_until(w, time);
	}
	return 0;
}

static void print_waiting(const struct watcher *w)
{
	const struct kt_event *first = kt_trigger_wait_event(w->watch, 0);
	size_t n = kt_trigger_wait_count(w->watch);

	fprintf(stderr, "ktrace " NAME ": waiting for hits of ");
	if (n == 1)
		fprintf(stderr, "%s:%s", first->system, first->name);
	else
		fprintf(stderr, "%zu events", n);
	fputs("; Ctrl-C ends it\n", stderr);
}

/* Reports hits that get no snapshot. */
static void print_rest(const struct watcher *w)
{
	static struct kt_text reported;
	uint64_t missed = kt_trigger_wait_missed(w->watch);

	reported.to = stderr;
	if (w->hit.at) {
		kt_text_string(&reported, "  hit ");
		kt_text_duration(&reported, kt_clock_now() - w->hit.at);
		kt_text_string(&reported, " ago");
		put_event(&reported, w);
		kt_text_string(&reported, ", without a snapshot\n");
	}
	kt_text_flush(&reported);
	if (missed)
		fprintf(stderr,
			"  %" PRIu64
			" hits of these events were missed by the kernel, possibly triggers\n",
			missed);
}

static int wait_and_take(struct watcher *w)
{
	struct kt_error err;
	int status = EXIT_OK, ret = 1;

	kt_trigger_wait_arm(w->watch);
	print_waiting(w);
	while (status == EXIT_OK && (w->n < w->how->max || !w->how->max)) {
		ret = await_hit(w, &err);
		if (ret <= 0)
			break;
		status = take_hit(w);
	}
	if (ret == 0)
		fprintf(stderr, "ktrace " NAME ": ended after %" PRIu64 " snapshot%s\n", w->n,
			w->n == 1 ? "" : "s");
	if (ret < 0) {
		kt_fail_because(&err, "ended after %" PRIu64 " snapshot%s", w->n,
				w->n == 1 ? "" : "s");
		status = report_error(NAME, &err);
	}
	print_rest(w);
	return status;
}

static bool is_interrupted(void *arg)
{
	const struct watcher *w = arg;

	return is_ended(w->take->signals);
}

static int watch_triggers(struct watcher *w, const struct event_selection *c)
{
	size_t n = event_selection_count(c), skipped = 0;
	struct kt_error err;
	int status;

	if (n == 0)
		kt_fail(&err, ENOENT, "no trigger left to wait for");
	else
		w->watch = kt_trigger_wait_new(n, &err);
	if (!w->watch)
		return report_error(NAME, &err);
	if (kt_trigger_wait_add_dispatch(w->watch, c->tracefs, c->btf, &err) < 0) {
		kt_trigger_wait_free(w->watch);
		return report_error(NAME, &err);
	}
	status = attach_trigger_events(w->watch, c, NAME, is_interrupted, w, &skipped);
	if (status == EXIT_OK)
		status = wait_and_take(w);
	kt_trigger_wait_free(w->watch);
	return status;
}

static int open_signals(const sigset_t *signals, struct kt_error *err)
{
	int fd = signalfd(-1, signals, SFD_CLOEXEC);

	return fd < 0 ? kt_fail(err, errno, "cannot wait for signals: %s", strerror(errno)) : fd;
}

/* Checks everything that can be checked before attaching. */
static int begin_watching(struct watcher *w, const struct event_selection *c)
{
	struct kt_error err;
	struct kt_flight *found = kt_flight_find(w->take->name, &err);
	int status;

	if (!found)
		return report_error(NAME, &err);
	w->found = found;
	w->signals = check_snapshot(w->take, &err) == 0 ? open_signals(w->take->signals, &err) : -1;
	if (w->signals >= 0) {
		status = watch_triggers(w, c);
		close(w->signals);
	} else {
		status = report_error(NAME, &err);
	}
	kt_flight_free(found);
	return status;
}

int snapshot_on_run(const struct snapshot_on *v)
{
	struct watcher w = {.how = v, .take = v->take};
	struct event_selection c;
	int status = event_selection_make(&c, NAME, v->event_options);

	if (status == EXIT_OK) {
		event_selection_fit_triggers(&c, NAME);
		v->take->tracefs = c.tracefs;
		status = begin_watching(&w, &c);
	}
	event_selection_end(&c);
	return status;
}
