/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The known name that a mistyped word most likely meant.
 *
 *	struct kt_nearest n = kt_nearest_to("sched_swtich");
 *
 *	for (i = 0; i < count; i++)
 *		kt_nearest_offer(&n, names[i]);
 *	if (n.name)
 *		fprintf(stderr, "did you mean '%s'?\n", n.name);	// sched_switch
 *
 * Allocates nothing. An offer costs O(strlen(word) * strlen(name)).
 */
#ifndef KT_FILTER_SUGGEST_H
#define KT_FILTER_SUGGEST_H

/* A word or name longer than this, in bytes, is not compared: it is never suggested. */
#define KT_NEAREST_MAX 128

struct kt_nearest {
	const char *word;   /* the caller's; must outlive this */
	const char *name;   /* nearest so far, as offered (the caller's), or NULL */
	unsigned int edits; /* between the two; without a name, the most that would still count */
};

/* Begin a search. A name counts as near within one edit for every three bytes of the word, and
 * at least one. */
struct kt_nearest kt_nearest_to(const char *word);

/* Consider one more name. Of equally near ones the first offered stays. */
void kt_nearest_offer(struct kt_nearest *n, const char *name);

/*
 * Edits that turn a into b: a byte inserted, removed or replaced, or two neighbours exchanged (the
 * "optimal string alignment" distance). Either longer than KT_NEAREST_MAX: UINT_MAX.
 */
unsigned int kt_nearest_edits(const char *a, const char *b);

#endif
