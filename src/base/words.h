/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short list of words that ends with NULL.
 *
 *	static const char *const colours[] = {"red", "green", NULL};
 *
 *	if (kt_words_contain(colours, name))
 *		...
 */
#ifndef KT_BASE_WORDS_H
#define KT_BASE_WORDS_H

#include <stdbool.h>

/* Returns whether the list contains the word. */
bool kt_words_contain(const char *const *words, const char *word);

#endif
