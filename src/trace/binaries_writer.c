// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/binaries_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number_set.h"
#include "stacks/binaries.h"
#include "trace/json_lines_writer.h"
#include "trace/metadata_writer.h"
#include "trace/trace_directory.h"

struct kt_binaries_writer {
	struct kt_json_lines_writer file;
	size_t n_binaries;          /* those that the file has */
	struct kt_number_set paths; /* those whose path it has */
};

static bool add_build_id(struct json_object *o, const struct kt_binary *b)
{
	char text[2 * KT_BUILD_ID_SIZE + 1];
	size_t i;

	for (i = 0; i < KT_BUILD_ID_SIZE; i++)
		sprintf(text + 2 * i, "%02x", b->build_id[i]);
	return kt_json_add_text(o, "build_id", text);
}

void kt_binaries_writer_declare(struct kt_json_lines_writer *to, const struct kt_binaries *b,
				size_t i)
{
	const struct kt_binary *binary = kt_binaries_at(b, i);
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add_number(o, "binary", i);

	ok = ok && (binary->has_build_id ? add_build_id(o, binary)
					 : kt_json_add_text(o, "path", binary->path));
	kt_json_lines_writer_put(to, o, ok);
}

static void put_path(struct kt_json_lines_writer *to, const struct kt_binary *b, size_t index)
{
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add_number(o, "binary", index);

	kt_json_lines_writer_put(to, o, ok && (!b->path || kt_json_add_text(o, "path", b->path)));
}

static void put_function(struct kt_json_lines_writer *to, const struct kt_symbol *s, size_t index)
{
	struct json_object *o = json_object_new_object();
	bool ok = kt_json_add_number(o, "binary", index) &&
		  kt_json_add_number(o, "first", s->first) &&
		  kt_json_add_number(o, "last", s->last) &&
		  kt_json_add_text(o, "function", s->name);

	kt_json_lines_writer_put(to, o, ok);
}

static void put_functions(struct kt_json_lines_writer *to, const struct kt_symbols *s, size_t index)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		put_function(to, &s->of[i], index);
}

/* A path may become known later. */
static bool is_news(struct kt_binaries_writer *w, const struct kt_binary *b, size_t index)
{
	if (b->path)
		return kt_number_set_add(&w->paths, index) != 0;
	return index > w->n_binaries;
}

static void put_binaries(struct kt_binaries_writer *w, const struct kt_binaries *b)
{
	const struct kt_binary *binary;
	size_t i;

	for (i = 1; i <= kt_binaries_count(b); i++) {
		binary = kt_binaries_at(b, i);
		if (is_news(w, binary, i))
			put_path(&w->file, binary, i);
		put_functions(&w->file, &binary->functions, i);
	}
	w->n_binaries = kt_binaries_count(b);
}

struct kt_binaries_writer *kt_binaries_writer_new(const struct kt_metadata_writer *metadata,
						  int dir, struct kt_error *err)
{
	struct kt_binaries_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (kt_json_lines_writer_make(&w->file, dir, KT_TRACE_DIRECTORY_BINARIES, metadata->uuid,
				      err) == 0)
		return w;
	free(w);
	return NULL;
}

void kt_binaries_writer_free(struct kt_binaries_writer *w)
{
	if (!w)
		return;
	kt_json_lines_writer_close(&w->file);
	kt_number_set_clear(&w->paths);
	free(w);
}

int kt_binaries_writer_add(struct kt_binaries_writer *w, const struct kt_binaries *b,
			   const struct kt_symbols *kernel, struct kt_error *err)
{
	kt_json_lines_writer_begin(&w->file);
	if (kernel)
		put_functions(&w->file, kernel, 0);
	if (b)
		put_binaries(w, b);
	return kt_json_lines_writer_end(&w->file, err);
}
