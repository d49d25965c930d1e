/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes values of a record as JSON: numbers, strings, arrays and objects (doc/view.md).
 *
 *	ret = kt_json_value_field(t, hit, i);		// 577, "/etc/passwd", {"tv_sec":1,…}
 *	if (kt_json_value_has_labels(m, &hit->values[i]))
 *		kt_json_value_labels(t, m, &hit->values[i]);	// ["O_WRONLY","O_CREAT"]
 */
#ifndef KT_VALUES_RECORD_JSON_VALUE_H
#define KT_VALUES_RECORD_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

struct kt_hit;
struct kt_member;
struct kt_text;
struct kt_value;

/*
 * Puts a field of a hit. Pointed-to data is what it points to, null if it could not be read.
 * Returns 0 or -ENOMEM.
 */
int kt_json_value_field(struct kt_text *t, const struct kt_hit *hit, size_t i);

/*
 * Puts the same, but the copy of a pointer to one element is that element, not an array of one.
 * Returns 0 or -ENOMEM.
 */
int kt_json_value_argument(struct kt_text *t, const struct kt_hit *hit, size_t i);

/* Returns whether a value, or a part of it, has a name. */
bool kt_json_value_has_labels(const struct kt_member *m, const struct kt_value *v);

/*
 * Put the names of a field or argument that has some, structured as its value: a string; an array
 * for flags; null for an element of an array without one.
 */
void kt_json_value_labels(struct kt_text *t, const struct kt_member *m, const struct kt_value *v);
void kt_json_value_argument_labels(struct kt_text *t, const struct kt_member *m,
				   const struct kt_value *v);

#endif
