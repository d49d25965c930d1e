/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in print formats (trace/print/print_format.h), computed as in C.
 *
 *	kt_print_type_of(KT_PRINT_ADD, (struct kt_print_type){8, true}, int_type);	// int
 *	n = kt_print_number(e, fields, hit->values);
 *
 * A number is held in 64 bits, sign-extended if its type is signed.
 */
#ifndef KT_TRACE_PRINT_PRINT_NUMBER_H
#define KT_TRACE_PRINT_PRINT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/print/print_format.h"

struct kt_record_layout;
struct kt_value;

/* Returns the type after integer promotion: int for all smaller ones. */
struct kt_print_type kt_print_promoted(struct kt_print_type t);

/* Returns the type of a binary operator's result. */
struct kt_print_type kt_print_type_of(enum kt_print_op op, struct kt_print_type left,
				      struct kt_print_type right);

/*
 * Computes a numeric expression. What has no value in C is 0: n / 0, an element that is out of
 * range.
 */
uint64_t kt_print_number(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			 const struct kt_value *values);

#endif
