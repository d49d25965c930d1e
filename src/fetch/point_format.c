// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/point_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "fetch/curate.h"
#include "fetch/point_fields.h"

static void print_fields(FILE *f, const struct kt_event *event)
{
	size_t i, offset = sizeof(struct kt_record);
	const struct kt_field *field;

	for (i = 0; i < event->n_fields; i++, offset += kt_field_record_size(field)) {
		field = &event->fields[i];
		fprintf(f, "\tfield:%s %s;\toffset:%zu;\tsize:%u;\tsigned:%d;\n", field->type,
			field->name, offset, field->size, !!(field->flags & KT_FIELD_SIGNED));
	}
}

static void print_form(FILE *f, const struct kt_event *event)
{
	size_t i;

	if (event->print) {
		fprintf(f, "\nprint fmt: %s", event->print);
		return;
	}
	fputs("\nprint fmt: \"", f);
	for (i = 0; i < event->n_fields; i++)
		fprintf(f, "%s%s=%%ld", i ? " " : "", event->fields[i].name);
	fputc('"', f);
	for (i = 0; i < event->n_fields; i++)
		fprintf(f, ", REC->%s", event->fields[i].name);
	fputc('\n', f);
}

/* Returns NULL without memory. */
static char *print_event(const struct kt_event *event)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f, "name: %s\nID: 0\nformat:\n", event->name);
	print_fields(f, event);
	print_form(f, event);
	return fclose(f) == 0 ? text : NULL;
}

char *kt_point_format(const struct kt_event_name *name, const struct kt_point *point,
		      struct kt_btf *btf, struct kt_error *err)
{
	struct kt_event *event = kt_point_event(name, point, btf, err);
	char *text;

	if (!event)
		return NULL;
	if (kt_curate(event, btf, err) < 0 && !event->curated) {
		kt_event_free(event);
		return NULL;
	}
	text = print_event(event);
	if (!text)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_event_free(event);
	return text;
}
