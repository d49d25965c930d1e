// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <sys/syscall.h>

/* clang-format off */

#define CALL(NAME) {__NR_##NAME, #NAME},

/* Written by make from <sys/syscall.h>. */
static const struct kt_label call_of[] = {
	{-1, "32-bit"},
#include "constants/syscalls.inc"
};

static const struct kt_labels tables[] = {VALUES(call, NULL)};

/* clang-format on */

const struct kt_constants kt_constants_of_calls = {tables, sizeof(tables) / sizeof(*tables)};
