// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/record_sizes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/ring_layout.h"
#include "ctypes/field.h"
#include "events/event.h"

/* A field of varying length: where the record has its number of elements, and bytes of each. */
struct varying {
	uint32_t at, width;
};

/* The event's varying fields are fields[begin..end). */
struct of_event {
	uint32_t size, begin, end;
};

struct kt_record_sizes {
	struct varying *fields;
	struct of_event events[];
};

static size_t count_varying(const struct kt_event *event)
{
	size_t i, n = 0;

	for (i = 0; i < event->n_fields; i++)
		n += kt_field_varies(&event->fields[i]);
	return n;
}

/* Returns the number of fields used, from `begin` on. */
static size_t add_event(struct kt_record_sizes *s, struct of_event *of,
			const struct kt_event *event, size_t begin)
{
	uint32_t at = kt_event_fields_offset(event);
	const struct kt_field *f = event->fields, *end = f + event->n_fields;

	of->begin = of->end = begin;
	for (; f < end; at += kt_field_record_size(f++))
		if (kt_field_varies(f))
			s->fields[of->end++] = (struct varying){at, f->width};
	of->size = at;
	return of->end;
}

struct kt_record_sizes *kt_record_sizes_new(const struct kt_event *const *events, size_t n)
{
	struct kt_record_sizes *s = calloc(1, sizeof(*s) + n * sizeof(*s->events));
	size_t i, n_fields = 0;

	if (!s)
		return NULL;
	for (i = 0; i < n; i++)
		n_fields += count_varying(events[i]);
	s->fields = calloc(n_fields + 1, sizeof(*s->fields));
	if (!s->fields) {
		free(s);
		return NULL;
	}
	for (n_fields = 0, i = 0; i < n; i++)
		n_fields = add_event(s, &s->events[i], events[i], n_fields);
	return s;
}

void kt_record_sizes_free(struct kt_record_sizes *s)
{
	if (!s)
		return;
	free(s->fields);
	free(s);
}

size_t kt_record_sizes_get(const struct kt_record_sizes *s, size_t event, const void *record,
			   size_t room)
{
	const struct of_event *e = &s->events[event];
	size_t i, size = e->size;
	uint16_t count;

	if (size > room)
		return size;
	for (i = e->begin; i < e->end; i++) {
		memcpy(&count, (const char *)record + s->fields[i].at, sizeof(count));
		size += (size_t)count * s->fields[i].width;
	}
	return size;
}
