/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules by which a number gets labels and a notation: by its name (an argument's or a member's),
 * and by the call or struct where the name alone is ambiguous.
 *
 *	static const struct kt_number_format rules[] = {
 *		{"flags", NULL, NULL, KT_HEX},
 *		{"flags", "openat open_how", "open", KT_HEX},
 *	};
 *	const struct kt_number_format *r = kt_number_format_find(rules, 2, "openat", "flags");
 *
 *	if (r)
 *		kt_number_format_apply(r, field);	// field->labels: O_RDONLY, O_WRONLY, …
 */
#ifndef KT_CTYPES_NUMBER_FORMAT_RULES_H
#define KT_CTYPES_NUMBER_FORMAT_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "constants/notation.h"

struct kt_field;

struct kt_number_format {
	const char *name;
	const char *of;        /* calls or structs it applies to, "openat open_how"; NULL: all */
	const char *constants; /* name of the table of labels (constants/constants.h), or NULL */
	enum kt_notation base; /* notation of what has no label */
};

/* Returns the last rule that applies, or NULL. */
const struct kt_number_format *kt_number_format_find(const struct kt_number_format *rules, size_t n,
						     const char *of, const char *name);
void kt_number_format_apply(const struct kt_number_format *rule, struct kt_field *field);

/* Returns whether a list of words, separated by blanks, contains the word. */
bool kt_word_list_has(const char *words, const char *word);

#endif
