/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suggests the known name that a mistyped word most likely meant.
 *
 *	struct kt_suggestion n = kt_suggestion_for("sched_swtich");
 *
 *	for (i = 0; i < count; i++)
 *		kt_suggestion_offer(&n, names[i]);
 *	if (n.name)
 *		fprintf(stderr, "did you mean '%s'?\n", n.name);	// sched_switch
 *
 * Allocates nothing. An offer costs O(strlen(word) * strlen(name)).
 */
#ifndef KT_FILTER_SUGGEST_H
#define KT_FILTER_SUGGEST_H

/* Maximum bytes of a word or name; a longer one is never suggested. */
#define KT_SUGGESTION_MAX 128

struct kt_suggestion {
	const char *word;   /* the caller's; must outlive this */
	const char *name;   /* the nearest name so far, the caller's; or NULL */
	unsigned int edits; /* distance of name; without a name, the maximum that still counts */
};

/*
 * Starts a search. A name is near if it takes at most one edit per three bytes of the word, or one.
 */
struct kt_suggestion kt_suggestion_for(const char *word);

/* Considers a name. Of equally near names the first wins. */
void kt_suggestion_offer(struct kt_suggestion *n, const char *name);

/*
 * Returns the number of edits between two words: insertions, deletions, replacements of a byte, and
 * exchanges of two neighbours ("optimal string alignment" distance). Returns UINT_MAX if one of
 * them is longer than KT_SUGGESTION_MAX.
 */
unsigned int kt_edit_distance(const char *a, const char *b);

#endif
