/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events a person means.
 *
 *	bool *chosen = calloc(kt_event_names_count(names), sizeof(*chosen));
 *
 *	kt_event_pattern_choose("sched:*", names, chosen, &err);
 *	kt_event_pattern_choose("kmalloc", names, chosen, &err);	// those as well
 *
 * A pattern is SYSTEM:EVENT, or EVENT alone, which means that event of every system. Both parts may
 * be globs: * any text, ? any byte, [a-z] one of these. syscalls:EVENT, or an EVENT alone that is
 * no glob, may also name a system call (fetch/syscall_fields.h), as the kernel or as programs call
 * it, and means both of its events. %CLASS means those of all calls of a class
 * (filter/syscall_class.h).
 */
#ifndef KT_FILTER_EVENT_PATTERN_H
#define KT_FILTER_EVENT_PATTERN_H

#include <stdbool.h>

#include "events/event_names.h"

/*
 * Set chosen[i] for every name i that the pattern matches, and touch no other. Returns how many
 * match: at least one. On error none is touched, err points into the pattern and suggests what was
 * probably meant; -EINVAL: it is no pattern, -ENOENT: nothing matches it.
 */
int kt_event_pattern_choose(const char *pattern, const struct kt_event_names *names, bool *chosen,
			    struct kt_error *err);

#endif
