// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/task_names_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/uuid.h"
#include "base/write_all.h"
#include "session/task_names.h"
#include "trace/metadata_writer.h"
#include "trace/task_labels.h"
#include "trace/trace_directory.h"

#define TASKS_FILE KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_NAMES

struct kt_task_names_writer {
	bool follows; /* the events are those of some processes */
	int fd;
	off_t size; /* of what is complete */
	char *text; /* between begin and end */
	size_t text_size;
};

static bool print_object(struct json_object *o, bool ok, FILE *f)
{
	ok = kt_json_print(ok ? o : NULL, f) == 0;
	json_object_put(o);
	return ok;
}

static bool print_head(FILE *f, const struct kt_metadata_writer *m)
{
	struct json_object *o = json_object_new_object();
	char uuid[KT_UUID_LEN + 1];

	kt_uuid_format(m->uuid, uuid);
	return print_object(o, kt_json_add(o, "trace", json_object_new_string(uuid)), f);
}

static bool print_name(FILE *f, const struct kt_task_name *n)
{
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add(o, "time", json_object_new_uint64(n->time)) &&
		  kt_json_add(o, "tid", json_object_new_uint64(n->tid)) &&
		  kt_json_add(o, "pid", json_object_new_uint64(n->pid)) &&
		  (n->kind != KT_TASK_NAME_BEGUN ||
		   kt_json_add(o, "begun", json_object_new_boolean(true))) &&
		  (!n->followed || kt_json_add(o, "followed", json_object_new_boolean(true))) &&
		  kt_json_add(o, "comm", kt_json_text(n->comm, strnlen(n->comm, sizeof(n->comm))));

	return print_object(o, ok, f);
}

static bool print_lost(FILE *f, const struct kt_task_name *n)
{
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add(o, "time", json_object_new_uint64(n->time)) &&
		  kt_json_add(o, "lost", json_object_new_uint64(n->lost));

	return print_object(o, ok, f);
}

static bool print_all(FILE *f, const struct kt_task_name *n, size_t count)
{
	for (; count > 0; n++, count--)
		if (!(n->lost ? print_lost(f, n) : print_name(f, n)))
			return false;
	return true;
}

static int report_error(struct kt_error *err, int code)
{
	return kt_fail(err, code, TASKS_FILE ": %s", strerror(code));
}

/* Appends the whole text or nothing. */
static int append_text(struct kt_task_names_writer *r, struct kt_error *err)
{
	struct iovec iov = {r->text, r->text_size};
	int ret = kt_write_all(r->fd, &iov, 1);

	if (ret == 0) {
		r->size += r->text_size;
		return 0;
	}
	if (ftruncate(r->fd, r->size) == 0)
		lseek(r->fd, r->size, SEEK_SET);
	return report_error(err, -ret);
}

/* Between begin and end, text is printed to f and then appended. */
static FILE *begin_text(struct kt_task_names_writer *r)
{
	r->text = NULL;
	return open_memstream(&r->text, &r->text_size);
}

static int end_text(struct kt_task_names_writer *r, FILE *f, bool ok, struct kt_error *err)
{
	int ret;

	if (f && fclose(f) == EOF)
		ok = false;
	ret = ok ? append_text(r, err) : report_error(err, ENOMEM);
	free(r->text);
	return ret;
}

static int make_file(struct kt_task_names_writer *r, const struct kt_metadata_writer *m, int dir,
		     struct kt_error *err)
{
	FILE *f;

	r->follows = m->follows;
	r->fd = kt_trace_directory_add(dir, KT_TRACE_DIRECTORY_NAMES);
	if (r->fd < 0)
		return report_error(err, -r->fd);
	f = begin_text(r);
	return end_text(r, f, f && print_head(f, m), err);
}

struct kt_task_names_writer *kt_task_names_writer_new(const struct kt_metadata_writer *m, int dir,
						      struct kt_error *err)
{
	struct kt_task_names_writer *r = calloc(1, sizeof(*r));

	if (!r) {
		report_error(err, ENOMEM);
		return NULL;
	}
	if (make_file(r, m, dir, err) == 0)
		return r;
	kt_task_names_writer_free(r);
	return NULL;
}

void kt_task_names_writer_free(struct kt_task_names_writer *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
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
	const struct kt_task_name *entries;
	size_t n;
	FILE *f;

	if (kt_task_names_consume(task_names, &entries, &n, err) < 0)
		return -err->code;
	if (n == 0)
		return 0;
	if (add_labels(r, labels, entries, n) < 0)
		return report_error(err, ENOMEM);
	f = begin_text(r);
	return end_text(r, f, f && print_all(f, entries, n), err);
}
