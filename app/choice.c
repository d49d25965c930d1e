// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "base/error.h"
#include "catalog/btf.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "catalog/pattern.h"
#include "catalog/tracefs.h"

static int read_names(struct choice *c, struct kt_error *err)
{
	c->tracefs = kt_tracefs_open(err);
	if (c->tracefs < 0)
		return -err->code;
	c->btf = kt_btf_new();
	if (!c->btf)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	c->names = kt_names_read(c->tracefs, err);
	if (!c->names)
		return -err->code;
	c->n = kt_names_count(c->names);
	c->chosen = calloc(c->n + 1, sizeof(*c->chosen));
	return c->chosen ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Of patterns joined by commas. No event's name has one. */
static int choose_joined(struct choice *c, const char *command, const char *joined)
{
	char *copy = strdup(joined), *rest = copy, *pattern;
	int said, status = EXIT_OK;
	struct kt_error err;

	if (!copy) {
		kt_fail(&err, ENOMEM, "%s", strerror(ENOMEM));
		return say_error(command, &err);
	}
	while ((pattern = strsep(&rest, ","))) {
		if (kt_pattern_choose(pattern, c->names, c->chosen, &err) >= 0)
			continue;
		if (err.typed) {
			err.typed = joined;
			err.at += pattern - copy;
		}
		said = say_error(command, &err);
		status = said > status ? said : status;
	}
	free(copy);
	return status;
}

int choose(struct choice *c, const char *command, const char *const *patterns)
{
	int said, status = EXIT_OK;
	struct kt_error err;

	*c = (struct choice){.tracefs = -1};
	if (read_names(c, &err) < 0) {
		kt_fail_because(&err, "cannot list the kernel's events");
		return say_error(command, &err);
	}
	for (; *patterns; patterns++) {
		said = choose_joined(c, command, *patterns);
		status = said > status ? said : status;
	}
	return status;
}

void end_choice(struct choice *c)
{
	free(c->chosen);
	kt_names_free(c->names);
	kt_btf_free(c->btf);
	if (c->tracefs >= 0)
		close(c->tracefs);
}

size_t next_choice(const struct choice *c, size_t i)
{
	while (i < c->n && !c->chosen[i])
		i++;
	return i;
}

struct kt_event *read_choice(const struct choice *c, size_t i, struct kt_error *err)
{
	struct kt_event *event = kt_event_read(c->tracefs, kt_names_at(c->names, i), err);
	struct kt_error not_curated;

	if (event)
		kt_curate(event, c->btf, &not_curated);
	return event;
}

size_t count_choice(const struct choice *c)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		n += c->chosen[i];
	return n;
}
