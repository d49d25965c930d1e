/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of events and calls as JSON. */
#ifndef KT_VIEW_GROUPS_GROUPS_JSON_H
#define KT_VIEW_GROUPS_GROUPS_JSON_H

#include <stdbool.h>

struct json_object;
struct kt_hit_groups;

/*
 * Adds "groups", an array of all sorted groups, each an object: "by" with the fields, missing ones
 * as null, stacks as arrays of functions; "count"; "errors"; "sum"; and "quantiles" with n, total,
 * min, p50, p90, p99 and max. Times are in ns. Returns false as kt_json_add().
 */
bool kt_groups_json_add(struct json_object *o, const struct kt_hit_groups *g);

#endif
