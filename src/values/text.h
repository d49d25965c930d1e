/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output text, formatted faster than by printf.
 *
 *	static struct kt_text text;
 *
 *	text.to = stdout;
 *	kt_text_string(&text, "irq=");
 *	kt_text_number(&text, 42);
 *	kt_text_flush(&text);			// irq=42
 *
 * Errors of writing are in ferror(to).
 */
#ifndef KT_VALUES_TEXT_H
#define KT_VALUES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What is printed for a number that has a name: strace's option -X. */
enum kt_names {
	KT_NAMES_ABBREV,  /* O_RDONLY */
	KT_NAMES_RAW,     /* 0 */
	KT_NAMES_VERBOSE, /* 0 and O_RDONLY as a comment */
};

/* How text is escaped (kt_text_escaped()); the last two look at a quoted string as a whole. */
enum kt_escapes {
	KT_ESCAPE_CONTROLS,    /* \n, \x1b; UTF-8 is printed unchanged */
	KT_ESCAPE_OCTAL,       /* \n, \33, as strace does */
	KT_ESCAPE_HEX,         /* \n, \x1b, also for UTF-8 */
	KT_ESCAPE_HEX_STRINGS, /* all in hex if a byte is beyond ASCII */
	KT_ESCAPE_ALL_STRINGS, /* all in hex */
};

/* What is marked by a color or bold, on a terminal. */
enum kt_color {
	KT_COLOR_NAME, /* of an event or call */
	KT_COLOR_TASK,
	KT_COLOR_ERROR, /* that a call returned */
	KT_COLOR_LOST,
	KT_COLOR_HEADING,
};

struct kt_text {
	FILE *to;
	bool colors; /* kt_text_color() has an effect */
	enum kt_escapes escapes;
	enum kt_names names; /* of numbers in strace's lines */
	bool hides_paths;    /* of descriptors, where the trace has them */
	bool brief;          /* some structs are cut as strace does without -v */
	bool is_limited;
	size_t limit; /* if so: bytes of data, and elements of lists (values/record/field_text.h) */
	uint64_t second; /* private: the last second that was printed, and its text */
	char second_text[24];
	size_t second_len;
	uint64_t gone;    /* bytes that were written to `to` */
	uint64_t unshown; /* bytes of those, or in the buffer, that set a color */
	size_t len;
	char bytes[32 << 10];
};

/* Writes the text to `to`, which the caller flushes. */
void kt_text_flush(struct kt_text *t);

/* Puts text that does not fit, after writing what is there. */
void kt_text_put_slow(struct kt_text *t, const char *s, size_t n);

