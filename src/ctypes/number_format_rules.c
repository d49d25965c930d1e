// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/number_format_rules.h"

#include <string.h>

#include "constants/constants.h"
#include "ctypes/field.h"

bool kt_word_list_has(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (; words; words = strchr(words, ' ')) {
		words += *words == ' ';
		if (strncmp(words, word, n) == 0 && (!words[n] || words[n] == ' '))
			return true;
	}
	return false;
}

const struct kt_number_format *kt_number_format_find(const struct kt_number_format *rules, size_t n,
						     const char *of, const char *name)
{
	const struct kt_number_format *r;

	while (n--) {
		r = &rules[n];
		if (strcmp(r->name, name) == 0 && (!r->of || kt_word_list_has(r->of, of)))
			return r;
	}
	return NULL;
}

void kt_number_format_apply(const struct kt_number_format *rule, struct kt_field *field)
{
	field->labels = rule->constants ? kt_constants_find(rule->constants) : NULL;
	field->notation = rule->base;
}
