/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a flight stands, for people and for programs.
 *
 *	struct kt_status s = {.name = "flight", .about = kt_flight_get_info(f), .gauge = &gauge};
 *
 *	kt_flight_status_print(&text, &s);
 *
 *	flight: 38 events for 2 min 3 s, since 2026-11-24 21:28:03
 *	  by root, process 4711: ktrace start
 *	  200312 hits, 1002.3 a second lately; none lost
 *	  13021 held, 187291 overwritten: of each CPU the last 13.2 s or more
 *	  73 % of 2 rings of 4.0 MiB used; 8.6 MiB of memory in all
 */
#ifndef KT_VIEW_FLIGHT_STATUS_H
#define KT_VIEW_FLIGHT_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct kt_flight_info;
struct kt_flight_stats;
struct kt_text;

struct kt_status {
	const char *name;
	const struct kt_flight_info *info;
	const struct kt_flight_stats *gauge;
	bool each_event; /* in text: each in a row of its own */
};

/* freezes 200.0 ms after the first hit of a trigger */
void kt_flight_status_put_trigger(struct kt_text *t, uint64_t after);

/* What could not be written stands in ferror(t->to). */
void kt_flight_status_print(struct kt_text *t, const struct kt_status *s);

/* One line of JSON. 0 or -ENOMEM; what could not be written stands in ferror(to). */
int kt_flight_status_print_json(FILE *to, const struct kt_status *s);

#endif
