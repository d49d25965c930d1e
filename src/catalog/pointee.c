// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/pointee.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "catalog/event.h"

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

/* Whether the next argument says how many bytes there are: then they are no text with a 0. */
static bool has_length(const struct kt_event *event, size_t field)
{
	static const char *const lengths[] = {"bufsiz", "count", "len", "msg_len",
					      "optlen", "size",  NULL};
	const struct kt_field *next = &event->fields[field + 1];

	return field + 1 < event->n_fields && !strchr(next->type, '*') &&
	       is_one_of(next->name, lengths);
}

/*
 * Text that a call is given is const, but for some old calls. What it writes is not; and no text
 * stands at a bare address, as that of shmat.
 */
enum kt_pointee kt_pointee_of(const struct kt_event *event, size_t field)
{
	static const char *const given[] = {"dev_name", "dir_name", "filename",
					    "name",     "type",     NULL};
	const struct kt_field *f = &event->fields[field];
	bool is_given = strcmp(f->type, "const char *") == 0 ||
			(strcmp(f->type, "char *") == 0 && is_one_of(f->name, given));

	return is_given && !has_length(event, field) ? KT_POINTEE_STRING : KT_POINTEE_NONE;
}

const char *kt_pointee_name(const char *argument, char name[KT_POINTEE_NAME_MAX])
{
	snprintf(name, KT_POINTEE_NAME_MAX, "__%s_val", argument);
	return name;
}

int kt_pointee_add_all(struct kt_event *event)
{
	char name[KT_POINTEE_NAME_MAX];
	size_t i, n = event->n_fields;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++)
		if (kt_pointee_of(event, i) == KT_POINTEE_STRING)
			ret = kt_event_add_text(event,
						kt_pointee_name(event->fields[i].name, name));
	return ret;
}

size_t kt_pointee_find(const struct kt_event *event, const char *argument)
{
	char name[KT_POINTEE_NAME_MAX];
	size_t i;

	kt_pointee_name(argument, name);
	for (i = 0; i < event->n_fields; i++)
		if (strcmp(event->fields[i].name, name) == 0)
			break;
	return i;
}
