// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/metadata_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/read_file.h"
#include "base/uuid.h"
#include "bpf/ring_layout.h"
#include "constants/labels.h"
#include "trace/print/print_format.h"
#include "trace/read/env_filters.h"
#include "trace/read/event_class.h"
#include "trace/read/header_roles.h"
#include "trace/read/metadata_types.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/unique_names.h"
#include "trace/tsdl_lexer.h"

/* 65536 events with many fields each need less. */
#define TEXT_MAX (256 << 20)

/* The blocks of a metadata text. */
enum block { TRACE, ENV, CLOCK, STREAM, EVENT, N_BLOCKS };

static const char *const blocks[N_BLOCKS] = {"trace", "env", "clock", "stream", "event"};

enum attribute {
	MAJOR,
	MINOR,
	ORDER,
	UUID,
	HOSTNAME,
	KERNEL_RELEASE,
	TRACER_NAME,
	TRACER_VERSION,
	RECORDED_TASKS,
	TRACE_NAME,
	FROZEN_BY,
	FROZEN_WHERE,
	FROZEN_HIT,
	FROZEN_AT,
	TAKEN_BY,
	TAKEN_WHERE,
	TAKEN_HIT,
	CLOCK_SET,
	CLOCK_NAME,
	FREQ,
	OFFSET_S,
	OFFSET,
	STREAM_ID,
	EVENT_NAME,
	EVENT_ID,
	EVENT_STREAM,
	N_ATTRIBUTES,
};

static const struct {
	enum block block;
	const char *name;
	bool is_number;
} attributes[N_ATTRIBUTES] = {
	[MAJOR] = {TRACE, "major", true},
	[MINOR] = {TRACE, "minor", true},
	[ORDER] = {TRACE, "byte_order", false},
	[UUID] = {TRACE, "uuid", false},
	[HOSTNAME] = {ENV, "hostname", false},
	[KERNEL_RELEASE] = {ENV, "kernel_release", false},
	[TRACER_NAME] = {ENV, "tracer_name", false},
	[TRACER_VERSION] = {ENV, "tracer_version", false},
	[RECORDED_TASKS] = {ENV, "recorded_tasks", false},
	[TRACE_NAME] = {ENV, "trace_name", false},
	[FROZEN_BY] = {ENV, "frozen_by", false},
	[FROZEN_WHERE] = {ENV, "frozen_where", false},
	[FROZEN_HIT] = {ENV, "frozen_hit", true},
	[FROZEN_AT] = {ENV, "frozen_at", true},
	[TAKEN_BY] = {ENV, "taken_by", false},
	[TAKEN_WHERE] = {ENV, "taken_where", false},
	[TAKEN_HIT] = {ENV, "taken_hit", true},
	[CLOCK_SET] = {ENV, "clock_set", true},
	[CLOCK_NAME] = {CLOCK, "name", false},
	[FREQ] = {CLOCK, "freq", true},
	[OFFSET_S] = {CLOCK, "offset_s", true},
	[OFFSET] = {CLOCK, "offset", true},
	[STREAM_ID] = {STREAM, "id", true},
	[EVENT_NAME] = {EVENT, "name", false},
	[EVENT_ID] = {EVENT, "id", true},
	[EVENT_STREAM] = {EVENT, "stream_id", true},
};

/* The block in which each header is declared. */
static const enum block headers[KT_N_HEADERS] = {
	[KT_HEADER_PACKET_HEADER] = TRACE,
	[KT_HEADER_PACKET_CONTEXT] = STREAM,
	[KT_HEADER_EVENT_HEADER] = STREAM,
	[KT_HEADER_EVENT_CONTEXT] = STREAM,
};

/* Every function that returns a bool returns false after an error, which err describes. */
struct parser {
	struct kt_tsdl t;
	struct kt_metadata *s;
	struct kt_metadata_types types;
	struct kt_tsdl_value attributes[N_ATTRIBUTES];
	bool has_value[N_ATTRIBUTES];
	bool is_read[KT_N_HEADERS]; /* by the present stream block */
	size_t alignments[KT_N_HEADERS];
	struct kt_record_layout fields, context; /* of the present event block */
	struct kt_env_filters limits;
	bool has[N_BLOCKS];                    /* such a block was read */
	struct kt_unique_names seen[N_BLOCKS]; /* names in env and clock, and names of events, which
						  must be unique */
};

