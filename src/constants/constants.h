/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs call the numbers that they give to system calls and get from them, as the headers
 * have it that ktrace is compiled with.
 *
 *	const struct kt_labels *open = kt_constants_find("open");	// O_RDONLY, O_WRONLY, …
 *
 * They are static.
 */
#ifndef KT_CONSTANTS_CONSTANTS_H
#define KT_CONSTANTS_CONSTANTS_H

#include <stddef.h>

struct kt_labels;

/* Those of that name, which they have in metadata too; or NULL. */
const struct kt_labels *kt_constants_find(const char *name);

/* One after the other; NULL from the last one on. */
const struct kt_labels *kt_constants_at(size_t i);

#endif
