// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/attach_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/descriptors.h"
#include "app/cli/error_dedup.h"
#include "app/cli/event_selection.h"
#include "base/cpus.h"
#include "base/error.h"
#include "events/event.h"
#include "session/callstack_tables.h"
#include "session/session.h"
#include "session/trigger_wait.h"

/*
 * AHEAD: events that are read before the first is attached, more than there are system calls. Their
 * programs load meanwhile.
 */
enum { FILES_OF_TRACE = 16, AHEAD = 1024 };

/* What the events are attached to. */
struct taker {
	int (*add)(void *to, struct kt_event *event, struct kt_error *err);
	void (*expect)(void *to, struct kt_event *event); /* it will be added; or NULL */
	void *to;
	const char *verb; /* for messages: what it does with hits */
};

static int add_to_session(void *to, struct kt_event *event, struct kt_error *err)
{
	return kt_session_add(to, event, err);
}

static void expect_in_session(void *to, struct kt_event *event)
{
	kt_session_expect(to, event);
}

static int add_to_watch(void *to, struct kt_event *event, struct kt_error *err)
{
	return kt_trigger_wait_add(to, event, err);
}

/* Events that were read, in their order. */
struct queue {
	const struct event_selection *selection;
	size_t next; /* the next one to read */
	size_t first, n;
	struct {
		struct kt_event *event;
		struct kt_error *err; /* why it could not be read; both NULL: no memory */
	} read[AHEAD];
};

static struct kt_error *copy_error(const struct kt_error *err)
{
	struct kt_error *copy = malloc(sizeof(*copy));

	if (copy)
		*copy = *err;
	return copy;
}

/* Reads events until the queue is full. */
static void fill_queue(struct queue *q, struct taker t)
{
	struct kt_error usual, err;
	struct kt_event *event;
	size_t at;

	for (; q->n < AHEAD && q->next < q->selection->n; q->n++) {
		at = (q->first + q->n) % AHEAD;
		event = event_selection_read(q->selection, q->next, &usual, &err);
		if (event && t.expect)
			t.expect(t.to, event);
		q->read[at].event = event;
		q->read[at].err = event ? NULL : copy_error(&err);
		q->next = event_selection_next(q->selection, q->next + 1);
	}
}

/* Returns the next event, or NULL if it could not be read. The queue is not empty. */
static struct kt_event *take_event(struct queue *q, struct kt_error *err)
{
	struct kt_event *event = q->read[q->first].event;
	struct kt_error *why = q->read[q->first].err;

	if (why)
		*err = *why;
	else if (!event)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(why);
	q->first = (q->first + 1) % AHEAD;
	q->n--;
	return event;
}

static void free_queue(struct queue *q)
{
	struct kt_error ignored;

	while (q->n)
		kt_event_free(take_event(q, &ignored));
}

static int attach_one(struct taker t, struct queue *q, struct kt_error *err)
{
	struct kt_event *event = take_event(q, err);

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

/* Returns how many events are left, which will not be read. */
static size_t skip_rest(struct queue *q)
{
	size_t n = q->n;

	for (; q->next < q->selection->n; n++)
		q->next = event_selection_next(q->selection, q->next + 1);
	return n;
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
	struct queue q = {.selection = c, .next = event_selection_next(c, 0)};
	struct error_dedup repeats = {.command = command};
	struct kt_error why;
	size_t n = 0;

	*err = (struct kt_error){0};
	for (fill_queue(&q, t); q.n; fill_queue(&q, t)) {
		if (is_process_limit(err->code)) {
			*skipped += skip_rest(&q);
			break;
		}
		if (ended(arg)) {
			if (n == 0)
				kt_fail(err, EINTR, "interrupted before anything was %sed", t.verb);
			break;
		}
		if (attach_one(t, &q, &why) == 0) {
			n++;
			continue;
		}
		*err = why;
		error_dedup_report(&repeats, err);
		++*skipped;
	}
	free_queue(&q);
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
	const struct taker session = {add_to_session, expect_in_session, s, "record"};

	return attach_all(session, c, command, ended, arg, skipped);
}

int add_stacks(struct kt_session *s, const struct event_selection *c, bool keep,
	       struct kt_error *err)
{
	unsigned int kinds = event_selection_stacks(c);
	struct kt_callstack_tables *stacks;

	if (!kinds)
		return 0;
	stacks = kt_callstack_tables_new(kinds, keep, c->btf, err);
	if (!stacks)
		return -err->code;
	kt_session_set_stacks(s, stacks);
	return 0;
}

int attach_trigger_events(struct kt_trigger_wait *w, const struct event_selection *c,
			  const char *command, bool ended(void *arg), void *arg, size_t *skipped)
{
	const struct taker watch = {add_to_watch, NULL, w, "watch"};

	return attach_all(watch, c, command, ended, arg, skipped);
}