/* Notes a name, which must not occur twice in the block. */
static bool note_name(struct parser *p, enum block block, const char *name)
{
	int ret = kt_unique_names_add(&p->seen[block], name);

	if (ret < 0)
		return kt_tsdl_fail_for_memory(&p->t);
	return ret > 0 || kt_tsdl_fail(&p->t, "duplicate '%s' in '%s'", name, blocks[block]);
}

static bool read_struct(struct parser *p, struct kt_record_layout *layout, size_t *alignment)
{
	if (!kt_metadata_types_struct(&p->types, &p->t, layout, alignment))
		return false;
	if (p->s->n_members_max < layout->n_members)
		p->s->n_members_max = layout->n_members;
	return true;
}

/* Stores a header: the first stream's; later streams must declare the same one. */
static bool store_header(struct parser *p, enum kt_header header, struct kt_record_layout *layout,
			 size_t alignment)
{
	struct kt_record_layout *first = &p->s->headers[header];
	bool is_same =
		kt_record_layout_is_same(first, layout) && p->alignments[header] == alignment;

	if (first->n_pieces) {
		kt_record_layout_clear(layout);
		return is_same || kt_tsdl_fail(&p->t, "differing %s are not supported",
					       kt_header_name(header));
	}
	*first = *layout;
	p->alignments[header] = alignment;
	return true;
}

/* Reads a header. Only records are aligned, by their headers. */
static bool read_header(struct parser *p, enum kt_header header)
{
	struct kt_record_layout layout = {0};
	size_t alignment;

	if (p->is_read[header])
		return kt_tsdl_fail(&p->t, "duplicate %s", kt_header_name(header));
	p->is_read[header] = true;
	if (!read_struct(p, &layout, &alignment)) {
		kt_record_layout_clear(&layout);
		return false;
	}
	if (!store_header(p, header, &layout, alignment))
		return false;
	if (kt_record_layout_size(&p->s->headers[header]) < 0)
		return kt_tsdl_fail(&p->t, "a %s of varying size is not supported",
				    kt_header_name(header));
	if (header == KT_HEADER_EVENT_HEADER)
		p->s->alignment = alignment;
	else if (alignment != 1)
		return kt_tsdl_fail(&p->t, "an aligned %s is not supported",
				    kt_header_name(header));
	return true;
}

static bool read_fields(struct parser *p)
{
	size_t alignment;

	if (p->fields.n_pieces)
		return kt_tsdl_fail(&p->t, "duplicate fields");
	if (!read_struct(p, &p->fields, &alignment))
		return false;
	return alignment == 1 || kt_tsdl_fail(&p->t, "aligned fields are not supported");
}

static bool read_context(struct parser *p)
{
	size_t alignment;

	if (p->context.n_pieces)
		return kt_tsdl_fail(&p->t, "duplicate context");
	if (!read_struct(p, &p->context, &alignment))
		return false;
	return (alignment == 1 && kt_record_layout_size(&p->context) >= 0) ||
	       kt_tsdl_fail(&p->t, "an aligned context, or one of varying size, is not supported");
}

static bool fail_unknown(struct parser *p, enum block block, const char *name)
{
	return kt_tsdl_fail(&p->t, "unknown '%s' in '%s'", name, blocks[block]);
}

static bool read_type_alias(struct parser *p, enum block block, const char *name)
{
	size_t i;

	if (block == EVENT && !strcmp(name, "fields"))
		return read_fields(p);
	if (block == EVENT && !strcmp(name, "context"))
		return read_context(p);
	for (i = 0; i < KT_N_HEADERS; i++)
		if (headers[i] == block && !strcmp(kt_header_name(i), name))
			return read_header(p, i);
	return fail_unknown(p, block, name);
}

/*
 * Reads an attribute. Other entries of env and clock do not change the meaning of anything, so
 * unknown ones are allowed.
 */
