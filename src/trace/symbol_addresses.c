// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/symbol_addresses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "bpf/ring_layout.h"
#include "events/event.h"

enum { SLOTS_SHIFT = 10 }; /* initial size */

/* An event's range among all places. */
struct of_event {
	size_t begin, end;
};

/* A hash table of 2^shift slots, at least half of them free; 0 is not an address. */
struct kt_symbol_addresses {
	uint64_t *slots;
	unsigned int shift;
	size_t n;
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
	size_t i, at = sizeof(struct kt_record);
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
	if (ret == 0) {
		a->shift = SLOTS_SHIFT;
		a->slots = calloc((size_t)1 << a->shift, sizeof(*a->slots));
		if (a->slots)
			return a;
	}
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_symbol_addresses_free(a);
	return NULL;
}

void kt_symbol_addresses_free(struct kt_symbol_addresses *a)
{
	if (!a)
		return;
	free(a->slots);
	free(a->places);
	free(a);
}

/* Returns the slot of an address, or the one it may be put in. */
static uint64_t *find_slot(uint64_t *slots, unsigned int shift, uint64_t address)
{
	size_t mask = ((size_t)1 << shift) - 1, i = address * 0x9e3779b97f4a7c15 >> (64 - shift);

	while (slots[i] && slots[i] != address)
		i = (i + 1) & mask;
	return &slots[i];
}

static void grow_table(struct kt_symbol_addresses *a)
{
	size_t i, n = (size_t)1 << a->shift;
	uint64_t *slots = calloc(2 * n, sizeof(*slots));

	if (!slots)
		return;
	for (i = 0; i < n; i++)
		if (a->slots[i])
			*find_slot(slots, a->shift + 1, a->slots[i]) = a->slots[i];
	free(a->slots);
	a->slots = slots;
	a->shift++;
}

static void add_address(struct kt_symbol_addresses *a, uint64_t address)
{
	uint64_t *slot = find_slot(a->slots, a->shift, address);

	if (*slot == address)
		return;
	if (2 * a->n >= (size_t)1 << a->shift) {
		grow_table(a);
		slot = find_slot(a->slots, a->shift, address);
	}
	if (2 * a->n >= (size_t)1 << a->shift)
		return;
	*slot = address;
	a->n++;
}

void kt_symbol_addresses_note(struct kt_symbol_addresses *a, size_t event, const char *record)
{
	const struct of_event *of = &a->events[event];
	uint64_t address;
	size_t i;

	for (i = of->begin; i < of->end; i++) {
		memcpy(&address, record + a->places[i], sizeof(address));
		if ((int64_t)address < 0)
			add_address(a, address);
	}
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

const uint64_t *kt_symbol_addresses_sort(struct kt_symbol_addresses *a, size_t *n)
{
	size_t i, size = (size_t)1 << a->shift, k = 0;

	for (i = 0; i < size; i++)
		if (a->slots[i])
			a->slots[k++] = a->slots[i];
	qsort(a->slots, k, sizeof(*a->slots), compare_addresses);
	*n = a->n;
	return k ? a->slots : NULL;
}
