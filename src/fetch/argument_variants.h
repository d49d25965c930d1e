/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments whose meaning depends on another argument: fcntl's arg is flags, a number or unused,
 * depending on cmd.
 *
 *	struct kt_argument_variant o;
 *
 *	for (k = 0; kt_argument_variant_at("fcntl", arg, k, &o); k++)
 *		o.by, o.when;		// "cmd", "F_SETFL": o.field has the labels of open's flags
 */
#ifndef KT_FETCH_ARGUMENT_VARIANTS_H
#define KT_FETCH_ARGUMENT_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ctypes/field.h"

struct kt_argument_variant {
	const char *by;   /* the deciding argument, which has labels */
	const char *when; /* the labels for which this variant applies, separated by blanks; NULL:
			     all others */
	bool is_none;     /* the call does not use the argument; otherwise: */
	struct kt_field field; /* what the argument is, always of its own size */
};

/*
 * Returns the k-th variant of an argument, or false after the last. The first that applies counts;
 * if none does, the argument has its own type.
 */
bool kt_argument_variant_at(const char *call, const struct kt_field *argument, size_t k,
			    struct kt_argument_variant *option);

#endif
