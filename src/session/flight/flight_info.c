// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/flight_info.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "bpf/callstacks.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/extra_fields.h"
#include "events/filter.h"
#include "events/point.h"
#include "events/print_fmt_enums.h"
#include "events/syscall_names.h"
#include "fetch/curate.h"
#include "fetch/point_fields.h"
#include "fetch/syscall_fields.h"
#include "filter/filter_parser.h"
#include "hook/bpffs.h"
#include "hook/map.h"
#include "session/flight/flight_point.h"

/* Version of the layout; a higher one is a later ktrace's. */
enum { FORMAT = 25 };

/* A larger map is not ours. */
#define SIZE_MAX_READ (64u << 20)

/* The name of a pin. */
struct pin {
	char name[sizeof(KT_FLIGHT_INFO ":") + 5];
};

static struct pin get_pin(uint16_t number)
{
	struct pin p = {KT_FLIGHT_INFO};

	if (number)
		snprintf(p.name, sizeof(p.name), KT_FLIGHT_INFO ":%" PRIu16, number);
	return p;
}

/* Fills in the texts of a filter. */
static void describe_filter(struct kt_flight_info_event *to, const struct kt_filter *f)
{
	to->filter = f->written;
	if (!kt_filter_uses_marks(f))
		return;
	to->calls = f->written;
	if (f->op != KT_FILTER_OR || kt_filter_uses_marks(f->of[1]))
		return;
	to->calls = f->of[0]->written;
	to->others = f->of[1]->written;
}

struct kt_flight_info_event kt_flight_info_describe(const struct kt_event *e)
{
	struct kt_flight_info_event to = {
		.system = e->system,
		.name = e->name,
		.trigger = e->trigger ? e->trigger->written : NULL,
		.is_trigger = e->is_trigger,
		.extra = kt_event_has_added(e),
		.paths = e->paths,
		.no_data = e->no_data,
		.stacks = e->stacks,
		.channel = e->channel,
		.point = e->point,
	};

	if (e->filter)
		describe_filter(&to, e->filter);
	return to;
}

/* Returns the call of an event of that side whose filter marks calls, or tests marks; else NULL. */
static const char *get_marking_call(const struct kt_flight_info_event *e, enum kt_side side)
{
	enum kt_side is;
	const char *call = e->calls ? kt_syscall_of(e->system, e->name, &is) : NULL;

	return call && is == side ? call : NULL;
}

size_t kt_flight_info_find_entry(const struct kt_flight_info *a, size_t i)
{
	const char *call = get_marking_call(&a->events[i], KT_EXIT), *other;

	for (i = 0; call && i < a->n_events; i++) {
		other = get_marking_call(&a->events[i], KT_ENTER);
		if (other && strcmp(other, call) == 0)
			return i;
	}
	return a->n_events;
}

static struct json_object *make_event(const struct kt_flight_info_event *e)
{
	struct json_object *o = json_object_new_object();

	if (kt_json_add_text(o, "system", e->system) && kt_json_add_text(o, "name", e->name) &&
	    (!e->filter || kt_json_add_text(o, "filter", e->filter)) &&
	    (!e->calls || kt_json_add_text(o, "calls", e->calls)) &&
	    (!e->others || kt_json_add_text(o, "others", e->others)) &&
	    (!e->trigger || kt_json_add_text(o, "trigger", e->trigger)) &&
	    (!e->is_trigger || kt_json_add_number(o, "freezes", 1)) &&
	    (!e->extra || kt_json_add_number(o, "extra", 1)) &&
	    (!e->paths || kt_json_add_number(o, "paths", 1)) &&
	    (!e->no_data || kt_json_add_number(o, "no_data", 1)) &&
	    (!e->stacks || kt_json_add_number(o, "stacks", e->stacks)) &&
	    (!e->channel || kt_json_add_number(o, "channel", e->channel)) &&
	    (!e->point || kt_json_add(o, "point", kt_flight_point_write(e->point))))
		return o;
	json_object_put(o);
	return NULL;
}

