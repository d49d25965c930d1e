// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/groups/group_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/callstacks.h"
#include "constants/labels.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "trace/select/hit_names.h"
#include "values/record/field_text.h"
#include "values/text.h"
#include "view/stack_text.h"
#include "view/task_comm.h"

/* Fields of every event or call. */
enum common { COMM, PID, TID, CPU, EVENT, ERROR, KERNEL_STACK, USER_STACK, STACK, COMMONS };

/* The names of an event or call, made when it is first selected. */
struct source {
	struct kt_hit_names names;
	bool is_made;
	size_t at[]; /* by field: index among the names; names.scope.n: it has none */
};

struct field {
	const char *name;
	enum common common; /* COMMONS: none */
	bool is_known, is_number, is_time;
};

struct kt_group_fields {
	const struct kt_metadata *metadata;
	struct source **sources; /* by id of the event, or of a call's entry */
	size_t n;
	/* what is selected */
	const struct kt_call_kind *call;
	const struct kt_hit *entry, *exit, *first; /* first: either that is known */
	const struct source *source;
	struct field fields[];
};

static enum common find_common(const char *name)
{
	static const char *const all[] = {
		[COMM] = "comm",
		[PID] = "pid",
		[TID] = "tid",
		[CPU] = "cpu",
		[EVENT] = "event",
		[ERROR] = "error",
		[KERNEL_STACK] = "kernel_stack",
		[USER_STACK] = "user_stack",
		[STACK] = "stack",
	};
	enum common c = 0;

	while (c < COMMONS && strcmp(all[c], name) != 0)
		c++;
	return c;
}

struct kt_group_fields *kt_group_fields_new(const struct kt_metadata *metadata,
					    const char *const *names, size_t n)
{
	struct kt_group_fields *f = calloc(1, sizeof(*f) + n * sizeof(*f->fields));

	if (!f)
		return NULL;
	f->metadata = metadata;
	f->sources = calloc(metadata->n_events + 1, sizeof(*f->sources));
	if (!f->sources) {
		free(f);
		return NULL;
	}
	for (; f->n < n; f->n++)
		f->fields[f->n] = (struct field){
			.name = names[f->n],
			.common = find_common(names[f->n]),
		};
	return f;
}

void kt_group_fields_free(struct kt_group_fields *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->metadata->n_events; i++)
		if (f->sources[i]) {
			kt_hit_names_clear(&f->sources[i]->names);
			free(f->sources[i]);
		}
	free(f->sources);
	free(f);
}

/* Returns the kinds of stacks that a field has; 0: it is no stack. */
static unsigned int get_stack_kinds(enum common common)
{
	enum {
		KERNEL = KT_CALLSTACK_BIT(KT_CALLSTACK_KERNEL),
		USER = KT_CALLSTACK_BIT(KT_CALLSTACK_USER)
	};

	return common == KERNEL_STACK ? KERNEL
	       : common == USER_STACK ? USER
	       : common == STACK      ? KERNEL | USER
				      : 0;
}

static bool has_stack(const struct kt_hit *hit, unsigned int kinds)
{
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (kinds & KT_CALLSTACK_BIT(kind) && hit->event->stacks[kind].is_there)
			return true;
	return false;
}

static bool has_common(const struct kt_group_fields *f, enum common common)
{
	unsigned int kinds = get_stack_kinds(common);

	if (kinds)
		return has_stack(kt_stack_text_choose(f->entry, f->exit), kinds);
	return common != ERROR || f->call;
}

/* Notes what kind of values the source has for each field. */
static void note_fields(struct kt_group_fields *f, const struct source *s)
{
	const struct kt_filter_name *name;
	struct field *field;
	size_t i;

	for (i = 0; i < f->n; i++) {
		field = &f->fields[i];
		if (field->common < COMMONS) {
			field->is_known |= has_common(f, field->common);
			field->is_number |= field->common >= PID && field->common <= CPU;
			continue;
		}
		if (s->at[i] == s->names.scope.n)
			continue;
		name = &s->names.scope.names[s->at[i]];
		field->is_known = true;
		field->is_number |= name->bits > 0 && !name->why_not;
		field->is_time |= name->is_time;
	}
}

static struct source *make_source(struct kt_group_fields *f, size_t event)
{
	struct source *s = calloc(1, sizeof(*s) + f->n * sizeof(*s->at));
	size_t i;
	int ret;

