/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A few words, of which one is asked for.
 *
 *	static const char *const colours[] = {"red", "green", NULL};
 *
 *	if (kt_words_contain(colours, name))
 *		...
 */
#ifndef KT_BASE_WORDS_H
#define KT_BASE_WORDS_H

#include <stdbool.h>

/* They end with NULL. */
bool kt_words_contain(const char *const *words, const char *word);

#endif
