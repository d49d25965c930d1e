// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/stacks_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number_set.h"
#include "bpf/callstacks.h"
#include "bpf/ring_layout.h"
#include "session/callstack_tables.h"
#include "stacks/binaries.h"
#include "stacks/user_stacks.h"
#include "trace/binaries_writer.h"
#include "trace/json_lines_writer.h"
#include "trace/metadata_writer.h"
#include "trace/symbol_addresses.h"
#include "trace/trace_directory.h"

struct kt_stacks_writer {
	struct kt_callstack_tables *tables;
	struct kt_symbol_addresses *addresses;
	struct kt_json_lines_writer file;
	bool is_begun;                /* stacks were noted, and are not in the file yet */
	struct kt_number_set written; /* ids */
	struct kt_number_set lost;    /* ids that are written, without a stack */
	struct kt_user_stacks *user;  /* NULL: there are none */
	size_t n_binaries;            /* those that `file` has */
};

struct kt_stacks_writer *kt_stacks_writer_new(const struct kt_metadata_writer *m, int dir,
					      struct kt_callstack_tables *tables,
					      struct kt_symbol_addresses *addresses,
					      struct kt_error *err)
{
	struct kt_stacks_writer *w = calloc(1, sizeof(*w));
	unsigned int kinds = kt_callstack_tables_kinds(tables);

	if (!w) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	w->tables = tables;
	w->addresses = addresses;
	if (kinds & KT_CALLSTACK_BIT(KT_CALLSTACK_USER)) {
		w->user = kt_user_stacks_new(!kt_callstack_tables_keep(tables), err);
		if (!w->user) {
			free(w);
			return NULL;
		}
	}
	if (kt_json_lines_writer_make(&w->file, dir, KT_TRACE_DIRECTORY_STACKS, m->uuid, err) == 0)
		return w;
	kt_user_stacks_free(w->user);
	free(w);
	return NULL;
}

void kt_stacks_writer_free(struct kt_stacks_writer *w)
{
	struct kt_error ignored;

	if (!w)
		return;
	kt_stacks_writer_flush(w, &ignored);
	kt_user_stacks_free(w->user);
	kt_json_lines_writer_close(&w->file);
	kt_number_set_clear(&w->written);
	kt_number_set_clear(&w->lost);
	free(w);
}

static size_t count_frames(const struct kt_callstack *s)
{
	size_t n = 0;

	while (n < KT_CALLSTACK_FRAMES_MAX && s->frames[n])
		n++;
	return n;
}

/* Makes the object of a stack, with an array for its frames. */
static struct json_object *make_stack(uint64_t id, bool is_cut, struct json_object **frames,
				      bool *ok)
{
	struct json_object *o = json_object_new_object();

	*frames = json_object_new_array();
	*ok = kt_json_add_number(o, "stack", id) &&
	      (!is_cut || kt_json_add(o, "cut", json_object_new_boolean(true))) &&
	      kt_json_add(o, "frames", *frames);
	return o;
}

static void put_kernel(struct kt_stacks_writer *w, uint64_t id, const struct kt_callstack *s)
{
	size_t i, n = count_frames(s);
	struct json_object *frames, *o;
	bool ok;

	o = make_stack(id, n == KT_CALLSTACK_FRAMES_MAX, &frames, &ok);
	for (i = 0; i < n; i++)
		ok = ok && kt_json_append(frames, json_object_new_uint64(s->frames[i]));
	kt_json_lines_writer_put(&w->file, o, ok);
}

static void note_addresses(struct kt_symbol_addresses *addresses, const struct kt_callstack *s)
{
	size_t i, n = count_frames(s);

	for (i = 0; i < n; i++) {
		kt_symbol_addresses_add(addresses, s->frames[i]);
		kt_symbol_addresses_add(addresses, kt_callstack_code(s->frames[i], i));
	}
}

/* Declares the binaries that are new. */
static void put_binaries(struct kt_stacks_writer *w)
{
	const struct kt_binaries *b = kt_user_stacks_binaries(w->user);

	for (; w->n_binaries < kt_binaries_count(b); w->n_binaries++)
		kt_binaries_writer_declare(&w->file, b, w->n_binaries + 1);
}

/* A frame is an address, or a binary and an offset in it. */
static struct json_object *make_frame(struct kt_place place)
{
	struct json_object *pair;
	bool ok;

	if (!place.binary)
		return json_object_new_uint64(place.at);
	pair = json_object_new_array();
	ok = kt_json_append(pair, json_object_new_uint64(place.binary)) &&
	     kt_json_append(pair, json_object_new_uint64(place.at));
	if (ok)
		return pair;
	json_object_put(pair);
	return NULL;
}

