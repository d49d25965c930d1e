// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/cmsg.h"

#include <json-c/json.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "base/json.h"
#include "values/sockaddr.h"
#include "values/struct_parts.h"
#include "values/text.h"

enum { N_PARTS = 7, STAMP_SIZE = 16 };

/* Name of data that has one part only. */
static const char data_name[] = "cmsg_data";

/* clang-format off */

#define ALL(kind) {{data_name, 0, 0, kind, NULL}}
#define STAMP(fraction) \
	{{"tv_sec", 0, 8, KT_PART_SIGNED, NULL}, {fraction, 8, 8, KT_PART_NUMBER, NULL}}
#define ERROR \
	{{"ee_errno", 0, 4, KT_PART_NUMBER, NULL}, {"ee_origin", 4, 1, KT_PART_NUMBER, NULL}, \
	 {"ee_type", 5, 1, KT_PART_NUMBER, NULL}, {"ee_code", 6, 1, KT_PART_NUMBER, NULL}, \
	 {"ee_info", 8, 4, KT_PART_NUMBER, NULL}, {"ee_data", 12, 4, KT_PART_NUMBER, NULL}, \
	 {"offender", 16, 0, KT_PART_ADDRESS, NULL}}

static const struct type {
	unsigned int level, number;
	size_t least; /* bytes; data below is not valid */
	struct kt_struct_part parts[N_PARTS];
} types[] = {
	{SOL_SOCKET, 1 /* SCM_RIGHTS */, 4, ALL(KT_PART_INTS)},
	{SOL_SOCKET, 2 /* SCM_CREDENTIALS */, 12,
	 {{"pid", 0, 4, KT_PART_SIGNED, NULL}, {"uid", 4, 4, KT_PART_SIGNED, NULL},
	  {"gid", 8, 4, KT_PART_SIGNED, NULL}}},
	{SOL_SOCKET, 3 /* SCM_SECURITY */, 1, ALL(KT_PART_BYTES)},
	{SOL_SOCKET, 4 /* SCM_PIDFD */, 4, ALL(KT_PART_INTS)},
	{SOL_SOCKET, 29 /* SO_TIMESTAMP_OLD */, 16, STAMP("tv_usec")},
	{SOL_SOCKET, 35 /* SO_TIMESTAMPNS_OLD */, 16, STAMP("tv_nsec")},
	{SOL_SOCKET, 37 /* SO_TIMESTAMPING_OLD */, 3 * STAMP_SIZE, {{data_name, 0, 3 * STAMP_SIZE, KT_PART_STAMPS, NULL}}},
	{SOL_SOCKET, 63 /* SO_TIMESTAMP_NEW */, 16, STAMP("tv_usec")},
	{SOL_SOCKET, 64 /* SO_TIMESTAMPNS_NEW */, 16, STAMP("tv_nsec")},
	{SOL_SOCKET, 65 /* SO_TIMESTAMPING_NEW */, 3 * STAMP_SIZE, {{data_name, 0, 3 * STAMP_SIZE, KT_PART_STAMPS, NULL}}},
	{IPPROTO_IP, IP_TOS, 1, ALL(KT_PART_HEXES)},
	{IPPROTO_IP, IP_TTL, 4, ALL(KT_PART_UINTS)},
	{IPPROTO_IP, 3 /* SCM_SECURITY */, 1, ALL(KT_PART_BYTES)},
	{IPPROTO_IP, IP_RECVOPTS, 1, ALL(KT_PART_HEXES)},
	{IPPROTO_IP, IP_RETOPTS, 1, ALL(KT_PART_HEXES)},
	{IPPROTO_IP, IP_PKTINFO, 12,
	 {{"ipi_ifindex", 0, 4, KT_PART_NUMBER, NULL}, {"ipi_spec_dst", 4, 4, KT_PART_IPV4, NULL},
	  {"ipi_addr", 8, 4, KT_PART_IPV4, NULL}}},
	{IPPROTO_IP, IP_RECVERR, 32, ERROR},
	{IPPROTO_IP, IP_ORIGDSTADDR, 16, ALL(KT_PART_ADDRESS)},
	{IPPROTO_IP, IP_CHECKSUM, 4, ALL(KT_PART_UINTS)},
	{IPPROTO_UDP, 104 /* UDP_GRO */, 4, ALL(KT_PART_INTS)},
	{IPPROTO_IPV6, IPV6_RECVERR, 44, ERROR},
	{IPPROTO_IPV6, IPV6_PKTINFO, 20,
	 {{"ipi6_addr", 0, 16, KT_PART_IPV6, NULL},
	  {"ipi6_ifindex", 16, 4, KT_PART_NUMBER, NULL}}},
	{IPPROTO_IPV6, IPV6_HOPLIMIT, 4, ALL(KT_PART_INTS)},
	{IPPROTO_IPV6, IPV6_TCLASS, 4, ALL(KT_PART_INTS)},
	{IPPROTO_IPV6, IPV6_ORIGDSTADDR, 24, ALL(KT_PART_ADDRESS)},
};

