/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generated program against the text that was once read and found right. */
#ifndef KT_TESTS_GOLDEN_H
#define KT_TESTS_GOLDEN_H

#include <stdio.h>
#include <string.h>

#include "emit/asm.h"

/* Held against tests/golden/NAME.txt. After a change that is meant: `GOLDEN=new make test`. */
static inline void assert_golden(const struct kt_asm *a, const char *name)
{
	char path[128], text[16384] = "", kept[16384] = "";
	FILE *made = fmemopen(text, sizeof(text), "w"), *file;

	kt_asm_print(a, made);
	fclose(made);
	assert_true(strlen(text) < sizeof(text) - 1);

	snprintf(path, sizeof(path), "tests/golden/%s.txt", name);
	if (getenv("GOLDEN")) {
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(text, file);
	} else {
		file = fopen(path, "r");
		assert_non_null(file);
		kept[fread(kept, 1, sizeof(kept) - 1, file)] = '\0';
		assert_string_equal(text, kept);
	}
	fclose(file);
}

#endif