static bool read_attribute(struct parser *p, enum block block, const char *name)
{
	struct kt_tsdl_value v;
	int ret = 0;
	size_t i;

	if (!kt_tsdl_expect(&p->t, "=") || !kt_tsdl_value(&p->t, &v))
		return false;
	if ((block == ENV || block == CLOCK) && !note_name(p, block, name))
		return false;
	if (block == ENV)
		ret = kt_env_filters_add(&p->limits, name, &v);
	if (ret)
		return ret > 0 || kt_tsdl_fail_for_memory(&p->t);
	for (i = 0; i < N_ATTRIBUTES; i++) {
		if (attributes[i].block != block || strcmp(attributes[i].name, name))
			continue;
		if (attributes[i].is_number != v.is_number)
			return kt_tsdl_fail(&p->t, "'%s' must be a %s", name,
					    v.is_number ? "text" : "number");
		if (p->has_value[i])
			return kt_tsdl_fail(&p->t, "duplicate '%s' in '%s'", name, blocks[block]);
		p->attributes[i] = v;
		p->has_value[i] = true;
		return true;
	}
	return block == ENV || block == CLOCK || fail_unknown(p, block, name);
}

static bool has_text(const struct parser *p, enum attribute a, const char *text)
{
	return p->has_value[a] && !strcmp(p->attributes[a].text, text);
}

static bool has_number(const struct parser *p, enum attribute a, uint64_t number)
{
	return p->has_value[a] && p->attributes[a].number == number;
}

static const char *get_text(const struct parser *p, enum attribute a)
{
	return p->has_value[a] ? p->attributes[a].text : "";
}

static bool end_trace(struct parser *p)
{
	if (!has_number(p, MAJOR, 1) || !has_number(p, MINOR, 8))
		return kt_tsdl_fail(&p->t, "only CTF 1.8 is supported");
	if (!has_text(p, ORDER, "le"))
		return kt_tsdl_fail(&p->t, "only traces of little-endian machines are supported");
	return kt_uuid_parse(get_text(p, UUID), p->s->uuid) || kt_tsdl_fail(&p->t, "missing uuid");
}

/*
 * Returns whether a name has only the characters of the kernel's names, which any terminal can
 * show.
 */
static bool is_plain(const char *name)
{
	while (*name >= ' ' && *name < 0x7f)
		name++;
	return *name == '\0';
}

/* Splits SYSTEM:EVENT in place into two texts. Returns false if it is not of that form. */
static bool split_name(struct parser *p, const char *name, const char **system, const char **event)
{
	const char *colon = strchr(name, ':');

	if (!colon || !is_plain(name))
		return false;
	p->s->names[colon - p->s->names] = '\0';
	*system = name;
	*event = colon + 1;
	return true;
}

/* Sets an occasion, which needs a hit; other attributes without one are ignored. */
static void set_occasion(struct parser *p, struct kt_occasion *o, enum attribute by,
			 enum attribute where, enum attribute hit)
{
	if (!p->has_value[hit])
		return;
	o->hit = p->attributes[hit].number;
	if (p->has_value[by] && split_name(p, p->attributes[by].text, &o->system, &o->event))
		o->filter = p->has_value[where] ? p->attributes[where].text : NULL;
}

static void set_provenance(struct parser *p)
{
	struct kt_provenance *from = &p->s->from;

	from->session = p->has_value[TRACE_NAME] ? p->attributes[TRACE_NAME].text : NULL;
	set_occasion(p, &from->frozen, FROZEN_BY, FROZEN_WHERE, FROZEN_HIT);
	from->frozen_at =
		p->has_value[FROZEN_AT] ? p->attributes[FROZEN_AT].number : from->frozen.hit;
	set_occasion(p, &from->taken, TAKEN_BY, TAKEN_WHERE, TAKEN_HIT);
	from->clock_set = p->has_value[CLOCK_SET] ? p->attributes[CLOCK_SET].number : 0;
}

static bool end_env(struct parser *p)
{
	if (!has_text(p, TRACER_NAME, "ktrace"))
		return kt_tsdl_fail(&p->t, "not a trace of ktrace; try babeltrace2");
	p->s->hostname = get_text(p, HOSTNAME);
	p->s->kernel_release = get_text(p, KERNEL_RELEASE);
	p->s->tracer_version = get_text(p, TRACER_VERSION);
	p->s->follows = has_text(p, RECORDED_TASKS, "followed");
	set_provenance(p);
	return true;
}

