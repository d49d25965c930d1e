// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/attach.h"

#include <errno.h>
#include <sys/resource.h>

#include "app/choice.h"
#include "app/command.h"
#include "base/error.h"
#include "catalog/event.h"
#include "session/session.h"

void raise_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static int attach_one(struct kt_session *s, const struct choice *c, size_t i, struct kt_error *err)
{
	struct kt_error usual;
	struct kt_event *event = read_choice(c, i, &usual, err);

	if (!event)
		return -err->code;
	if (kt_session_add(s, event, err) < 0) {
		kt_event_free(event);
		return -err->code;
	}
	return 0;
}

int attach(struct kt_session *s, const struct choice *c, const char *command, bool ended(void *arg),
	   void *arg, size_t *skipped)
{
	struct kt_error err;
	size_t i;

	for (i = next_choice(c, 0); i < c->n && !ended(arg); i = next_choice(c, i + 1)) {
		if (attach_one(s, c, i, &err) == 0)
			continue;
		say_error(command, &err);
		if (err.code == EPERM || err.code == EACCES)
			return EXIT_FAILED;
		++*skipped;
	}
	if (kt_session_count(s))
		return EXIT_OK;
	if (i < c->n)
		kt_fail(&err, EINTR, "ended before anything was recorded");
	else
		kt_fail(&err, ENOENT, "nothing is left to record: %zu skipped", *skipped);
	return say_error(command, &err);
}
