/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How strace prints numbers whose names are not only labels joined by '|' (enum kt_labels_form).
 *
 *	MAP_PRIVATE|MAP_ANONYMOUS|MAP_HUGETLB|21<<MAP_HUGE_SHIFT
 *	0x1 (with PIDTYPE_TGID as a comment)
 */
#ifndef KT_VALUES_LABEL_FORMS_H
#define KT_VALUES_LABEL_FORMS_H

#include <stdbool.h>
#include <stdint.h>

struct kt_labels;
struct kt_text;

/* Prints a number of such a table. Returns false, and prints nothing, if it has no special form. */
bool kt_label_form_put(struct kt_text *t, const struct kt_labels *labels, uint64_t n);

#endif
