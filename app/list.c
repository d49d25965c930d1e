// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace list: what can be traced on this machine. */
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/choice.h"
#include "app/command.h"
#include "base/error.h"
#include "catalog/event.h"
#include "catalog/names.h"

/* How an event's hits reach ktrace; so far there is one way. */
#define PROBE "tracepoint"

struct list {
	bool fields;
	bool json;
	int tracefs;
};

static void print_text(const struct kt_name *name, const struct kt_event *event)
{
	char decl[256];
	size_t i;

	if (!event) {
		printf("%s:%s\n", name->system, name->event);
		return;
	}
	printf("%s:%s (%s)\n", name->system, name->event, PROBE);
	for (i = 0; i < event->n_fields; i++) {
		kt_field_declare(&event->fields[i], decl, sizeof(decl));
		printf("    %s\n", decl);
	}
}

static json_t *json_of_field(const struct kt_field *f)
{
	return json_pack("{ss ss si si sb}", "name", f->name, "type", f->type, "offset",
			 (int)f->offset, "size", (int)f->size, "signed",
			 !!(f->flags & KT_FIELD_SIGNED));
}

/* On error NULL, here and in the next. */
static json_t *json_of_fields(const struct kt_event *event)
{
	json_t *fields = json_array();
	size_t i;

	for (i = 0; fields && i < event->n_fields; i++) {
		if (json_array_append_new(fields, json_of_field(&event->fields[i]))) {
			json_decref(fields);
			return NULL;
		}
	}
	return fields;
}

static json_t *json_of(const struct kt_name *name, const struct kt_event *event)
{
	if (!event)
		return json_pack("{ss ss}", "system", name->system, "event", name->event);
	return json_pack("{ss ss si ss so}", "system", name->system, "event", name->event, "id",
			 (int)event->id, "probe", PROBE, "fields", json_of_fields(event));
}

/* One object, on a line of its own. */
static int print_json(const struct kt_name *name, const struct kt_event *event,
		      struct kt_error *err)
{
	json_t *line = json_of(name, event);

	if (!line)
		return kt_fail(err, EILSEQ, "%s:%s: cannot be written as JSON", name->system,
			       name->event);
	json_dumpf(line, stdout, JSON_COMPACT); /* main tells of a full disk */
	putchar('\n');
	json_decref(line);
	return 0;
}

static int print_event(const struct list *l, const struct kt_name *name, struct kt_error *err)
{
	struct kt_event *event = NULL;
	int r = 0;

	if (l->fields) {
		event = kt_event_read(l->tracefs, name, err);
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
static int list(struct list *l, const char *const *patterns)
{
	static const char *const everything[] = {"*", NULL};
	struct kt_error err;
	struct choice c;
	int status;
	size_t i;

	status = choose(&c, list_command.name, *patterns ? patterns : everything);
	l->tracefs = c.tracefs;
	for (i = next_choice(&c, 0); i < c.n; i = next_choice(&c, i + 1))
		if (print_event(l, kt_names_at(c.names, i), &err) < 0)
			status = say_error(list_command.name, &err);
	end_choice(&c);
	return status;
}

static int run(int argc, char **argv)
{
	enum { JSON = 256 };
	static const struct option options[] = {
		{"json", no_argument, NULL, JSON},
		{"verbose", no_argument, NULL, 'v'},
		{},
	};
	struct list l = {};
	int c;

	while ((c = next_option(argc, argv, "v", options)) != -1) {
		if (c == JSON)
			l.json = true;
		else if (c == 'v')
			l.fields = true;
		else
			return EXIT_USAGE;
	}
	return list(&l, (const char *const *)argv + optind);
}

const struct command list_command = {
	.name = "list",
	.args = " [-v] [--json] [PATTERN...]",
	.summary = "what can be traced on this machine",
	.help = "A PATTERN is SYSTEM:EVENT, or EVENT alone, which means that event of every\n"
		"system; either part may be a glob. Without any, every event is listed.\n"
		"\n"
		"  -v, --verbose  each event's fields with their C types, and how it is probed\n"
		"  --json         one JSON object an event, one event a line\n"
		"\n"
		"examples:\n"
		"  ktrace list                every tracepoint of the running kernel\n"
		"  ktrace list 'sched:*'      those of the scheduler\n"
		"  ktrace list -v kmalloc     what an event carries\n",
	.run = run,
};
