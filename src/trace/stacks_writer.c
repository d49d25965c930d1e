// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/stacks_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number_set.h"
#include "bpf/callstacks.h"
#include "session/callstack_tables.h"
#include "trace/json_lines_writer.h"
#include "trace/metadata_writer.h"
#include "trace/symbol_addresses.h"
#include "trace/trace_directory.h"

struct kt_stacks_writer {
	struct kt_json_lines_writer file;
	struct kt_number_set written; /* ids */
};

struct kt_stacks_writer *kt_stacks_writer_new(const struct kt_metadata_writer *m, int dir,
					      struct kt_error *err)
{
	struct kt_stacks_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (kt_json_lines_writer_make(&w->file, dir, KT_TRACE_DIRECTORY_STACKS, m->uuid, err) == 0)
		return w;
	free(w);
	return NULL;
}

void kt_stacks_writer_free(struct kt_stacks_writer *w)
{
	if (!w)
		return;
	kt_json_lines_writer_close(&w->file);
	kt_number_set_clear(&w->written);
	free(w);
}

static size_t count_frames(const struct kt_callstack *s)
{
	size_t n = 0;

	while (n < KT_CALLSTACK_FRAMES_MAX && s->frames[n])
		n++;
	return n;
}

static void put_stack(struct kt_stacks_writer *w, uint64_t id, const struct kt_callstack *s)
{
	struct json_object *o = json_object_new_object(), *frames = json_object_new_array();
	bool ok = kt_json_add_number(o, "stack", id) && kt_json_add(o, "frames", frames);
	size_t i, n = count_frames(s);

	for (i = 0; i < n; i++)
		ok = ok && kt_json_append(frames, json_object_new_uint64(s->frames[i]));
	kt_json_lines_writer_put(&w->file, o, ok);
}

static void note_addresses(struct kt_symbol_addresses *addresses, const struct kt_callstack *s)
{
	size_t i, n = count_frames(s);

	for (i = 0; i < n; i++) {
		kt_symbol_addresses_add(addresses, s->frames[i]);
		kt_symbol_addresses_add(addresses, kt_callstack_code(s->frames, i));
	}
}

static int put_new(struct kt_stacks_writer *w, const struct kt_callstack_batch *batch,
		   struct kt_symbol_addresses *addresses)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < batch->n && ret >= 0; i++) {
		ret = kt_number_set_add(&w->written, batch->ids[i]);
		if (ret <= 0)
			continue;
		put_stack(w, batch->ids[i], &batch->stacks[i]);
		note_addresses(addresses, &batch->stacks[i]);
	}
	return ret < 0 ? ret : 0;
}

static int copy_kind(struct kt_stacks_writer *w, struct kt_callstack_tables *tables,
		     enum kt_callstack_kind kind, struct kt_symbol_addresses *addresses,
		     struct kt_error *err)
{
	struct kt_callstack_batch batch;

	do {
		if (kt_callstack_tables_take(tables, kind, &batch, err) < 0)
			return -err->code;
		if (!batch.n)
			continue;
		kt_json_lines_writer_begin(&w->file);
		if (put_new(w, &batch, addresses) < 0)
			w->file.ok = false;
		if (kt_json_lines_writer_end(&w->file, err) < 0)
			return -err->code;
	} while (!batch.is_last);
	return 0;
}

int kt_stacks_writer_copy(struct kt_stacks_writer *w, struct kt_callstack_tables *tables,
			  struct kt_symbol_addresses *addresses, struct kt_error *err)
{
	enum kt_callstack_kind kind;
	int ret = 0;

	for (kind = 0; kind < KT_CALLSTACK_KINDS && ret == 0; kind++)
		ret = copy_kind(w, tables, kind, addresses, err);
	return ret;
}
