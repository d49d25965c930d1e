// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

struct kt_scan kt_scan_of(const char *text, struct kt_error *err)
{
	return (struct kt_scan){text, text, err};
}

void kt_scan_spaces(struct kt_scan *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

bool kt_scan_next(struct kt_scan *s, const char *text)
{
	kt_scan_spaces(s);
	if (strncmp(s->at, text, strlen(text)) != 0)
		return false;
	s->at += strlen(text);
	return true;
}

struct kt_word kt_scan_word(struct kt_scan *s)
{
	const char *start = s->at;

	while (isalnum((unsigned char)*s->at) || *s->at == '_')
		s->at++;
	return (struct kt_word){start, s->at - start};
}

int kt_scan_quoted(struct kt_scan *s, const char *quotes, struct kt_word *text)
{
	char end[2] = "";
	size_t len;

	kt_scan_spaces(s);
	if (!*s->at || !strchr(quotes, *s->at))
		return 0;
	*end = *s->at;
	len = strcspn(s->at + 1, end);
	*text = (struct kt_word){s->at + 1, len};
	if (!s->at[1 + len])
		return kt_scan_fail(s, EINVAL, (struct kt_word){s->at, 1 + len},
				    "missing %s at the end", end);
	s->at += len + 2;
	return 1;
}

struct kt_word kt_scan_since(const struct kt_scan *s, const char *start)
{
	const char *end = s->at;

	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return (struct kt_word){start, end - start};
}

bool kt_word_is(struct kt_word w, const char *text)
{
	return strlen(text) == w.len && memcmp(text, w.start, w.len) == 0;
}

int kt_scan_fail(const struct kt_scan *s, int code, struct kt_word where, const char *fmt, ...)
{
	char what[sizeof(s->err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return kt_fail_at(s->err, code, s->text, where.start - s->text, where.len, "%s", what);
}

int kt_scan_fail_here(const struct kt_scan *s, const char *what)
{
	return kt_scan_fail(s, EINVAL, (struct kt_word){s->at, *s->at != '\0'}, "%s", what);
}
