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
#ifndef KT_VALUES_TEXT_H
#define KT_VALUES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct kt_text {
	FILE *to;
	bool octal; /* what is escaped is so as in strace's lines: below */
	bool is_limited;
	size_t limit;  /* if so: of data so many bytes, of lists elements, are put
			  (values/field_text.h) */
	uint64_t gone; /* bytes that were handed on */
	size_t len;
	char bytes[32 << 10];
};

/* Hands on what has been put; what is in `to` then is to be flushed there. */
void kt_text_flush(struct kt_text *t);

/* Behind a flush. */
void kt_text_put_anew(struct kt_text *t, const char *s, size_t n);

static inline void kt_text_put(struct kt_text *t, const char *s, size_t n)
{
	if (n > sizeof(t->bytes) - t->len) {
		kt_text_put_anew(t, s, n);
		return;
	}
	memcpy(t->bytes + t->len, s, n);
	t->len += n;
}

static inline void kt_text_char(struct kt_text *t, char c)
{
	kt_text_put(t, &c, 1);
}

static inline void kt_text_string(struct kt_text *t, const char *s)
{
	kt_text_put(t, s, strlen(s));
}

/* How many of n bytes or elements are put. */
static inline size_t kt_text_limited(const struct kt_text *t, size_t n)
{
	return t->is_limited && n > t->limit ? t->limit : n;
}

/* How many bytes there have been. */
static inline uint64_t kt_text_position(const struct kt_text *t)
{
	return t->gone + t->len;
}

/* So many of them. */
void kt_text_fill(struct kt_text *t, size_t n, char with);

/* In decimal; padded in front to a width. */
void kt_text_number(struct kt_text *t, uint64_t n);
void kt_text_padded(struct kt_text *t, uint64_t n, size_t width, char with);

/* 41 of them as 4.1, padded in front to a width. */
void kt_text_tenths(struct kt_text *t, uint64_t tenths, size_t width);

/* 12 events */
void kt_text_counted(struct kt_text *t, uint64_t n, const char *noun);

/* Returns how many characters it took. */
size_t kt_text_signed(struct kt_text *t, int64_t n);

/* In seconds, with all nine digits behind the point and five places before it: "  123.000000456" */
void kt_text_time(struct kt_text *t, uint64_t ns);

/* With six, cut off: "  123.000000"; the places are those before the point. */
void kt_text_microseconds(struct kt_text *t, uint64_t ns, size_t width);

/* As a person would say it: "3.4 ms", "12.3 s", "2 min 3 s", "5 h 0 min", "20 d 7 h" */
void kt_text_duration(struct kt_text *t, uint64_t ns);

/* "the time of day was set back by 1 h 0 min" */
void kt_text_clock_set(struct kt_text *t, int64_t ns);

/* By the local time: "2026-11-22 14:03:07" */
void kt_text_date(struct kt_text *t, int64_t ns_since_1970);

/* The same of the day alone: "14:03:07", "14:03:07.123456" */
void kt_text_clock(struct kt_text *t, int64_t ns_since_1970, bool with_microseconds);

/* 0x and the digits that it needs; or these alone. */
void kt_text_hex(struct kt_text *t, uint64_t n);
void kt_text_hex_digits(struct kt_text *t, uint64_t n);

/* A 0, and behind it the digits of all but 0. */
void kt_text_octal(struct kt_text *t, uint64_t n);

/*
 * Text of unknown origin, such that it stays on its line and does nothing to a terminal: characters
 * in UTF-8 as they are, but \\ for a backslash, \n, \t, and \x1b for any other control character
 * and byte. Where they are to be octal, \n, \t, \v, \f, \r, and any other one and all of UTF-8 as
 * \33, or as \033 if an octal digit follows.
 */
void kt_text_escaped(struct kt_text *t, const char *s, size_t n);

/* The same in quotes, with \" for one of them; or in <>, with the codes of these, too. */
void kt_text_quoted(struct kt_text *t, const char *s, size_t n);

/* The same of no more than is put of data; dots behind it where that, or s itself, is cut. */
void kt_text_quoted_cut(struct kt_text *t, const char *s, size_t n, bool is_cut);
void kt_text_bracketed(struct kt_text *t, const char *s, size_t n);

static inline void kt_text_escaped_string(struct kt_text *t, const char *s)
{
	kt_text_escaped(t, s, strlen(s));
}

#endif
