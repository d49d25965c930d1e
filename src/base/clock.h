/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads CLOCK_MONOTONIC of the initial time namespace, in ns. Every time in ktrace is of this
 * clock, which BPF programs read by bpf_ktime_get_ns(). A process in another time namespace sees an
 * offset (time_namespaces(7)), which these functions take off.
 */
#ifndef KT_BASE_CLOCK_H
#define KT_BASE_CLOCK_H

#include <stdint.h>

/* Returns the time now, in ns. Costs about 30 ns; the first call 20 µs. */
uint64_t kt_clock_now(void);

/*
 * Returns what to add to a time of this clock to get ns since 1970, by the time of day as it is set
 * now.
 */
int64_t kt_clock_since_1970(void);

#endif
