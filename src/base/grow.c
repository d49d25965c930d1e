// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/grow.h"

#include <stdlib.h>

void *kt_grow(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? array : reallocarray(array, n ? 2 * n : 1, size);
}
