/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses a trace's metadata (doc/trace.md). The counterpart of trace/metadata_writer.h.
 *
 *	struct kt_metadata *s = kt_metadata_parse(text, size, &err);
 *
 *	printf("%s, Linux %s\n", s->hostname, s->kernel_release);
 *	kt_metadata_free(s);
 *
 * Understands the subset of TSDL that ktrace writes, with any events, fields and sizes; refuses
 * everything else, naming the line. Takes about 1 µs per field.
 */
#ifndef KT_TRACE_READ_METADATA_READER_H
#define KT_TRACE_READ_METADATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/provenance.h"
#include "base/time_span.h"
#include "bpf/callstacks.h"
#include "bpf/ring_layout.h"
#include "constants/symbols.h"
#include "trace/record_layout.h"

struct kt_error;

/* The kind of record that one event has. */
struct kt_event_class {
	const char *system; /* NULL: no event has this id */
	const char *name;
	const char *filter; /* the filter of the recorded hits, as the user wrote it; NULL: none */
	enum kt_channel channel;      /* streams of this channel have the records */
	struct kt_time_span complete; /* outside of this time hits may be missing */
	size_t context_size; /* bytes between a record's headers and its fields: ids of stacks */
	struct {
		bool is_there;
		size_t at;                        /* bytes in them */
		const struct kt_symbols *symbols; /* of the kernel; NULL: in user space */
	} stacks[KT_CALLSTACK_KINDS];
	struct kt_record_layout fields;
	const struct kt_print_format *print; /* how the kernel prints the event; NULL: unknown */
	bool has_added; /* it has fields that ktrace added, which the print format does not know */
};

/* Members of headers that are found by name; a trace without one of them is refused. */
enum kt_role {
	KT_ROLE_MAGIC, /* packet.header */
	KT_ROLE_UUID,
	KT_ROLE_STREAM,
	KT_ROLE_CPU, /* packet.context */
	KT_ROLE_BEGIN,
	KT_ROLE_END,
	KT_ROLE_CONTENT_SIZE,
	KT_ROLE_PACKET_SIZE,
	KT_ROLE_DISCARDED,
	KT_ROLE_ID, /* event.header */
	KT_ROLE_TIME,
	KT_ROLE_TID, /* event.context */
	KT_N_ROLES,
};

/* The structures at the beginning of every packet and every record, in this order. */
enum kt_header {
	KT_HEADER_PACKET_HEADER,
	KT_HEADER_PACKET_CONTEXT,
	KT_HEADER_EVENT_HEADER,
	KT_HEADER_EVENT_CONTEXT,
	KT_N_HEADERS,
};

struct kt_metadata {
	uint8_t uuid[16];
	int64_t since_1970; /* ns to add to times */
	const char *hostname, *kernel_release, *tracer_version;
	bool follows; /* only hits of followed processes were recorded */
	struct kt_provenance from;
	size_t n_channels;
	struct kt_record_layout
		headers[KT_N_HEADERS]; /* each has a fixed size, and is the same in all streams */
	size_t alignment;              /* bytes, of records within a packet */
	size_t packet_header_size,
		record_header_size; /* bytes of all headers of a packet, and of a record */
	struct {
		const struct kt_member *member;
		size_t offset; /* bytes from the start of the packet or record */
	} roles[KT_N_ROLES];
	struct kt_event_class *events; /* by id */
	size_t n_events;
	size_t n_members_max; /* largest number of members in one layout */
	char *names;
	struct kt_labels *labels;
	struct kt_structs *structs;
	struct kt_metadata_variants *variants;
	struct kt_symbols symbols;
};

/*
 * Parses a metadata text, which need not outlive the result. Returns NULL on error: EPROTO if this
 * is no trace of ktrace's, or is incomplete.
 */
struct kt_metadata *kt_metadata_parse(const char *text, size_t size, struct kt_error *err);

/* Parses the metadata of the trace in a directory. Returns as kt_metadata_parse(). */
struct kt_metadata *kt_metadata_read(int dir, struct kt_error *err);

void kt_metadata_free(struct kt_metadata *s);

/* Returns whether the text is the trace's UUID. */
bool kt_metadata_has_uuid(const struct kt_metadata *s, const char *uuid);

/*
 * Return the address of a role's member, and its number, in a packet or record whose headers are
 * complete.
 */
static inline const char *kt_metadata_at(const struct kt_metadata *s, enum kt_role role,
					 const char *at)
{
	return at + s->roles[role].offset;
}

static inline uint64_t kt_metadata_number(const struct kt_metadata *s, enum kt_role role,
					  const char *at)
{
	struct kt_value value = {.data = kt_metadata_at(s, role, at), .n = 1};

	return kt_value_number(s->roles[role].member, &value, 0);
}

#endif
