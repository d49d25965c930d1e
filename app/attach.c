// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/attach.h"

#include <errno.h>
#include <sys/resource.h>

#include "app/choice.h"
#include "app/command.h"
#include "app/repeats.h"
#include "base/error.h"
#include "catalog/event.h"
#include "session/session.h"
#include "session/watch.h"

void raise_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* What takes events as its own. */
struct taker {
	int (*add)(void *to, struct kt_event *event, struct kt_error *err);
	void *to;
	const char *verb; /* what it does with their hits */
};

static int add_to_session(void *to, struct kt_event *event, struct kt_error *err)
{
	return kt_session_add(to, event, err);
}

static int add_to_watch(void *to, struct kt_event *event, struct kt_error *err)
{
	return kt_watch_add(to, event, err);
}

static int attach_one(struct taker t, const struct choice *c, size_t i, struct kt_error *err)
{
	struct kt_error usual;
	struct kt_event *event = read_choice(c, i, &usual, err);

	if (!event)
		return -err->code;
	if (t.add(t.to, event, err) < 0) {
		kt_event_free(event);
		return -err->code;
	}
	return 0;
}

static int attach_all(struct taker t, const struct choice *c, const char *command,
		      bool ended(void *arg), void *arg, size_t *skipped)
{
	struct repeats repeats = {.command = command};
	bool refused = false;
	struct kt_error err;
	size_t i, n = 0;

	for (i = next_choice(c, 0); i < c->n && !ended(arg); i = next_choice(c, i + 1)) {
		if (attach_one(t, c, i, &err) == 0) {
			n++;
			continue;
		}
		say_once(&repeats, &err);
		refused = err.code == EPERM || err.code == EACCES;
		if (refused)
			break;
		++*skipped;
	}
	end_repeats(&repeats);
	if (refused)
		return EXIT_FAILED;
	if (n)
		return EXIT_OK;
	if (i < c->n)
		kt_fail(&err, EINTR, "ended before anything was %sed", t.verb);
	else
		kt_fail(&err, ENOENT, "nothing is left to %s: %zu skipped", t.verb, *skipped);
	return say_error(command, &err);
}

int attach(struct kt_session *s, const struct choice *c, const char *command, bool ended(void *arg),
	   void *arg, size_t *skipped)
{
	const struct taker session = {add_to_session, s, "record"};

	return attach_all(session, c, command, ended, arg, skipped);
}

int attach_watch(struct kt_watch *w, const struct choice *c, const char *command,
		 bool ended(void *arg), void *arg, size_t *skipped)
{
	const struct taker watch = {add_to_watch, w, "watch"};

	return attach_all(watch, c, command, ended, arg, skipped);
}
