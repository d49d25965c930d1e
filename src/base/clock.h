/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock that all our times are of: CLOCK_MONOTONIC, which bpf_ktime_get_ns reads too, in ns.
 */
#ifndef KT_BASE_CLOCK_H
#define KT_BASE_CLOCK_H

#include <stdint.h>

uint64_t kt_clock_now(void);

/* What to add to such a time for the ns since 1970, by the clock as it is set now. */
int64_t kt_clock_since_1970(void);

#endif
