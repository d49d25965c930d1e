// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* What it quotes may come from anywhere: what a terminal would obey is shown as a ?. */
static void tidy(char *text)
{
	size_t left = strlen(text), len;

	for (; left > 0; text += len, left -= len) {
		len = kt_utf8_shown(text, left);
		if (len == 0) {
			*text = '?';
			len = 1;
		}
	}
}

static void put(struct kt_error *err, const char *fmt, va_list args)
{
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	tidy(err->text);
}

int kt_fail(struct kt_error *err, int code, const char *fmt, ...)
{
	va_list args;

	*err = (struct kt_error){.code = code};
	va_start(args, fmt);
	put(err, fmt, args);
	va_end(args);
	return -code;
}

int kt_fail_at(struct kt_error *err, int code, const char *typed, size_t at, size_t len,
	       const char *fmt, ...)
{
	va_list args;

	*err = (struct kt_error){.code = code, .typed = typed, .at = at, .len = len};
	va_start(args, fmt);
	put(err, fmt, args);
	va_end(args);
	return -code;
}

int kt_fail_because(struct kt_error *err, const char *fmt, ...)
{
	char cause[sizeof(err->text)];
	va_list args;
	size_t n;

	memcpy(cause, err->text, sizeof(cause));
	va_start(args, fmt);
	put(err, fmt, args);
	va_end(args);

	n = strlen(err->text);
	snprintf(err->text + n, sizeof(err->text) - n, ": %s", cause);
	tidy(err->text); /* where it is cut */
	return -err->code;
}
