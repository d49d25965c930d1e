/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a hit as a JSON object on one line (doc/view.md).
 *
 *	{"time":5012000123456,"cpu":1,"tid":4711,"system":"irq","event":"irq_handler_exit",
 *	 "fields":{"irq":42,"ret":1}}		(on one line)
 *	{"time":5012000123456,"cpu":1,"lost":12}
 *
 * Takes some 300 ns.
 */
#ifndef KT_VIEW_EVENT_JSON_H
#define KT_VIEW_EVENT_JSON_H

struct kt_hit;
struct kt_text;

/* Prints the hit. Returns 0 or -ENOMEM. */
int kt_event_json_print(struct kt_text *t, const struct kt_hit *hit);

/* Puts the begin of an object: time, CPU, thread and process, and comm if it is known. */
void kt_event_json_begin(struct kt_text *t, const struct kt_hit *hit);

#endif
