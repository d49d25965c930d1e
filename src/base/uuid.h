/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_UUID_H
#define KT_BASE_UUID_H

#include <stdbool.h>
#include <stdint.h>

enum { KT_UUID_LEN = 36 };

/* Of 32 digits, a - between any two pairs or none; what stands behind them does not matter. */
bool kt_uuid_parse(const char *text, uint8_t uuid[16]);

/* As in 01234567-89ab-cdef-0123-456789abcdef. */
void kt_uuid_format(const uint8_t uuid[16], char text[KT_UUID_LEN + 1]);

#endif
