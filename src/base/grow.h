/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dynamic array that keeps no capacity: room doubles whenever its length is a power of two.
 *
 *	larger = kt_grow(numbers, n, sizeof(*numbers));
 *	if (!larger)
 *		return -ENOMEM;				// numbers is unchanged
 *	numbers = larger;
 *	numbers[n++] = 42;
 */
#ifndef KT_BASE_GROW_H
#define KT_BASE_GROW_H

#include <stddef.h>

/*
 * Returns the array, moved if necessary, with room for one more element of `size` bytes after its
 * n. All n elements must have been added this way. Returns NULL without memory.
 */
void *kt_grow(void *array, size_t n, size_t size);

#endif
