// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/number_forms.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "values/text.h"

typedef void put_form(struct kt_text *t, uint64_t n);

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

static const struct form {
	const char *name;
	put_form *put;
} forms[] = {
	{"dev", put_device},         {"ioprio", put_io_priority}, {"pos_l", put_signed},
	{"rlim_cur", put_kilo},      {"rlim_max", put_kilo},      {"st_dev", put_device},
	{"st_rdev", put_device},     {"tms_cstime", put_ticks},   {"tms_cutime", put_ticks},
	{"tms_stime", put_ticks},    {"tms_utime", put_ticks},    {"tv_nsec", kt_text_number},
	{"tv_usec", kt_text_number},
};

bool kt_number_form_put(struct kt_text *t, const char *name, uint64_t n)
{
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (strcmp(forms[i].name, name) != 0)
			continue;
		forms[i].put(t, n);
		return true;
	}
	return false;
}

bool kt_number_form_is_time(const char *name)
{
	static const char *const names[] = {"actime", "modtime", "st_atime", "st_ctime",
					    "st_mtime"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

size_t kt_number_form_date(int64_t seconds, uint64_t ns, unsigned int digits,
			   char text[KT_DATE_MAX])
{
	enum { NS = 1000000000 };
	time_t at = seconds;
	struct tm tm;
	size_t n;

	if ((!seconds && !ns) || ns >= NS || !localtime_r(&at, &tm))
		return 0;
	n = strftime(text, KT_DATE_MAX - sizeof(".123456789+0000"), "%FT%T", &tm);
	if (n && ns)
		n += sprintf(text + n, ".%0*u", (int)digits,
			     (unsigned int)(digits == 6 ? ns / 1000 : ns));
	return n ? n + strftime(text + n, KT_DATE_MAX - n, "%z", &tm) : 0;
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
