/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields that ktrace gives an event behind those of the kernel's record: what the tracepoint is
 * called with has them, and who looks at the event wants to know.
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

/* Where each comes from is written as in a recipe (fetch/recipes.h). */
struct kt_extra_fields {
	const char *system, *event;
	const struct kt_field *fields;
	size_t n;
	const char *source;
};

/* Of an event; or NULL: none. */
const struct kt_extra_fields *kt_extra_fields_of(const char *system, const char *event);

/* Adds its fields to an event that has any, and has them not; whether it has them. 0 or -ENOMEM. */
int kt_extra_fields_add(struct kt_event *event);
bool kt_extra_fields_is_added(const struct kt_event *event);

#endif
