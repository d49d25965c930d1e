// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/unfinished_entry.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "session/unfinished_calls.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"

struct kt_unfinished_entry {
	struct kt_hit hit;
	char texts[KT_ARGUMENTS][PATH_MAX];
	uint64_t *numbers; /* by member, for the values */
	struct kt_value values[];
};

/* Prepares the values: a number is 0 until it is known, a member of varying length is empty. */
static bool prepare_values(struct kt_unfinished_entry *o, const struct kt_record_layout *fields)
{
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (!m->varies && !kt_member_is_number(m))
			return false;
		o->values[i] = (struct kt_value){(char *)&o->numbers[i], m->varies ? 0 : m->count};
		o->numbers[i] = m->is_aside ? UINT64_MAX : 0;
	}
	return true;
}

static bool is_argument(const struct kt_member *m)
{
	return !m->varies && !m->is_pointed && !m->is_aside;
}

/* Sets an argument, and what it points to if that is text. */
static void set_argument(struct kt_unfinished_entry *o, const struct kt_member *members, size_t i,
			 const struct kt_unfinished_call *call, size_t arg)
{
	size_t copy = members[i].pointed, n;

	o->numbers[i] = call->args[arg];
	if (!copy || !members[copy].text)
		return;
	n = kt_unfinished_calls_text(call, call->args[arg], o->texts[arg], sizeof(o->texts[arg]));
	o->values[copy] = (struct kt_value){o->texts[arg], n};
}

static bool set_arguments(struct kt_unfinished_entry *o, const struct kt_record_layout *fields,
			  const struct kt_unfinished_call *call)
{
	const struct kt_member *members = fields->members;
	size_t i, arg = 0;

	if (!prepare_values(o, fields))
		return false;
	for (i = 0; i < fields->n_members; i++) {
		if (!is_argument(&members[i]))
			continue;
		if (strcmp(members[i].name, "__syscall_nr") == 0)
			o->numbers[i] = call->number;
		else if (arg < KT_ARGUMENTS)
			set_argument(o, members, i, call, arg++);
	}
	return true;
}

struct kt_unfinished_entry *kt_unfinished_entry_new(const struct kt_event_class *entry,
						    const struct kt_unfinished_call *call,
						    uint64_t time)
{
	size_t n = entry->fields.n_members;
	struct kt_unfinished_entry *o = calloc(1, sizeof(*o) + n * sizeof(*o->values));

	if (!o)
		return NULL;
	o->hit = (struct kt_hit){
		.event = entry,
		.values = o->values,
		.time = time,
		.is_older = true,
		.tid = call->tid,
		.task = call->tid,
	};
	o->numbers = calloc(n + 1, sizeof(*o->numbers));
	if (o->numbers && set_arguments(o, &entry->fields, call))
		return o;
	kt_unfinished_entry_free(o);
	return NULL;
}

void kt_unfinished_entry_free(struct kt_unfinished_entry *o)
{
	if (!o)
		return;
	free(o->numbers);
	free(o);
}

const struct kt_hit *kt_unfinished_entry_hit(const struct kt_unfinished_entry *o)
{
	return &o->hit;
}
