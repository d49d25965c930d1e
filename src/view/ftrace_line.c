// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/ftrace_line.h"

#include <string.h>

#include "fetch/late_text.h"
#include "fetch/pointed_data.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/record/event_text.h"
#include "values/record/field_text.h"
#include "values/text.h"
#include "view/stack_text.h"
#include "view/task_comm.h"

enum { NAME_WIDTH = 16, TID_WIDTH = 7 };

static void put_name(struct kt_text *t, const char *name)
{
	kt_text_char(t, ' ');
	kt_text_string(t, name);
	kt_text_char(t, '=');
}

/* Prints data that the call wrote: its pointer is a field of the entry. */
static void put_written_data(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	char argument[KT_POINTED_DATA_NAME_MAX];

	if (kt_record_layout_copied(fields, hit->values, i) == KT_COPIED_ABSENT)
		return;
	kt_pointed_data_argument(fields->members[i].name, argument);
	put_name(t, argument);
	kt_field_text_copy(t, hit, i);
}

/* Prints text that was not in memory before the return. */
static void put_late(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	char argument[KT_POINTED_DATA_NAME_MAX];

	kt_late_text_argument(hit->event->fields.members[i].name, argument);
	put_name(t, argument);
	kt_field_text_copy(t, hit, i);
}

static void put_field(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_member *m = &hit->event->fields.members[i];

	if (m->is_lone && !m->in)
		put_written_data(t, hit, i);
	if (m->is_late && hit->values[i].n)
		put_late(t, hit, i);
	if (m->is_pointed || m->is_aside)
		return;
	put_name(t, m->name);
	kt_field_text_print(t, hit, i);
}

/* Prints all fields, or those that the print format does not know. */
static void put_fields(struct kt_text *t, const struct kt_hit *hit)
{
	size_t i;

	for (i = 0; i < hit->event->fields.n_members; i++)
		if (!hit->event->print || hit->event->fields.members[i].is_added)
			put_field(t, hit, i);
}

/* Prints the task's comm (kt_task_comm) and number. */
static void put_task(struct kt_text *t, const struct kt_hit *hit)
{
	const char *name = kt_task_comm(hit->tid, hit->comm);
	size_t n = strlen(name);

	if (n < NAME_WIDTH)
		kt_text_fill(t, NAME_WIDTH - n, ' ');
	kt_text_color(t, KT_COLOR_TASK);
	kt_text_escaped(t, name, n);
	kt_text_char(t, '-');
	n = kt_text_signed(t, hit->tid);
	kt_text_color_end(t);
	if (n < TID_WIDTH)
		kt_text_fill(t, TID_WIDTH - n, ' ');
}

void kt_ftrace_line_begin(struct kt_text *to, const struct kt_hit *hit)
{
	put_task(to, hit);
	kt_text_put(to, " [", 2);
	kt_text_padded(to, hit->cpu, 3, '0');
	kt_text_put(to, "] ", 2);
	kt_text_time(to, hit->time);
	kt_text_put(to, ": ", 2);
}

void kt_ftrace_line_end(struct kt_text *to, const struct kt_hit *hit)
{
	kt_text_color(to, KT_COLOR_NAME);
	kt_text_string(to, hit->event->name);
	kt_text_color_end(to);
	kt_text_char(to, ':');
	if (hit->event->print) {
		kt_text_char(to, ' ');
		kt_event_text_put(to, hit);
	}
	if (!hit->event->print || hit->event->has_added)
		put_fields(to, hit);
	kt_text_char(to, '\n');
}

static void put_lost(struct kt_text *t, const struct kt_hit *hit)
{
	kt_text_color(t, KT_COLOR_LOST);
	kt_text_string(t, "CPU:");
	kt_text_number(t, hit->cpu);
	kt_text_string(t, " [LOST ");
	kt_text_number(t, hit->lost);
	kt_text_string(t, " EVENTS]");
	kt_text_color_end(t);
	kt_text_char(t, '\n');
}

void kt_ftrace_line_print(struct kt_text *to, const struct kt_hit *hit)
{
	if (!hit->event) {
		put_lost(to, hit);
		return;
	}
	kt_ftrace_line_begin(to, hit);
	kt_ftrace_line_end(to, hit);
	kt_stack_text_lines(to, hit);
}
