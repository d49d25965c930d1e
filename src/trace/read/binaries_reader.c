// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/binaries_reader.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/json.h"
#include "trace/read/json_lines.h"
#include "trace/read/metadata_reader.h"
#include "trace/trace_directory.h"

#define BINARIES_FILE KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_BINARIES

enum { KERNEL = 0 }; /* its number */

static void free_binary(struct kt_named_binary *b)
{
	free(b->build_id);
	free(b->path);
	kt_symbols_clear(&b->functions);
	free(b);
}

void kt_binaries_reader_clear(struct kt_binaries_reader *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		free_binary(r->of[i]);
	free(r->of);
	kt_json_lines_close(&r->lines);
	r->of = NULL;
	r->n = 0;
}

/* Replaces a text by a member, if the object has that. Returns 0 or -ENOMEM. */
static int set_text(char **text, const struct json_object *o, const char *key)
{
	const char *found = kt_json_get_text(o, key);

	if (!*found)
		return 0;
	free(*text);
	*text = strdup(found);
	return *text ? 0 : -ENOMEM;
}

static int add(struct kt_binaries_reader *r, const struct json_object *o)
{
	struct kt_named_binary *b = calloc(1, sizeof(*b)),
			       **larger = kt_grow(r->of, r->n, sizeof(*r->of));

	if (larger)
		r->of = larger;
	if (b && larger && set_text(&b->build_id, o, "build_id") == 0 &&
	    set_text(&b->path, o, "path") == 0) {
		r->of[r->n++] = b;
		return 0;
	}
	if (b)
		free_binary(b);
	return -ENOMEM;
}

static bool read_number(const struct json_object *o, uint64_t *number)
{
	return kt_json_get_number(o, "binary", UINT32_MAX, number);
}

/* Returns the binary of a number, which is added if it is the next. */
static struct kt_named_binary *get(struct kt_binaries_reader *r, const struct json_object *o)
{
	uint64_t number = 0;

	if (!read_number(o, &number) || !number || number > r->n + 1)
		return NULL;
	if (number == r->n + 1 && add(r, o) < 0)
		return NULL;
	return r->of[number - 1];
}

/* Adds the function of a line, if it has one, and it is not there yet. */
static int add_function(struct kt_symbols *to, const struct json_object *o)
{
	const char *name = kt_json_get_text(o, "function");
	uint64_t first = 0, last = 0;
	int ret;

	if (!*name)
		return 0;
	if (!kt_json_get_number(o, "first", UINT64_MAX, &first) ||
	    !kt_json_get_number(o, "last", UINT64_MAX, &last))
		return -EINVAL;
	ret = kt_symbols_insert(to, first, last, name);
	return ret == -EEXIST ? 0 : ret;
}

static int read_function(struct kt_symbols *to, const struct kt_json_lines *l,
			 const struct json_object *o, struct kt_error *err)
{
	return add_function(to, o) < 0 ? kt_json_lines_fail(l, "a function that is none", err) : 0;
}

static int read_line(struct kt_binaries_reader *r, const struct json_object *o,
		     struct kt_error *err)
{
	const struct kt_json_lines *l = &r->lines;
	struct kt_named_binary *b;
	uint64_t number = 0;

	if (l->line == 1)
		return kt_metadata_has_uuid(r->metadata, kt_json_get_text(o, "trace"))
			       ? 0
			       : kt_json_lines_fail(l, "belongs to another trace", err);
	if (read_number(o, &number) && number == KERNEL && *kt_json_get_text(o, "function"))
		return read_function(r->kernel, l, o, err);
	b = get(r, o);
	if (!b)
		return kt_json_lines_fail(l, "no binary's number", err);
	if (set_text(&b->path, o, "path") < 0)
		return kt_json_lines_fail(l, strerror(ENOMEM), err);
	return read_function(&b->functions, l, o, err);
}

/* Returns 1; 0 if there is no file yet; or -errno. */
static int open_lines(struct kt_binaries_reader *r, struct kt_error *err)
{
	if (r->is_open)
		return 1;
	if (kt_json_lines_open(&r->lines, r->dir, BINARIES_FILE, err) < 0)
		return err->code == ENOENT ? 0 : -err->code;
	r->is_open = true;
	return 1;
}

int kt_binaries_reader_read(struct kt_binaries_reader *r, struct kt_error *err)
{
	struct json_object *o;
	int ret = open_lines(r, err);

	while (ret > 0 && (ret = kt_json_lines_next(&r->lines, &o, err)) > 0) {
		ret = read_line(r, o, err);
		json_object_put(o);
		if (ret < 0)
			return ret;
		ret = 1;
	}
	return ret;
}

int kt_binaries_reader_add(struct kt_binaries_reader *r, const struct kt_json_lines *l,
			   const struct json_object *o, struct kt_error *err)
{
	struct kt_named_binary *b = get(r, o);

	if (!b)
		return kt_json_lines_fail(l, "no binary's number", err);
	return set_text(&b->build_id, o, "build_id") == 0 && set_text(&b->path, o, "path") == 0
		       ? 0
		       : kt_json_lines_fail(l, strerror(ENOMEM), err);
}

const struct kt_named_binary *kt_binaries_reader_find(const struct kt_binaries_reader *r,
						      uint64_t number)
{
	return number && number <= r->n ? r->of[number - 1] : NULL;
}
