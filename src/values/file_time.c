// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/file_time.h"

#include <string.h>
#include <sys/stat.h>

#include "trace/record_layout.h"
#include "values/number_forms.h"
#include "values/text.h"

bool kt_file_time_is(const struct kt_member *m)
{
	const struct kt_record_layout *layout = m->of;

	return layout && m->form == KT_NUMBER_FILE_TIME && layout->n_members == 2 &&
	       kt_member_is_number(&layout->members[0]) && kt_member_is_number(&layout->members[1]);
}

/* Returns what a time says instead of one, or NULL. */
static const char *get_name(const struct kt_record_layout *layout, const char *at)
{
	uint64_t n = kt_record_layout_number(layout, at, 1);

	if (strcmp(layout->members[1].name, "tv_nsec") != 0)
		return NULL;
	if (n == UTIME_NOW)
		return "UTIME_NOW";
	return n == UTIME_OMIT ? "UTIME_OMIT" : NULL;
}

bool kt_file_time_put_name(struct kt_text *t, const struct kt_record_layout *layout, const char *at)
{
	const char *name = t->names == KT_NAMES_ABBREV ? get_name(layout, at) : NULL;

	if (name)
		kt_text_string(t, name);
	return name;
}

void kt_file_time_put_date(struct kt_text *t, const struct kt_record_layout *layout, const char *at)
{
	bool is_micro = strcmp(layout->members[1].name, "tv_usec") == 0;
	uint64_t fraction = kt_record_layout_number(layout, at, 1);
	const char *name = t->names == KT_NAMES_VERBOSE ? get_name(layout, at) : NULL;

	if (name)
		kt_text_comment(t, name);
	else if (!is_micro || fraction < 1000000)
		kt_number_form_put_date(t, kt_record_layout_number(layout, at, 0),
					is_micro ? fraction * 1000 : fraction, is_micro ? 6 : 9);
}
