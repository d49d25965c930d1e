// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace list: list the events of this machine. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "base/json.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "events/event_names.h"
#include "hook/probe.h"
#include "ring/ring_size.h"
#include "session/session.h"

struct list {
	bool defaults;
	bool fields;
	bool json;
	bool tries;
	struct kt_session *session; /* to try events in */
};

/* One row of the list. */
struct entry {
	const struct kt_event_name *name;
	struct kt_event *event; /* NULL: only its name is known */
	const char *probe;      /* kind of the probe; NULL: the event cannot be recorded */
	const char *timer;      /* kind of the probe that measures durations; or NULL */
	const char *why;        /* why it cannot, or only at a higher cost; NULL: no reason */
};

static void print_probe(const struct entry *e)
{
	printf(" (%s", e->probe ? e->probe : "cannot be recorded");
	if (e->timer)
		printf(", timed by %s", e->timer);
	if (e->why)
		printf(": %s", e->why);
	putchar(')');
}

static void print_text(const struct list *l, const struct entry *e)
{
	char decl[256];
	size_t i;

	printf("%s:%s", e->name->system, e->name->event);
	if (e->event)
		print_probe(e);
	putchar('\n');
	for (i = 0; l->fields && i < e->event->n_fields; i++) {
		kt_field_declare(&e->event->fields[i], decl, sizeof(decl));
		printf("    %s\n", decl);
	}
}

static struct json_object *make_text(const char *text)
{
	return kt_json_text(text, strlen(text));
}

/* Fields that ktrace adds have no offset in the kernel's record, which begins differently. */
static bool add_field(struct json_object *o, const struct kt_field *f)
{
	return kt_json_add(o, "name", make_text(f->name)) &&
	       kt_json_add(o, "type", make_text(f->type)) &&
	       (!f->offset || kt_json_add(o, "offset", json_object_new_int64(f->offset))) &&
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

/* null if there is none */
static bool add_text(struct json_object *o, const char *key, const char *text)
{
	return text ? kt_json_add(o, key, make_text(text))
		    : json_object_object_add(o, key, NULL) == 0;
}

static bool add_entry(struct json_object *o, const struct list *l, const struct entry *e)
{
	struct json_object *fields;

	if (!add_text(o, "system", e->name->system) || !add_text(o, "event", e->name->event))
		return false;
	if (!e->event)
		return true;
	if (!kt_json_add(o, "id", json_object_new_int64(e->event->id)) ||
	    !add_text(o, "probe", e->probe) || !add_text(o, "why", e->why) ||
	    (e->timer && !add_text(o, "timer", e->timer)))
		return false;
	if (!l->fields)
		return true;
	fields = json_object_new_array();
	return kt_json_add(o, "fields", fields) && append_fields(fields, e->event);
}

static int print_json(const struct list *l, const struct entry *e, struct kt_error *err)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_entry(o, l, e) ? o : NULL, stdout);

	json_object_put(o);
	return ret == 0 ? 0 : kt_fail(err, -ret, "%s", strerror(-ret));
}

static int print_entry(const struct list *l, const struct entry *e, struct kt_error *err)
{
	if (l->json)
		return print_json(l, e, err);
	print_text(l, e);
	return 0;
}

/* Finds how the event would be probed, as far as can be known; or the kernel's reason. */
static int find_probe(const struct list *l, struct entry *e, struct kt_error *why)
{
	struct kt_error refused = {}, err;
	int ret = l->session ? kt_session_try(l->session, e->event, &refused, &err) : 0;

	if (refused.code)
		*why = refused;
	if (ret < 0)
		*why = err;
	/* Most events can be probed in one way only. */
	if (why->code && why->code != ENODATA)
		e->why = why->text;
	if (ret == 0)
		e->probe = kt_probe_kind(e->event);
	if (ret == 0 && l->session)
		e->timer = kt_probe_timer_kind(e->event);
	return ret;
}

/* Returns the exit status; errors are reported. */
static int list_event(const struct list *l, const struct event_selection *c, size_t i)
{
	struct entry e = {.name = kt_event_names_at(c->names, i)};
	int ret, status = EXIT_OK;
	struct kt_error why, err;

	if (l->fields || l->tries) {
		e.event = event_selection_read(c, i, &why, &err);
		if (!e.event)
			return report_error(list_command.name, &err);
		if (find_probe(l, &e, &why) < 0)
			status = EXIT_FAILED;
	}
	ret = print_entry(l, &e, &err);
	kt_event_free(e.event);
	return ret < 0 ? report_error(list_command.name, &err) : status;
}

/* As for ls, an event that cannot be listed does not prevent listing others. */
static int list_selected(const struct list *l, const struct event_selection *c)
{
	int reported, status = EXIT_OK;
	size_t i;

	for (i = event_selection_next(c, 0); i < c->n; i = event_selection_next(c, i + 1)) {
		reported = list_event(l, c, i);
		status = reported > status ? reported : status;
	}
	return status;
}

