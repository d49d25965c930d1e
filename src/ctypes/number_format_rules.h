/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the numbers are shown that a name stands for, of an argument of a call or a member of a
 * struct: it means the same in most of those, and by these where it does not.
 *
 *	static const struct kt_number_format rules[] = {
 *		{"flags", NULL, NULL, KT_HEX},
 *		{"flags", "openat open_how", "open", KT_HEX},
 *	};
 *	const struct kt_number_format *r = kt_number_format_find(rules, 2, "openat", "flags");
 *
 *	if (r)
 *		kt_number_format_apply(r, field);		// field->labels: O_RDONLY,
 *O_WRONLY, …
 */
#ifndef KT_CTYPES_NUMBER_FORMAT_RULES_H
#define KT_CTYPES_NUMBER_FORMAT_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "constants/notation.h"

struct kt_field;

struct kt_number_format {
	const char *name;
	const char *of;        /* of these alone, "openat open_how", or NULL: of all */
	const char *constants; /* those of that name (constants/constants.h), or NULL */
	enum kt_notation base; /* of what none of them is */
};

/* The last one that holds of it; or NULL. */
const struct kt_number_format *kt_number_format_find(const struct kt_number_format *rules, size_t n,
						     const char *of, const char *name);
void kt_number_format_apply(const struct kt_number_format *rule, struct kt_field *field);

/* Whether it is one of words with a blank between them. */
bool kt_word_list_has(const char *words, const char *word);

#endif
