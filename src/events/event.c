// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/event.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/error.h"
#include "bpf/callstacks.h"
#include "constants/labels.h"
#include "ctypes/ctype.h"
#include "ctypes/struct_layout.h"
#include "events/curated.h"
#include "events/filter.h"
#include "events/point.h"
#include "events/print_fmt.h"
#include "events/syscall_names.h"
#include "events/tracefs.h"

/* What a format file says, or a point's name; shared by copies of its event. */
struct format {
	size_t n_events;        /* that use it */
	struct tep_handle *tep; /* owner of the fields' names and types; NULL: there are none */
	char *system, *name;
	unsigned int id;
	struct kt_labels *labels;
	char *print;
	size_t n_fields;
	struct kt_field fields[];
};

/* An event with the objects that own its texts. */
struct owner {
	struct kt_event event;
	struct format *format;
	size_t n_added; /* fields that were added, with names of their own */
	struct {
		char *name, *type; /* type NULL: a static text */
		struct kt_struct_layout *of;
	} added[KT_EVENT_ADDED_MAX];
	struct kt_field fields[];
};

static unsigned int convert_flags(const struct tep_format_field *f)
{
	unsigned int flags = 0;

	if (f->flags & TEP_FIELD_IS_SIGNED)
		flags |= KT_FIELD_SIGNED;
	if (f->flags & TEP_FIELD_IS_POINTER)
		flags |= KT_FIELD_POINTER;
	if (f->flags & TEP_FIELD_IS_RELATIVE)
		flags |= KT_FIELD_REL_LOC;
	else if (f->flags & TEP_FIELD_IS_DYNAMIC)
		flags |= KT_FIELD_DATA_LOC;
	else if (f->flags & TEP_FIELD_IS_ARRAY)
		flags |= KT_FIELD_ARRAY;
	return flags;
}

/* Returns the element size, which libtraceevent does not report for arrays of varying length. */
static unsigned int find_element_size(const struct tep_format_field *f)
{
	static const struct {
		const char *type;
		unsigned int size;
	} known[] = {
		{" unsigned short[]", 2}, {" unsigned int[]", 4}, {" short[]", 2}, {" int[]", 4},
		{" __u16[]", 2},          {" __u32[]", 4},        {" __u64[]", 8}, {" __s16[]", 2},
		{" __s32[]", 4},          {" __s64[]", 8},
	};
	const char *type = strchr(f->type, ' ');
	size_t i;

	if (f->flags & (TEP_FIELD_IS_LONG | TEP_FIELD_IS_POINTER))
		return sizeof(long);
	for (i = 0; type && i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(type, known[i].type) == 0)
			return known[i].size;
	return f->elementsize;
}

static unsigned int find_width(const struct tep_format_field *f)
{
	bool varies = f->flags & TEP_FIELD_IS_DYNAMIC;
	unsigned int n = varies ? find_element_size(f) : f->elementsize;

	return (n == 1 || n == 2 || n == 4 || n == 8) && (varies || f->size % n == 0) ? n : 1;
}

/* Returns the notation before the print fmt is considered. */
static enum kt_notation guess_notation(const struct tep_format_field *f)
{
	return f->flags & TEP_FIELD_IS_POINTER && find_width(f) == sizeof(uint64_t) ? KT_POINTER
										    : KT_DECIMAL;
}

static void free_format(struct format *f)
{
	if (!f)
		return;
	tep_free(f->tep);
	kt_labels_free(f->labels);
	free(f->print);
	free(f->system);
	free(f->name);
	free(f);
}

/* Makes a format without fields. Returns NULL without memory. */
static struct format *make_empty_format(const char *system, const char *name, size_t n_fields)
{
	struct format *f = calloc(1, sizeof(*f) + n_fields * sizeof(*f->fields));

	if (!f)
		return NULL;
	f->system = strdup(system);
	f->name = strdup(name);
	if (f->system && f->name)
		return f;
	free_format(f);
	return NULL;
}

/* Describes the fields of a parsed format. Takes ownership of tep, on error too. */
static struct format *make_format(struct tep_handle *tep, const struct tep_event *parsed)
{
	size_t n = parsed->format.nr_fields;
	struct format *to = make_empty_format(parsed->system, parsed->name, n);
	const struct tep_format_field *f;

	if (!to) {
		tep_free(tep);
		return NULL;
	}
	for (n = 0, f = parsed->format.fields; f; f = f->next)
		to->fields[n++] = (struct kt_field){
			.name = f->name,
			.type = f->type,
			.offset = f->offset,
			.size = f->size,
			.width = find_width(f),
			.flags = convert_flags(f),
			.notation = guess_notation(f),
		};
	to->tep = tep;
	to->id = parsed->id;
	to->n_fields = n;
	if (kt_print_fmt_label(parsed, to->fields, n, &to->labels) == 0)
		return to;
	free_format(to);
	return NULL;
}

static struct format *parse_format(const char *system, const char *text, struct kt_error *err)
{
	struct tep_handle *tep = tep_alloc();
	struct tep_event *parsed = NULL;
	struct format *format;
	int failed;

