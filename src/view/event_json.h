/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a hit as a JSON object on one line (doc/view.md).
 *
 *	{"time":5012000123456,"cpu":1,"tid":4711,"system":"irq","event":"irq_handler_exit",
 *	 "fields":{"irq":42,"ret":1}}		(on one line)
 *	{"time":5012000123456,"cpu":1,"lost":12}
 *
 * Takes some 80 bytes of memory per byte of an array while printing.
 */
#ifndef KT_VIEW_EVENT_JSON_H
#define KT_VIEW_EVENT_JSON_H

#include <stdio.h>

struct kt_hit;

/* Prints the hit. Returns 0 or -ENOMEM; errors of writing are in ferror(to). */
int kt_event_json_print(FILE *to, const struct kt_hit *hit);

#endif
