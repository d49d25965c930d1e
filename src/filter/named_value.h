/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number that a name in a filter stands for.
 *
 *	kt_named_value_find(&scan, field->labels, name, &number);	// "O_CREAT": 0100
 *	kt_named_value_find(&scan, NULL, name, &number);		// "SIGSEGV": 11
 */
#ifndef KT_FILTER_NAMED_VALUE_H
#define KT_FILTER_NAMED_VALUE_H

#include <stdint.h>

#include "base/scan.h"

struct kt_labels;

/*
 * Finds a name among a field's labels. For a field without labels (NULL) the name may be any
 * constant that system calls take, or an error with or without a sign. Returns 0; or -errno, with
 * an error at the name: -ENOENT if it is unknown, -EOPNOTSUPP if it stands for several numbers.
 */
int kt_named_value_find(const struct kt_scan *scan, const struct kt_labels *labels,
			struct kt_word name, uint64_t *value);

#endif
