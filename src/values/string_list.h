/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a program's arguments: ["ls", "-l"]
 *
 *	kt_string_list_put(t, &value, copied);
 */
#ifndef KT_VALUES_STRING_LIST_H
#define KT_VALUES_STRING_LIST_H

#include "trace/record_layout.h"

struct kt_text;

/*
 * Prints texts, each up to its NUL, as many as the text's limit says; dots follow if there are
 * more, or were when it was copied.
 */
void kt_string_list_put(struct kt_text *t, const struct kt_value *v, enum kt_copied copied);

#endif
