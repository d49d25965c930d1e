// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/string_list.h"

#include <stdbool.h>
#include <stddef.h>

#include "values/text.h"

void kt_string_list_put(struct kt_text *t, const struct kt_value *v, enum kt_copied copied)
{
	bool is_part = copied == KT_COPIED_PART;
	size_t at = 0, n = 0, len;
	const char *text;

	kt_text_char(t, '[');
	for (; (text = kt_value_next_string(v, &at, &len)); n++) {
		kt_text_separator(t, n);
		if (kt_text_limited(t, n + 1) == n) {
			kt_text_string(t, "...");
			break;
		}
		kt_text_quoted_cut(t, text, len, is_part && at > v->n);
	}
	if (is_part && !text && at <= v->n)
		kt_text_rest(t, n, 0);
	kt_text_char(t, ']');
}
