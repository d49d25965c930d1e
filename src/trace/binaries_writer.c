// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/binaries_writer.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "stacks/binaries.h"
#include "trace/json_lines_writer.h"

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

int kt_binaries_writer_write(struct kt_json_lines_writer *to, const struct kt_binaries *b,
			     struct kt_error *err)
{
	const struct kt_symbols *s;
	size_t i, k;

	kt_json_lines_writer_begin(to);
	for (i = 1; i <= kt_binaries_count(b); i++) {
		put_path(to, kt_binaries_at(b, i), i);
		s = &kt_binaries_at(b, i)->functions;
		for (k = 0; k < s->n; k++)
			put_function(to, &s->of[k], i);
	}
	return kt_json_lines_writer_end(to, err);
}
