/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the kernel addresses in records, each once: those of fields that are shown as symbols
 * (KT_FIELD_SYMBOL of ctypes/field.h).
 *
 *	struct kt_symbol_addresses *a = kt_symbol_addresses_new(events, n_events, &err);
 *
 *	kt_symbol_addresses_note(a, event, record);	// of every record
 *	sorted = kt_symbol_addresses_take(a, &n);
 *	kt_symbol_addresses_free(a);
 *
 * A trace has some hundred, at most some ten thousand; each takes 16 to 32 bytes.
 */
#ifndef KT_TRACE_SYMBOL_ADDRESSES_H
#define KT_TRACE_SYMBOL_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

struct kt_symbol_addresses;
struct kt_error;
struct kt_event;

/* Creates an empty set for these events, which are not needed afterwards. Returns NULL on error. */
struct kt_symbol_addresses *kt_symbol_addresses_new(const struct kt_event *const *events,
						    size_t n_events, struct kt_error *err);
void kt_symbol_addresses_free(struct kt_symbol_addresses *a);

/* Adds an address, if it is in the kernel's half. It is skipped if there is no memory for it. */
void kt_symbol_addresses_add(struct kt_symbol_addresses *a, uint64_t address);

/* Adds the addresses in a record, about 2 ns each; free for an event without any. */
void kt_symbol_addresses_note(struct kt_symbol_addresses *a, size_t event, const char *record);

/*
 * Returns the addresses that are new since the last call, sorted; they remain a's until the next
 * one. NULL: there are none.
 */
const uint64_t *kt_symbol_addresses_take(struct kt_symbol_addresses *a, size_t *n);

#endif
