/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields that ktrace adds to an event, after those of the kernel's record: useful values that the
 * tracepoint's arguments provide.
 *
 *	const struct kt_extra_fields *x = kt_extra_fields_of("sched", "sched_process_exit");
 *
 *	// x->fields[0].name: "exit_code"; x->source: "exit_code=p->exit_code"
 */
#ifndef KT_EVENTS_EXTRA_FIELDS_H
#define KT_EVENTS_EXTRA_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "ctypes/field.h"

struct kt_event;

/* Fields and their expressions, written as in a recipe (fetch/recipes.h). */
struct kt_extra_fields {
	const char *system, *event;
	const struct kt_field *fields;
	size_t n;
	const char *source;
};

/* Returns the extra fields of an event, or NULL. */
const struct kt_extra_fields *kt_extra_fields_of(const char *system, const char *event);

/*
 * Adds the extra fields to an event, if it has any and they are not there yet; a field has the
 * labels of the table of constants of its name, if there is one. Returns 0 or -ENOMEM.
 */
int kt_extra_fields_add(struct kt_event *event);
bool kt_extra_fields_are_added(const struct kt_event *event);

#endif
