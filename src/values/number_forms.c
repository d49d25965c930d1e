// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/number_forms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "values/text.h"

static void put_kilo(struct kt_text *t, uint64_t n)
{
	bool is_multiple = n > 1024 && n % 1024 == 0 && t->names != KT_NAMES_RAW;
	bool is_comment = is_multiple && t->names == KT_NAMES_VERBOSE;

	if (!is_multiple || is_comment)
		kt_text_number(t, n);
	if (!is_multiple)
		return;
	kt_text_string(t, is_comment ? " /* " : "");
	kt_text_number(t, n / 1024);
	kt_text_string(t, is_comment ? "*1024 */" : "*1024");
}

static void put_padded(struct kt_text *t, uint64_t n)
{
	char text[sizeof("0x") + 16];

	kt_text_put(t, text, snprintf(text, sizeof(text), "%#016" PRIx64, n));
}

static void put_signed(struct kt_text *t, uint64_t n)
{
	kt_text_signed(t, n);
}

static void put_made_device(struct kt_text *t, uint64_t n)
{
	kt_text_string(t, "makedev(");
	kt_text_bits(t, major(n));
	kt_text_string(t, ", ");
	kt_text_bits(t, minor(n));
	kt_text_char(t, ')');
}

static void put_device(struct kt_text *t, uint64_t n)
{
	if (t->names != KT_NAMES_ABBREV)
		kt_text_bits(t, n);
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " /* ");
	if (t->names != KT_NAMES_RAW)
		put_made_device(t, n);
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " */");
}

/* Prints a time of the processor, counted in ticks of 10 ms. */
static void put_ticks(struct kt_text *t, uint64_t n)
{
	kt_text_number(t, n);
	if (t->names == KT_NAMES_RAW || !n)
		return;
	kt_text_string(t, " /* ");
	kt_text_number(t, n / 100);
	kt_text_char(t, '.');
	kt_text_padded(t, n % 100, 2, '0');
	kt_text_string(t, " s */");
}

void kt_number_form_put_io_priority(struct kt_text *t, uint64_t n)
{
	static const char *const classes[] = {"IOPRIO_CLASS_NONE", "IOPRIO_CLASS_RT",
					      "IOPRIO_CLASS_BE", "IOPRIO_CLASS_IDLE"};
	enum { SHIFT = 13 };
	uint32_t class = (uint32_t)n >> SHIFT;
	bool has_name = class < sizeof(classes) / sizeof(*classes);

	kt_text_string(t, "IOPRIO_PRIO_VALUE(");
	if (has_name && t->names == KT_NAMES_ABBREV) {
		kt_text_string(t, classes[class]);
	} else {
		kt_text_bits(t, class);
		kt_text_comment(t, has_name ? classes[class] : "IOPRIO_CLASS_???");
	}
	kt_text_string(t, ", ");
	kt_text_number(t, n & ((1 << SHIFT) - 1));
	kt_text_char(t, ')');
}

static void put_io_priority(struct kt_text *t, uint64_t n)
{
	if (t->names != KT_NAMES_ABBREV)
		kt_text_signed(t, (int32_t)n);
	if (t->names == KT_NAMES_RAW)
		return;
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " /* ");
	kt_number_form_put_io_priority(t, n);
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " */");
}

bool kt_number_form_put(struct kt_text *t, enum kt_number_form form, uint64_t n)
{
	static void (*const put[])(struct kt_text * t, uint64_t n) = {
		[KT_NUMBER_DEVICE] = put_device,       [KT_NUMBER_IO_PRIORITY] = put_io_priority,
		[KT_NUMBER_KILO] = put_kilo,           [KT_NUMBER_PADDED] = put_padded,
		[KT_NUMBER_SIGNED] = put_signed,       [KT_NUMBER_TICKS] = put_ticks,
		[KT_NUMBER_UNSIGNED] = kt_text_number,
	};

	if (form >= sizeof(put) / sizeof(*put) || !put[form])
		return false;
	put[form](t, n);
	return true;
}

static char *put_digits(char *at, unsigned int n, unsigned int width)
{
	unsigned int i;

	for (i = width; i-- > 0; n /= 10)
		at[i] = '0' + n % 10;
	return at + width;
}

/* As strftime() with "%FT%T", but faster. */
static char *put_time_of(char *at, const struct tm *tm)
{
	at = put_digits(at, tm->tm_year + 1900, 4);
	*at++ = '-';
	at = put_digits(at, tm->tm_mon + 1, 2);
	*at++ = '-';
	at = put_digits(at, tm->tm_mday, 2);
	*at++ = 'T';
	at = put_digits(at, tm->tm_hour, 2);
	*at++ = ':';
	at = put_digits(at, tm->tm_min, 2);
	*at++ = ':';
	return put_digits(at, tm->tm_sec, 2);
}

static char *put_zone(char *at, long seconds)
{
	unsigned int minutes = labs(seconds) / 60;

	*at++ = seconds < 0 ? '-' : '+';
	at = put_digits(at, minutes / 60, 2);
	return put_digits(at, minutes % 60, 2);
}

size_t kt_number_form_date(int64_t seconds, uint64_t ns, unsigned int digits,
			   char text[KT_DATE_MAX])
{
	enum { NS = 1000000000, YEAR_MIN = 1000 - 1900, YEAR_MAX = 9999 - 1900 };
	time_t when = seconds;
	char *at = text;
	struct tm tm;

	if ((!seconds && !ns) || ns >= NS || !localtime_r(&when, &tm))
		return 0;
	if (tm.tm_year >= YEAR_MIN && tm.tm_year <= YEAR_MAX)
		at = put_time_of(at, &tm);
	else
		at += strftime(text, KT_DATE_MAX / 2, "%FT%T", &tm);
	if (at == text)
		return 0;
	if (ns) {
		*at++ = '.';
		at = put_digits(at, digits == 6 ? ns / 1000 : ns, digits);
	}
	return put_zone(at, tm.tm_gmtoff) - text;
}

void kt_number_form_put_date(struct kt_text *t, int64_t seconds, uint64_t ns, unsigned int digits)
{
	char text[KT_DATE_MAX];
	size_t n = kt_number_form_date(seconds, ns, digits, text);

	if (!n)
		return;
	kt_text_string(t, " /* ");
	kt_text_put(t, text, n);
	kt_text_string(t, " */");
}
