// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/event_json.h"

#include <errno.h>
#include <string.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "values/json_text.h"
#include "values/record/json_value.h"
#include "values/text.h"
#include "view/stack_text.h"
#include "view/task_comm.h"

static void put_text(struct kt_text *t, const char *text)
{
	kt_json_text_string(t, text, strlen(text));
}

static void put_place(struct kt_text *t, const struct kt_hit *hit)
{
	kt_text_string(t, "{\"time\":");
	kt_text_number(t, hit->time);
	kt_text_string(t, ",\"cpu\":");
	kt_text_number(t, hit->cpu);
}

void kt_event_json_begin(struct kt_text *t, const struct kt_hit *hit)
{
	put_place(t, hit);
	kt_text_string(t, ",\"tid\":");
	kt_text_signed(t, hit->tid);
	if (!hit->comm && hit->tid)
		return;
	kt_text_string(t, ",\"comm\":");
	put_text(t, kt_task_comm(hit->tid, hit->comm));
}

static int put_fields(struct kt_text *t, const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	bool is_first = true;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		if (fields->members[i].is_late && !hit->values[i].n)
			continue;
		kt_json_text_key(t, fields->members[i].name, is_first);
		if (kt_json_value_field(t, hit, i) < 0)
			return -ENOMEM;
		is_first = false;
	}
	return 0;
}

/* Puts the labels of all fields, if there are any. */
static void put_labels(struct kt_text *t, const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *as;
	bool is_first = true;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		as = kt_metadata_variants_member(fields, hit->values, i);
		if (!as || !kt_json_value_has_labels(as, &hit->values[i]))
			continue;
		if (is_first)
			kt_text_string(t, ",\"labels\":{");
		kt_json_text_key(t, fields->members[i].name, is_first);
		kt_json_value_labels(t, as, &hit->values[i]);
		is_first = false;
	}
	if (!is_first)
		kt_text_char(t, '}');
}

/* Puts the names of fields that were cut, if there are any. */
static void put_cut(struct kt_text *t, const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m;
	size_t i, n = 0;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (!m->is_pointed ||
		    kt_record_layout_copied(fields, hit->values, i) != KT_COPIED_PART)
			continue;
		kt_text_string(t, n++ == 0 ? ",\"truncated\":[" : ",");
		put_text(t, m->name);
	}
	if (n > 0)
		kt_text_char(t, ']');
}

int kt_event_json_print(struct kt_text *t, const struct kt_hit *hit)
{
	if (!hit->event) {
		put_place(t, hit);
		kt_text_string(t, ",\"lost\":");
		kt_text_number(t, hit->lost);
		kt_text_string(t, "}\n");
		return 0;
	}
	kt_event_json_begin(t, hit);
	kt_text_string(t, ",\"system\":");
	put_text(t, hit->event->system);
	kt_text_string(t, ",\"event\":");
	put_text(t, hit->event->name);
	kt_text_string(t, ",\"fields\":{");
	if (put_fields(t, hit) < 0)
		return -ENOMEM;
	kt_text_char(t, '}');
	put_labels(t, hit);
	put_cut(t, hit);
	kt_stack_text_json(t, hit);
	kt_text_string(t, "}\n");
	return 0;
}
