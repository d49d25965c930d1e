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
static bool has_length(const struct kt_event *call, size_t argument)
{
	static const char *const lengths[] = {"bufsiz", "count", "len",  "msg_len",
					      "optlen", "plen",  "size", NULL};
	static const char *const types[] = {"int", "size_t", "unsigned long", NULL};
	const struct kt_field *next = &call->fields[argument + 1];

	return argument + 1 < call->n_fields && is_one_of(next->type, types) &&
	       is_one_of(next->name, lengths);
}

/*
 * What a call is given is const, but for some old calls. What it writes is not; and no text stands
 * at a bare address, as that of shmat.
 */
enum kt_pointee kt_pointee_of(const struct kt_event *call, size_t argument)
{
	static const char *const chars[] = {"char *", "const char *", NULL};
	static const char *const others[] = {"const void *", "void *", NULL};
	static const char *const texts[] = {"dev_name", "dir_name", "filename",
					    "name",     "type",     NULL};
	static const char *const bytes[] = {"buff", "name", "optval", NULL};
	const struct kt_field *f = &call->fields[argument];
	bool is_const = strncmp(f->type, "const ", 6) == 0, is_chars = is_one_of(f->type, chars);

	if ((is_chars || is_one_of(f->type, others)) && has_length(call, argument))
		return is_const || is_one_of(f->name, bytes) ? KT_POINTEE_IN : KT_POINTEE_OUT;
	if (is_chars && (is_const || is_one_of(f->name, texts)))
		return KT_POINTEE_STRING;
	return KT_POINTEE_NONE;
}

const struct kt_event *kt_pointee_call(const struct kt_event *event)
{
	return event->call ? event->call : event;
}

const char *kt_pointee_name(const char *argument, char name[KT_POINTEE_NAME_MAX])
{
	snprintf(name, KT_POINTEE_NAME_MAX, "__%s_val", argument);
	return name;
}

bool kt_pointee_argument(const char *name, char argument[KT_POINTEE_NAME_MAX])
{
	size_t n = strlen(name);

	if (n <= 6 || strncmp(name, "__", 2) != 0 || strcmp(name + n - 4, "_val") != 0)
		return false;
	snprintf(argument, KT_POINTEE_NAME_MAX, "%.*s", (int)n - 6, name + 2);
	return true;
}

static int add(struct kt_event *event, const char *argument, enum kt_pointee what)
{
	char name[KT_POINTEE_NAME_MAX];

	kt_pointee_name(argument, name);
	if (what == KT_POINTEE_NONE || (what == KT_POINTEE_OUT) != (event->call != NULL))
		return 0;
	return what == KT_POINTEE_STRING ? kt_event_add_text(event, name)
					 : kt_event_add_bytes(event, name);
}

int kt_pointee_add_all(struct kt_event *event)
{
	const struct kt_event *call = kt_pointee_call(event);
	size_t i, n = call->n_fields;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++)
		ret = add(event, call->fields[i].name, kt_pointee_of(call, i));
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
