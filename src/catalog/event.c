// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/event.h"

#include <errno.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/error.h"
#include "base/layout.h"
#include "catalog/tracefs.h"

/* What the caller gets, and what its texts live in. */
struct owner {
	struct kt_event event;
	struct tep_handle *tep;
	struct kt_field fields[];
};

static unsigned int flags_of(const struct tep_format_field *f)
{
	unsigned int flags = 0;

	if (f->flags & TEP_FIELD_IS_SIGNED)
		flags |= KT_FIELD_SIGNED;
	if (f->flags & TEP_FIELD_IS_POINTER)
		flags |= KT_FIELD_POINTER;
	if (f->flags & TEP_FIELD_IS_RELATIVE)
		flags |= KT_FIELD_REL_LOC;
	else if (f->flags & TEP_FIELD_IS_DYNAMIC)
		flags |= KT_FIELD_DATA_LOC;
	else if (f->flags & TEP_FIELD_IS_ARRAY)
		flags |= KT_FIELD_ARRAY;
	return flags;
}

static unsigned int width_of(const struct tep_format_field *f)
{
	unsigned int n = f->elementsize;

	return (n == 1 || n == 2 || n == 4 || n == 8) && f->size % n == 0 ? n : 1;
}

/* Takes tep over, on error too. */
static struct kt_event *own(struct tep_handle *tep, const struct tep_event *parsed,
			    struct kt_error *err)
{
	const struct tep_format_field *f;
	struct owner *o;
	size_t n = 0;

	o = calloc(1, sizeof(*o) + parsed->format.nr_fields * sizeof(*o->fields));
	if (!o) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		tep_free(tep);
		return NULL;
	}
	for (f = parsed->format.fields; f; f = f->next)
		o->fields[n++] = (struct kt_field){f->name, f->type,     f->offset,
						   f->size, width_of(f), flags_of(f)};
	o->tep = tep;
	o->event = (struct kt_event){parsed->system, parsed->name, parsed->id, n, o->fields};
	return &o->event;
}

/* The format without its print fmt, as libtraceevent wants it (see doc/catalog.md). */
static char *without_print_fmt(const char *format)
{
	static const char head[] = "\nprint fmt:";
	const char *end = strstr(format, head);
	char *text = NULL;

	if (end && asprintf(&text, "%.*s%s \"\"\n", (int)(end - format), format, head) < 0)
		return NULL;
	return text;
}

struct kt_event *kt_event_parse(const char *system, const char *format, struct kt_error *err)
{
	char *text = without_print_fmt(format);
	struct tep_handle *tep = tep_alloc();
	struct tep_event *parsed = NULL;
	int failed;

	if (!text || !tep) {
		if (tep && !strstr(format, "\nprint fmt:"))
			kt_fail(err, EPROTO, "the format is cut short");
		else
			kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		goto out;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	failed = tep_parse_format(tep, &parsed, text, strlen(text), system);
	if (failed || !parsed || parsed->flags & TEP_EVENT_FL_FAILED) {
		kt_fail(err, EPROTO, "libtraceevent cannot read the format");
		goto out;
	}
	free(text);
	return own(tep, parsed, err);
out:
	tep_free(tep);
	free(text);
	return NULL;
}

struct kt_event *kt_event_read(int tracefs, const struct kt_name *name, struct kt_error *err)
{
	struct kt_event *event = NULL;
	char path[PATH_MAX];
	char *format;

	snprintf(path, sizeof(path), "events/%s/%s/format", name->system, name->event);
	format = kt_tracefs_read(tracefs, path, err);
	if (format)
		event = kt_event_parse(name->system, format, err);
	if (!event)
		kt_fail_because(err, "%s:%s", name->system, name->event);
	free(format);
	return event;
}

void kt_event_free(struct kt_event *event)
{
	struct owner *o = (struct owner *)event;

	if (!o)
		return;
	tep_free(o->tep);
	free(o);
}

size_t kt_event_record_size(const struct kt_event *event)
{
	size_t i, size = sizeof(struct kt_record);

	for (i = 0; i < event->n_fields; i++)
		size += event->fields[i].size;
	return size;
}

int kt_event_in_place(const struct kt_event *event, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < event->n_fields; i++)
		if (event->fields[i].flags & (KT_FIELD_DATA_LOC | KT_FIELD_REL_LOC))
			return kt_fail(err, EOPNOTSUPP,
				       "data of varying length, as in its field '%s', cannot be "
				       "recorded yet",
				       event->fields[i].name);
	return 0;
}

bool kt_field_is_text(const struct kt_field *field)
{
	const char *type = field->type;

	if (strncmp(type, "const ", 6) == 0)
		type += 6;
	return strncmp(type, "char[", 5) == 0;
}

void kt_field_declare(const struct kt_field *field, char *text, size_t size)
{
	size_t base = strlen(field->type);
	const char *dims = "";

	if (field->flags & KT_FIELD_ARRAY && strchr(field->type, '[')) {
		dims = strchr(field->type, '[');
		base = dims - field->type;
	}
	snprintf(text, size, "%.*s%s%s%s", (int)base, field->type,
		 base && field->type[base - 1] == '*' ? "" : " ", field->name, dims);
}
