/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the numbers that system calls take and return, from the headers that ktrace was compiled
 * with. All tables are static.
 *
 *	const struct kt_labels *open = kt_constants_find("open");	// O_RDONLY, O_WRONLY, …
 */
#ifndef KT_CONSTANTS_CONSTANTS_H
#define KT_CONSTANTS_CONSTANTS_H

#include <stddef.h>

struct kt_labels;

/* Returns the table of that name, which is also its name in trace metadata; or NULL. */
const struct kt_labels *kt_constants_find(const char *name);

/*
 * Returns the table that a type in trace metadata was written from, "open_x32_0x3_flags": that of
 * the longest name at its beginning; NULL if there is none.
 */
const struct kt_labels *kt_constants_of_type(const char *type);

/* Returns the i-th table; NULL after the last. */
const struct kt_labels *kt_constants_at(size_t i);

#endif
