/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a metadata's env says about single events: which hits were recorded, and how the kernel
 * prints them. filter_12 belongs to the event with id 12 (doc/trace.md).
 *
 *	struct kt_env_filters l = {0};
 *
 *	kt_env_filters_add(&l, "filter_12", &value);
 *	...						// all events are known
 *	kt_env_filters_set(&l, events, n_events);
 *	kt_env_filters_clear(&l);
 */
#ifndef KT_TRACE_READ_ENV_FILTERS_H
#define KT_TRACE_READ_ENV_FILTERS_H

#include <stddef.h>

struct kt_event_class;
struct kt_tsdl_value;

struct kt_env_filters {
	struct kt_env_filter *of;
	size_t n;
};

/*
 * Adds an entry of env, whose texts must outlive the events. Returns 1; 0 if it is about no single
 * event; -ENOMEM.
 */
int kt_env_filters_add(struct kt_env_filters *l, const char *name,
		       const struct kt_tsdl_value *value);

/* Stores the entries in the events with these ids. */
void kt_env_filters_set(const struct kt_env_filters *l, struct kt_event_class *events, size_t n);

void kt_env_filters_clear(struct kt_env_filters *l);

#endif
