/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late texts: string arguments that are not in memory at the entry of a call. Its return copies
 * them, as fields of their own: "__filename_late" for "filename". In most returns they are empty.
 *
 *	kt_late_text_add_all(event, btf);	// event of a return
 *	kt_late_text_argument("__filename_late", argument);	// "filename"
 */
#ifndef KT_FETCH_LATE_TEXT_H
#define KT_FETCH_LATE_TEXT_H

#include <stdbool.h>

#include "fetch/pointed_data_names.h"

struct kt_btf;
struct kt_event;

/*
 * Write the name of an argument's late text, cut if too long; and the argument of such a name. The
 * latter returns false for other names.
 */
const char *kt_late_text_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);
bool kt_late_text_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/* Returns whether the call with that entry has string arguments. */
bool kt_late_text_may_be(const struct kt_event *call, struct kt_btf *btf);

/*
 * Adds the fields to the event of a return, after kt_pointed_fields_add_all(). Returns 0 or
 * -ENOMEM.
 */
int kt_late_text_add_all(struct kt_event *event, struct kt_btf *btf);

#endif
