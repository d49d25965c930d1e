/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's addresses that stand in records, each once: those of fields that are to be shown as
 * symbols (KT_FIELD_SYMBOL of events/event.h).
 *
 *	struct kt_symbol_addresses *a = kt_symbol_addresses_new(events, n_events, &err);
 *
 *	kt_symbol_addresses_note(a, event, record);			// of every record
 *	sorted = kt_symbol_addresses_sort(a, &n);			// from the lowest on
 *	kt_symbol_addresses_free(a);
 *
 * There are some hundred, and of all code some ten thousand; each takes 16 to 32 bytes.
 */
#ifndef KT_TRACE_SYMBOL_ADDRESSES_H
#define KT_TRACE_SYMBOL_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

struct kt_symbol_addresses;
struct kt_error;
struct kt_event;

/* The events are no longer needed then. On error NULL. */
struct kt_symbol_addresses *kt_symbol_addresses_new(const struct kt_event *const *events,
						    size_t n_events, struct kt_error *err);
void kt_symbol_addresses_free(struct kt_symbol_addresses *a);

/*
 * Those of a record of that event, from its head on, that are in the kernel's half of all
 * addresses; some 2 ns each, and nothing for an event without any. One that there is no memory for
 * is left out.
 */
void kt_symbol_addresses_note(struct kt_symbol_addresses *a, size_t event, const char *record);

/* They remain a's, and nothing is to be noted any more. NULL where there are none. */
const uint64_t *kt_symbol_addresses_sort(struct kt_symbol_addresses *a, size_t *n);

#endif
