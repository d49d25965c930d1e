// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/words.h"

#include <string.h>

bool kt_words_contain(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}
