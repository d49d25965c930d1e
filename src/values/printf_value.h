/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts numbers and texts as the kernel's printf does.
 *
 *	struct kt_print_conversion as = {.kind = 'x', .bits = 32, .width = 6, .precision = -1,
 *					 .zero = true, .prefix = true};
 *
 *	kt_printf_value_number(&text, &as, 42);			// 0x002a
 *	kt_printf_value_text(&text, &as, "comm", 4);		// "  comm"
 */
#ifndef KT_VALUES_PRINTF_VALUE_H
#define KT_VALUES_PRINTF_VALUE_H

#include <stddef.h>
#include <stdint.h>

struct kt_print_conversion;
struct kt_text;

/* Prints the low bits of n, as many as the conversion has: d u x X o, or an address for p. */
void kt_printf_value_number(struct kt_text *t, const struct kt_print_conversion *as, uint64_t n);

/* Prints at most `precision` bytes of s, padded to the width, and escaped (values/text.h). */
void kt_printf_value_text(struct kt_text *t, const struct kt_print_conversion *as, const char *s,
			  size_t n);

#endif