static struct json_object *make_events(const struct kt_flight_info *a)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < a->n_events; i++) {
		if (kt_json_append(array, make_event(&a->events[i])))
			continue;
		json_object_put(array);
		return NULL;
	}
	return array;
}

static struct json_object *make_info(const struct kt_flight_info *a)
{
	struct json_object *o = json_object_new_object();

	if (kt_json_add_number(o, "format", FORMAT) && kt_json_add_text(o, "version", a->version) &&
	    kt_json_add_text(o, "command", a->command) && kt_json_add_number(o, "uid", a->uid) &&
	    kt_json_add_number(o, "pid", a->pid) && kt_json_add_number(o, "began", a->began) &&
	    kt_json_add_number(o, "began_1970", a->began_1970) &&
	    kt_json_add_number(o, "shift", a->geometry.shift) &&
	    kt_json_add_number(o, "n_subbufs", a->geometry.n_subbufs) &&
	    kt_json_add_number(o, "bytes_max", a->bytes_max) &&
	    (!a->has_rare || kt_json_add_number(o, "has_rare", 1)) &&
	    kt_json_add(o, "events", make_events(a)))
		return o;
	json_object_put(o);
	return NULL;
}

/* Writes to a new map, which the caller frees. */
static int write_map(const struct kt_flight_info *a, struct kt_map *map, struct kt_error *err)
{
	struct json_object *o = make_info(a);
	const char *text = o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : NULL;
	int ret = text ? kt_map_make(map, "kt_about", (strlen(text) + 8) / 8 * 8, 1, err)
		       : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	if (ret == 0)
		strcpy(map->memory, text);
	json_object_put(o);
	return ret;
}

int kt_flight_info_pin(const struct kt_flight_info *a, int dir, struct kt_error *err)
{
	struct kt_map map;
	int ret = write_map(a, &map, err);

	if (ret < 0)
		return ret;
	ret = kt_bpffs_pin(dir, get_pin(a->number).name, map.fd, err);
	kt_map_free(&map);
	return ret;
}

/* Parses a text that must end with a NUL within size. Returns NULL if it is not an object. */
static struct json_object *parse_object(const char *text, size_t size)
{
	struct json_tokener *t = json_tokener_new();
	size_t n = strnlen(text, size);
	struct json_object *o = t && n < size ? json_tokener_parse_ex(t, text, n) : NULL;

