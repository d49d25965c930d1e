/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of constants by topic: system calls, files, ioctl, the kernel, memory, sockets and their
 * options, netlink messages, prctl, signals, tasks, terminals, and others. Each NAME_of[] is one
 * table, in the order in which names are shown; of two flags that share bits, the larger stands
 * first.
 */
#ifndef KT_CONSTANTS_CONSTANTS_OF_H
#define KT_CONSTANTS_CONSTANTS_OF_H

#include <stddef.h>
#include <stdint.h>

#include "constants/labels.h"

/* clang-format off */

#define C(constant) {(uint64_t)(constant), #constant}

#define N(table, unnamed_value) \
	.name = #table, .unnamed = (unnamed_value), .of = table##_of, \
	.n = sizeof(table##_of) / sizeof(*table##_of)
#define VALUES(table, unnamed_value) {N(table, unnamed_value)}
#define FLAGS(table, bits, unnamed_value) \
	{N(table, unnamed_value), .are_flags = true, .mask = (bits)}

#define FORMED(table, bits, unnamed_value, special) \
	{N(table, unnamed_value), .are_flags = true, .mask = (bits), .form = (special)}

/* clang-format on */

struct kt_constants {
	const struct kt_labels *tables;
	size_t n;
};

extern const struct kt_constants kt_constants_of_calls, kt_constants_of_files,
	kt_constants_of_ioctl, kt_constants_of_kernel, kt_constants_of_memory, kt_constants_of_net,
	kt_constants_of_netlink, kt_constants_of_options, kt_constants_of_others,
	kt_constants_of_prctl, kt_constants_of_signal, kt_constants_of_tasks, kt_constants_of_tty;

#endif
