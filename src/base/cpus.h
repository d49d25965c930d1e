/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs of this machine. A per-CPU table needs kt_cpus_possible() rows: the highest number that
 * any CPU can have, plus one, since numbers may have gaps ("0,2-3").
 *
 *	int n = kt_cpus_possible(&err);	// 4 where /sys/devices/system/cpu/possible is "0-3"
 *	bool *online = calloc(n, 1);
 *
 *	kt_cpus_online(online, n, &err);
 */
#ifndef KT_BASE_CPUS_H
#define KT_BASE_CPUS_H

#include <stdbool.h>

struct kt_error;

/* Returns the number of rows, or -errno. */
int kt_cpus_possible(struct kt_error *err);

/* Returns how many CPUs the kernel was built for (NR_CPUS), or -errno. */
int kt_cpus_max(struct kt_error *err);

/* Sets online[cpu] for each of the n CPUs that is online now. Returns 0 or -errno. */
int kt_cpus_online(bool *online, int n, struct kt_error *err);

/*
 * Parses a list in the kernel's form ("0,2-3"). Sets set[cpu] for each CPU below n. Returns the
 * highest CPU plus one, or -1 if the text is not a list.
 */
int kt_cpus_parse(const char *list, bool *set, int n);

/*
 * Parses a list that a user typed. Sets (*selected)[cpu] for each CPU in it; allocates *selected,
 * with kt_cpus_possible() elements, if it is NULL. The caller frees *selected, on error too.
 * Returns 0; -EINVAL if the text is not a list; -ENODEV if a CPU is not online. err points at the
 * place.
 */
int kt_cpus_select(bool **selected, const char *list, struct kt_error *err);

#endif
