/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an argument of a system call is where another one decides that: of fcntl's arg, by its cmd,
 * flags of files, or a number, or nothing that the call looks at.
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
	const char *by;        /* the argument that decides, which has labels */
	const char *when;      /* it has one of these, a blank between two; NULL: any other */
	bool is_none;          /* then the call has no such argument; or: */
	struct kt_field field; /* this is what it is, and as large as it always is */
};

/*
 * The kth of an argument, of which the first holds that fits: false from the last one on. It has
 * its own kind where none fits.
 */
bool kt_argument_variant_at(const char *call, const struct kt_field *argument, size_t k,
			    struct kt_argument_variant *option);

#endif
