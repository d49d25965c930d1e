/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns by which users choose events.
 *
 *	bool *selected = calloc(kt_event_names_count(names), sizeof(*selected));
 *
 *	kt_event_pattern_select("sched:*", names, selected, &err);
 *	kt_event_pattern_select("kmalloc", names, selected, &err);	// adds to them
 *
 * - SYSTEM:EVENT, or EVENT alone, which means that event of every system. Both parts may be globs:
 *   '*' any text, '?' any byte, '[a-z]' one of these.
 * - syscalls:EVENT, or EVENT alone if it is not a glob, may also be the name of a system call
 *   (fetch/syscall_fields.h), the kernel's or the programs'; it means both of the call's events.
 * - %CLASS means the events of all calls of a class (filter/syscall_class.h).
 * - /REGEX, after SYSTEM: or alone, means the events, and the calls by their name, in which the
 *   extended regular expression matches.
 */
#ifndef KT_FILTER_EVENT_PATTERN_H
#define KT_FILTER_EVENT_PATTERN_H

#include <stdbool.h>

#include "events/event_names.h"

/*
 * Sets selected[i] for every name that the pattern matches, and changes no other. Returns how many
 * match, at least one. On error changes nothing; err points into the pattern and suggests what was
 * probably meant: -EINVAL if it is not a pattern, -ENOENT if nothing matches.
 */
int kt_event_pattern_select(const char *pattern, const struct kt_event_names *names, bool *selected,
			    struct kt_error *err);

#endif