	if (!s)
		return NULL;
	ret = f->call ? kt_hit_names_of_call(&s->names, f->call)
		      : kt_hit_names_of_event(&s->names, &f->metadata->events[event]);
	if (ret < 0) {
		free(s);
		return NULL;
	}
	for (i = 0; i < f->n; i++)
		s->at[i] = kt_hit_names_find(&s->names, f->fields[i].name);
	note_fields(f, s);
	return f->sources[event] = s;
}

int kt_group_fields_select(struct kt_group_fields *f, const struct kt_call_kind *call,
			   const struct kt_hit *entry, const struct kt_hit *exit)
{
	const struct kt_event_class *of = call ? call->events[KT_ENTER] : entry->event;
	size_t event = of - f->metadata->events;

	f->call = call;
	f->entry = entry;
	f->exit = exit;
	f->first = entry ? entry : exit;
	f->source = f->sources[event] ? f->sources[event] : make_source(f, event);
	return f->source ? 0 : -ENOMEM;
}

bool kt_group_fields_failed(const struct kt_group_fields *f)
{
	return f->call && f->exit && kt_syscall_pairs_failed(f->exit, f->call->ret);
}

static void put_error(const struct kt_group_fields *f, struct kt_text *to)
{
	const struct kt_member *m = &f->exit->event->fields.members[f->call->ret];
	int64_t n = kt_value_number(m, &f->exit->values[f->call->ret], 0);
	struct kt_labelled found = {0};

	if (m->labels)
		kt_labels_of(m->labels, n, &found);
	if (found.n == 1 && *found.text[0] == '-')
		kt_text_escaped_string(to, found.text[0] + 1);
	else
		kt_text_number(to, -(uint64_t)n);
}

/* Puts the name of a function, which must not be taken for two. */
static void put_function(struct kt_text *to, char *name, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (name[i] == ';')
			name[i] = '_';
	kt_text_escaped(to, name, n);
}

/* Puts what is between two frames. */
static void put_next(struct kt_text *to, bool *is_first)
{
	if (!*is_first)
		kt_text_char(to, ';');
	*is_first = false;
}

static void put_frames(struct kt_text *to, const struct kt_hit_stack *s,
		       const struct kt_symbols *symbols, bool *is_first)
{
	char name[KT_STACK_FRAME_MAX];
	size_t i;

	if (s->id && !s->n) {
		put_next(to, is_first);
		kt_text_string(to, "<lost>");
	}
	for (i = kt_stack_first(s, symbols); i < kt_stack_known(s, symbols); i++) {
		put_next(to, is_first);
		put_function(to, name, kt_stack_function(s, i, symbols, name));
	}
	if (s->is_cut) {
		put_next(to, is_first);
		kt_text_string(to, "...");
	}
}

static enum kt_group_text put_stack(const struct kt_group_fields *f, unsigned int kinds,
				    struct kt_text *to)
{
	const struct kt_hit *hit = kt_stack_text_choose(f->entry, f->exit);
	enum kt_callstack_kind kind;
	bool is_first = true;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (kinds & KT_CALLSTACK_BIT(kind) && hit->event->stacks[kind].is_there)
			put_frames(to, &hit->stacks[kind], hit->event->stacks[kind].symbols,
				   &is_first);
	return is_first ? KT_GROUP_NONE : KT_GROUP_STACK;
}

static int64_t get_common_number(const struct kt_group_fields *f, enum common common)
{
	if (common == CPU)
		return f->first->cpu;
	return common == TID || f->first->pid < 0 ? f->first->tid : f->first->pid;
}

static enum kt_group_text put_common(const struct kt_group_fields *f, enum common common,
				     struct kt_text *to)
{
	if (get_stack_kinds(common))
		return put_stack(f, get_stack_kinds(common), to);
	if (common == COMM) {
		kt_text_escaped_string(to, kt_task_comm(f->first->tid, f->first->comm));
	} else if (common == EVENT) {
		kt_text_escaped_string(to, f->call ? f->call->name : f->first->event->name);
	} else if (common != ERROR) {
		kt_text_signed(to, get_common_number(f, common));
		return KT_GROUP_NUMBER;
	} else if (kt_group_fields_failed(f)) {
		put_error(f, to);
	} else {
		return KT_GROUP_NONE;
	}
	return KT_GROUP_TEXT;
}

