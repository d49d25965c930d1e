/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits a program that records the hits of many functions of the kernel, each as an event of its
 * own (events/point.h).
 *
 *	struct kt_event_indices indices = {.map = map, .n = n_events, .by_cookie = true};
 *
 *	r.shared = &indices;
 *	kt_emit_function_group(a, r, (struct kt_function_classes){events, 28});
 *
 * Functions whose own programs would be equal, except for the event's index, are of one class: one
 * of their events stands for all. The attach cookie has a function's number and class
 * (generate/event_index.h), by which the program chooses the code. Costs about 10 ns more than a
 * program of one function.
 */
#ifndef KT_HANDLERS_FUNCTION_GROUP_PROG_H
#define KT_HANDLERS_FUNCTION_GROUP_PROG_H

#include <stddef.h>

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/* An event of each class, all entries or all returns, probed by kprobe.multi or kprobe.session. */
struct kt_function_classes {
	const struct kt_event *const *events;
	size_t n;
};

enum { KT_FUNCTION_CLASSES_MAX = 128 };

/*
 * Returns whether a function can be in such a group: its event has fields of fixed size alone, and
 * its filter neither patterns nor marks, and it is no trigger.
 */
bool kt_function_group_can_have(const struct kt_event *event);

/* Returns the bytes of its record. */
size_t kt_function_group_record_size(const struct kt_event *event);

void kt_emit_function_group(struct kt_asm *a, struct kt_reserve r, struct kt_function_classes c);

#endif
