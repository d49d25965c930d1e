/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Durations as users type them.
 *
 *	kt_duration_parse("200ms", &ns, &err);			// 200000000
 */
#ifndef KT_BASE_DURATION_H
#define KT_BASE_DURATION_H

#include <stdint.h>

struct kt_error;

/*
 * Parses a whole number with a unit: ns, us, ms, s, min or h. 0 needs no unit. Returns 0 or
 * -EINVAL; err points into the text.
 */
int kt_duration_parse(const char *text, uint64_t *ns, struct kt_error *err);

#endif