/* Prepares trying events as `record` would: with records as large, but small rings. */
static int prepare_tries(struct list *l, const struct event_selection *c)
{
	struct kt_geometry g = kt_geometry_of(kt_ring_size_default());
	struct kt_error err;

	g.n_subbufs = 2;
	l->session = kt_session_new(g, 1, NULL, &err);
	if (l->session &&
	    kt_session_add_dispatch(l->session, c->tracefs, c->btf, BYTES_MAX, &err) == 0)
		return EXIT_OK;
	return report_error(list_command.name, &err);
}

static int list(struct list *l, struct event_option *event_options)
{
	struct event_selection c;
	int status = event_selection_make(&c, list_command.name, event_options);
	int reported = l->tries && c.names ? prepare_tries(l, &c) : EXIT_OK;

	if (reported == EXIT_OK)
		reported = list_selected(l, &c);
	kt_session_free(l->session);
	event_selection_end(&c);
	return reported > status ? reported : status;
}

static int list_patterns(struct list *l, int n, char **patterns)
{
	struct event_option *event_options = new_event_options(list_command.name, n + 1);
	int i, status;

	if (!event_options)
		return EXIT_FAILED;
	for (i = 0; i < n; i++)
		add_event_option(event_options, patterns[i]);
	if (l->defaults)
		event_options[n] = default_events;
	event_options_set_default(event_options, &every_event);
	status = list(l, event_options);
	free(event_options);
	return status;
}

static int run_list(int argc, char **argv)
{
	struct list l = {};
	int status = parse_command_line(&list_command, &l, argc, argv);

	return status == EXIT_OK ? list_patterns(&l, argc - optind, argv + optind) : status;
}

static const struct command_option options[] = {
	{.letter = 'd',
	 .name = "default",
	 .help = "list the events that are recorded without -e",
	 .set = set_flag,
	 .offset = offsetof(struct list, defaults)},
	{.letter = 'v',
	 .name = "verbose",
	 .help = "print fields with their C types, and the expected kind of probe",
	 .set = set_flag,
	 .offset = offsetof(struct list, fields)},
	{.name = "try",
	 .help = "load each probe to find its kind; exit with status 1 if one cannot be recorded",
	 .set = set_flag,
	 .offset = offsetof(struct list, tries)},
	OPTION_JSON(struct list, json, "print one JSON object per event, one per line"),
	{},
};

static const struct command_example examples[] = {
	{"ktrace list", "List every tracepoint of the running kernel"},
	{"ktrace list 'sched:*'", "List the events of the scheduler"},
	{"ktrace list -v kmalloc", "Show an event's fields"},
	{"ktrace list syscalls:read", "List both events of a system call"},
	{"ktrace list -v 'func:vfs_*'", "List functions of the kernel, with arguments"},
	{"ktrace list 'uprobe:libc:*alloc'", "List functions of a library"},
	{"ktrace list -v 'usdt:postgres:*'", "List the USDT marks of a program, with arguments"},
	{"ktrace list -d --try", "Check whether all default events can be recorded, and how"},
	{},
};

const struct command list_command = {
	.name = "list",
	.operands = "[PATTERN...]",
	.summary = "list events that can be traced",
	.about =
		"A PATTERN is SYSTEM:EVENT or EVENT, with globs in either part; commas join "
		"patterns. syscalls:CALL, or CALL without globs, is the entry and the return of a "
		"system call. A class has all its calls: %file, %desc, %process, %network, "
		"%memory, %signal, %ipc, %creds, %clock, %stat, %lstat, %fstat, %%stat, %statfs, "
		"%fstatfs, %%statfs, %pure. '!PATTERN' excludes events. "
		"Without a PATTERN all tracepoints are listed.\n\n"
		"func:FUNCTION is the entry of a function of the kernel, func:FUNCTION:return its "
		"return, with its duration in ns, or -1 if unknown; func:MODULE:FUNCTION is one of "
		"a "
		"module. FUNCTION may be a glob. "
		"uprobe:FILE:FUNCTION is the entry of a function of a program or library, "
		"uprobe:FILE:FUNCTION:return its return. FILE is a path, or a name in PATH and "
		"the library directories (libc). FUNCTION may be a glob; FUNCTION+OFFSET or "
		"0xADDRESS is an instruction. usdt:FILE:PROVIDER:NAME is a USDT mark, a place that "
		"the program's authors have named for tracers; PROVIDER and NAME may be globs.\n\n"
		"Kinds of probes: tp_btf and raw_tp cost least; tracepoint works for every "
		"tracepoint; fentry and fexit, and at a higher cost kprobe.multi, kprobe.session, "
		"kprobe and kretprobe, are those of functions of the kernel, uprobe.multi and "
		"uprobe those of functions and marks of programs.",
	.options = options,
	.examples = examples,
	.run = run_list,
};