static bool end_clock(struct parser *p)
{
	if (!has_number(p, FREQ, 1000000000))
		return kt_tsdl_fail(&p->t, "only clocks of nanoseconds are supported");
	p->s->since_1970 =
		p->attributes[OFFSET_S].number * 1000000000 + p->attributes[OFFSET].number;
	p->types.clock = p->has_value[CLOCK_NAME] ? p->attributes[CLOCK_NAME].text : NULL;
	return true;
}

/* Ends a stream block. Streams are numbered in their order. */
static bool end_stream(struct parser *p)
{
	enum kt_header header;

	if (p->s->n_channels == KT_CHANNELS || !has_number(p, STREAM_ID, p->s->n_channels))
		return kt_tsdl_fail(&p->t, "only stream ids 0 to %d are supported",
				    KT_CHANNELS - 1);
	for (header = 0; header < KT_N_HEADERS; header++) {
		if (headers[header] != STREAM)
			continue;
		if (!p->is_read[header])
			return kt_tsdl_fail(&p->t, "a stream without %s", kt_header_name(header));
		p->is_read[header] = false;
	}
	p->s->n_channels++;
	p->has_value[STREAM_ID] = false;
	return true;
}

/* Returns whether the attribute's value is a stream's number. */
static bool has_channel(const struct parser *p, enum attribute a)
{
	return p->has_value[a] && p->attributes[a].number < p->s->n_channels;
}

/* Adds an event. Returns NULL if another one has this id. */
static struct kt_event_class *add_event(struct parser *p, uint64_t id)
{
	struct kt_event_class *events = p->s->events;
	size_t n = p->s->n_events;

	if (id >= KT_EVENTS_MAX || (id < n && events[id].system)) {
		kt_tsdl_fail(&p->t, "id %" PRIu64 " is %s", id,
			     id < n ? "another's too" : "too large");
		return NULL;
	}
	if (id < n)
		return &events[id];
	while (n <= id)
		n = n ? 2 * n : 16;
	events = reallocarray(events, n, sizeof(*events));
	if (!events) {
		kt_tsdl_fail_for_memory(&p->t);
		return NULL;
	}
	memset(events + p->s->n_events, 0, (n - p->s->n_events) * sizeof(*events));
	p->s->events = events;
	p->s->n_events = n;
	return &events[id];
}

static bool note_event(struct parser *p, const char *system, const char *name)
{
	int ret = kt_unique_names_add(&p->seen[EVENT], system);

	if (ret < 0)
		return kt_tsdl_fail_for_memory(&p->t);
	return ret > 0 || kt_tsdl_fail(&p->t, "duplicate event %s:%s", system, name);
}

static bool end_event(struct parser *p)
{
	const char *system, *name;
	struct kt_event_class *e;

	if (!p->has_value[EVENT_ID] || !split_name(p, get_text(p, EVENT_NAME), &system, &name))
		return kt_tsdl_fail(&p->t, "an event without a name SYSTEM:EVENT or an id");
	if (!note_event(p, system, name))
		return false;
	if (!has_channel(p, EVENT_STREAM))
		return kt_tsdl_fail(&p->t, "an event of an undeclared stream");
	e = add_event(p, p->attributes[EVENT_ID].number);
	if (!e)
		return false;
	e->system = system;
	e->name = name;
	e->channel = p->attributes[EVENT_STREAM].number;
	e->complete = KT_ALWAYS;
	e->fields = p->fields;
	p->fields = (struct kt_record_layout){};
	kt_event_class_complete(e, &p->context, p->s);
	kt_record_layout_clear(&p->context);
	p->context = (struct kt_record_layout){};
	p->has_value[EVENT_NAME] = p->has_value[EVENT_ID] = p->has_value[EVENT_STREAM] = false;
	return true;
}

