// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/tsdl_lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool starts_with(const struct kt_tsdl *t, const char *what)
{
	size_t len = strlen(what);

	return (size_t)(t->end - t->at) >= len && !memcmp(t->at, what, len);
}

/* Skips a comment and its end; returns false if it has none. */
static bool skip_comment(struct kt_tsdl *t, const char *what)
{
	const char *found = memmem(t->at, t->end - t->at, what, strlen(what)), *c;

	if (!found)
		return false;
	for (c = t->at; c < found; c++)
		t->line += *c == '\n';
	t->at = found + strlen(what);
	return true;
}

/* Skips to the next token; returns false in a comment without an end. */
static bool skip_blanks(struct kt_tsdl *t)
{
	while (t->at < t->end) {
		if (isspace((unsigned char)*t->at)) {
			t->line += *t->at++ == '\n';
		} else if (starts_with(t, "/*")) {
			t->at += 2;
			if (!skip_comment(t, "*/"))
				return false;
		} else if (starts_with(t, "//")) {
			while (t->at < t->end && *t->at != '\n')
				t->at++;
		} else {
			break;
		}
	}
	return true;
}

static int get_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 16;
}

/* Parses the number that was found. */
static enum kt_tsdl_kind read_number(struct kt_tsdl *t)
{
	bool zero = t->len > 1 && t->text[0] == '0';
	bool hex = zero && t->len > 2 && tolower((unsigned char)t->text[1]) == 'x';
	const char *c = t->text + (hex ? 2 : 0);
	int base = hex ? 16 : zero ? 8 : 10;

	for (t->number = 0; c < t->text + t->len; c++)
		if (get_digit(*c) >= base || __builtin_mul_overflow(t->number, base, &t->number) ||
		    __builtin_add_overflow(t->number, get_digit(*c), &t->number))
			return KT_TSDL_BAD;
	return KT_TSDL_NUMBER;
}

static enum kt_tsdl_kind read_word(struct kt_tsdl *t)
{
	while (t->at < t->end && is_in_word(*t->at))
		t->at++;
	t->len = t->at - t->text;
	return isdigit((unsigned char)*t->text) ? read_number(t) : KT_TSDL_WORD;
}

/* Reads a string, within one line. */
static enum kt_tsdl_kind read_string(struct kt_tsdl *t)
{
	t->text = ++t->at;
	for (; t->at < t->end && *t->at != '\n' && *t->at; t->at++) {
		if (*t->at == '"') {
			t->len = t->at++ - t->text;
			return KT_TSDL_STRING;
		}
		if (*t->at == '\\' && t->end - t->at > 1 && t->at[1] != '\n')
			t->at++;
	}
	return KT_TSDL_BAD;
}

static enum kt_tsdl_kind read_token(struct kt_tsdl *t)
{
	if (!skip_blanks(t))
		return KT_TSDL_BAD;
	t->text = t->at;
	t->len = 0;
	if (t->at == t->end)
		return KT_TSDL_END;
	if (is_in_word(*t->at))
		return read_word(t);
	if (*t->at == '"')
		return read_string(t);
	t->len = starts_with(t, ":=") ? 2 : starts_with(t, "...") ? 3 : 1;
	t->at += t->len;
	return KT_TSDL_SIGN;
}

/* Stays at END and BAD. */
static void read_next(struct kt_tsdl *t)
{
	if (t->kind != KT_TSDL_END && t->kind != KT_TSDL_BAD)
		t->kind = read_token(t);
}

struct kt_tsdl kt_tsdl_of(const char *text, size_t size, char *names, struct kt_error *err)
{
	struct kt_tsdl t = {.line = 1,
			    .text = text,
			    .at = text,
			    .end = text + size,
			    .names = names,
			    .err = err};

	t.kind = read_token(&t);
	return t;
}

