// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/attach_events.h"

#include <errno.h>

#include "app/cli/command.h"
#include "app/cli/descriptors.h"
#include "app/cli/error_dedup.h"
#include "app/cli/event_selection.h"
#include "base/cpus.h"
#include "base/error.h"
#include "events/event.h"
#include "session/session.h"
#include "session/trigger_wait.h"

enum { FILES_OF_TRACE = 16 };

/* What the events are attached to. */
struct taker {
	int (*add)(void *to, struct kt_event *event, struct kt_error *err);
	void *to;
	const char *verb; /* for messages: what it does with hits */
};

static int add_to_session(void *to, struct kt_event *event, struct kt_error *err)
{
	return kt_session_add(to, event, err);
}

static int add_to_watch(void *to, struct kt_event *event, struct kt_error *err)
{
	return kt_trigger_wait_add(to, event, err);
}

static int attach_one(struct taker t, const struct event_selection *c, size_t i,
		      struct kt_error *err)
{
	struct kt_error usual;
	struct kt_event *event = event_selection_read(c, i, &usual, err);

	if (!event)
		return -err->code;
	if (t.add(t.to, event, err) < 0) {
		kt_event_free(event);
		return -err->code;
	}
	return 0;
}

/*
 * After attaching, files are opened: a stream per CPU, the trace's other files, a pipe to the
 * command, and directories of /proc.
 */
static int reserve_for_trace(struct descriptor_reserve *reserve, struct kt_error *err)
{
	int n_cpus = kt_cpus_possible(err);

	return n_cpus < 0 ? n_cpus : reserve_descriptors(reserve, n_cpus + FILES_OF_TRACE, err);
}

/* Returns whether the next event would fail for the same reason. */
static bool is_process_limit(int code)
{
	return code == EPERM || code == EACCES || code == EMFILE || code == ENFILE ||
	       code == ENOMEM;
}

/*
 * Attaches all events that can be attached, and reports the rest. Returns their number; err has the
 * last error.
 */
static size_t attach_until(struct taker t, const struct event_selection *c, const char *command,
			   bool ended(void *arg), void *arg, size_t *skipped, struct kt_error *err)
{
	struct error_dedup repeats = {.command = command};
	size_t i, n = 0;

	*err = (struct kt_error){0};
	for (i = event_selection_next(c, 0); i < c->n; i = event_selection_next(c, i + 1)) {
		if (is_process_limit(err->code)) {
			++*skipped;
			continue;
		}
		if (ended(arg)) {
			if (n == 0)
				kt_fail(err, EINTR, "interrupted before anything was %sed", t.verb);
			break;
		}
		if (attach_one(t, c, i, err) == 0) {
			n++;
			continue;
		}
		error_dedup_report(&repeats, err);
		++*skipped;
	}
	error_dedup_end(&repeats);
	return n;
}

static int attach_all(struct taker t, const struct event_selection *c, const char *command,
		      bool ended(void *arg), void *arg, size_t *skipped)
{
	struct descriptor_reserve reserve;
	struct kt_error err;
	size_t n;

	if (reserve_for_trace(&reserve, &err) < 0)
		return report_error(command, &err);
	n = attach_until(t, c, command, ended, arg, skipped, &err);
	release_descriptors(&reserve);
	if (err.code == EPERM || err.code == EACCES)
		return EXIT_FAILED;
	if (n > 0)
		return EXIT_OK;
	if (is_process_limit(err.code))
		return EXIT_FAILED;
	if (err.code != EINTR)
		kt_fail(&err, ENOENT, "no event can be %sed (%zu skipped)", t.verb, *skipped);
	return report_error(command, &err);
}

int attach_events(struct kt_session *s, const struct event_selection *c, const char *command,
		  bool ended(void *arg), void *arg, size_t *skipped)
{
	const struct taker session = {add_to_session, s, "record"};

	return attach_all(session, c, command, ended, arg, skipped);
}

int attach_trigger_events(struct kt_trigger_wait *w, const struct event_selection *c,
			  const char *command, bool ended(void *arg), void *arg, size_t *skipped)
{
	const struct taker watch = {add_to_watch, w, "watch"};

	return attach_all(watch, c, command, ended, arg, skipped);
}
