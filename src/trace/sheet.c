// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/uuid.h"
#include "base/write.h"
#include "catalog/event.h"
#include "trace/balance.h"
#include "trace/directory.h"
#include "trace/metadata.h"
#include "trace/schema.h"

#define SHEET KT_DIRECTORY_KTRACE "/" KT_DIRECTORY_SHEET

/* What a row takes in most cases, and more than it ever does. */
enum { ROW_SIZE = 128, LINE_SIZE = 4096 };

/* An outcome is figures and nothing else. */
enum { LOST = 3, N_FIGURES = LOST + KT_N_LOSSES };

_Static_assert(sizeof(struct kt_outcome) == N_FIGURES * sizeof(uint64_t), "one name each");

static const char *name_of(size_t figure)
{
	static const char *const first[LOST] = {"hits", "filtered", "records"};

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
	int ret, fd;

	if (mkdirat(dir, KT_DIRECTORY_KTRACE, 0777) < 0)
		return -errno;
	fd = openat(dir, SHEET, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
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

int kt_sheet_write(const struct kt_balance *b, const struct kt_metadata *metadata, int dir,
		   struct kt_error *err)
{
	int fd = openat(dir, SHEET, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	int ret = fd < 0 ? -errno : write_file(fd, b, metadata);

	if (fd >= 0 && close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret < 0 ? kt_fail(err, -ret, SHEET ": %s", strerror(-ret)) : 0;
}

/* What is being read, and where in it. */
struct reading {
	const struct kt_schema *schema;
	struct kt_balance *b;
	struct json_tokener *tokener;
	uint64_t rows; /* said by the head */
	size_t line;
	struct kt_error *err;
};

static int fail(struct reading *r, const char *why)
{
	return kt_fail(r->err, EPROTO, SHEET ", line %zu: %s", r->line, why);
}

/* False where it is there and is no such number. */
static bool get(const struct json_object *o, const char *name, uint64_t max, uint64_t *n)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, name, &value))
		return true;
	*n = json_object_get_uint64(value);
	return json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0 &&
	       *n <= max;
}

/* False where it is there and is neither true nor false. */
static bool get_bool(const struct json_object *o, const char *name, bool *is)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, name, &value))
		return true;
	*is = json_object_get_boolean(value);
	return json_object_is_type(value, json_type_boolean);
}

/* "" where it is not there. */
static const char *get_text(const struct json_object *o, const char *name)
{
	struct json_object *value;

	if (json_object_object_get_ex(o, name, &value) &&
	    json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	return "";
}

static int read_head(struct reading *r, const struct json_object *o)
{
	uint8_t uuid[16];

	if (!kt_uuid_parse(get_text(o, "trace"), uuid) ||
	    memcmp(uuid, r->schema->uuid, sizeof(uuid)))
		return fail(r, "that of another trace");
	if (!get(o, "rows", UINT64_MAX, &r->rows) ||
	    !get(o, "missed_forks", UINT64_MAX, &r->b->missed_forks))
		return fail(r, "a number expected");
	if (!get_bool(o, "missed_unknown", &r->b->missed_unknown))
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

	if (!get(o, "id", UINT32_MAX, &id) || id >= r->schema->n_events ||
	    !is_called(&r->schema->events[id], get_text(o, "event")))
		return fail(r, "an event that the trace has not");
	if (!get(o, "cpu", KT_NO_CPU - 1, &cpu))
		return fail(r, "no CPU");
	for (i = 0; i < N_FIGURES; i++)
		if (!get(o, name_of(i), UINT64_MAX, &figures[i]))
			return fail(r, "a number expected");
	row.event = id;
	row.cpu = cpu;
	if (r->b->n && !is_behind(&row, &r->b->rows[r->b->n - 1]))
		return fail(r, "out of order");
	if (row.outcome.hits != row.outcome.records + kt_outcome_lost(&row.outcome))
		return fail(r, "hits that are neither recorded nor lost");
	return kt_balance_add(r->b, row) ? 0 : fail(r, strerror(ENOMEM));
}

static int read_line(struct reading *r, const char *line)
{
	size_t size = strlen(line);
	struct json_object *o;
	int ret;

	if (!size || line[size - 1] != '\n')
		return fail(r, "cut off, or too long");
	json_tokener_reset(r->tokener);
	o = json_tokener_parse_ex(r->tokener, line, size);
	if (!json_object_is_type(o, json_type_object))
		ret = fail(r, "no object in JSON");
	else
		ret = r->line == 1 ? read_head(r, o) : read_row(r, o);
	json_object_put(o);
	return ret;
}

static int read_lines(struct reading *r, FILE *f)
{
	char line[LINE_SIZE];
	int ret = 0;

	for (r->line = 1; ret == 0 && fgets(line, sizeof(line), f); r->line++)
		ret = read_line(r, line);
	if (ret < 0)
		return ret;
	if (ferror(f))
		return kt_fail(r->err, errno, SHEET ": %s", strerror(errno));
	if (r->line == 1)
		return kt_fail(r->err, ENOENT, SHEET ": empty, as while it is recorded");
	if (r->b->n != r->rows)
		return fail(r, "not all rows are there");
	return 0;
}

static int read_file(struct reading *r, int dir)
{
	int ret, fd = openat(dir, SHEET, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f) {
		ret = kt_fail(r->err, errno, SHEET ": %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	ret = read_lines(r, f);
	fclose(f);
	return ret;
}

struct kt_balance *kt_sheet_read(int dir, const struct kt_schema *schema, struct kt_error *err)
{
	struct reading r = {
		.schema = schema,
		.b = calloc(1, sizeof(*r.b)),
		.tokener = json_tokener_new(),
		.err = err,
	};
	int ret = r.b && r.tokener ? read_file(&r, dir)
				   : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	if (r.tokener)
		json_tokener_free(r.tokener);
	if (ret == 0)
		return r.b;
	kt_balance_free(r.b);
	return NULL;
}