	if (!tep) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	failed = tep_parse_format(tep, &parsed, text, strlen(text), system);
	if (!failed && parsed && !(parsed->flags & TEP_EVENT_FL_FAILED)) {
		format = make_format(tep, parsed);
		if (!format)
			kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return format;
	}
	tep_free(tep);
	kt_fail(err, EPROTO, "libtraceevent cannot read the format");
	return NULL;
}

/* Parses a format that events/print_fmt.h rewrote; NULL: it failed. Frees the text. */
static struct format *parse_rewritten(const char *system, char *text, struct kt_error *err)
{
	struct format *format = NULL;

	if (text)
		format = parse_format(system, text, err);
	else if (errno == EPROTO)
		kt_fail(err, EPROTO, "the format is cut short");
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(text);
	return format;
}

/* Copies the print fmt, except for system calls: ktrace prints those in its own form. */
static int add_print(struct format *format, const char *text)
{
	enum kt_side side;

	if (kt_syscall_of(format->system, format->name, &side))
		return 0;
	format->print = kt_print_fmt_copy(text);
	return format->print ? 0 : -ENOMEM;
}

/* Makes an event of a format, as its first one or a copy. Returns NULL without memory. */
static struct kt_event *make_event(struct format *f)
{
	size_t n = f->n_fields + KT_EVENT_ADDED_MAX;
	struct owner *o = calloc(1, sizeof(*o) + n * sizeof(*o->fields));

	if (!o)
		return NULL;
	if (f->print) {
		o->event.print = strdup(f->print);
		if (!o->event.print) {
			free(o);
			return NULL;
		}
	}
	f->n_events++;
	memcpy(o->fields, f->fields, f->n_fields * sizeof(*f->fields));
	o->format = f;
	o->event.system = f->system;
	o->event.name = f->name;
	o->event.id = f->id;
	o->event.n_fields = f->n_fields;
	o->event.fields = o->fields;
	return &o->event;
}

/* libtraceevent reports unreadable fields and an unreadable print fmt by the same flag. */
struct kt_event *kt_event_parse(const char *system, const char *text, struct kt_error *err)
{
	struct format *format = parse_rewritten(system, kt_print_fmt_reduce(text), err);
	struct kt_event *event = NULL;

	if (!format)
		format = parse_rewritten(system, kt_print_fmt_remove(text), err);
	if (!format)
		return NULL;
	kt_print_fmt_mark(system, text, format->fields, format->n_fields);
	if (add_print(format, text) == 0)
		event = make_event(format);
	if (event)
		return event;
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free_format(format);
	return NULL;
}

/* Gives a parsed event another name. Returns 0 or -ENOMEM. */
static int rename_event(struct kt_event *event, const char *name)
{
	struct format *f = ((struct owner *)event)->format;
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	free(f->name);
	f->name = copy;
	event->name = copy;
	return 0;
}

