/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The known name that a mistyped word most likely meant.
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

/* A word or name longer than this, in bytes, is not compared: it is never suggested. */
#define KT_SUGGESTION_MAX 128

struct kt_suggestion {
	const char *word;   /* the caller's; must outlive this */
	const char *name;   /* nearest so far, as offered (the caller's), or NULL */
	unsigned int edits; /* between the two; without a name, the most that would still count */
};

/* Begin a search. A name counts as near within one edit for every three bytes of the word, and
 * at least one. */
struct kt_suggestion kt_suggestion_for(const char *word);

/* Consider one more name. Of equally near ones the first offered stays. */
void kt_suggestion_offer(struct kt_suggestion *n, const char *name);

/*
 * Edits that turn a into b: a byte inserted, removed or replaced, or two neighbours exchanged (the
 * "optimal string alignment" distance). Either longer than KT_SUGGESTION_MAX: UINT_MAX.
 */
unsigned int kt_edit_distance(const char *a, const char *b);

#endif
