// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace list: what can be traced on this machine. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/choice.h"
#include "app/command.h"
#include "base/error.h"
#include "base/json.h"
#include "catalog/event.h"
#include "catalog/names.h"
#include "hook/probe.h"

struct list {
	bool defaults;
	bool fields;
	bool json;
};

static void print_text(const struct kt_name *name, const struct kt_event *event)
{
	char decl[256];
	size_t i;

	if (!event) {
		printf("%s:%s\n", name->system, name->event);
		return;
	}
	printf("%s:%s (%s)\n", name->system, name->event, kt_probe_kind(event));
	for (i = 0; i < event->n_fields; i++) {
		kt_field_declare(&event->fields[i], decl, sizeof(decl));
		printf("    %s\n", decl);
	}
}

static struct json_object *json_of_text(const char *text)
{
	return kt_json_text(text, strlen(text));
}

static bool add_field(struct json_object *o, const struct kt_field *f)
{
	return kt_json_add(o, "name", json_of_text(f->name)) &&
	       kt_json_add(o, "type", json_of_text(f->type)) &&
	       kt_json_add(o, "offset", json_object_new_int64(f->offset)) &&
	       kt_json_add(o, "size", json_object_new_int64(f->size)) &&
	       kt_json_add(o, "signed", json_object_new_boolean(f->flags & KT_FIELD_SIGNED));
}

static bool append_fields(struct json_object *array, const struct kt_event *event)
{
	struct json_object *o;
	size_t i;

	for (i = 0; i < event->n_fields; i++) {
		o = json_object_new_object();
		if (!kt_json_append(array, o) || !add_field(o, &event->fields[i]))
			return false;
	}
	return true;
}

static bool add_event(struct json_object *o, const struct kt_name *name,
		      const struct kt_event *event)
{
	struct json_object *fields;

	if (!kt_json_add(o, "system", json_of_text(name->system)) ||
	    !kt_json_add(o, "event", json_of_text(name->event)))
		return false;
	if (!event)
		return true;
	fields = json_object_new_array();
	return kt_json_add(o, "id", json_object_new_int64(event->id)) &&
	       kt_json_add(o, "probe", json_object_new_string(kt_probe_kind(event))) &&
	       kt_json_add(o, "fields", fields) && append_fields(fields, event);
}

static int print_json(const struct kt_name *name, const struct kt_event *event,
		      struct kt_error *err)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_event(o, name, event) ? o : NULL, stdout);

	json_object_put(o);
	return ret == 0 ? 0 : kt_fail(err, -ret, "%s", strerror(-ret));
}

static int print_event(const struct list *l, const struct choice *c, size_t i, struct kt_error *err)
{
	const struct kt_name *name = kt_names_at(c->names, i);
	struct kt_event *event = NULL;
	int r = 0;

	if (l->fields) {
		event = read_choice(c, i, err);
		if (!event)
			return -err->code;
	}
	if (l->json)
		r = print_json(name, event, err);
	else
		print_text(name, event);
	kt_event_free(event);
	return r;
}

/* What cannot be listed is said, and the rest is listed: like ls. */
static int list(struct list *l, struct pick *picks)
{
	struct kt_error err;
	struct choice c;
	int status;
	size_t i;

	status = choose(&c, list_command.name, picks);
	for (i = next_choice(&c, 0); i < c.n; i = next_choice(&c, i + 1))
		if (print_event(l, &c, i, &err) < 0)
			status = say_error(list_command.name, &err);
	end_choice(&c);
	return status;
}

static int list_patterns(struct list *l, int n, char **patterns)
{
	struct pick *picks = calloc(n + 2, sizeof(*picks));
	static const struct pick every = {.patterns = "*"};
	int i, status;

	if (!picks) {
		fprintf(stderr, "ktrace %s: %s\n", list_command.name, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (i = 0; i < n; i++)
		picks[i].patterns = patterns[i];
	if (l->defaults)
		picks[n] = default_pick;
	else if (n == 0)
		*picks = every;
	status = list(l, picks);
	free(picks);
	return status;
}

static int run(int argc, char **argv)
{
	enum { JSON = 256 };
	static const struct option options[] = {
		{"default", no_argument, NULL, 'd'},
		{"json", no_argument, NULL, JSON},
		{"verbose", no_argument, NULL, 'v'},
		{},
	};
	struct list l = {};
	int c;

	while ((c = next_option(argc, argv, "dv", options)) != -1) {
		if (c == JSON)
			l.json = true;
		else if (c == 'd')
			l.defaults = true;
		else if (c == 'v')
			l.fields = true;
		else
			return EXIT_USAGE;
	}
	return list_patterns(&l, argc - optind, argv + optind);
}

const struct command list_command = {
	.name = "list",
	.args = " [-d] [-v] [--json] [PATTERN...]",
	.summary = "what can be traced on this machine",
	.help = "A PATTERN is SYSTEM:EVENT, or EVENT alone, which means that event of every\n"
		"system; either part may be a glob, and commas join several patterns to one.\n"
		"Without any, every event is listed.\n"
		"\n"
		"  -d, --default  those that 'ktrace record' takes without -e\n"
		"  -v, --verbose  each event's fields with their C types, and how it is probed\n"
		"  --json         one JSON object an event, one event a line\n"
		"\n"
		"examples:\n"
		"  ktrace list                every tracepoint of the running kernel\n"
		"  ktrace list 'sched:*'      those of the scheduler\n"
		"  ktrace list -v kmalloc     what an event carries\n",
	.run = run,
};
