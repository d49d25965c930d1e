// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/uuid.h"
#include "base/write.h"
#include "catalog/event.h"
#include "trace/balance.h"
#include "trace/directory.h"
#include "trace/metadata.h"
#include "trace/schema.h"

#define SHEET KT_DIRECTORY_KTRACE "/" KT_DIRECTORY_SHEET

/* What a row takes in most cases. */
enum { ROW_SIZE = 128 };

/* An outcome is figures and nothing else. */
enum { LOST = 4, N_FIGURES = LOST + KT_N_LOSSES };

_Static_assert(sizeof(struct kt_outcome) == N_FIGURES * sizeof(uint64_t), "one name each");

static const char *name_of(size_t figure)
{
	static const char *const first[LOST] = {"hits", "filtered", "records", "overwritten"};

	return figure < LOST ? first[figure] : kt_loss_name(figure - LOST);
}

/* Not everywhere can there be something reserved. */
static int reserve(int fd, size_t size)
{
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, size) == 0)
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -errno;
}

static int make_file(int dir, size_t size)
{
	int ret, fd = kt_directory_add(dir, KT_DIRECTORY_SHEET);

	if (fd < 0)
		return fd;
	ret = reserve(fd, size);
	close(fd);
	return ret;
}

int kt_sheet_make(int dir, size_t rows, struct kt_error *err)
{
	int ret = make_file(dir, (rows + 1) * ROW_SIZE);

	return ret < 0 ? kt_fail(err, -ret, SHEET ": %s", strerror(-ret)) : 0;
}

/* What is zero is not written. */
static bool add_figure(struct json_object *o, const char *name, uint64_t n)
{
	return !n || kt_json_add(o, name, json_object_new_uint64(n));
}

static bool add_head(struct json_object *o, const struct kt_balance *b, const struct kt_metadata *m)
{
	char uuid[KT_UUID_LEN + 1];

	kt_uuid_format(m->uuid, uuid);
	return kt_json_add(o, "trace", json_object_new_string(uuid)) &&
	       kt_json_add(o, "rows", json_object_new_uint64(b->n)) &&
	       add_figure(o, "missed_forks", b->missed_forks) &&
	       (!b->missed_unknown ||
		kt_json_add(o, "missed_unknown", json_object_new_boolean(true)));
}

static bool add_row(struct json_object *o, const struct kt_row *row, const struct kt_metadata *m)
{
	const struct kt_event *e = m->events[row->event];
	const uint64_t *figures = (const uint64_t *)&row->outcome;
	char name[256];
	bool ok;
	size_t i;

	snprintf(name, sizeof(name), "%s:%s", e->system, e->name);
	ok = kt_json_add(o, "id", json_object_new_uint64(row->event)) &&
	     kt_json_add(o, "event", kt_json_text(name, strlen(name)));
	if (row->cpu != KT_NO_CPU)
		ok = ok && kt_json_add(o, "cpu", json_object_new_uint64(row->cpu));
	for (i = 0; ok && i < N_FIGURES; i++)
		ok = add_figure(o, name_of(i), figures[i]);
	return ok;
}

/* The head, or one row. */
static bool write_line(FILE *f, const struct kt_balance *b, const struct kt_row *row,
		       const struct kt_metadata *m)
{
	struct json_object *o = json_object_new_object();
	bool ok = o && (row ? add_row(o, row, m) : add_head(o, b, m));

	ok = kt_json_print(ok ? o : NULL, f) == 0;
	json_object_put(o);
	return ok;
}

