/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_CATALOG_RARE_H
#define KT_CATALOG_RARE_H

#include <stdbool.h>

struct kt_name;

/*
 * Whether an event comes seldom beside others and says what these are about: how tasks come and go
 * and are called, and what modules and cgroups are called that records tell by number. To be kept
 * while others are overwritten (base/layout.h).
 */
bool kt_name_is_rare(const struct kt_name *name);

#endif
