// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/task_names_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "session/task_names.h"
#include "trace/json_lines_writer.h"
#include "trace/metadata_writer.h"
#include "trace/task_labels.h"
#include "trace/trace_directory.h"

struct kt_task_names_writer {
	bool follows; /* the events are those of some processes */
	struct kt_json_lines_writer file;
};

static void put_name(struct kt_json_lines_writer *w, const struct kt_task_name *n)
{
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add(o, "time", json_object_new_uint64(n->time)) &&
		  kt_json_add(o, "tid", json_object_new_uint64(n->tid)) &&
		  kt_json_add(o, "pid", json_object_new_uint64(n->pid)) &&
		  (n->kind != KT_TASK_NAME_BEGUN ||
		   kt_json_add(o, "begun", json_object_new_boolean(true))) &&
		  (!n->followed || kt_json_add(o, "followed", json_object_new_boolean(true))) &&
		  kt_json_add(o, "comm", kt_json_text(n->comm, strnlen(n->comm, sizeof(n->comm))));

	kt_json_lines_writer_put(w, o, ok);
}

static void put_lost(struct kt_json_lines_writer *w, const struct kt_task_name *n)
{
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add(o, "time", json_object_new_uint64(n->time)) &&
		  kt_json_add(o, "lost", json_object_new_uint64(n->lost));

	kt_json_lines_writer_put(w, o, ok);
}

struct kt_task_names_writer *kt_task_names_writer_new(const struct kt_metadata_writer *m, int dir,
						      struct kt_error *err)
{
	struct kt_task_names_writer *r = calloc(1, sizeof(*r));

	if (!r) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	r->follows = m->follows;
	if (kt_json_lines_writer_make(&r->file, dir, KT_TRACE_DIRECTORY_NAMES, m->uuid, err) == 0)
		return r;
	free(r);
	return NULL;
}

void kt_task_names_writer_free(struct kt_task_names_writer *r)
{
	if (r)
		kt_json_lines_writer_close(&r->file);
	free(r);
}

static int add_labels(const struct kt_task_names_writer *r, struct kt_task_labels *labels,
		      const struct kt_task_name *n, size_t count)
{
	size_t of_others = r->follows ? KT_TASK_LABELS_MAX / 2 : KT_TASK_LABELS_MAX;
	int ret = 0;

	for (; count > 0 && ret == 0; n++, count--)
		if (!n->lost)
			ret = kt_task_labels_add(labels, n->tid, n->comm,
						 n->followed ? KT_TASK_LABELS_MAX : of_others);
	return ret;
}

int kt_task_names_writer_copy(struct kt_task_names_writer *r, struct kt_task_names *task_names,
			      struct kt_task_labels *labels, struct kt_error *err)
{
	const struct kt_task_name *entries, *e;
	size_t n;

	if (kt_task_names_consume(task_names, &entries, &n, err) < 0)
		return -err->code;
	if (n == 0)
		return 0;
	if (add_labels(r, labels, entries, n) < 0)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_json_lines_writer_begin(&r->file);
	for (e = entries; e < entries + n; e++)
		(e->lost ? put_lost : put_name)(&r->file, e);
	return kt_json_lines_writer_end(&r->file, err);
}
