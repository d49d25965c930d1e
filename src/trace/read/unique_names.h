/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that may stand in a metadata text once.
 *
 *	struct kt_unique_names once = {0};
 *
 *	if (kt_unique_names_add(&once, "hostname") == 0)
 *		...				// it was there before
 *	kt_unique_names_clear(&once);
 *
 * Takes the logarithm of their number. Names are not copied.
 */
#ifndef KT_TRACE_READ_UNIQUE_NAMES_H
#define KT_TRACE_READ_UNIQUE_NAMES_H

#include <stdbool.h>

struct kt_unique_names {
	void *names;
	bool are_pairs; /* behind the 0 of each there is a second text, which counts too */
};

/* 1 for a name that was not there before, 0 for one that was; or -ENOMEM. */
int kt_unique_names_add(struct kt_unique_names *once, const char *name);

/* Also one that is zero. */
void kt_unique_names_clear(struct kt_unique_names *once);

#endif
