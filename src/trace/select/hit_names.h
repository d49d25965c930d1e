/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of what a trace has of an event, or of a system call: fields of its entry; `path`, its
 * first path or that of its first descriptor; and `ret` and `duration` of its return.
 *
 *	struct kt_hit_names names;
 *	uint64_t ns;
 *
 *	kt_hit_names_of_call(&names, kind);
 *	i = kt_hit_names_find(&names, "duration");
 *	if (i < names.scope.n && kt_hit_names_number(&names, i, entry, exit, &ns))
 *		printf("%" PRIu64 "\n", ns);
 *	kt_hit_names_clear(&names);
 */
#ifndef KT_TRACE_SELECT_HIT_NAMES_H
#define KT_TRACE_SELECT_HIT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/filter_scope.h"

struct kt_call_kind;
struct kt_event_class;
struct kt_hit;

struct kt_hit_names {
	struct kt_filter_scope scope;
	const struct kt_call_kind *call; /* NULL: an event */
	struct kt_hit_place *places;     /* of the scope's names, in its order */
};

/* Make the names of an event, or of a call, which must outlive them. Return 0 or -ENOMEM. */
int kt_hit_names_of_event(struct kt_hit_names *names, const struct kt_event_class *event);
int kt_hit_names_of_call(struct kt_hit_names *names, const struct kt_call_kind *call);

void kt_hit_names_clear(struct kt_hit_names *names);

/* Returns the index of a name; scope.n: there is none. */
size_t kt_hit_names_find(const struct kt_hit_names *names, const char *name);

/*
 * Get the value of a name: a number, extended by its sign, or a text that is valid as long as the
 * hits. An event is the entry. Return false if it is unknown: a side is NULL, or data could not be
 * read.
 */
bool kt_hit_names_number(const struct kt_hit_names *names, size_t i, const struct kt_hit *entry,
			 const struct kt_hit *exit, uint64_t *number);
bool kt_hit_names_text(const struct kt_hit_names *names, size_t i, const struct kt_hit *entry,
		       const struct kt_hit *exit, const char **text, size_t *len);

/*
 * Returns the side that has the value of a name, and the member that it is; NULL if that side is
 * NULL, or the value is the duration.
 */
const struct kt_hit *kt_hit_names_side(const struct kt_hit_names *names, size_t i,
				       const struct kt_hit *entry, const struct kt_hit *exit,
				       size_t *member);

#endif
