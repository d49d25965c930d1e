// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/suggest.h"

#include <limits.h>
#include <string.h>

static unsigned int get_min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int kt_edit_distance(const char *a, const char *b)
{
	/*
	 * Rows i, i-1 and i-2 of the table edits[i][j]: from the first i bytes of a to the first j
	 * of b. An exchange of neighbours looks back two rows.
	 */
	unsigned int rows[3][KT_SUGGESTION_MAX + 1];
	unsigned int *row = rows[0], *last = rows[1], *before = rows[2], *spare;
	size_t a_len = strlen(a), b_len = strlen(b), i, j;

	if (a_len > KT_SUGGESTION_MAX || b_len > KT_SUGGESTION_MAX)
		return UINT_MAX;

	for (j = 0; j <= b_len; j++)
		row[j] = j;

	for (i = 1; i <= a_len; i++) {
		spare = before;
		before = last;
		last = row;
		row = spare;

		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			row[j] = get_min(last[j], row[j - 1]) + 1;
			row[j] = get_min(row[j], last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = get_min(row[j], before[j - 2] + 1);
		}
	}
	return row[b_len];
}

struct kt_suggestion kt_suggestion_for(const char *word)
{
	size_t len = strlen(word);

	return (struct kt_suggestion){.word = word, .edits = len < 6 ? 1 : len / 3};
}

void kt_suggestion_offer(struct kt_suggestion *n, const char *name)
{
	unsigned int edits = kt_edit_distance(n->word, name);

	if (edits < n->edits || (edits == n->edits && !n->name)) {
		n->name = name;
		n->edits = edits;
	}
}