static bool write_lines(FILE *f, const struct kt_balance *b, const struct kt_metadata *m)
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
	int ret = kt_write(fd, &iov, 1);

	/* What was reserved and is not needed goes back; and all of it where that is not whole. */
	if (ftruncate(fd, ret < 0 ? 0 : size) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

static int write_file(int fd, const struct kt_balance *b, const struct kt_metadata *m)
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

/* Opens the file that kt_sheet_make() made. */
static int open_file(int dir)
{
	int fd, ret, ktrace = kt_directory_open_ktrace(dir);

	if (ktrace < 0)
		return ktrace;
	fd = openat(ktrace, KT_DIRECTORY_SHEET, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ret = fd < 0 ? -errno : fd;
	close(ktrace);
	return ret;
}

int kt_sheet_write(const struct kt_balance *b, const struct kt_metadata *metadata, int dir,
		   struct kt_error *err)
{
	int fd = open_file(dir), ret = fd;

	if (fd >= 0)
		ret = write_file(fd, b, metadata);
	if (fd >= 0 && close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret < 0 ? kt_fail(err, -ret, SHEET ": %s", strerror(-ret)) : 0;
}

/* What is being read. */
struct reading {
	const struct kt_schema *schema;
	struct kt_balance *b;
	struct kt_lines lines;
	uint64_t rows; /* said by the head */
	struct kt_error *err;
};

static int fail(struct reading *r, const char *why)
{
	return kt_lines_fail(&r->lines, why, r->err);
}

static int read_head(struct reading *r, const struct json_object *o)
{
	if (!kt_schema_is_of(r->schema, kt_json_get_text(o, "trace")))
		return fail(r, "that of another trace");
	if (!kt_json_get_number(o, "rows", UINT64_MAX, &r->rows) ||
	    !kt_json_get_number(o, "missed_forks", UINT64_MAX, &r->b->missed_forks))
		return fail(r, "a number expected");
	if (!kt_json_get_bool(o, "missed_unknown", &r->b->missed_unknown))
		return fail(r, "true or false expected");
	return 0;
}

static bool is_called(const struct kt_event_class *e, const char *name)
{
	size_t n = e->system ? strlen(e->system) : 0;

	return n && !strncmp(name, e->system, n) && name[n] == ':' &&
	       !strcmp(name + n + 1, e->name);
}

static bool is_behind(const struct kt_row *row, const struct kt_row *last)
{
	return row->event != last->event ? row->event > last->event : row->cpu > last->cpu;
}

static int read_row(struct reading *r, const struct json_object *o)
{
	uint64_t id = 0, cpu = KT_NO_CPU;
	struct kt_row row = {0};
	uint64_t *figures = (uint64_t *)&row.outcome;
	size_t i;

	if (!kt_json_get_number(o, "id", UINT32_MAX, &id) || id >= r->schema->n_events ||
	    !is_called(&r->schema->events[id], kt_json_get_text(o, "event")))
		return fail(r, "an event that the trace has not");
	if (!kt_json_get_number(o, "cpu", KT_NO_CPU - 1, &cpu))
		return fail(r, "no CPU");
	for (i = 0; i < N_FIGURES; i++)
		if (!kt_json_get_number(o, name_of(i), UINT64_MAX, &figures[i]))
			return fail(r, "a number expected");
	row.event = id;
	row.cpu = cpu;
	if (r->b->n && !is_behind(&row, &r->b->rows[r->b->n - 1]))
		return fail(r, "out of order");
	if (row.outcome.hits !=
	    row.outcome.records + row.outcome.overwritten + kt_outcome_lost(&row.outcome))
		return fail(r, "hits that are neither recorded nor lost");
	return kt_balance_add(r->b, row) ? 0 : fail(r, strerror(ENOMEM));
}

static int read_lines(struct reading *r)
{
	struct json_object *o;
	int ret;

	while ((ret = kt_lines_next(&r->lines, &o, r->err)) > 0) {
		ret = r->lines.line == 1 ? read_head(r, o) : read_row(r, o);
		json_object_put(o);
		if (ret < 0)
			break;
	}
	if (ret < 0)
		return ret;
	if (!r->lines.line)
		return kt_fail(r->err, ENOENT, SHEET ": empty, as while it is recorded");
	return r->b->n == r->rows ? 0 : fail(r, "not all rows are there");
}

struct kt_balance *kt_sheet_read(int dir, const struct kt_schema *schema, struct kt_error *err)
{
	struct reading r = {.schema = schema, .b = calloc(1, sizeof(*r.b)), .err = err};
	int ret = r.b ? kt_lines_open(&r.lines, dir, SHEET, err)
		      : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	if (ret == 0)
		ret = read_lines(&r);
	kt_lines_close(&r.lines);
	if (ret == 0)
		return r.b;
	kt_balance_free(r.b);
	return NULL;
}
