// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/filter_scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctypes/field.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "events/point.h"
#include "fetch/pointed_data.h"
#include "fetch/pointed_fields.h"

/* Returns whether the field is the path of a descriptor, which takes long to find. */
static bool is_fd_path(const struct kt_event *event, size_t field)
{
	const struct kt_curated *c = event->curated;

	return c && field < c->n && kt_expr_any(c->exprs[field], kt_expr_is_file);
}

static const char *get_why_not(const struct kt_event *event, const struct kt_field *f)
{
	if (is_fd_path(event, f - event->fields))
		return "is the path of a file descriptor, which filters cannot test";
	if (kt_field_is_text(f))
		return NULL;
	if (f->flags & KT_FIELD_ARRAY || kt_field_varies(f))
		return "is an array; filters test numbers and text";
	if (f->size != f->width || f->offset % f->width)
		return "has no place of its own; filters test numbers and text";
	return NULL;
}

/* Returns 1 + the index of the text that an argument points to, if that is recorded; or 0. */
static size_t find_text(const struct kt_event *event, const struct kt_field *f)
{
	size_t copy = kt_pointed_fields_find(event, f->name);

	return copy < event->n_fields && kt_field_is_text(&event->fields[copy]) ? 1 + copy : 0;
}

static bool is_duration(const struct kt_event *event, const struct kt_field *f)
{
	return event->point && event->point->function && event->point->is_return &&
	       strcmp(f->name, "duration") == 0;
}

static struct kt_filter_name describe(const struct kt_event *event, const struct kt_field *f)
{
	bool is_text = kt_field_is_text(f);

	return (struct kt_filter_name){
		.name = f->name,
		.bits = is_text ? 0 : 8 * f->width,
		.is_signed = f->flags & KT_FIELD_SIGNED,
		.is_time = is_duration(event, f),
		.is_address = f->notation == KT_POINTER || f->flags & KT_FIELD_SYMBOL,
		.labels = f->labels,
		.text_max = kt_field_varies(f) ? KT_FILTER_TEXT_MAX : f->size,
		.text = find_text(event, f),
		.why_not = get_why_not(event, f),
	};
}

static bool can_be_followed(const struct kt_event *event)
{
	return event->point && event->point->function && event->curated &&
	       event->curated->target.btf;
}

int kt_filter_scope_of_event(struct kt_filter_scope *scope, const struct kt_event *event)
{
	*scope = (struct kt_filter_scope){
		.names = calloc(event->n_fields + 1, sizeof(*scope->names)),
		.system = event->system,
		.event = event->name,
		.of = can_be_followed(event) ? event : NULL,
	};
	if (!scope->names)
		return -ENOMEM;
	for (; scope->n < event->n_fields; scope->n++)
		scope->names[scope->n] = describe(event, &event->fields[scope->n]);
	return 0;
}

void kt_filter_scope_clear(struct kt_filter_scope *scope)
{
	free(scope->names);
	*scope = (struct kt_filter_scope){0};
}
