/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel takes the fields of its events from, as somebody has written it down.
 *
 *	const struct kt_recipe *r = kt_recipe_of("irq", "softirq_entry");
 *
 *	// r->fields[0]: "vec=vec_nr"
 */
#ifndef KT_FETCH_RECIPES_H
#define KT_FETCH_RECIPES_H

#include <stddef.h>

struct kt_error;

enum { KT_RECIPE_WAYS = 3 };

/*
 * Every field of the event, in the order of its record, and the expression (ctypes/recipe_expr.h)
 * by which the kernel gets its value. Of several ways the first that fits is to be taken.
 */
struct kt_recipe {
	const char *event;                  /* "sched:sched_waking" */
	const char *fields[KT_RECIPE_WAYS]; /* NULL behind the last one */
};

/* Of an event; or NULL. */
const struct kt_recipe *kt_recipe_of(const char *system, const char *event);

/* One after the other; NULL from the last one on. */
const struct kt_recipe *kt_recipe_at(size_t i);

/* Whether it holds for the kernel that runs. 0, or -EOPNOTSUPP and why not. */
int kt_recipe_check(const struct kt_recipe *r, struct kt_error *err);

#endif
