// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/event_counts_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/uuid.h"
#include "base/write_all.h"
#include "events/event.h"
#include "trace/event_counts.h"
#include "trace/metadata_writer.h"
#include "trace/trace_directory.h"

#define COUNTS_FILE KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_COUNTS

/* Bytes of a typical row. */
enum { ROW_SIZE = 128 };

/* Some file systems cannot reserve space. */
static int reserve_space(int fd, size_t size)
{
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, size) == 0)
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -errno;
}

static int make_file(int dir, size_t size)
{
	int ret, fd = kt_trace_directory_add(dir, KT_TRACE_DIRECTORY_COUNTS);

	if (fd < 0)
		return fd;
	ret = reserve_space(fd, size);
	close(fd);
	return ret;
}

int kt_event_counts_file_make(int dir, size_t rows, struct kt_error *err)
{
	int ret = make_file(dir, (rows + 1) * ROW_SIZE);

	return ret < 0 ? kt_fail(err, -ret, COUNTS_FILE ": %s", strerror(-ret)) : 0;
}

/* Zeros are left out. */
static bool add_figure(struct json_object *o, const char *name, uint64_t n)
{
	return !n || kt_json_add(o, name, json_object_new_uint64(n));
}

static bool add_head(struct json_object *o, const struct kt_event_counts *b,
		     const struct kt_metadata_writer *m)
{
	char uuid[KT_UUID_LEN + 1];

	kt_uuid_format(m->uuid, uuid);
	return kt_json_add(o, "trace", json_object_new_string(uuid)) &&
	       kt_json_add(o, "rows", json_object_new_uint64(b->n)) &&
	       add_figure(o, "missed_forks", b->missed_forks) &&
	       add_figure(o, "missed_functions", b->missed_functions) &&
	       add_figure(o, "missed_calls", b->missed_calls) &&
	       (!b->missed_unknown ||
		kt_json_add(o, "missed_unknown", json_object_new_boolean(true)));
}

static bool add_row(struct json_object *o, const struct kt_row *row,
		    const struct kt_metadata_writer *m)
{
	const struct kt_event *e = m->events[row->event];
	const uint64_t *figures = (const uint64_t *)&row->outcome;
	char name[KT_EVENT_NAME_MAX];
	bool ok;
	size_t i;

	snprintf(name, sizeof(name), "%s:%s", e->system, e->name);
	ok = kt_json_add(o, "id", json_object_new_uint64(row->event)) &&
	     kt_json_add(o, "event", kt_json_text(name, strlen(name)));
	if (row->cpu != KT_NO_CPU)
		ok = ok && kt_json_add(o, "cpu", json_object_new_uint64(row->cpu));
	for (i = 0; ok && i < KT_OUTCOME_FIGURES; i++)
		ok = add_figure(o, kt_outcome_figure(i), figures[i]);
	return ok;
}

/* Writes the header (row NULL) or a row. */
static bool write_line(FILE *f, const struct kt_event_counts *b, const struct kt_row *row,
		       const struct kt_metadata_writer *m)
{
	struct json_object *o = json_object_new_object();
	bool ok = o && (row ? add_row(o, row, m) : add_head(o, b, m));

	ok = kt_json_print(ok ? o : NULL, f) == 0;
	json_object_put(o);
	return ok;
}

static bool write_lines(FILE *f, const struct kt_event_counts *b,
			const struct kt_metadata_writer *m)
{
	bool ok = write_line(f, b, NULL, m);
	size_t i;

	for (i = 0; ok && i < b->n; i++)
		ok = write_line(f, b, &b->rows[i], m);
	return ok;
}

static int write_text(int fd, char *text, size_t size)
{
	struct iovec iov = {text, size};
	int ret = kt_write_all(fd, &iov, 1);

	/* Returns unused reserved space; an incomplete text is removed. */
	if (ftruncate(fd, ret < 0 ? 0 : size) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

static int write_file(int fd, const struct kt_event_counts *b, const struct kt_metadata_writer *m)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool ok = f && write_lines(f, b, m);
	int ret;

	if (f && fclose(f) == EOF)
		ok = false;
	ret = ok ? write_text(fd, text, size) : -ENOMEM;
	free(text);
	return ret;
}

/* Opens the file that kt_event_counts_file_make() created. */
static int open_file(int dir)
{
	int fd, ret, ktrace = kt_trace_directory_open_ktrace(dir);

	if (ktrace < 0)
		return ktrace;
	fd = openat(ktrace, KT_TRACE_DIRECTORY_COUNTS, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ret = fd < 0 ? -errno : fd;
	close(ktrace);
	return ret;
}

int kt_event_counts_file_write(const struct kt_event_counts *b,
			       const struct kt_metadata_writer *metadata, int dir,
			       struct kt_error *err)
{
	int fd = open_file(dir), ret = fd;

	if (fd >= 0)
		ret = write_file(fd, b, metadata);
	if (fd >= 0 && close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret < 0 ? kt_fail(err, -ret, COUNTS_FILE ": %s", strerror(-ret)) : 0;
}
