/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scanner for small languages: reads a text from left to right; errors point into it.
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
	const char *text; /* the whole text, the caller's */
	const char *at;   /* the next byte to read */
	struct kt_error *err;
};

/* A part of the text. */
struct kt_word {
	const char *start;
	size_t len;
};

struct kt_scan kt_scan_of(const char *text, struct kt_error *err);

void kt_scan_spaces(struct kt_scan *s);

/* Skips spaces and consumes `text` if it comes next. Returns whether it did. */
bool kt_scan_next(struct kt_scan *s, const char *text);

/* Skips spaces and consumes letters, digits and '_'. Returns an empty word if none come next. */
struct kt_word kt_scan_word(struct kt_scan *s);

/*
 * Skips spaces and consumes a quoted text, if one comes next: from one of these quotes to the next
 * of the same kind, without escapes. Returns 1 and the text between the quotes; 0 if there is no
 * quote; -EINVAL if the closing quote is missing.
 */
int kt_scan_quoted(struct kt_scan *s, const char *quotes, struct kt_word *text);

/* Returns the text from `start` to the current position, without trailing spaces. */
struct kt_word kt_scan_since(const struct kt_scan *s, const char *start);

bool kt_word_is(struct kt_word w, const char *text);

/*
 * Set the scanner's error, at a word or at the current position. Return -code; kt_scan_fail_here()
 * -EINVAL.
 */
int kt_scan_fail(const struct kt_scan *s, int code, struct kt_word where, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int kt_scan_fail_here(const struct kt_scan *s, const char *what);

#endif
