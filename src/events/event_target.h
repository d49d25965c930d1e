/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_EVENTS_EVENT_TARGET_H
#define KT_EVENTS_EVENT_TARGET_H

struct kt_event;
struct kt_field;

/*
 * Returns the field with the number of the thread that the event is about, if that need not be the
 * current one: the thread that is switched to, woken, or sent a signal. Returns NULL if there is
 * none.
 */
const struct kt_field *kt_event_target(const struct kt_event *event);

#endif
