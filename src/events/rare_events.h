/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_EVENTS_RARE_EVENTS_H
#define KT_EVENTS_RARE_EVENTS_H

#include <stdbool.h>

struct kt_event_name;

/*
 * Whether an event comes seldom beside others and says what these are about: how tasks come and go
 * and are called, and what modules and cgroups are called that records tell by number. To be kept
 * while others are overwritten (bpf/ring_layout.h).
 */
bool kt_event_is_rare(const struct kt_event_name *name);

#endif
