/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How strace prints numbers of some names: 8192*1024, makedev(0x8, 0x1), a date after a time.
 *
 *	if (!kt_number_form_put(t, KT_NUMBER_KILO, 8388608))
 *		kt_text_number(t, 8388608);			// 8192*1024
 */
#ifndef KT_VALUES_NUMBER_FORMS_H
#define KT_VALUES_NUMBER_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/print_forms.h"

struct kt_text;

/* Prints a number in a form. Returns false if the form is no other than usual: the date of a time.
 */
bool kt_number_form_put(struct kt_text *t, enum kt_number_form form, uint64_t n);

/* Prints a priority of input and output: its class, and its level in it. */
void kt_number_form_put_io_priority(struct kt_text *t, uint64_t n);

/*
 * Writes a local date, with 6 or 9 digits of a second if there are any. Returns its length, or 0
 * for 1970's first moment, and for what is no time: a year beyond the C library, a second too long.
 */
enum { KT_DATE_MAX = 64 };
size_t kt_number_form_date(int64_t seconds, uint64_t ns, unsigned int digits,
			   char text[KT_DATE_MAX]);

/* Prints the same as a comment, if there is one. */
void kt_number_form_put_date(struct kt_text *t, int64_t seconds, uint64_t ns, unsigned int digits);

#endif
