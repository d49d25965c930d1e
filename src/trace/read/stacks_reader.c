// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/stacks_reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "bpf/callstacks.h"
#include "trace/read/binaries_reader.h"
#include "trace/read/json_lines.h"
#include "trace/read/metadata_reader.h"
#include "trace/trace_directory.h"

#define STACKS_FILE KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_STACKS

enum { FIRST_SHIFT = 8 };

/* A stack; free without an id. */
struct slot {
	uint64_t id;
	struct kt_stack stack;
};

/* A hash table of 2^shift slots, at least half of them free. */
struct kt_stacks_reader {
	const struct kt_metadata *metadata;
	int dir;
	struct kt_json_lines lines;
	struct kt_binaries_reader binaries;
	bool is_open, has_failed;
	struct slot *slots;
	unsigned int shift;
	size_t n;
};

struct kt_stacks_reader *kt_stacks_reader_new(struct kt_metadata *metadata, int dir)
{
	struct kt_stacks_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->metadata = metadata;
	r->dir = dir;
	r->binaries = (struct kt_binaries_reader){
		.metadata = metadata, .dir = dir, .kernel = &metadata->symbols};
	r->shift = FIRST_SHIFT;
	r->slots = calloc((size_t)1 << r->shift, sizeof(*r->slots));
	if (r->slots)
		return r;
	free(r);
	return NULL;
}

void kt_stacks_reader_free(struct kt_stacks_reader *r)
{
	size_t i;

	if (!r)
		return;
	kt_json_lines_close(&r->lines);
	for (i = 0; i < (size_t)1 << r->shift; i++)
		free((struct kt_frame *)r->slots[i].stack.frames);
	free(r->slots);
	kt_binaries_reader_clear(&r->binaries);
	free(r);
}

/* Returns the slot of a stack, or the one it may be put in. Ids are hashes. */
static struct slot *find_slot(struct slot *slots, unsigned int shift, uint64_t id)
{
	size_t mask = ((size_t)1 << shift) - 1, i = id >> (64 - shift);

	while (slots[i].id && slots[i].id != id)
		i = (i + 1) & mask;
	return &slots[i];
}

static bool grow_table(struct kt_stacks_reader *r)
{
	struct slot *slots = calloc((size_t)2 << r->shift, sizeof(*slots));
	size_t i;

	if (!slots)
		return false;
	for (i = 0; i < (size_t)1 << r->shift; i++)
		if (r->slots[i].id)
			*find_slot(slots, r->shift + 1, r->slots[i].id) = r->slots[i];
	free(r->slots);
	r->slots = slots;
	r->shift++;
	return true;
}

static int fail(struct kt_stacks_reader *r, const char *why, struct kt_error *err)
{
	return kt_json_lines_fail(&r->lines, why, err);
}

/* Reads an address, or the number of a binary and an offset. Returns whether it is a frame. */
static bool read_frame(const struct kt_stacks_reader *r, struct json_object *o, struct kt_frame *to)
{
	struct json_object *binary = NULL, *at = o;

	if (json_object_is_type(o, json_type_array)) {
		binary = json_object_array_get_idx(o, 0);
		at = json_object_array_get_idx(o, 1);
		if (!json_object_is_type(binary, json_type_int))
			return false;
		to->binary = kt_binaries_reader_find(&r->binaries, json_object_get_uint64(binary));
	}
	to->at = json_object_get_uint64(at);
	return json_object_is_type(at, json_type_int) && (!binary || to->binary);
}

static int read_frames(struct kt_stacks_reader *r, struct slot *slot, struct json_object *list,
		       struct kt_error *err)
{
	size_t i, n = json_object_array_length(list);
	struct kt_frame *frames;

	if (!n || n > KT_CALLSTACK_FRAMES_MAX)
		return fail(r, "a stack of no frames, or of too many", err);
	frames = calloc(n, sizeof(*frames));
	if (!frames)
		return fail(r, strerror(ENOMEM), err);
	slot->stack.frames = frames;
	for (i = 0; i < n; i++)
		if (!read_frame(r, json_object_array_get_idx(list, i), &frames[i]))
			return fail(r, "a frame that is no address, nor in a binary", err);
	slot->stack.n = n;
	return 0;
}

static int read_stack(struct kt_stacks_reader *r, const struct json_object *o, struct kt_error *err)
{
	struct json_object *list = NULL;
	struct slot *slot;
	uint64_t id = 0;

	if (!kt_json_get_number(o, "stack", UINT64_MAX, &id) || id < KT_CALLSTACK_FIRST)
		return fail(r, "no stack's id", err);
	if (!json_object_object_get_ex(o, "frames", &list) ||
	    !json_object_is_type(list, json_type_array))
		return fail(r, "no frames", err);
	if (2 * r->n >= (size_t)1 << r->shift && !grow_table(r))
		return fail(r, strerror(ENOMEM), err);
	slot = find_slot(r->slots, r->shift, id);
	if (slot->id)
		return fail(r, "a stack twice", err);
	slot->id = id;
	r->n++;
	if (read_frames(r, slot, list, err) < 0)
		return -err->code;
	kt_json_get_bool(o, "cut", &slot->stack.is_cut);
	return 0;
}

static int read_line(struct kt_stacks_reader *r, const struct json_object *o, struct kt_error *err)
{
	if (r->lines.line > 1)
		return json_object_object_get_ex(o, "binary", NULL)
			       ? kt_binaries_reader_add(&r->binaries, &r->lines, o, err)
			       : read_stack(r, o, err);
	return kt_metadata_has_uuid(r->metadata, kt_json_get_text(o, "trace"))
		       ? 0
		       : fail(r, "belongs to another trace", err);
}

int kt_stacks_reader_read_names(struct kt_stacks_reader *r, struct kt_error *err)
{
	return kt_binaries_reader_read(&r->binaries, err);
}

/* Reads the lines that are there. Returns 0 or -errno. */
static int read_more(struct kt_stacks_reader *r, struct kt_error *err)
{
	struct json_object *o;
	int ret;

	if (!r->is_open && (kt_json_lines_open(&r->lines, r->dir, STACKS_FILE, err) < 0 ||
			    kt_stacks_reader_read_names(r, err) < 0))
		return -err->code;
	r->is_open = true;
	while ((ret = kt_json_lines_next(&r->lines, &o, err)) > 0) {
		ret = read_line(r, o, err);
		json_object_put(o);
		if (ret < 0)
			return ret;
	}
	return ret;
}

int kt_stacks_reader_find(struct kt_stacks_reader *r, uint64_t id, struct kt_stack *stack,
			  struct kt_error *err)
{
	const struct slot *slot = find_slot(r->slots, r->shift, id);
	int ret = 0;

	if (!slot->id && !r->has_failed) {
		ret = read_more(r, err);
		r->has_failed = ret < 0;
		slot = find_slot(r->slots, r->shift, id);
	}
	if (ret < 0 || !slot->id)
		return ret;
	*stack = slot->stack;
	return 1;
}