static bool is_plain_number(const struct kt_member *m)
{
	return kt_member_is_number(m) && !m->labels && !m->symbols && !m->path &&
	       m->notation == KT_DECIMAL;
}

/* Prints a value that is no text. */
static enum kt_group_text put_value(const struct kt_group_fields *f, size_t name,
				    struct kt_text *to)
{
	const struct kt_hit *hit;
	uint64_t number;
	size_t member;

	hit = kt_hit_names_side(&f->source->names, name, f->entry, f->exit, &member);
	if (hit) {
		kt_field_text_print(to, hit, member);
		return is_plain_number(&hit->event->fields.members[member]) ? KT_GROUP_NUMBER
									    : KT_GROUP_TEXT;
	}
	if (!kt_hit_names_number(&f->source->names, name, f->entry, f->exit, &number))
		return KT_GROUP_NONE;
	kt_text_number(to, number);
	return KT_GROUP_NUMBER;
}

/* Returns the index of the name with the text that a pointer points to; else the name itself. */
static size_t follow_pointer(const struct kt_group_fields *f, size_t name)
{
	const struct kt_hit_names *names = &f->source->names;
	const struct kt_filter_name *n = &names->scope.names[name];
	const struct kt_hit *hit;
	size_t member;

	if (!n->text)
		return name;
	hit = kt_hit_names_side(names, name, f->entry, f->exit, &member);
	return hit && hit->event->fields.members[member].path ? name : n->text - 1;
}

enum kt_group_text kt_group_fields_text(struct kt_group_fields *f, size_t i, struct kt_text *to)
{
	const struct kt_hit_names *names = &f->source->names;
	const struct kt_filter_name *n;
	const char *text;
	size_t name, len;

	if (f->fields[i].common < COMMONS)
		return put_common(f, f->fields[i].common, to);
	if (f->source->at[i] == names->scope.n)
		return KT_GROUP_NONE;
	name = follow_pointer(f, f->source->at[i]);
	n = &names->scope.names[name];
	if (n->bits > 0 || n->why_not)
		return put_value(f, name, to);
	if (!kt_hit_names_text(names, name, f->entry, f->exit, &text, &len))
		return KT_GROUP_NONE;
	kt_text_escaped(to, text, len);
	return KT_GROUP_TEXT;
}

/* Returns whether a name's number is an address or a set of flags, of which sums mean nothing. */
static bool is_hex(const struct kt_group_fields *f, size_t name)
{
	enum kt_notation notation = KT_DECIMAL;
	const struct kt_hit *hit;
	size_t member;

	hit = kt_hit_names_side(&f->source->names, name, f->entry, f->exit, &member);
	if (hit)
		notation = hit->event->fields.members[member].notation;
	return notation == KT_POINTER || notation == KT_HEX;
}

static bool is_return_value(const struct kt_group_fields *f, size_t name)
{
	const struct kt_hit *hit;
	size_t member;

	hit = kt_hit_names_side(&f->source->names, name, f->entry, f->exit, &member);
	return hit && hit == f->exit && f->call && member == f->call->ret;
}

bool kt_group_fields_number(struct kt_group_fields *f, size_t i, __int128 *number)
{
	const struct kt_hit_names *names = &f->source->names;
	const struct kt_filter_name *n;
	size_t name = f->source->at[i];
	uint64_t value;

	if (f->fields[i].common < COMMONS) {
		*number = get_common_number(f, f->fields[i].common);
		return f->fields[i].is_number;
	}
	if (name == names->scope.n)
		return false;
	n = &names->scope.names[name];
	if (!n->bits || n->why_not || is_hex(f, name) ||
	    !kt_hit_names_number(names, name, f->entry, f->exit, &value) ||
	    (is_return_value(f, name) && kt_group_fields_failed(f)))
		return false;
	*number = n->is_signed ? (__int128)(int64_t)value : (__int128)value;
	return true;
}

bool kt_group_fields_is_known(const struct kt_group_fields *f, size_t i)
{
	return f->fields[i].is_known;
}

bool kt_group_fields_is_number(const struct kt_group_fields *f, size_t i)
{
	return f->fields[i].is_number;
}

bool kt_group_fields_is_time(const struct kt_group_fields *f, size_t i)
{
	return f->fields[i].is_time;
}
