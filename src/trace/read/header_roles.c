// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/header_roles.h"

#include <stddef.h>

#include "trace/tsdl_lexer.h"

static const struct {
	enum kt_header header;
	const char *name;
	size_t count;
} roles[KT_N_ROLES] = {
	[KT_ROLE_MAGIC] = {KT_HEADER_PACKET_HEADER, "magic", 1},
	[KT_ROLE_UUID] = {KT_HEADER_PACKET_HEADER, "uuid", 16},
	[KT_ROLE_STREAM] = {KT_HEADER_PACKET_HEADER, "stream_id", 1},
	[KT_ROLE_CPU] = {KT_HEADER_PACKET_CONTEXT, "cpu_id", 1},
	[KT_ROLE_BEGIN] = {KT_HEADER_PACKET_CONTEXT, "timestamp_begin", 1},
	[KT_ROLE_END] = {KT_HEADER_PACKET_CONTEXT, "timestamp_end", 1},
	[KT_ROLE_CONTENT_SIZE] = {KT_HEADER_PACKET_CONTEXT, "content_size", 1},
	[KT_ROLE_PACKET_SIZE] = {KT_HEADER_PACKET_CONTEXT, "packet_size", 1},
	[KT_ROLE_DISCARDED] = {KT_HEADER_PACKET_CONTEXT, "events_discarded", 1},
	[KT_ROLE_ID] = {KT_HEADER_EVENT_HEADER, "id", 1},
	[KT_ROLE_TIME] = {KT_HEADER_EVENT_HEADER, "timestamp", 1},
	[KT_ROLE_TID] = {KT_HEADER_EVENT_CONTEXT, "tid", 1},
};

const char *kt_header_name(enum kt_header header)
{
	static const char *const names[KT_N_HEADERS] = {
		[KT_HEADER_PACKET_HEADER] = "packet.header",
		[KT_HEADER_PACKET_CONTEXT] = "packet.context",
		[KT_HEADER_EVENT_HEADER] = "event.header",
		[KT_HEADER_EVENT_CONTEXT] = "event.context",
	};

	return names[header];
}

/* Returns where the header begins, in bytes from the start of the packet or record. */
static size_t get_begin(const struct kt_metadata *s, enum kt_header header)
{
	bool is_second = header == KT_HEADER_PACKET_CONTEXT || header == KT_HEADER_EVENT_CONTEXT;

	return is_second ? kt_record_layout_size(&s->headers[header - 1]) : 0;
}

static size_t get_end(const struct kt_metadata *s, enum kt_header header)
{
	return get_begin(s, header) + kt_record_layout_size(&s->headers[header]);
}

/* Returns whether a header's member can have that role: one number, or a number of bytes. */
static bool can_have_role(const struct kt_member *m, size_t count)
{
	if (count == 1)
		return kt_member_is_number(m);
	return m->array && !m->of && m->width == 1 && m->count == count;
}

bool kt_header_roles_find(struct kt_metadata *s, struct kt_tsdl *t)
{
	const struct kt_member *m;
	enum kt_header header;
	size_t i;

	for (i = 0; i < KT_N_ROLES; i++) {
		header = roles[i].header;
		m = kt_record_layout_find(&s->headers[header], roles[i].name);
		if (!m || !can_have_role(m, roles[i].count))
			return kt_tsdl_fail(t, "missing '%s' in every %s before here",
					    roles[i].name, kt_header_name(header));
		s->roles[i].member = m;
		s->roles[i].offset =
			get_begin(s, header) + kt_record_layout_offset(&s->headers[header], m);
	}
	s->packet_header_size = get_end(s, KT_HEADER_PACKET_CONTEXT);
	s->record_header_size = get_end(s, KT_HEADER_EVENT_CONTEXT);
	return true;
}
