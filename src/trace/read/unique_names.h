/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of names that must not occur twice in a metadata text.
 *
 *	struct kt_unique_names once = {0};
 *
 *	if (kt_unique_names_add(&once, "hostname") == 0)
 *		...				// it was there before
 *	kt_unique_names_clear(&once);
 *
 * Adding takes the logarithm of their number. Names are not copied.
 */
#ifndef KT_TRACE_READ_UNIQUE_NAMES_H
#define KT_TRACE_READ_UNIQUE_NAMES_H

#include <stdbool.h>

struct kt_unique_names {
	void *names;
	bool are_pairs; /* each is followed by a second text after its NUL, which is compared, too
			 */
};

/* Adds a name. Returns 1 if it is new, 0 if it was there; or -ENOMEM. */
int kt_unique_names_add(struct kt_unique_names *once, const char *name);

/* Frees the set; all zeros, too. */
void kt_unique_names_clear(struct kt_unique_names *once);

#endif
