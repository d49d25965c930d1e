// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/named_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "constants/constants.h"
#include "constants/labels.h"
#include "filter/suggest.h"

/* A search of labels. */
struct search {
	struct kt_word name;
	uint64_t value, other; /* the first value of that name, and another one */
	bool is_found, is_ambiguous;
	struct kt_suggestion near;
	char word[KT_SUGGESTION_MAX + 2]; /* as much of the name as is compared for suggestions */
};

static void begin(struct search *s, struct kt_word name)
{
	*s = (struct search){.name = name};
	snprintf(s->word, sizeof(s->word), "%.*s", (int)name.len, name.start);
	s->near = kt_suggestion_for(s->word);
}

static void search_labels(struct search *s, const struct kt_labels *labels)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < labels->n; i++) {
		kt_suggestion_offer(&s->near, labels->of[i].text);
		if (!kt_word_is(s->name, labels->of[i].text))
			continue;
		value = labels->of[i].value;
		if (!s->is_found)
			s->value = value;
		else if (value != s->value)
			s->other = value;
		s->is_ambiguous |= s->is_found && value != s->value;
		s->is_found = true;
	}
}

static void search_constants(struct search *s)
{
	const struct kt_labels *labels;
	size_t i;

	for (i = 0; (labels = kt_constants_at(i)); i++)
		search_labels(s, labels);
}

/* Searches "EIO" and "-SIGKILL" as what they negate. */
static bool find_negated(struct kt_word name, uint64_t *value)
{
	char text[KT_SUGGESTION_MAX];
	struct search s;

	if (*name.start == '-')
		snprintf(text, sizeof(text), "%.*s", (int)name.len - 1, name.start + 1);
	else
		snprintf(text, sizeof(text), "-%.*s", (int)name.len, name.start);
	begin(&s, (struct kt_word){text, strlen(text)});
	search_constants(&s);
	*value = -s.value;
	return s.is_found && !s.is_ambiguous;
}

static int fail_at_unknown(const struct kt_scan *scan, const struct search *s, bool has_labels)
{
	if (s->near.name)
		return kt_scan_fail(scan, ENOENT, s->name, "unknown value '%s'; did you mean '%s'?",
				    s->word, s->near.name);
	if (has_labels)
		return kt_scan_fail(scan, ENOENT, s->name, "unknown value '%s'", s->word);
	return kt_scan_fail(scan, ENOENT, s->name,
			    "neither a number nor a known constant (strings need quotes)");
}

int kt_named_value_find(const struct kt_scan *scan, const struct kt_labels *labels,
			struct kt_word name, uint64_t *value)
{
	struct search s;

	begin(&s, name);
	if (labels)
		search_labels(&s, labels);
	else
		search_constants(&s);
	*value = s.value;
	if (s.is_ambiguous && !labels)
		return kt_scan_fail(scan, EOPNOTSUPP, name,
				    "'%s' is %" PRIi64 " or %" PRIi64 "; write a number", s.word,
				    s.value, s.other);
	if (s.is_found || (!labels && find_negated(name, value)))
		return 0;
	return fail_at_unknown(scan, &s, labels);
}