static bool read_block(struct parser *p, enum block block)
{
	static bool (*const ends[N_BLOCKS])(struct parser *) = {
		[TRACE] = end_trace,   [ENV] = end_env,     [CLOCK] = end_clock,
		[STREAM] = end_stream, [EVENT] = end_event,
	};
	const char *name;

	if (p->has[block] && block != STREAM && block != EVENT)
		return kt_tsdl_fail(&p->t, "a second '%s'", blocks[block]);
	p->has[block] = true;
	if (!kt_tsdl_expect(&p->t, "{"))
		return false;
	while (!kt_tsdl_accept(&p->t, "}")) {
		if (!kt_tsdl_path(&p->t, &name))
			return false;
		if (!(kt_tsdl_accept(&p->t, ":=") ? read_type_alias(p, block, name)
						  : read_attribute(p, block, name)))
			return false;
		if (!kt_tsdl_expect(&p->t, ";"))
			return false;
	}
	return (!ends[block] || ends[block](p)) && kt_tsdl_expect(&p->t, ";");
}

static bool read_any_block(struct parser *p)
{
	size_t i;

	for (i = 0; i < N_BLOCKS; i++)
		if (kt_tsdl_accept(&p->t, blocks[i]))
			return read_block(p, i);
	if (kt_tsdl_accept(&p->t, "variant"))
		return kt_metadata_variants_read(&p->s->variants, &p->types, &p->t);
	return kt_metadata_types_read(&p->types, &p->t);
}

static bool parse_blocks(struct parser *p)
{
	while (p->t.kind != KT_TSDL_END)
		if (!read_any_block(p))
			return false;
	if (!p->has_value[UUID] || !p->has_value[TRACER_NAME] || !p->has_value[FREQ])
		return kt_tsdl_fail(&p->t, "missing trace, env or clock before here");
	kt_env_filters_set(&p->limits, p->s->events, p->s->n_events);
	return kt_header_roles_find(p->s, &p->t);
}

struct kt_metadata *kt_metadata_parse(const char *text, size_t size, struct kt_error *err)
{
	static const char begin[] = "/* CTF 1.8";
	struct kt_metadata *s;
	struct parser p = {.seen[EVENT].are_pairs = true};
	size_t i;
	bool ok;

	if (size < strlen(begin) || memcmp(text, begin, strlen(begin))) {
		kt_fail(err, EPROTO, "metadata: not CTF 1.8 text, so not a trace of ktrace");
		return NULL;
	}
	p.s = s = calloc(1, sizeof(*s));
	if (s)
		s->names = malloc(size + 1);
	if (!s || !s->names) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_metadata_free(s);
		return NULL;
	}
	p.t = kt_tsdl_of(text, size, s->names, err);
	p.types.labels = &s->labels;
	p.types.structs = &s->structs;
	p.types.symbols = &s->symbols;
	ok = parse_blocks(&p);
	kt_env_filters_clear(&p.limits);
	for (i = 0; i < N_BLOCKS; i++)
		kt_unique_names_clear(&p.seen[i]);
	if (ok)
		return s;
	kt_record_layout_clear(&p.fields);
	kt_record_layout_clear(&p.context);
	kt_metadata_free(s);
	return NULL;
}

struct kt_metadata *kt_metadata_read(int dir, struct kt_error *err)
{
	struct kt_metadata *s = NULL;
	char *text = NULL;
	size_t size;
	int fd, ret;

	fd = openat(dir, "metadata", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ret = fd < 0 ? -errno : kt_read_file(fd, TEXT_MAX, &text, &size);
	if (fd >= 0)
		close(fd);
	if (ret == -ENOENT)
		kt_fail(err, ENOENT, "not a trace: there is no metadata");
	else if (ret < 0)
		kt_fail(err, -ret, "metadata: %s", strerror(-ret));
	else
		s = kt_metadata_parse(text, size, err);
	free(text);
	return s;
}

void kt_metadata_free(struct kt_metadata *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < KT_N_HEADERS; i++)
		kt_record_layout_clear(&s->headers[i]);
	for (i = 0; i < s->n_events; i++) {
		kt_print_format_free((struct kt_print_format *)s->events[i].print);
		kt_record_layout_clear(&s->events[i].fields);
	}
	free(s->events);
	kt_labels_free(s->labels);
	kt_structs_free(s->structs);
	kt_metadata_variants_free(s->variants);
	kt_symbols_clear(&s->symbols);
	free(s->names);
	free(s);
}

bool kt_metadata_has_uuid(const struct kt_metadata *s, const char *uuid)
{
	uint8_t other[sizeof(s->uuid)];

	return kt_uuid_parse(uuid, other) && memcmp(other, s->uuid, sizeof(other)) == 0;
}
