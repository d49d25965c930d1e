/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text on its way out, put together faster than printf does.
 *
 *	static struct kt_text text;
 *
 *	text.to = stdout;
 *	kt_text_string(&text, "irq=");
 *	kt_text_number(&text, 42);
 *	kt_text_flush(&text);			// irq=42
 *
 * What could not be written stands in ferror(to).
 */
#ifndef KT_VIEW_TEXT_H
#define KT_VIEW_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kt_text {
	FILE *to;
	size_t len;
	char bytes[32 << 10];
};

void kt_text_put(struct kt_text *t, const char *s, size_t n);
void kt_text_char(struct kt_text *t, char c);
void kt_text_string(struct kt_text *t, const char *s);

/* In decimal; padded with zeros or blanks in front to a width of 20 at most. */
void kt_text_number(struct kt_text *t, uint64_t n);
void kt_text_padded(struct kt_text *t, uint64_t n, size_t width, char with);

/* Returns how many characters it took. */
size_t kt_text_signed(struct kt_text *t, int64_t n);

/* 0x and the digits that it needs. */
void kt_text_hex(struct kt_text *t, uint64_t n);

/*
 * Text of unknown origin, such that it stays on its line and does nothing to a terminal: characters
 * in UTF-8 as they are, but \\ for a backslash, \n, \t, and \x1b for any other control character
 * and byte.
 */
void kt_text_escaped(struct kt_text *t, const char *s, size_t n);

/* Hands on what has been put; what is in `to` then is to be flushed there. */
void kt_text_flush(struct kt_text *t);

#endif
