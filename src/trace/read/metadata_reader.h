/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace says of itself, as it is read: doc/trace.md. The counterpart of metadata.h.
 *
 *	struct kt_metadata *s = kt_metadata_parse(text, size, &err);
 *
 *	printf("%s, Linux %s\n", s->hostname, s->kernel_release);
 *	kt_metadata_free(s);
 *
 * Reads the part of TSDL that ktrace writes, whatever events, fields and sizes it finds there, and
 * refuses the rest with the line in which it stands. Takes about 1 µs a field.
 */
#ifndef KT_TRACE_READ_METADATA_READER_H
#define KT_TRACE_READ_METADATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/provenance.h"
#include "base/time_span.h"
#include "bpf/ring_layout.h"
#include "constants/symbols.h"
#include "trace/record_layout.h"

struct kt_error;

/* What one kind of record is. */
struct kt_event_class {
	const char *system; /* NULL: no such id */
	const char *name;
	const char *filter; /* what was recorded of it alone, as it was written; or NULL: all */
	enum kt_channel channel; /* whose streams its records are in */
	struct kt_time_span
		complete; /* but for hits before and behind that, which may be missing */
	struct kt_record_layout fields;
	const struct kt_print_format *print; /* how the kernel prints it; NULL: not known */
};

/* What stands in the heads and is looked for there by name: a trace without one is refused. */
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

/* The structures that every packet and every record begin with, in this order. */
enum kt_head {
	KT_HEAD_PACKET_HEADER,
	KT_HEAD_PACKET_CONTEXT,
	KT_HEAD_EVENT_HEADER,
	KT_HEAD_EVENT_CONTEXT,
	KT_N_HEADS,
};

struct kt_metadata {
	uint8_t uuid[16];
	int64_t since_1970; /* ns to add to times */
	const char *hostname, *kernel_release, *tracer_version;
	bool follows; /* hits of followed processes alone were recorded */
	struct kt_provenance from;
	size_t n_channels;
	struct kt_record_layout
		heads[KT_N_HEADS];       /* each of one size, and the same in all streams */
	size_t alignment;                /* of records in a packet, bytes */
	size_t packet_head, record_head; /* bytes that these take in each */
	struct {
		const struct kt_member *member;
		size_t offset; /* in the packet, or the record */
	} roles[KT_N_ROLES];
	struct kt_event_class *events; /* by id */
	size_t n_events;
	size_t n_members_max; /* of all shapes */
	char *names;
	struct kt_labels *labels;
	struct kt_structs *structs;
	struct kt_metadata_variants *variants;
	struct kt_symbols symbols;
};

/*
 * The text need not outlive it. -EPROTO in err for what is no trace of ktrace's or not whole. On
 * error NULL.
 */
struct kt_metadata *kt_metadata_parse(const char *text, size_t size, struct kt_error *err);

/* The same from a trace's directory. */
struct kt_metadata *kt_metadata_read(int dir, struct kt_error *err);

void kt_metadata_free(struct kt_metadata *s);

/* Whether that is its uuid, as text has it. */
bool kt_metadata_is_of(const struct kt_metadata *s, const char *uuid);

/* Where it stands in a packet, or a record, whose heads are whole; and the number there. */
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
