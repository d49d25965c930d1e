/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many rows a table needs that has one for each CPU, and which of them are in use.
 *
 *	int n = kt_cpus(&err);		// 4 where /sys/devices/system/cpu/possible says "0-3"
 *	bool *online = calloc(n, 1);
 *
 *	kt_cpus_online(online, n, &err);
 *
 * It is the highest number that any CPU can have, plus one, for numbers may have gaps ("0,2-3").
 */
#ifndef KT_BASE_CPUS_H
#define KT_BASE_CPUS_H

#include <stdbool.h>

struct kt_error;

/* On error -errno. */
int kt_cpus(struct kt_error *err);

/* The most that the kernel is built for, its NR_CPUS. On error -errno. */
int kt_cpus_max(struct kt_error *err);

/* Sets those of the n that are online now. 0 or -errno. */
int kt_cpus_online(bool *online, int n, struct kt_error *err);

/*
 * Of a list in the kernel's form ("0,2-3"): its highest number plus one; where it is none, -1.
 * Those of the list that are below n are set in set.
 */
int kt_cpus_parse(const char *list, bool *set, int n);

/*
 * Sets those of such a list that a person typed, of as many as kt_cpus() says; where *chosen is
 * NULL they are allocated. They are the caller's to free, on error too: -EINVAL for what is no
 * list, -ENODEV for one with a CPU that is not online, and where in the list.
 */
int kt_cpus_choose(bool **chosen, const char *list, struct kt_error *err);

#endif