static inline void kt_text_put(struct kt_text *t, const char *s, size_t n)
{
	if (n > sizeof(t->bytes) - t->len) {
		kt_text_put_slow(t, s, n);
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

/* Returns how many of n bytes or elements are printed. */
static inline size_t kt_text_limited(const struct kt_text *t, size_t n)
{
	return t->is_limited && n > t->limit ? t->limit : n;
}

/* Returns the number of bytes put so far, without those that set a color. */
static inline uint64_t kt_text_position(const struct kt_text *t)
{
	return t->gone + t->len - t->unshown;
}

/* Put what sets a color: use kt_text_color() and kt_text_color_end(). */
void kt_text_color_set(struct kt_text *t, enum kt_color color);
void kt_text_color_reset(struct kt_text *t);

/* Marks the text from here to kt_text_color_end(), if colors are wanted. */
static inline void kt_text_color(struct kt_text *t, enum kt_color color)
{
	if (t->colors)
		kt_text_color_set(t, color);
}

static inline void kt_text_color_end(struct kt_text *t)
{
	if (t->colors)
		kt_text_color_reset(t);
}

/* Puts n times the same character. */
void kt_text_fill(struct kt_text *t, size_t n, char with);

/* Put a decimal number; padded on the left to a width. */
void kt_text_number(struct kt_text *t, uint64_t n);
void kt_text_padded(struct kt_text *t, uint64_t n, size_t width, char with);

/* Puts 41 as 4.1, padded on the left to a width. */
void kt_text_tenths(struct kt_text *t, uint64_t tenths, size_t width);

/* Puts "12 events" */
void kt_text_counted(struct kt_text *t, uint64_t n, const char *noun);

/* Puts a signed number. Returns its characters. */
size_t kt_text_signed(struct kt_text *t, int64_t n);

/*
 * Puts seconds with nine digits after the point and at least five places before it: "
 * 123.000000456"
 */
void kt_text_time(struct kt_text *t, uint64_t ns);

/*
 * Puts seconds with 0 to 9 digits after the point, rounded down: " 123.000000"; width: places
 * before the point.
 */
void kt_text_seconds(struct kt_text *t, uint64_t ns, size_t width, unsigned int digits);

/* Puts a duration for people: "3.4 ms", "12.3 s", "2 min 3 s", "5 h 0 min", "20 d 7 h" */
void kt_text_duration(struct kt_text *t, uint64_t ns);

/* Puts a time with three digits and its unit, padded on the left: "450 ns", "4.02 us", "148 ms" */
void kt_text_scaled_time(struct kt_text *t, uint64_t ns, size_t width);

/* "the time of day was set back by 1 h 0 min" */
void kt_text_clock_set(struct kt_text *t, int64_t ns);

/* Puts a local date and time: "2026-11-22 14:03:07" */
void kt_text_date(struct kt_text *t, int64_t ns_since_1970);

/* Puts only the time of day, with 0 to 9 digits after the point: "14:03:07", "14:03:07.123456" */
void kt_text_clock(struct kt_text *t, int64_t ns_since_1970, unsigned int digits);

/* Put a number in hex, with 0x or without. */
void kt_text_hex(struct kt_text *t, uint64_t n);
void kt_text_hex_digits(struct kt_text *t, uint64_t n);

/* Puts a number in hex with 0x, but 0 as 0. */
void kt_text_bits(struct kt_text *t, uint64_t n);

/* Puts a number in octal, after a 0 unless it is 0. */
void kt_text_octal(struct kt_text *t, uint64_t n);

/*
 * Puts text of unknown origin so that it stays on its line and does nothing to a terminal: UTF-8
 * unchanged, but \\ for a backslash, \n, \t, and \x1b for other control characters and bytes. With
 * other escapes: \n, \t, \v, \f, \r; other control characters and all of UTF-8 as \33, or \033
 * before an octal digit, or as \x1b.
 */
void kt_text_escaped(struct kt_text *t, const char *s, size_t n);

/*
 * Put the same in quotes, with \" for a quote; all in hex, in strace's lines; up to the text's
 * limit, with dots after it if that limit or the copy (is_cut) cuts it; or in <>, with these two
 * characters escaped.
 */
void kt_text_quoted(struct kt_text *t, const char *s, size_t n);

void kt_text_quoted_in_hex(struct kt_text *t, const char *s, size_t n);
void kt_text_quoted_cut(struct kt_text *t, const char *s, size_t n, bool is_cut);
void kt_text_bracketed(struct kt_text *t, const char *s, size_t n);

/* Puts the separator after n elements of a list. */
static inline void kt_text_separator(struct kt_text *t, size_t n)
{
	if (n > 0)
		kt_text_string(t, ", ");
}

/* Puts dots after n elements of a list; and the address of the next one if it was unreadable. */
void kt_text_rest(struct kt_text *t, size_t n, uint64_t unreadable);

/* Puts a blank and the text as a comment of C. */
static inline void kt_text_comment(struct kt_text *t, const char *s)
{
	kt_text_string(t, " /* ");
	kt_text_string(t, s);
	kt_text_string(t, " */");
}

static inline void kt_text_escaped_string(struct kt_text *t, const char *s)
{
	kt_text_escaped(t, s, strlen(s));
}

#endif