	if (t)
		json_tokener_free(t);
	if (json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return NULL;
}

static bool read_geometry(struct kt_geometry *g, const struct json_object *o)
{
	uint64_t shift = 0, n = 0;

	if (!kt_json_get_number(o, "shift", 22, &shift) ||
	    !kt_json_get_number(o, "n_subbufs", 1 << 30, &n))
		return false;
	*g = (struct kt_geometry){shift, n};
	return shift >= 12 && n >= 2 && (n & (n - 1)) == 0;
}

/* Returns NULL if it is empty or missing. */
static const char *get_filter(const struct json_object *o, const char *key)
{
	const char *filter = kt_json_get_text(o, key);

	return *filter ? filter : NULL;
}

static bool get_flag(const struct json_object *o, const char *key)
{
	uint64_t flag = 0;

	return kt_json_get_number(o, key, 1, &flag) && flag;
}

static bool read_one(struct kt_flight_info_event *e, bool has_rare, const struct json_object *o)
{
	uint64_t channel = KT_MAIN, stacks = 0;
	struct json_object *point;

	e->system = kt_json_get_text(o, "system");
	e->name = kt_json_get_text(o, "name");
	e->filter = get_filter(o, "filter");
	e->calls = get_filter(o, "calls");
	e->others = get_filter(o, "others");
	e->trigger = get_filter(o, "trigger");
	e->is_trigger = get_flag(o, "freezes");
	e->extra = get_flag(o, "extra");
	e->paths = get_flag(o, "paths");
	e->no_data = get_flag(o, "no_data");
	if (kt_json_get_number(o, "channel", KT_CHANNELS - 1, &channel))
		e->channel = channel;
	if (kt_json_get_number(o, "stacks", KT_CALLSTACK_BIT(KT_CALLSTACK_KINDS) - 1, &stacks))
		e->stacks = stacks;
	if (json_object_object_get_ex(o, "point", &point) &&
	    !(e->point = kt_flight_point_read(point)))
		return false;
	return *e->system && *e->name && (!e->channel || has_rare);
}

static bool read_events(struct kt_flight_info *a, const struct json_object *o)
{
	struct json_object *array, *e;
	struct kt_flight_info_event *events;
	size_t i, n;

	if (!json_object_object_get_ex(o, "events", &array) ||
	    !json_object_is_type(array, json_type_array))
		return false;
	n = json_object_array_length(array);
	if (n < 1 || n > KT_EVENTS_MAX)
		return false;
	events = calloc(n, sizeof(*events));
	a->events = events;
	a->n_events = n;
	for (i = 0; events && i < n; i++) {
		e = json_object_array_get_idx(array, i);
		if (!json_object_is_type(e, json_type_object) ||
		    !read_one(&events[i], a->has_rare, e))
			return false;
	}
	return events;
}

static bool read_all(struct kt_flight_info *a, const struct json_object *o)
{
	a->has_rare = get_flag(o, "has_rare");
	a->command = kt_json_get_text(o, "command");
	return kt_json_get_number(o, "uid", UINT32_MAX, &a->uid) &&
	       kt_json_get_number(o, "pid", INT32_MAX, &a->pid) &&
	       kt_json_get_number(o, "began", UINT64_MAX, &a->began) &&
	       kt_json_get_number(o, "began_1970", UINT64_MAX, &a->began_1970) &&
	       kt_json_get_number(o, "bytes_max", KT_CURATED_POINTED_MAX, &a->bytes_max) &&
	       read_geometry(&a->geometry, o) && read_events(a, o);
}

static int read_json(struct kt_flight_info *a, struct json_object *o, struct kt_error *err)
{
	uint64_t format = 0;

	if (!o || !kt_json_get_number(o, "format", UINT32_MAX, &format) || !format)
		return kt_fail(err, EPROTO, "not written by ktrace");
	a->version = kt_json_get_text(o, "version");
	if (format != FORMAT)
		return kt_fail(err, EPROTO, "written by ktrace %s in an unknown format",
			       a->version);
	return read_all(a, o) ? 0 : kt_fail(err, EPROTO, "not written by ktrace");
}

int kt_flight_info_read(struct kt_flight_info *a, uint16_t number, int dir, struct kt_error *err)
{
	int fd = kt_bpffs_get(dir, get_pin(number).name, err);
	struct kt_map map;

	*a = (struct kt_flight_info){.number = number};
	if (fd < 0 || kt_map_from(&map, fd, err) < 0)
		return -err->code;
	if (map.size <= SIZE_MAX_READ)
		a->json = parse_object(map.memory, map.size);
	kt_map_free(&map);
	if (read_json(a, a->json, err) == 0)
		return 0;
	kt_flight_info_clear(a);
	return -err->code;
}

static bool is_in_numbers(const char *name, const uint16_t *numbers, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(get_pin(numbers[i]).name, name) != 0)
		i++;
	return i < n;
}

int kt_flight_info_drop_others(const uint16_t *numbers, size_t n, int dir, struct kt_error *err)
{
	char *names = kt_bpffs_names(dir, err);
	const char *name;
	int ret = names ? 0 : -err->code;

	for (name = names; ret == 0 && *name; name += strlen(name) + 1)
		if (strncmp(name, KT_FLIGHT_INFO ":", strlen(KT_FLIGHT_INFO ":")) == 0 &&
		    !is_in_numbers(name, numbers, n))
			ret = kt_bpffs_drop(dir, name, err);
	free(names);
	return ret;
}

