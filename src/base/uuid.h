/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_UUID_H
#define KT_BASE_UUID_H

#include <stdbool.h>
#include <stdint.h>

enum { KT_UUID_LEN = 36 };

/*
 * Parses 32 hexadecimal digits, with an optional '-' between any two pairs; ignores what follows.
 * Returns false if the text does not start with a UUID.
 */
bool kt_uuid_parse(const char *text, uint8_t uuid[16]);

/* Formats a UUID as 01234567-89ab-cdef-0123-456789abcdef. */
void kt_uuid_format(const uint8_t uuid[16], char text[KT_UUID_LEN + 1]);

#endif
