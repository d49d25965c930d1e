// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/select/hit_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "events/filter.h"
#include "events/point.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"

/* Where a value is: a member of one side, or the time between both. */
struct kt_hit_place {
	enum kt_side side;
	size_t member;
	bool is_duration;
	size_t late; /* of an entry's text: the return's member with it if it was unread; or 0 */
	size_t base; /* of a path: the entry's member with its descriptor's path; or 0 */
};

static const char *get_why_not(const struct kt_member *m)
{
	if (m->of)
		return "is a struct; filters test numbers and text";
	if (m->text && m->notation == KT_STRINGS)
		return "is an array of texts; filters test numbers and text";
	if (m->array && !m->text)
		return "is an array; filters test numbers and text";
	return NULL;
}

static struct kt_filter_name describe(const struct kt_member *m)
{
	return (struct kt_filter_name){
		.name = m->name,
		.bits = m->text || m->of ? 0 : 8 * m->width,
		.is_signed = m->is_signed,
		.is_address = m->notation == KT_POINTER || m->symbols,
		.labels = m->labels,
		.text_max = KT_FILTER_TEXT_MAX,
		.why_not = get_why_not(m),
	};
}

static void add_name(struct kt_hit_names *names, struct kt_filter_name name,
		     struct kt_hit_place place)
{
	names->places[names->scope.n] = place;
	names->scope.names[names->scope.n++] = name;
}

static int begin(struct kt_hit_names *names, const struct kt_event_class *event, size_t n)
{
	*names = (struct kt_hit_names){
		.scope = {.names = calloc(n + 1, sizeof(*names->scope.names)),
			  .system = event->system,
			  .event = event->name},
		.places = calloc(n + 1, sizeof(*names->places)),
	};
	if (names->scope.names && names->places)
		return 0;
	kt_hit_names_clear(names);
	return -ENOMEM;
}

/* Adds all members of a side; a name's index is that of its member, plus `from`. */
static void add_members(struct kt_hit_names *names, const struct kt_record_layout *fields,
			enum kt_side side)
{
	size_t i, from = names->scope.n, text;
	const struct kt_member *m;
	struct kt_filter_name name;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		name = describe(m);
		text = m->pointed ? m->pointed : m->path;
		if (text && fields->members[text].text)
			name.text = 1 + from + text;
		add_name(names, name, (struct kt_hit_place){.side = side, .member = i});
	}
}

/* Arguments that point to text which only the return has. */
static void add_late_texts(struct kt_hit_names *names, const struct kt_call_kind *call)
{
	const struct kt_record_layout *entry = &call->events[KT_ENTER]->fields;
	const struct kt_record_layout *exit = &call->events[KT_EXIT]->fields;
	struct kt_filter_name *name;
	size_t i;

	for (i = 0; i < entry->n_members; i++) {
		name = &names->scope.names[i];
		if (name->text)
			names->places[name->text - 1].late = call->late[i];
		else if (call->given[i] && exit->members[call->given[i]].text)
			name->text = 1 + entry->n_members + call->given[i];
	}
}

/* Returns 1 + the index of the call's first path; 0: none. */
static size_t find_path(const struct kt_hit_names *names, const struct kt_record_layout *entry)
{
	static const char *const paths[] = {"dev_name",    "dir_name", "filename", "from_pathname",
					    "new_root",    "oldname",  "pathname", "special",
					    "specialfile", NULL};
	size_t i;

	for (i = 0; i < entry->n_members; i++)
		if (names->scope.names[i].text && kt_words_contain(paths, entry->members[i].name))
			return names->scope.names[i].text;
	return 0;
}

/* Returns the member with the path of the call's first descriptor; 0: none. */
static size_t find_descriptor_path(const struct kt_record_layout *entry)
{
	size_t i;

	for (i = 0; i < entry->n_members; i++)
		if (entry->members[i].path)
			return entry->members[i].path;
	return 0;
}

/*
 * Adds `path` for the text of another name, unless there is such a field. An empty path is that of
 * the descriptor.
 */
static void add_path(struct kt_hit_names *names, const struct kt_record_layout *entry)
{
	size_t base = find_descriptor_path(entry), path = find_path(names, entry);
	struct kt_filter_name name;
	struct kt_hit_place place;

	path = path ? path : base ? 1 + base : 0;
	if (!path || kt_hit_names_find(names, "path") < names->scope.n)
		return;
	name = names->scope.names[path - 1];
	name.name = "path";
	name.why_not = NULL;
	place = names->places[path - 1];
	place.base = base;
	add_name(names, name, place);
}