/* clang-format on */

static const struct type other = {.parts = {{data_name, 0, 0, KT_PART_BYTES, NULL}}};

/*
 * Returns the name of the table of a level's types (constants/constants.h); NULL if there is none.
 */
static const char *name_types(unsigned int level)
{
	if (level == SOL_SOCKET)
		return "control_socket";
	if (level == IPPROTO_IP)
		return "control_ip";
	if (level == IPPROTO_UDP)
		return "control_udp";
	return level == IPPROTO_IPV6 ? "control_ipv6" : NULL;
}

enum { HEAD_PARTS = 3, HEAD_SIZE = 16, ALIGNMENT = 8 };

/* A message, and as much of its data as was copied. */
struct message {
	struct kt_value head, data;
	struct kt_struct_part parts[HEAD_PARTS];
	const struct type *type; /* NULL: its data is too short to be valid */
	bool is_last;            /* its length is less than its header */
};

static const struct type *find_type(unsigned int level, unsigned int number, size_t n)
{
	const struct type *type = types, *end = types + sizeof(types) / sizeof(*types);

	while (type < end && (type->level != level || type->number != number))
		type++;
	if (type == end)
		return &other;
	return n < type->least ? NULL : type;
}

/* Takes the first message off the rest. Returns false if there is none. */
static bool take_message(struct kt_value *rest, struct message *m)
{
	unsigned int level, number;
	size_t n = rest->n;
	uint64_t length;

	if (n < HEAD_SIZE)
		return false;
	length = kt_load(rest->data, 8);
	level = kt_load(rest->data + 8, 4);
	number = kt_load(rest->data + 12, 4);
	m->parts[0] = (struct kt_struct_part){"cmsg_len", 0, 8, KT_PART_NUMBER, NULL};
	m->parts[1] = (struct kt_struct_part){"cmsg_level", 8, 4, KT_PART_NUMBER, "level"};
	m->parts[2] = (struct kt_struct_part){"cmsg_type", 12, 4, KT_PART_HEX, name_types(level)};
	m->head = (struct kt_value){rest->data, HEAD_SIZE};
	if (length < n)
		n = length < HEAD_SIZE ? HEAD_SIZE : length;
	m->data = (struct kt_value){rest->data + HEAD_SIZE, n - HEAD_SIZE};
	m->type = find_type(level, number, m->data.n);
	m->is_last = length < HEAD_SIZE;
	n = (n + ALIGNMENT - 1) & -ALIGNMENT;
	if (n > rest->n)
		n = rest->n;
	*rest = (struct kt_value){rest->data + n, rest->n - n};
	return true;
}

static bool has_one_part(const struct type *type)
{
	return type->parts[0].name == data_name;
}

static const struct type stamp = {.parts = STAMP("tv_nsec")};

static struct kt_value get_timestamp(const struct kt_value *v, size_t i)
{
	return (struct kt_value){v->data + i * STAMP_SIZE, STAMP_SIZE};
}

static void put_parts(struct kt_text *t, const struct kt_struct_part *p, size_t n,
		      const struct kt_value *v);

static void put_stamps(struct kt_text *t, const struct kt_value *v)
{
	struct kt_value one;
	size_t i;

	for (i = 0; i < v->n / STAMP_SIZE; i++) {
		one = get_timestamp(v, i);
		kt_text_string(t, i ? ", {" : "[{");
		put_parts(t, stamp.parts, N_PARTS, &one);
		kt_text_char(t, '}');
	}
	kt_text_char(t, ']');
}

static void put_part(struct kt_text *t, const struct kt_struct_part *p,
		     const struct kt_value *bytes)
{
	if (p->kind < KT_PART_ADDRESS) {
		kt_struct_part_put(t, p, bytes);
		return;
	}
	kt_text_string(t, p->name);
	kt_text_char(t, '=');
	if (p->kind == KT_PART_STAMPS)
		put_stamps(t, bytes);
	else
		kt_sockaddr_put(t, bytes);
}

