/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array that grows one by one, without a word of how much room it has.
 *
 *	larger = kt_grow(numbers, n, sizeof(*numbers));
 *	if (!larger)
 *		return -ENOMEM;				// numbers are as they were
 *	numbers = larger;
 *	numbers[n++] = 42;
 */
#ifndef KT_BASE_GROW_H
#define KT_BASE_GROW_H

#include <stddef.h>

/*
 * The array, or a larger copy that takes its place: with room for one element behind its n, each of
 * which was made room for so. NULL where there is no memory. The room doubles at powers of two.
 */
void *kt_grow(void *array, size_t n, size_t size);

#endif
