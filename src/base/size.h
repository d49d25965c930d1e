/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes as people type and read them.
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
 * A whole number of bytes, or of KiB, MiB or GiB where a K, M or G follows. 0, or -EINVAL, err
 * pointing into the text.
 */
int kt_size_parse(const char *text, uint64_t *bytes, struct kt_error *err);

/* Rounded to a tenth of the largest unit that it reaches; cut where longer than size. */
void kt_size_format(uint64_t bytes, char *text, size_t size);

#endif
