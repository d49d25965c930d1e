// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/filter_option.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/pids.h"
#include "events/event.h"
#include "events/filter.h"
#include "filter/filter_parser.h"

/* Returns the name of the field if the test compares the number of a task; or NULL. */
static const char *tested_task(const struct kt_filter *test, const struct kt_event *event)
{
	const struct kt_field *f;

	if (test->op < KT_FILTER_EQUAL)
		return NULL;
	if (test->source == KT_FILTER_PID || test->source == KT_FILTER_TID)
		return test->source == KT_FILTER_PID ? "pid" : "tid";
	if (test->source != KT_FILTER_FIELD || strcmp(event->system, "syscalls") == 0)
		return NULL;
	f = &event->fields[test->field];
	return strcmp(f->type, "pid_t") == 0 ? f->name : NULL;
}

/* Returns the same for any test in the filter. */
static const char *find_task(const struct kt_filter *f, const struct kt_event *event)
{
	const char *name = tested_task(f, event);
	int i;

	for (i = 0; !name && i < 2 && f->of[i]; i++)
		name = find_task(f->of[i], event);
	return name;
}

struct kt_filter *parse_user_filter(const struct kt_event *event, const char *text,
				    struct kt_error *err)
{
	struct kt_filter *f = kt_filter_parse(event, text, err);
	const char *name = f ? find_task(f, event) : NULL;

	if (!name || kt_pids_are_the_kernels())
		return f;
	kt_filter_free(f);
	kt_fail(err, EOPNOTSUPP,
		"cannot filter by '%s': in a container (PID namespace) its numbers are not the "
		"kernel's; run ktrace outside",
		name);
	return NULL;
}
