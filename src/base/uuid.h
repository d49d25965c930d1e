/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_UUID_H
#define KT_BASE_UUID_H

#include <stdbool.h>
#include <stdint.h>

/* Of 32 digits, a - between any two pairs or none; what stands behind them does not matter. */
bool kt_uuid_parse(const char *text, uint8_t uuid[16]);

#endif