static void put_user(struct kt_stacks_writer *w, uint64_t id, const struct kt_user_callstack *s)
{
	struct kt_place places[KT_USER_CALLSTACK_FRAMES_MAX];
	struct json_object *frames, *o;
	bool ok, is_cut;
	size_t i, n = kt_user_stacks_locate(w->user, s, places, &is_cut);

	put_binaries(w);
	o = make_stack(id, is_cut, &frames, &ok);
	for (i = 0; i < n; i++)
		ok = ok && kt_json_append(frames, make_frame(places[i]));
	kt_json_lines_writer_put(&w->file, o, ok);
}

static int put_new(struct kt_stacks_writer *w, const struct kt_callstack_batch *batch)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < batch->n && ret >= 0; i++) {
		ret = kt_number_set_add(&w->written, batch->ids[i]);
		if (ret <= 0)
			continue;
		if (batch->user) {
			put_user(w, batch->ids[i], &batch->user[i]);
			continue;
		}
		put_kernel(w, batch->ids[i], &batch->kernel[i]);
		note_addresses(w->addresses, &batch->kernel[i]);
	}
	return ret < 0 ? ret : 0;
}

static int copy_kind(struct kt_stacks_writer *w, enum kt_callstack_kind kind, struct kt_error *err)
{
	struct kt_callstack_batch batch;

	do {
		if (kt_callstack_tables_take(w->tables, kind, &batch, err) < 0)
			return -err->code;
		if (!batch.n)
			continue;
		kt_stacks_writer_watch(w);
		kt_json_lines_writer_begin(&w->file);
		if (put_new(w, &batch) < 0)
			w->file.ok = false;
		if (kt_json_lines_writer_end(&w->file, err) < 0)
			return -err->code;
	} while (!batch.is_last);
	return 0;
}

int kt_stacks_writer_copy(struct kt_stacks_writer *w, struct kt_error *err)
{
	enum kt_callstack_kind kind;
	int ret = 0;

	if (kt_callstack_tables_keep(w->tables))
		return 0;
	for (kind = 0; kind < KT_CALLSTACK_KINDS && ret == 0; kind++)
		ret = copy_kind(w, kind, err);
	return ret;
}

/* Looks a stack up that is named for the first time. */
static void add_kept(struct kt_stacks_writer *w, enum kt_callstack_kind kind, uint64_t id)
{
	union kt_any_callstack stack;

	if (!w->is_begun)
		kt_json_lines_writer_begin(&w->file);
	w->is_begun = true;
	if (!kt_callstack_tables_find(w->tables, kind, id, &stack)) {
		if (kt_number_set_add(&w->lost, id) < 0)
			w->file.ok = false;
	} else if (kind == KT_CALLSTACK_USER) {
		put_user(w, id, &stack.user);
	} else {
		put_kernel(w, id, &stack.kernel);
		note_addresses(w->addresses, &stack.kernel);
	}
}

/* Returns whether the stack is lost. */
static bool note_id(struct kt_stacks_writer *w, enum kt_callstack_kind kind, uint64_t id)
{
	if (id < KT_CALLSTACK_FIRST)
		return false;
	if (!kt_number_set_has(&w->written, id)) {
		add_kept(w, kind, id);
		if (kt_number_set_add(&w->written, id) < 0)
			w->file.ok = false;
	}
	return kt_number_set_has(&w->lost, id);
}

/* What was lost before the record was written is counted already (struct kt_counters). */
unsigned int kt_stacks_writer_note(struct kt_stacks_writer *w, unsigned int kinds,
				   const char *record)
{
	enum kt_callstack_kind kind;
	unsigned int n = 0;
	uint64_t id;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++) {
		if (!(kinds & KT_CALLSTACK_BIT(kind)))
			continue;
		memcpy(&id, record + sizeof(struct kt_record) + kt_callstack_id_offset(kinds, kind),
		       sizeof(id));
		n += note_id(w, kind, id);
	}
	return n;
}

int kt_stacks_writer_flush(struct kt_stacks_writer *w, struct kt_error *err)
{
	if (!w->is_begun)
		return 0;
	w->is_begun = false;
	return kt_json_lines_writer_end(&w->file, err);
}

void kt_stacks_writer_watch(struct kt_stacks_writer *w)
{
	if (w->user)
		kt_user_stacks_watch(w->user);
}

const struct kt_binaries *kt_stacks_writer_name(struct kt_stacks_writer *w, bool again)
{
	struct kt_binaries *b;

	if (!w->user)
		return NULL;
	b = kt_user_stacks_binaries(w->user);
	kt_user_stacks_search_all(w->user);
	kt_binaries_find_functions(b, again);
	return b;
}
