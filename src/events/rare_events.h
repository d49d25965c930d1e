/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_EVENTS_RARE_EVENTS_H
#define KT_EVENTS_RARE_EVENTS_H

#include <stdbool.h>

struct kt_event_name;

/*
 * Returns whether an event is rare, and needed to understand other events: how tasks start, end and
 * are named, and which modules and cgroups the numbers in records mean. Rare events have rings of
 * their own (bpf/ring_layout.h).
 */
bool kt_event_is_rare(const struct kt_event_name *name);

#endif
