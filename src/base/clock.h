/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock that all our times are of: the kernel's CLOCK_MONOTONIC, which bpf_ktime_get_ns reads,
 * in ns. A process in a time namespace has another one (time_namespaces(7)).
 */
#ifndef KT_BASE_CLOCK_H
#define KT_BASE_CLOCK_H

#include <stdint.h>

/* The kernel's clock, also in a time namespace. Costs some 30 ns, and the first time 20 µs. */
uint64_t kt_clock_now(void);

/* What to add to such a time for the ns since 1970, by the clock as it is set now. */
int64_t kt_clock_since_1970(void);

#endif