/* Adds the fields that the event had when the flight was started. */
static int add_fields(struct kt_event *event, struct kt_btf *btf, struct kt_error *err)
{
	enum kt_side side;

	if (event->point || kt_syscall_of(event->system, event->name, &side))
		return kt_curate(event, btf, err) == 0 || event->curated ? 0 : -err->code;
	return kt_extra_fields_add(event) < 0 ? kt_fail(err, ENOMEM, "%s", strerror(ENOMEM)) : 0;
}

/* Parses the part of a filter that marks calls. */
static struct kt_filter *parse_marking_filter(const struct kt_event *event, const char *text,
					      struct kt_error *err)
{
	enum kt_side side;
	struct kt_filter *f;

	if (!kt_syscall_of(event->system, event->name, &side)) {
		kt_fail(err, EPROTO, "not a system call");
		return NULL;
	}
	if (side == KT_EXIT) {
		f = kt_filter_mark_return(text);
	} else {
		f = kt_filter_parse(event, text, err);
		if (!f)
			return NULL;
		f = kt_filter_mark_entry(f);
	}
	if (!f)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return f;
}

static struct kt_filter *parse_filter(const struct kt_event *event,
				      const struct kt_flight_info_event *e, struct kt_error *err)
{
	struct kt_filter *calls, *others;

	if (!e->calls)
		return kt_filter_parse(event, e->filter, err);
	calls = parse_marking_filter(event, e->calls, err);
	if (!calls || !e->others)
		return calls;
	others = kt_filter_parse(event, e->others, err);
	if (!others) {
		kt_filter_free(calls);
		return NULL;
	}
	calls = kt_filter_either(calls, others);
	if (!calls)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return calls;
}

static struct kt_event *read_event(const struct kt_flight_info_event *e,
				   struct kt_event_reader *reader, struct kt_btf *btf,
				   struct kt_error *err)
{
	struct kt_event_name name = {e->system, e->name};
	struct kt_event *event = e->point ? kt_point_event(&name, e->point, btf, err)
					  : kt_event_reader_read(reader, &name, err);

	if (!event)
		return NULL;
	if (kt_print_fmt_resolve_enums(event, btf) < 0) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_event_free(event);
		return NULL;
	}
	kt_syscall_fit(event, btf);
	event->is_trigger = e->is_trigger;
	event->channel = e->channel;
	event->paths = e->paths;
	event->no_data = e->no_data;
	event->stacks = e->stacks;
	if ((e->extra || e->point) && add_fields(event, btf, err) < 0) {
		kt_event_free(event);
		return NULL;
	}
	if (e->filter)
		event->filter = parse_filter(event, e, err);
	if (e->trigger && (!e->filter || event->filter))
		event->trigger = kt_filter_parse(event, e->trigger, err);
	if (!event->filter == !e->filter && !event->trigger == !e->trigger)
		return event;
	kt_event_free(event);
	return NULL;
}

struct kt_event *kt_flight_info_read_event(const struct kt_flight_info *info, size_t i,
					   struct kt_event_reader *reader, struct kt_btf *btf,
					   struct kt_error *err)
{
	const struct kt_flight_info_event *e = &info->events[i];
	struct kt_event *event = read_event(e, reader, btf, err);

	if (!event)
		kt_fail_because(err, "%s:%s", e->system, e->name);
	return event;
}

int64_t kt_flight_info_clock_change(const struct kt_flight_info *a)
{
	enum { MILLISECOND = 1000000 };
	int64_t since_1970 = a->began_1970 - a->began, set = kt_clock_since_1970() - since_1970;

	return set > -MILLISECOND && set < MILLISECOND ? 0 : set;
}

void kt_flight_info_clear(struct kt_flight_info *a)
{
	size_t i;

	for (i = 0; a->json && a->events && i < a->n_events; i++)
		kt_point_free((struct kt_point *)a->events[i].point);
	free((struct kt_flight_info_event *)a->events);
	json_object_put(a->json);
	*a = (struct kt_flight_info){0};
}
