// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Replaces what a terminal would obey by '?': quoted text may come from anywhere. */
static void sanitize_text(char *text)
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

static void format_text(struct kt_error *err, const char *fmt, va_list args)
{
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	sanitize_text(err->text);
}

int kt_fail(struct kt_error *err, int code, const char *fmt, ...)
{
	va_list args;

	*err = (struct kt_error){.code = code};
	va_start(args, fmt);
	format_text(err, fmt, args);
	va_end(args);
	return -code;
}

int kt_fail_at(struct kt_error *err, int code, const char *typed, size_t at, size_t len,
	       const char *fmt, ...)
{
	va_list args;

	*err = (struct kt_error){.code = code, .typed = typed, .at = at, .len = len};
	va_start(args, fmt);
	format_text(err, fmt, args);
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
	format_text(err, fmt, args);
	va_end(args);

	n = strlen(err->text);
	snprintf(err->text + n, sizeof(err->text) - n, ": %s", cause);
	sanitize_text(err->text); /* the text may have been cut within a character */
	return -err->code;
}
