// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/netlink/netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "ctypes/recipe_expr.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/netlink/netlink_diag.h"
#include "values/netlink/netlink_route.h"
#include "values/struct_parts.h"
#include "values/text.h"

enum { HEADER = NLMSG_HDRLEN, NUMBER = 4 };

/* NLMSG_ALIGN() has only 32 bits: the longest message would be none. */
static const uint64_t alignment = NLMSG_ALIGNTO;

int kt_netlink_protocol(const struct kt_hit *hit, size_t data)
{
	const struct kt_member *m = &hit->event->fields.members[data];
	int64_t kind;

	if (!m->socket)
		return -1;
	kind = kt_value_number(&hit->event->fields.members[m->socket], &hit->values[m->socket], 0);
	if (kind >> KT_EXPR_SOCKET_SHIFT != AF_NETLINK)
		return -1;
	kind &= (1 << KT_EXPR_SOCKET_SHIFT) - 1;
	return kind == NETLINK_KOBJECT_UEVENT ? -1 : kind;
}

/* A message, and as much of its payload as there is. */
struct message {
	uint32_t length;
	uint16_t type, flags;
	struct kt_value header, payload;
};

/* Reads the first message. Returns false if there is no header. */
static bool read_message(const struct kt_value *v, struct message *m)
{
	size_t n = v->n;

	if (n < HEADER)
		return false;
	m->length = kt_load(v->data, 4);
	m->type = kt_load(v->data + 4, 2);
	m->flags = kt_load(v->data + 6, 2);
	m->header = (struct kt_value){v->data, HEADER};
	if (m->length < n)
		n = m->length < HEADER ? HEADER : m->length;
	m->payload = (struct kt_value){v->data + HEADER, n - HEADER};
	return true;
}

/* Takes the message off the rest. An invalid length ends it. */
static void skip_message(struct kt_value *rest, const struct message *m)
{
	uint64_t next = (m->length + alignment - 1) & -alignment;

	if (m->length < HEADER || next > rest->n)
		next = rest->n;
	*rest = (struct kt_value){rest->data + next, rest->n - next};
}

/* Returns the table of a message's type. */
static const char *get_types(int protocol, unsigned int type)
{
	if (type < NLMSG_MIN_TYPE)
		return "netlink_control";
	if (protocol == NETLINK_ROUTE)
		return "netlink_route";
	if (protocol == NETLINK_SOCK_DIAG)
		return "netlink_diag";
	return protocol == NETLINK_GENERIC ? "netlink_generic" : "netlink_control";
}

/* Returns the tables of a message's flags. */
static const char *get_flags(int protocol, unsigned int type)
{
	if (type == NLMSG_ERROR)
		return "netlink_flag netlink_flag_ack";
	if (type < NLMSG_MIN_TYPE)
		return "netlink_flag";
	if (protocol == NETLINK_ROUTE)
		return kt_netlink_route_flags(type);
	return protocol == NETLINK_SOCK_DIAG ? "netlink_flag netlink_flag_get" : "netlink_flag";
}

static void put_header(struct kt_text *t, int protocol, const struct message *m)
{
	const struct kt_struct_part parts[] = {
		{"nlmsg_len", 0, 4, KT_PART_NUMBER, NULL},
		{"nlmsg_type", 4, 2, KT_PART_NUMBER, get_types(protocol, m->type)},
		{"nlmsg_flags", 6, 2, KT_PART_FLAGS, get_flags(protocol, m->type)},
		{"nlmsg_seq", 8, 4, KT_PART_NUMBER, NULL},
		{"nlmsg_pid", 12, 4, KT_PART_SIGNED, NULL},
	};

	kt_text_char(t, '{');
	kt_struct_part_put_all(t, "", parts, sizeof(parts) / sizeof(*parts), &m->header);
	kt_text_char(t, '}');
}

/* Prints a message's struct, of which some parts may stand in another one. */
static void put_struct(struct kt_text *t, const struct kt_netlink_message *of,
		       const struct kt_value *v)
{
	const struct kt_struct_part *inner = of->parts + of->inner.first,
				    *rest = inner + of->inner.n;
	const char *before;

	kt_text_char(t, '{');
	before = kt_struct_part_put_all(t, "", of->parts,
					of->inner.n ? of->inner.first : KT_NETLINK_PARTS_MAX, v);
	if (of->inner.n && v->n >= of->size) {
		kt_text_string(t, before);
		kt_text_string(t, of->inner.name);
		kt_text_string(t, "={");
		kt_struct_part_put_all(t, "", inner, of->inner.n, v);
		kt_text_char(t, '}');
		kt_struct_part_put_all(t, before, rest, of->parts + KT_NETLINK_PARTS_MAX - rest, v);
	}
	kt_text_char(t, '}');
}

/* Prints a struct that is unknown, but for its first byte. */
static void put_family(struct kt_text *t, const struct kt_value *v)
{
	static const struct kt_struct_part parts[] = {
		{"family", 0, 1, KT_PART_NUMBER, "family"},
	};
	const struct kt_value rest = {v->data + 1, v->n - 1};

	kt_text_char(t, '{');
	kt_struct_part_put_all(t, "", parts, 1, v);
	if (rest.n) {
		kt_text_string(t, ", data=");
		kt_text_quoted_in_hex(t, rest.data, rest.n);
	}
	kt_text_char(t, '}');
}

