/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that may stand in a metadata text once.
 *
 *	struct kt_once once = {0};
 *
 *	if (kt_once_add(&once, "hostname") == 0)
 *		...				// it was there before
 *	kt_once_clear(&once);
 *
 * Takes the logarithm of their number. Names are not copied.
 */
#ifndef KT_TRACE_READ_UNIQUE_NAMES_H
#define KT_TRACE_READ_UNIQUE_NAMES_H

#include <stdbool.h>

struct kt_once {
	void *names;
	bool are_pairs; /* behind the 0 of each there is a second text, which counts too */
};

/* 1 for a name that was not there before, 0 for one that was; or -ENOMEM. */
int kt_once_add(struct kt_once *once, const char *name);

/* Also one that is zero. */
void kt_once_clear(struct kt_once *once);

#endif
