/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many rows a table needs that has one for each CPU.
 *
 *	int n = kt_cpus(&err);		// 4 where /sys/devices/system/cpu/possible says "0-3"
 *
 * It is the highest number that any CPU can have, plus one, for numbers may have gaps ("0,2-3").
 */
#ifndef KT_BASE_CPUS_H
#define KT_BASE_CPUS_H

struct kt_error;

/* On error -errno. */
int kt_cpus(struct kt_error *err);

/* The same of a list in the kernel's form. Where it is none, -1. */
int kt_cpus_parse(const char *list);

#endif