static const struct kt_netlink_message *find_kind(int protocol, const struct message *m)
{
	unsigned int family = m->payload.n ? (unsigned char)*m->payload.data : 0;

	if (m->type < NLMSG_MIN_TYPE)
		return NULL;
	if (protocol == NETLINK_ROUTE)
		return kt_netlink_route_message(m->type);
	if (protocol == NETLINK_SOCK_DIAG)
		return kt_netlink_diag_message(m->type, family, m->flags & NLM_F_REQUEST);
	return NULL;
}

static void put_number(struct kt_text *t, const struct kt_value *v)
{
	static const struct kt_struct_part number = {NULL, 0, NUMBER, KT_PART_SIGNED, NULL};
	const struct kt_value bytes = {v->data, NUMBER};

	kt_struct_part_put_value(t, &number, &bytes);
}

static void put_message(struct kt_text *t, int protocol, const struct message *m, bool is_cut);

static void put_error_number(struct kt_text *t, int32_t error)
{
	const char *name = error < 0 ? strerrorname_np(-error) : NULL;

	if (!name) {
		kt_text_signed(t, error);
		return;
	}
	kt_text_char(t, '-');
	kt_text_string(t, name);
}

/*
 * Splits what follows an error's number: the message, or only its header, and attributes. Returns
 * false if that is no message, or an error again, which the kernel does not answer.
 */
static bool split_error(const struct message *m, struct message *about, struct kt_value *rest)
{
	struct kt_value first = {m->payload.data + NUMBER, m->payload.n - NUMBER};

	if (!read_message(&first, about) || about->type == NLMSG_ERROR)
		return false;
	if (m->flags & NLM_F_CAPPED)
		about->payload.n = 0;
	*rest = (struct kt_value){first.data + HEADER + about->payload.n,
				  first.n - HEADER - about->payload.n};
	return true;
}

/* Prints an error: its number, the message that it answers, and what the kernel says of it. */
static void put_error(struct kt_text *t, int protocol, const struct message *m,
		      const struct message *about, const struct kt_value *rest)
{
	static const struct kt_netlink_attribute known[] = {
		{NLMSGERR_ATTR_MSG, KT_NETLINK_STRING, 0, KT_PART_NUMBER, NULL, NULL, NULL},
		{NLMSGERR_ATTR_OFFS, KT_NETLINK_NUMBER, 4, KT_PART_NUMBER, NULL, NULL, NULL},
	};
	static const struct kt_netlink_attributes table = {"netlink_error", known,
							   sizeof(known) / sizeof(*known)};

	kt_text_string(t, rest->n ? "[{error=" : "{error=");
	put_error_number(t, kt_load(m->payload.data, NUMBER));
	kt_text_string(t, ", msg=");
	put_message(t, protocol, about, false);
	kt_text_char(t, '}');
	if (!rest->n)
		return;
	kt_text_string(t, ", ");
	kt_netlink_attributes_put(t, &table, rest, false);
	kt_text_char(t, ']');
}

/* Prints what follows a message's struct. */
static void put_rest(struct kt_text *t, const struct kt_netlink_message *of,
		     const struct kt_value *v, bool is_cut)
{
	struct kt_value rest;

	if (v->n <= of->size && !is_cut)
		return;
	kt_text_string(t, ", ");
	rest.n = v->n > of->size ? v->n - of->size : 0;
	rest.data = v->data + (v->n - rest.n);
	kt_netlink_attributes_put(t, of->attributes, &rest, is_cut);
}

static void put_payload(struct kt_text *t, int protocol, const struct message *m, bool is_cut)
{
	const struct kt_netlink_message *of = find_kind(protocol, m);
	const struct kt_value *v = &m->payload;
	struct message about;
	struct kt_value rest;

	if (m->type == NLMSG_ERROR && v->n >= NUMBER && split_error(m, &about, &rest)) {
		put_error(t, protocol, m, &about, &rest);
	} else if (m->type == NLMSG_DONE && v->n == NUMBER) {
		put_number(t, v);
	} else if (of && v->n) {
		put_struct(t, of, v);
		put_rest(t, of, v, is_cut);
	} else if (protocol == NETLINK_ROUTE && m->type >= NLMSG_MIN_TYPE && v->n) {
		put_family(t, v);
	} else {
		kt_text_quoted_in_hex(t, v->data, v->n);
	}
}

static void put_message(struct kt_text *t, int protocol, const struct message *m, bool is_cut)
{
	bool has_payload = m->payload.n || is_cut;

	if (has_payload)
		kt_text_char(t, '[');
	put_header(t, protocol, m);
	if (!has_payload)
		return;
	kt_text_string(t, ", ");
	if (m->payload.n)
		put_payload(t, protocol, m, is_cut);
	else
		kt_text_string(t, "...");
	kt_text_char(t, ']');
}

void kt_netlink_put(struct kt_text *t, int protocol, const struct kt_value *v, bool is_cut)
{
	struct kt_value rest = *v;
	struct message m;
	bool is_list = false, is_partial = false;
	size_t n = 0;

	for (; read_message(&rest, &m); n++) {
		is_partial = is_cut && m.length > HEADER + m.payload.n;
		skip_message(&rest, &m);
		if (n == 0 && (rest.n || (is_cut && !is_partial))) {
			kt_text_char(t, '[');
			is_list = true;
		}
		kt_text_separator(t, n);
		put_message(t, protocol, &m, is_partial);
	}
	if (is_cut && !is_partial) {
		kt_text_rest(t, n, 0);
	} else if (!is_cut && (rest.n || n == 0)) {
		kt_text_separator(t, n);
		kt_text_quoted_in_hex(t, rest.data, rest.n);
	}
	if (is_list)
		kt_text_char(t, ']');
}
