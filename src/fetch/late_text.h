/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that a system call is given, and that is not in memory yet at its entry: its return copies
 * it, as a field of its own, "__filename_late" of "filename". Of most returns that is empty.
 *
 *	kt_late_text_add_all(event, btf);	// of a return
 *	kt_late_text_argument("__filename_late", argument);	// "filename"
 */
#ifndef KT_FETCH_LATE_TEXT_H
#define KT_FETCH_LATE_TEXT_H

#include <stdbool.h>

#include "fetch/pointed_data.h"

/* The name of an argument's field, cut where longer. And the other way round: whether it is one. */
const char *kt_late_text_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);
bool kt_late_text_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/* Whether the call that has that entry may be given such text. */
bool kt_late_text_may_be(const struct kt_event *call, struct kt_btf *btf);

/* Adds the fields to the event of a return, behind kt_pointed_data_add_all. 0 or -ENOMEM. */
int kt_late_text_add_all(struct kt_event *event, struct kt_btf *btf);

#endif