bool kt_tsdl_fail(struct kt_tsdl *t, const char *fmt, ...)
{
	char why[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	kt_fail(t->err, EPROTO, "metadata, line %u: %s", t->line, why);
	return false;
}

bool kt_tsdl_fail_for_memory(struct kt_tsdl *t)
{
	kt_fail(t->err, ENOMEM, "%s", strerror(ENOMEM));
	return false;
}

bool kt_tsdl_fail_at(struct kt_tsdl *t, const char *expected)
{
	if (t->kind == KT_TSDL_END)
		return kt_tsdl_fail(t, "expected %s at the end of the text", expected);
	return kt_tsdl_fail(t, "expected %s, not '%.*s'", expected, t->len > 64 ? 64 : (int)t->len,
			    t->text);
}

static bool is_at(const struct kt_tsdl *t, const char *what)
{
	return (t->kind == KT_TSDL_SIGN || t->kind == KT_TSDL_WORD) && t->len == strlen(what) &&
	       !memcmp(t->text, what, t->len);
}

bool kt_tsdl_accept(struct kt_tsdl *t, const char *what)
{
	if (!is_at(t, what))
		return false;
	read_next(t);
	return true;
}

bool kt_tsdl_expect(struct kt_tsdl *t, const char *what)
{
	char quoted[32];

	if (kt_tsdl_accept(t, what))
		return true;
	snprintf(quoted, sizeof(quoted), "'%s'", what);
	return kt_tsdl_fail_at(t, quoted);
}

bool kt_tsdl_word(struct kt_tsdl *t, const char **word)
{
	if (t->kind != KT_TSDL_WORD)
		return kt_tsdl_fail_at(t, "a name");
	*word = t->names;
	t->names = (char *)mempcpy(t->names, t->text, t->len) + 1;
	t->names[-1] = '\0';
	read_next(t);
	return true;
}

bool kt_tsdl_path(struct kt_tsdl *t, const char **path)
{
	const char *rest;

	if (!kt_tsdl_word(t, path))
		return false;
	while (kt_tsdl_accept(t, ".")) {
		t->names[-1] = '.';
		if (!kt_tsdl_word(t, &rest))
			return false;
	}
	return true;
}

bool kt_tsdl_number(struct kt_tsdl *t, uint64_t *number)
{
	if (t->kind != KT_TSDL_NUMBER)
		return kt_tsdl_fail_at(t, "a number");
	*number = t->number;
	read_next(t);
	return true;
}

/* Parses at most that many digits of a base from *c on; returns false if there are none. */
static bool read_digits(const char **c, const char *end, int base, int most, unsigned int *number)
{
	int n = 0;

	for (*number = 0; n < most && *c < end && get_digit(**c) < base; n++)
		*number = *number * base + get_digit(*(*c)++);
	return n > 0;
}

/* Parses what follows a '\' as in C, and moves *c after it. Returns 0 for an unknown escape. */
static char read_escape(const char **c, const char *end)
{
	static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	const char *found;
	unsigned int number;

	if (get_digit(**c) < 8)
		return read_digits(c, end, 8, 3, &number) && number <= UINT8_MAX ? number : 0;
	found = strchr(letters, *(*c)++);
	if (found)
		return values[found - letters];
	if ((*c)[-1] == 'x')
		return read_digits(c, end, 16, 2, &number) ? number : 0;
	return strchr("\"'?\\", (*c)[-1]) ? (*c)[-1] : 0;
}

static bool copy_string(struct kt_tsdl *t, const char **copy)
{
	const char *c, *end = t->text + t->len, *escape;

	*copy = t->names;
	for (c = t->text; c < end; t->names++) {
		*t->names = *c++;
		if (*t->names != '\\' || c == end)
			continue;
		escape = c;
		*t->names = read_escape(&c, end);
		if (!*t->names)
			return kt_tsdl_fail(t, "unknown escape '\\%.*s'",
					    (int)(c > escape ? c - escape : 1), escape);
	}
	*t->names++ = '\0';
	read_next(t);
	return true;
}

bool kt_tsdl_value(struct kt_tsdl *t, struct kt_tsdl_value *v)
{
	bool negative = kt_tsdl_accept(t, "-");

	*v = (struct kt_tsdl_value){.is_number = negative || t->kind == KT_TSDL_NUMBER};
	if (v->is_number) {
		if (!kt_tsdl_number(t, &v->number))
			return false;
		if (negative && v->number > (uint64_t)INT64_MAX + 1)
			return kt_tsdl_fail(t, "a number below the range of 64 bits");
		v->is_negative = negative && v->number;
		v->number = negative ? -v->number : v->number;
		return true;
	}
	return t->kind == KT_TSDL_STRING ? copy_string(t, &v->text) : kt_tsdl_path(t, &v->text);
}

bool kt_tsdl_is(const struct kt_tsdl_value *v, const char *text)
{
	return !v->is_number && !strcmp(v->text, text);
}

bool kt_tsdl_is_one_of(const struct kt_tsdl_value *v, const char *texts)
{
	size_t n;

	for (; !v->is_number && *texts; texts += n + (texts[n] == ' ')) {
		n = strcspn(texts, " ");
		if (strlen(v->text) == n && !memcmp(texts, v->text, n))
			return true;
	}
	return false;
}

bool kt_tsdl_bool(struct kt_tsdl *t, const struct kt_tsdl_value *v, bool *is_true)
{
	*is_true = v->is_number ? v->number == 1 : kt_tsdl_is_one_of(v, "true TRUE");
	return *is_true || (v->is_number ? v->number == 0 : kt_tsdl_is_one_of(v, "false FALSE")) ||
	       kt_tsdl_fail(t, "expected true or false");
}

void kt_tsdl_quote(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', f);
		fputc(isspace((unsigned char)*s) ? ' ' : iscntrl((unsigned char)*s) ? '?' : *s, f);
	}
	fputc('"', f);
}
