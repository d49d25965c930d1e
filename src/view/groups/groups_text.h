/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints groups of events and calls as a table. */
#ifndef KT_VIEW_GROUPS_GROUPS_TEXT_H
#define KT_VIEW_GROUPS_GROUPS_TEXT_H

#include <stddef.h>

struct kt_hit_groups;
struct kt_text;

/* Prints a header, and the first `max` sorted groups; what they leave out is counted. */
void kt_groups_text_print(struct kt_text *to, const struct kt_hit_groups *g, size_t max);

#endif
