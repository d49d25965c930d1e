/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text in some language, read from its beginning to its end; errors say where in it.
 *
 *	struct kt_scan s = kt_scan_of("pid = 1", &err);
 *	struct kt_word name = kt_scan_word(&s);			// "pid"
 *
 *	if (!kt_scan_next(&s, "=="))
 *		return kt_scan_fail_here(&s, "expected '==' here");	// at the '='
 *
 * Allocates nothing.
 */
#ifndef KT_BASE_SCAN_H
#define KT_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct kt_error;

struct kt_scan {
	const char *text; /* all of it, the caller's */
	const char *at;   /* what is not read yet */
	struct kt_error *err;
};

/* A part of it. */
struct kt_word {
	const char *start;
	size_t len;
};

struct kt_scan kt_scan_of(const char *text, struct kt_error *err);

void kt_scan_spaces(struct kt_scan *s);

/* Takes the text, where it is what comes next behind spaces. */
bool kt_scan_next(struct kt_scan *s, const char *text);

/* Takes the letters, digits and '_' that come next: none where the next is something else. */
struct kt_word kt_scan_word(struct kt_scan *s);

/*
 * Takes a text in quotes, where one comes next behind spaces: from any of these to the next one of
 * the same kind, without escapes. 1 and the text between them; 0 where none does; -EINVAL where it
 * has no end.
 */
int kt_scan_quoted(struct kt_scan *s, const char *quotes, struct kt_word *text);

/* What has been read from there on, without the spaces at its end. */
struct kt_word kt_scan_since(const struct kt_scan *s, const char *start);

bool kt_word_is(struct kt_word w, const char *text);

/* Each returns -code, in the second EINVAL: what comes next is not what may. */
int kt_scan_fail(const struct kt_scan *s, int code, struct kt_word where, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int kt_scan_fail_here(const struct kt_scan *s, const char *what);

#endif
