/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_EVENTS_EVENT_TARGET_H
#define KT_EVENTS_EVENT_TARGET_H

struct kt_event;
struct kt_field;

/*
 * The field with the number of the thread to which the event happens, where that need not be the
 * one that runs: the thread that is switched to, that is woken, that gets a signal. NULL where the
 * event has none that we know of.
 */
const struct kt_field *kt_event_target(const struct kt_event *event);

#endif