static bool is_function_return(const struct kt_event_class *event)
{
	size_t n = strlen(event->name), suffix = strlen(KT_POINT_RETURN);

	return event->system && strcmp(event->system, KT_FUNC_SYSTEM) == 0 && n > suffix &&
	       strcmp(event->name + n - suffix, KT_POINT_RETURN) == 0;
}

int kt_hit_names_of_event(struct kt_hit_names *names, const struct kt_event_class *event)
{
	size_t duration;

	if (begin(names, event, event->fields.n_members) < 0)
		return -ENOMEM;
	add_members(names, &event->fields, KT_ENTER);
	duration = kt_hit_names_find(names, "duration");
	if (duration < names->scope.n && is_function_return(event))
		names->scope.names[duration].is_time = true;
	return 0;
}

int kt_hit_names_of_call(struct kt_hit_names *names, const struct kt_call_kind *call)
{
	const struct kt_event_class *entry = call->events[KT_ENTER], *exit = call->events[KT_EXIT];
	struct kt_filter_name duration = {.name = "duration", .bits = 64, .is_time = true};

	if (begin(names, entry, entry->fields.n_members + exit->fields.n_members + 2) < 0)
		return -ENOMEM;
	names->call = call;
	add_members(names, &entry->fields, KT_ENTER);
	add_members(names, &exit->fields, KT_EXIT);
	add_late_texts(names, call);
	add_path(names, &entry->fields);
	add_name(names, duration, (struct kt_hit_place){.side = KT_EXIT, .is_duration = true});
	return 0;
}

void kt_hit_names_clear(struct kt_hit_names *names)
{
	kt_filter_scope_clear(&names->scope);
	free(names->places);
	names->places = NULL;
}

size_t kt_hit_names_find(const struct kt_hit_names *names, const char *name)
{
	size_t i = 0;

	while (i < names->scope.n && strcmp(names->scope.names[i].name, name) != 0)
		i++;
	return i;
}

bool kt_hit_names_number(const struct kt_hit_names *names, size_t i, const struct kt_hit *entry,
			 const struct kt_hit *exit, uint64_t *number)
{
	const struct kt_hit_place *place = &names->places[i];
	const struct kt_hit *hit = place->side == KT_ENTER ? entry : exit;

	if (place->is_duration) {
		if (!entry || !exit || entry->is_older)
			return false;
		*number = exit->time - entry->time;
		return true;
	}
	if (!hit || hit->values[place->member].n == 0)
		return false;
	*number = kt_value_number(&hit->event->fields.members[place->member],
				  &hit->values[place->member], 0);
	return true;
}

/* Gets a member's text. Returns false if it could not be read. */
static bool get_text(const struct kt_hit *hit, size_t member, const char **text, size_t *len)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_value *value = &hit->values[member];

	if (fields->members[member].is_pointed &&
	    !kt_is_copied(kt_record_layout_copied(fields, hit->values, member)))
		return false;
	*text = value->data;
	*len = strnlen(value->data, value->n);
	return true;
}

static bool get_any_text(const struct kt_hit_place *place, const struct kt_hit *entry,
			 const struct kt_hit *exit, const char **text, size_t *len)
{
	const struct kt_hit *hit = place->side == KT_ENTER ? entry : exit;

	if (hit && get_text(hit, place->member, text, len))
		return true;
	return place->late && exit && get_text(exit, place->late, text, len);
}

bool kt_hit_names_text(const struct kt_hit_names *names, size_t i, const struct kt_hit *entry,
		       const struct kt_hit *exit, const char **text, size_t *len)
{
	const struct kt_hit_place *place = &names->places[i];

	if (!get_any_text(place, entry, exit, text, len))
		return false;
	if (*len == 0 && place->base && entry)
		get_text(entry, place->base, text, len);
	return true;
}

const struct kt_hit *kt_hit_names_side(const struct kt_hit_names *names, size_t i,
				       const struct kt_hit *entry, const struct kt_hit *exit,
				       size_t *member)
{
	const struct kt_hit_place *place = &names->places[i];

	*member = place->member;
	return place->is_duration ? NULL : place->side == KT_ENTER ? entry : exit;
}
