/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recipes: where the kernel takes the fields of its events from, written down by hand.
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
 * Every field of an event in the order of its record, and the expression (ctypes/recipe_expr.h) for
 * its value. If there are several ways, the first that fits the kernel is used.
 */
struct kt_recipe {
	const char *event;                  /* "sched:sched_waking" */
	const char *fields[KT_RECIPE_WAYS]; /* the ways; NULL after the last */
};

/* Returns the recipe of an event, or NULL. */
const struct kt_recipe *kt_recipe_of(const char *system, const char *event);

/* Returns the i-th recipe; NULL after the last. */
const struct kt_recipe *kt_recipe_at(size_t i);

/* Returns 0 if the recipe applies to the running kernel, or -EOPNOTSUPP and the reason. */
int kt_recipe_check(const struct kt_recipe *r, struct kt_error *err);

#endif
