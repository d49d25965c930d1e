// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/symbol_addresses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/number_set.h"
#include "bpf/ring_layout.h"
#include "events/event.h"

/* An event's range among all places. */
struct of_event {
	size_t begin, end;
};

struct kt_symbol_addresses {
	struct kt_number_feed feed;
	size_t *places; /* offsets from a record's start */
	size_t n_places;
	struct of_event events[];
};

static int add_place(struct kt_symbol_addresses *a, size_t place)
{
	size_t *places = kt_grow(a->places, a->n_places, sizeof(*places));

	if (!places)
		return -ENOMEM;
	a->places = places;
	places[a->n_places++] = place;
	return 0;
}

static int add_event(struct kt_symbol_addresses *a, struct of_event *of,
		     const struct kt_event *event)
{
	size_t i, at = kt_event_fields_offset(event);
	int ret = 0;

	of->begin = a->n_places;
	for (i = 0; i < event->n_fields && ret == 0; i++) {
		if (event->fields[i].flags & KT_FIELD_SYMBOL)
			ret = add_place(a, at);
		at += kt_field_record_size(&event->fields[i]);
	}
	of->end = a->n_places;
	return ret;
}

struct kt_symbol_addresses *kt_symbol_addresses_new(const struct kt_event *const *events,
						    size_t n_events, struct kt_error *err)
{
	struct kt_symbol_addresses *a = calloc(1, sizeof(*a) + n_events * sizeof(*a->events));
	int ret = a ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < n_events && ret == 0; i++)
		ret = add_event(a, &a->events[i], events[i]);
	if (ret == 0)
		return a;
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_symbol_addresses_free(a);
	return NULL;
}

void kt_symbol_addresses_free(struct kt_symbol_addresses *a)
{
	if (!a)
		return;
	kt_number_feed_clear(&a->feed);
	free(a->places);
	free(a);
}

void kt_symbol_addresses_add(struct kt_symbol_addresses *a, uint64_t address)
{
	if ((int64_t)address < 0)
		kt_number_feed_add(&a->feed, address);
}

void kt_symbol_addresses_note(struct kt_symbol_addresses *a, size_t event, const char *record)
{
	const struct of_event *of = &a->events[event];
	uint64_t address;
	size_t i;

	for (i = of->begin; i < of->end; i++) {
		memcpy(&address, record + a->places[i], sizeof(address));
		kt_symbol_addresses_add(a, address);
	}
}

const uint64_t *kt_symbol_addresses_take(struct kt_symbol_addresses *a, size_t *n)
{
	return kt_number_feed_take(&a->feed, n);
}