static void put_parts(struct kt_text *t, const struct kt_struct_part *p, size_t n,
		      const struct kt_value *v)
{
	const struct kt_struct_part *end = p + n;
	struct kt_value bytes;
	const char *comma = "";

	for (; p < end && p->name; p++) {
		if (!kt_struct_part_find(v, p, &bytes))
			continue;
		kt_text_string(t, comma);
		put_part(t, p, &bytes);
		comma = ", ";
	}
}

static void put_message(struct kt_text *t, const struct message *m)
{
	kt_text_char(t, '{');
	put_parts(t, m->parts, HEAD_PARTS, &m->head);
	if (m->data.n && m->type) {
		kt_text_string(t, ", ");
		if (!has_one_part(m->type)) {
			kt_text_string(t, data_name);
			kt_text_string(t, "={");
		}
		put_parts(t, m->type->parts, N_PARTS, &m->data);
		if (!has_one_part(m->type))
			kt_text_char(t, '}');
	}
	kt_text_char(t, '}');
}

void kt_cmsg_put(struct kt_text *t, const struct kt_value *v, uint64_t pointer,
		 enum kt_copied copied)
{
	struct message m = {.is_last = false};
	struct kt_value rest = *v;
	size_t n;

	kt_text_char(t, '[');
	for (n = 0; !m.is_last && take_message(&rest, &m); n++) {
		kt_text_separator(t, n);
		put_message(t, &m);
	}
	if (rest.n || copied == KT_COPIED_PART)
		kt_text_rest(t, n, pointer && rest.n ? pointer + (v->n - rest.n) : 0);
	kt_text_char(t, ']');
}

static bool add_parts(struct json_object *o, const struct kt_struct_part *p, size_t n,
		      const struct kt_value *v);

static struct json_object *make_parts(const struct kt_struct_part *p, size_t n,
				      const struct kt_value *v)
{
	struct json_object *o = json_object_new_object();

	if (o && add_parts(o, p, n, v))
		return o;
	json_object_put(o);
	return NULL;
}

static struct json_object *make_stamps(const struct kt_value *v)
{
	struct json_object *array = json_object_new_array();
	bool is_whole = array;
	struct kt_value one;
	size_t i;

	for (i = 0; is_whole && i < v->n / STAMP_SIZE; i++) {
		one = get_timestamp(v, i);
		is_whole = kt_json_append(array, make_parts(stamp.parts, N_PARTS, &one));
	}
	if (is_whole)
		return array;
	json_object_put(array);
	return NULL;
}

static bool add_parts(struct json_object *o, const struct kt_struct_part *p, size_t n,
		      const struct kt_value *v)
{
	const struct kt_struct_part *end = p + n;
	struct kt_value bytes;
	bool is_whole = true;

	for (; is_whole && p < end && p->name; p++) {
		if (!kt_struct_part_find(v, p, &bytes))
			continue;
		if (p->kind == KT_PART_STAMPS)
			is_whole = kt_json_add(o, p->name, make_stamps(&bytes));
		else if (p->kind == KT_PART_ADDRESS)
			is_whole = kt_json_add(o, p->name, kt_sockaddr_object(&bytes));
		else
			is_whole = kt_json_add(o, p->name, kt_struct_part_object(p, &bytes));
	}
	return is_whole;
}

static struct json_object *make_message(const struct message *m)
{
	struct json_object *o = make_parts(m->parts, HEAD_PARTS, &m->head);
	bool is_whole = true;

	if (o && m->data.n && m->type)
		is_whole = has_one_part(m->type)
				   ? add_parts(o, m->type->parts, N_PARTS, &m->data)
				   : kt_json_add(o, data_name,
						 make_parts(m->type->parts, N_PARTS, &m->data));
	if (is_whole)
		return o;
	json_object_put(o);
	return NULL;
}

struct json_object *kt_cmsg_object(const struct kt_value *v)
{
	struct json_object *array = json_object_new_array();
	struct kt_value rest = *v;
	bool is_whole = array;
	struct message m = {.is_last = false};

	while (is_whole && !m.is_last && take_message(&rest, &m))
		is_whole = kt_json_append(array, make_message(&m));
	if (is_whole)
		return array;
	json_object_put(array);
	return NULL;
}
