/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lexer for TSDL, the language of CTF metadata (CTF 1.8.3, section 7).
 *
 *	char names[SIZE + 1];			// room for a copy of every word
 *	struct kt_tsdl t = kt_tsdl_of(text, SIZE, names, &err);
 *
 *	while (t.kind != KT_TSDL_END)
 *		if (!kt_tsdl_path(&t, &name) || !kt_tsdl_expect(&t, "=") ||
 *		    !kt_tsdl_value(&t, &value) || !kt_tsdl_expect(&t, ";"))
 *			break;					// err: metadata, line 3: …
 *
 * Skips blanks and comments. Allocates nothing; the text need not have a NUL.
 */
#ifndef KT_TRACE_TSDL_LEXER_H
#define KT_TRACE_TSDL_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kt_error;

enum kt_tsdl_kind {
	KT_TSDL_END,
	KT_TSDL_WORD,   /* letters, digits and '_' */
	KT_TSDL_NUMBER, /* decimal, octal (017) or hexadecimal; a leading '-' is a token of its own
			 */
	KT_TSDL_STRING, /* text is between the quotes, with escapes */
	KT_TSDL_SIGN,   /* ":=", "..." or a single character */
	KT_TSDL_BAD,    /* an invalid string, comment or number */
};

/* The lexer, with the current token. */
struct kt_tsdl {
	enum kt_tsdl_kind kind;
	const char *text;
	size_t len;
	uint64_t number;
	unsigned int line; /* from 1 */
	const char *at, *end;
	char *names; /* room for the next copy: each word is copied at most once */
	struct kt_error *err;
};

/* A value after '='. */
struct kt_tsdl_value {
	bool is_number, is_negative;
	uint64_t number;  /* two's complement if negative */
	const char *text; /* of a string or path */
};

/* Returns a lexer at the first token. Copies of names go to `names`, which has size + 1 bytes. */
struct kt_tsdl kt_tsdl_of(const char *text, size_t size, char *names, struct kt_error *err);

/*
 * The functions below consume what they name, and return whether it was there. If not, they set
 * err.
 */

/* Consume a word or sign. kt_tsdl_accept() sets no error. */
bool kt_tsdl_expect(struct kt_tsdl *t, const char *what);
bool kt_tsdl_accept(struct kt_tsdl *t, const char *what);

/* Consume a word; or several words with dots between them, without blanks. The copy has a NUL. */
bool kt_tsdl_word(struct kt_tsdl *t, const char **word);
bool kt_tsdl_path(struct kt_tsdl *t, const char **path);

bool kt_tsdl_number(struct kt_tsdl *t, uint64_t *number);

/* Consumes a number, even a negative one, a string with C's escapes, or a path. */
bool kt_tsdl_value(struct kt_tsdl *t, struct kt_tsdl_value *value);

/* Interprets a value as a boolean: TRUE, 1, and so on. */
bool kt_tsdl_bool(struct kt_tsdl *t, const struct kt_tsdl_value *value, bool *is_true);

/* Return whether a value is one of several texts, separated by blanks; or a text. */
bool kt_tsdl_is_one_of(const struct kt_tsdl_value *value, const char *texts);
bool kt_tsdl_is(const struct kt_tsdl_value *value, const char *text);

/* Report an error in this line, or that something else was expected. Return false. */
bool kt_tsdl_fail(struct kt_tsdl *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool kt_tsdl_fail_at(struct kt_tsdl *t, const char *expected);

/* Reports ENOMEM. Returns false. */
bool kt_tsdl_fail_for_memory(struct kt_tsdl *t);

/* Writes a string that reads back the same; escapes what controls terminals. */
void kt_tsdl_quote(FILE *f, const char *s);

#endif
