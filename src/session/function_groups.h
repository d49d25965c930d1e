/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of functions of the kernel that share one program and one link, where the kernel has such
 * links (hook/kprobe_multi.h): many functions are attached and detached as fast as one.
 *
 *	struct kt_function_groups g = {};
 *
 *	kt_function_groups_expect(&g, &probes, event);		// of each event to come
 *	...
 *	if (!kt_function_groups_add(&g, &probes, event, 5))	// is it the session's event 5?
 *		kt_probes_attach(...);				// no: by a probe of its own
 *	...
 *	kt_function_groups_free(&g);
 *
 * A group is attached when the first of its events is added. It has entries alone, or returns; at
 * least KT_FUNCTION_GROUP_MIN of them, or 2 where the kernel preempts itself: fewer get programs of
 * their own, which then cost less per hit (fentry). Events of flight recorders are not in groups,
 * as each can be changed and detached.
 */
#ifndef KT_SESSION_FUNCTION_GROUPS_H
#define KT_SESSION_FUNCTION_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_event;
struct kt_function_group;
struct kt_probes;

enum { KT_FUNCTION_GROUP_MIN = 8 };

struct kt_function_groups {
	size_t n;
	struct kt_function_group **of; /* private */
};

/*
 * Notes an event for a group, if it can be in one. It remains the caller's; it must not change, nor
 * be freed before it is added, unless no further event is added.
 */
void kt_function_groups_expect(struct kt_function_groups *g, const struct kt_probes *p,
			       struct kt_event *event);

/*
 * Adds an event as that of an index in the session, if its group can be attached. All events of the
 * group then take their arguments from the registers. Returns whether it is probed now.
 */
bool kt_function_groups_add(struct kt_function_groups *g, const struct kt_probes *p,
			    const struct kt_event *event, size_t index);

/*
 * Returns the hits that the kernel has not passed to the groups' programs; it does not say of which
 * functions. Takes two system calls for each group.
 */
uint64_t kt_function_groups_missed(const struct kt_function_groups *g);

/* Detaches all; what was missed can still be read. */
void kt_function_groups_detach(struct kt_function_groups *g);

void kt_function_groups_free(struct kt_function_groups *g);

#endif
