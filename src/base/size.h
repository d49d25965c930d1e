/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes in bytes as users type and read them.
 *
 *	kt_size_parse("4M", &bytes, &err);			// 4194304
 *	kt_size_format(bytes * 3 / 2, text, sizeof(text));	// 6.0 MiB
 */
#ifndef KT_BASE_SIZE_H
#define KT_BASE_SIZE_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;

/*
 * Parses a whole number of bytes, or of KiB, MiB or GiB with a K, M or G after it. Returns 0 or
 * -EINVAL; err points into the text.
 */
int kt_size_parse(const char *text, uint64_t *bytes, struct kt_error *err);

/* Formats a size in the largest unit that it reaches, rounded to a tenth; cut to size bytes. */
void kt_size_format(uint64_t bytes, char *text, size_t size);

#endif
