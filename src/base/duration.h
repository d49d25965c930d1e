/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spans of time as people type them.
 *
 *	kt_duration_parse("200ms", &ns, &err);			// 200000000
 */
#ifndef KT_BASE_DURATION_H
#define KT_BASE_DURATION_H

#include <stdint.h>

struct kt_error;

/*
 * A whole number, and behind it ns, us, ms, s, min or h; only 0 stands alone. 0, or -EINVAL, err
 * pointing into the text.
 */
int kt_duration_parse(const char *text, uint64_t *ns, struct kt_error *err);

#endif
