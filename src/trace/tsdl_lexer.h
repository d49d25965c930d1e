/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading TSDL, the language of CTF's metadata (CTF 1.8.3, section 7), word by word.
 *
 *	char names[SIZE + 1];			// room for a copy of every word
 *	struct kt_tsdl t = kt_tsdl_of(text, SIZE, names, &err);
 *
 *	while (t.kind != KT_TSDL_END)
 *		if (!kt_tsdl_path(&t, &name) || !kt_tsdl_expect(&t, "=") ||
 *		    !kt_tsdl_value(&t, &value) || !kt_tsdl_expect(&t, ";"))
 *			break;					// err: metadata, line 3: …
 *
 * Blanks and comments are passed over. Nothing is allocated, and the text need not end with a 0.
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
	KT_TSDL_WORD,   /* of letters, digits and _ */
	KT_TSDL_NUMBER, /* decimal, octal (017) or hexadecimal; a - in front is a sign of its own */
	KT_TSDL_STRING, /* text is what stands between the quotes, escapes and all */
	KT_TSDL_SIGN,   /* := or ... or a single character */
	KT_TSDL_BAD,    /* a string, comment or number that is none */
};

/* The word that the reader is at. */
struct kt_tsdl {
	enum kt_tsdl_kind kind;
	const char *text;
	size_t len;
	uint64_t number;
	unsigned int line; /* from 1 */
	const char *at, *end;
	char *names; /* where the next copy goes: each word is copied once at most */
	struct kt_error *err;
};

/* What stands behind a =. */
struct kt_tsdl_value {
	bool is_number, is_negative;
	uint64_t number;  /* of a negative one as of a 64-bit integer */
	const char *text; /* of a string or a path */
};

/* At the first word. Copies of names go to that place, size + 1 bytes. */
struct kt_tsdl kt_tsdl_of(const char *text, size_t size, char *names, struct kt_error *err);

/* All below return whether what they name was there, and is passed now. Where not, err says so. */

/* A word or sign. To accept it is to say nothing where it is not there. */
bool kt_tsdl_expect(struct kt_tsdl *t, const char *what);
bool kt_tsdl_accept(struct kt_tsdl *t, const char *what);

/* A word; or several with dots between them, in one piece. Copied, with a 0 behind. */
bool kt_tsdl_word(struct kt_tsdl *t, const char **word);
bool kt_tsdl_path(struct kt_tsdl *t, const char **path);

bool kt_tsdl_number(struct kt_tsdl *t, uint64_t *number);

/* A number, also a negative one, a string with C's escapes, or a path. */
bool kt_tsdl_value(struct kt_tsdl *t, struct kt_tsdl_value *value);

/* What a value means that is true or false: TRUE, 1, and so on. */
bool kt_tsdl_bool(struct kt_tsdl *t, const struct kt_tsdl_value *value, bool *is_true);

/* Whether it is one of several texts, with a blank between them. */
bool kt_tsdl_is_one_of(const struct kt_tsdl_value *value, const char *texts);
bool kt_tsdl_is(const struct kt_tsdl_value *value, const char *text);

/* Say what is wrong in this line, or that a word stands where another was expected: false. */
bool kt_tsdl_fail(struct kt_tsdl *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool kt_tsdl_fail_at(struct kt_tsdl *t, const char *expected);

/* The same where memory is at its end. */
bool kt_tsdl_fail_for_memory(struct kt_tsdl *t);

/* Writes what is read back as a string; signs that control terminals are none in it. */
void kt_tsdl_quote(FILE *f, const char *s);

#endif
