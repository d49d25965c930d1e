/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the fields of pointed-to data (fetch/pointed_data.h) to a system call's event.
 *
 *	kt_pointed_fields_add_all(event, btf);
 *	i = kt_pointed_fields_find(event, "filename");	// event->fields[i] is "__filename_val"
 */
#ifndef KT_FETCH_POINTED_FIELDS_H
#define KT_FETCH_POINTED_FIELDS_H

#include <stddef.h>

struct kt_btf;
struct kt_event;

/* Returns the event that describes the arguments: an entry itself, or event->call of a return. */
const struct kt_event *kt_pointed_fields_call(const struct kt_event *event);

/*
 * Adds a field for each copy. In front of them it adds a field for the length of each array of
 * pointers; to a return also those arguments that are numbers of elements. Returns 0 or -ENOMEM.
 */
int kt_pointed_fields_add_all(struct kt_event *event, struct kt_btf *btf);

/* Returns the index of an argument's copy among the event's fields; n_fields if there is none. */
size_t kt_pointed_fields_find(const struct kt_event *event, const char *argument);

#endif