struct kt_event *kt_event_parse_point(const struct kt_event_name *name, const char *format,
				      const struct kt_point *point, struct kt_error *err)
{
	struct kt_event *event = kt_event_parse(name->system, format, err);

	if (!event)
		return NULL;
	event->point = kt_point_copy(point);
	if (event->point && rename_event(event, name->event) == 0)
		return event;
	kt_event_free(event);
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

struct kt_event *kt_event_of_point(const struct kt_event_name *name, const struct kt_point *point)
{
	struct format *format = make_empty_format(name->system, name->event, 0);
	struct kt_event *event = format ? make_event(format) : NULL;

	if (!event) {
		free_format(format);
		return NULL;
	}
	event->point = kt_point_copy(point);
	if (event->point)
		return event;
	kt_event_free(event);
	return NULL;
}

struct kt_event *kt_event_copy(const struct kt_event *event)
{
	return make_event(((const struct owner *)event)->format);
}

struct kt_event *kt_event_read_file(int tracefs, const struct kt_event_name *name,
				    struct kt_error *err)
{
	struct kt_event *event = NULL;
	char path[PATH_MAX];
	char *format;

	snprintf(path, sizeof(path), "events/%s/%s/format", name->system, name->event);
	format = kt_tracefs_read(tracefs, path, err);
	if (format)
		event = kt_event_parse(name->system, format, err);
	if (!event)
		kt_fail_because(err, "%s:%s", name->system, name->event);
	free(format);
	return event;
}

void kt_event_free(struct kt_event *event)
{
	struct owner *o = (struct owner *)event;

	if (!o)
		return;
	kt_event_remove_added(event);
	if (--o->format->n_events == 0)
		free_format(o->format);
	kt_uncurate(event);
	kt_filter_free(event->filter);
	kt_filter_free(event->trigger);
	kt_event_free(event->call);
	kt_point_free(event->point);
	free(event->print);
	free(o);
}

size_t kt_event_fields_offset(const struct kt_event *event)
{
	return sizeof(struct kt_record) + kt_callstack_ids_size(event->stacks);
}

size_t kt_event_record_size(const struct kt_event *event)
{
	size_t i, size = kt_event_fields_offset(event);

	for (i = 0; i < event->n_fields; i++)
		size += kt_field_record_size(&event->fields[i]);
	return size;
}

size_t kt_event_data_size(const struct kt_event *event, const void *record)
{
	const char *at = (const char *)record + kt_event_fields_offset(event);
	const struct kt_field *f;
	size_t size = 0, i;
	uint16_t count;

	for (i = 0; i < event->n_fields; i++) {
		f = &event->fields[i];
		if (kt_field_varies(f)) {
			memcpy(&count, at, sizeof(count));
			size += count * f->width;
		}
		at += kt_field_record_size(f);
	}
	return size;
}

size_t kt_event_record_max(const struct kt_event *event, struct kt_geometry geometry)
{
	size_t data = kt_event_varying(event) ? kt_record_data_max(geometry) : 0;

	return kt_record_size(kt_event_record_size(event) + data);
}

struct kt_field *kt_event_fields(struct kt_event *event)
{
	return ((struct owner *)event)->fields;
}

static int add_field(struct kt_event *event, const char *name, struct kt_field field)
{
	struct owner *o = (struct owner *)event;
	char *copy = o->n_added < KT_EVENT_ADDED_MAX ? strdup(name) : NULL;

	if (!copy)
		return -ENOMEM;
	o->added[o->n_added++].name = copy;
	field.name = copy;
	o->fields[event->n_fields++] = field;
	return 0;
}

int kt_event_add_field(struct kt_event *event, const struct kt_field *like)
{
	struct kt_field field = *like;

	field.offset = 0;
	return add_field(event, like->name, field);
}

/* Adds a field of varying length. */
static int add_varying(struct kt_event *event, const char *name, struct kt_field field)
{
	field.size = sizeof(uint32_t);
	field.flags |= KT_FIELD_DATA_LOC;
	return add_field(event, name, field);
}

int kt_event_add_text(struct kt_event *event, const char *name)
{
	return add_varying(event, name, (struct kt_field){.type = "__data_loc char[]", .width = 1});
}

int kt_event_add_bytes(struct kt_event *event, const char *name, enum kt_notation notation)
{
	return add_varying(
		event, name,
		(struct kt_field){.type = "__data_loc u8[]", .width = 1, .notation = notation});
}

int kt_event_add_numbers(struct kt_event *event, const char *name, const struct kt_ctype *type,
			 enum kt_notation notation, const struct kt_labels *labels)
{
	static const char *const types[][9] = {
		{[1] = "__data_loc u8[]",
		 [2] = "__data_loc u16[]",
		 [4] = "__data_loc u32[]",
		 [8] = "__data_loc u64[]"},
		{[1] = "__data_loc s8[]",
		 [2] = "__data_loc s16[]",
		 [4] = "__data_loc s32[]",
		 [8] = "__data_loc s64[]"},
	};
	struct kt_field field = {
		.type = types[type->is_signed][type->size],
		.width = type->size,
		.flags = type->is_signed ? KT_FIELD_SIGNED : 0,
		.notation = notation,
		.labels = labels,
	};

	return add_varying(event, name, field);
}

int kt_event_add_structs(struct kt_event *event, const char *name, struct kt_struct_layout *of)
{
	struct owner *o = (struct owner *)event;
	struct kt_field field = {.width = of->size, .of = of};
	char *type;

	if (asprintf(&type, "__data_loc struct %s[]", of->name) < 0) {
		kt_struct_layout_free(of);
		return -ENOMEM;
	}
	field.type = type;
	if (add_varying(event, name, field) < 0) {
		kt_struct_layout_free(of);
		free(type);
		return -ENOMEM;
	}
	o->added[o->n_added - 1].type = type;
	o->added[o->n_added - 1].of = of;
	return 0;
}

bool kt_event_has_added(const struct kt_event *event)
{
	return ((const struct owner *)event)->n_added;
}

void kt_event_keep_fields(struct kt_event *event, size_t n)
{
	if (event->n_fields > n)
		event->n_fields = n;
}

bool kt_event_tests_missing(const struct kt_event *event)
{
	return kt_filter_tests_behind(event->filter, event->n_fields) ||
	       kt_filter_tests_behind(event->trigger, event->n_fields);
}

void kt_event_remove_added(struct kt_event *event)
{
	struct owner *o = (struct owner *)event;
	size_t i;

	event->n_fields -= o->n_added;
	for (i = 0; i < o->n_added; i++) {
		free(o->added[i].name);
		free(o->added[i].type);
		kt_struct_layout_free(o->added[i].of);
	}
	memset(o->added, 0, sizeof(o->added));
	o->n_added = 0;
}

const struct kt_field *kt_event_varying(const struct kt_event *event)
{
	size_t i;

	for (i = 0; i < event->n_fields; i++)
		if (kt_field_varies(&event->fields[i]))
			return &event->fields[i];
	return NULL;
}

const struct kt_field *kt_event_field(const struct kt_event *event, const char *name)
{
	size_t i;

	for (i = 0; i < event->n_fields; i++)
		if (!strcmp(event->fields[i].name, name))
			return &event->fields[i];
	return NULL;
}
