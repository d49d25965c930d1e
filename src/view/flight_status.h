/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the status of a flight recorder, as text or JSON.
 *
 *	struct kt_status s = {.name = "flight", .info = kt_flight_get_info(f), .stats = &stats};
 *
 *	kt_flight_status_print(&text, &s);
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
	const struct kt_flight_stats *stats;
	bool each_event; /* in text: a row for each event */
};

/* Prints how triggers freeze the flight: "freezes 200.0 ms after the first hit of a trigger" */
void kt_flight_status_put_trigger(struct kt_text *t, uint64_t after);

/* Prints text. Errors of writing are in ferror(t->to). */
void kt_flight_status_print(struct kt_text *t, const struct kt_status *s);

/* Prints one line of JSON. Returns 0 or -ENOMEM; errors of writing are in ferror(to). */
int kt_flight_status_print_json(FILE *to, const struct kt_status *s);

#endif
