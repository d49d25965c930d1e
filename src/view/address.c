// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/address.h"

#include <arpa/inet.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/json.h"
#include "base/labels.h"
#include "catalog/constants.h"
#include "trace/shape.h"
#include "view/text.h"

enum kind {
	NUMBER,
	SIGNED,
	HEX,
	MASK,   /* six digits at least */
	PORT,   /* two bytes as they are sent, */
	LONG,   /* four */
	IPV4,   /* bytes, as all that follow */
	IPV6,   /* with a name behind them */
	TEXT,   /* up to its 0 */
	PATH,   /* text; or, behind a 0, a name that is no file's */
	BYTES,  /* of anything */
	OCTETS, /* as many as the byte in front says, at most */
};

/*
 * A part; of size 0 one that reaches to the end. The labels are those of catalog/constants, and a
 * number that has none there is shown as HEX is.
 */
struct part {
	const char *name;
	unsigned int at, size;
	enum kind kind;
	const char *labels;
};

enum { N_PARTS = 6 };

static const struct family {
	unsigned int number;
	size_t least; /* a shorter one is not valid */
	struct part parts[N_PARTS];
} families[] = {
	{AF_ALG,
	 24,
	 {{"salg_type", 2, 14, TEXT, NULL},
	  {"salg_feat", 16, 4, HEX, NULL},
	  {"salg_mask", 20, 4, HEX, NULL},
	  {"salg_name", 24, 0, TEXT, NULL}}},
	{AF_INET, 16, {{"sin_port", 2, 2, PORT, NULL}, {"sin_addr", 4, 4, IPV4, NULL}}},
	{AF_INET6,
	 24,
	 {{"sin6_port", 2, 2, PORT, NULL},
	  {"sin6_flowinfo", 4, 4, LONG, NULL},
	  {"sin6_addr", 8, 16, IPV6, NULL},
	  {"sin6_scope_id", 24, 4, NUMBER, NULL}}},
	{AF_NETLINK, 12, {{"nl_pid", 4, 4, SIGNED, NULL}, {"nl_groups", 8, 4, MASK, NULL}}},
	{AF_PACKET,
	 20,
	 {{"sll_protocol", 2, 2, PORT, "ethernet"},
	  {"sll_ifindex", 4, 4, NUMBER, NULL},
	  {"sll_hatype", 8, 2, NUMBER, "hardware"},
	  {"sll_pkttype", 10, 1, NUMBER, "packet"},
	  {"sll_halen", 11, 1, NUMBER, NULL},
	  {"sll_addr", 12, 8, OCTETS, NULL}}},
	{AF_UNIX, 3, {{"sun_path", 2, 0, PATH, NULL}}},
	{AF_VSOCK,
	 16,
	 {{"svm_cid", 8, 4, NUMBER, "vsock"},
	  {"svm_port", 4, 4, HEX, NULL},
	  {"svm_flags", 12, 1, HEX, NULL}}},
};

static const struct part family_part = {"sa_family", 0, 2, NUMBER, "family"};
static const struct family other = {.parts = {{"sa_data", 2, 0, BYTES, NULL}}};

static const struct family *find_family(const struct kt_value *v)
{
	size_t i, number = kt_load(v->data, family_part.size);

	for (i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (families[i].number == number && v->n >= families[i].least)
			return &families[i];
	return &other;
}

/* What the address has of it, if it has all of it. */
static bool find_bytes(const struct kt_value *v, const struct part *p, struct kt_value *bytes)
{
	size_t rest = p->at < v->n ? v->n - p->at : 0;

	*bytes = (struct kt_value){v->data + p->at, p->size ? p->size : rest};
	if (p->kind == OCTETS && bytes->n <= rest && (unsigned char)bytes->data[-1] < bytes->n)
		bytes->n = (unsigned char)bytes->data[-1];
	return bytes->n && bytes->n <= rest;
}

static uint64_t number_of(const struct part *p, const struct kt_value *bytes)
{
	uint64_t n = kt_load(bytes->data, bytes->n);

	if (p->kind == PORT)
		return ntohs(n);
	if (p->kind == SIGNED)
		return (int32_t)n;
	return p->kind == LONG ? ntohl(n) : n;
}

/* What the number is called, or NULL. */
static const char *name_of(const struct part *p, const struct kt_value *bytes)
{
	struct kt_labelled found = {0};

	if (p->labels)
		kt_labels_of(kt_constants_find(p->labels), number_of(p, bytes), &found);
	return found.n ? found.text[0] : NULL;
}

static size_t text_length(const struct kt_value *bytes)
{
	return strnlen(bytes->data, bytes->n);
}

static size_t write_ip(const struct part *p, const struct kt_value *bytes,
		       char text[KT_NOTATION_MAX])
{
	return kt_notation_write(p->kind == IPV6 ? KT_IPV6 : KT_IPV4, bytes->data, bytes->n, text);
}

static void put_number(struct kt_text *t, const struct part *p, const struct kt_value *bytes)
{
	const char *name = name_of(p, bytes);
	uint64_t n = number_of(p, bytes);

	if (name)
		kt_text_string(t, name);
	else if ((p->kind == HEX || p->labels) && n)
		kt_text_hex(t, n);
	else if (p->kind == SIGNED)
		kt_text_signed(t, n);
	else
		kt_text_number(t, n);
}

static void put_mask(struct kt_text *t, uint64_t n)
{
	char text[16];

	kt_text_put(t, text, snprintf(text, sizeof(text), "%#08x", (unsigned int)n));
}

static void put_octets(struct kt_text *t, const struct kt_value *bytes)
{
	size_t i;

	kt_text_char(t, '[');
	for (i = 0; i < bytes->n; i++) {
		if (i > 0)
			kt_text_string(t, ", ");
		kt_text_hex(t, (unsigned char)bytes->data[i]);
	}
	kt_text_char(t, ']');
}

static void put_path(struct kt_text *t, const struct kt_value *bytes)
{
	if (*bytes->data) {
		kt_text_quoted(t, bytes->data, text_length(bytes));
		return;
	}
	kt_text_char(t, '@');
	kt_text_quoted(t, bytes->data + 1, bytes->n - 1);
}

/* In strace's words it is called what a program would write to have it. */
static void put_call(struct kt_text *t, const struct part *p, const struct kt_value *bytes)
{
	static const char *const calls[] = {[PORT] = "htons(",
					    [LONG] = "htonl(",
					    [IPV4] = "inet_addr(\"",
					    [IPV6] = "inet_pton(AF_INET6, \""};
	char text[KT_NOTATION_MAX];

	kt_text_string(t, calls[p->kind]);
	if (p->kind == PORT || p->kind == LONG) {
		put_number(t, p, bytes);
		kt_text_char(t, ')');
		return;
	}
	kt_text_put(t, text, write_ip(p, bytes, text));
	if (p->kind == IPV6) {
		kt_text_string(t, "\", &");
		kt_text_string(t, p->name);
		kt_text_char(t, ')');
	} else {
		kt_text_string(t, "\")");
	}
}

static void put_part(struct kt_text *t, const struct part *p, const struct kt_value *bytes)
{
	if (p->kind != IPV6) {
		kt_text_string(t, p->name);
		kt_text_char(t, '=');
	}
	if (p->kind == MASK)
		put_mask(t, number_of(p, bytes));
	else if (p->kind < PORT)
		put_number(t, p, bytes);
	else if (p->kind < TEXT)
		put_call(t, p, bytes);
	else if (p->kind == OCTETS)
		put_octets(t, bytes);
	else if (p->kind == PATH)
		put_path(t, bytes);
	else
		kt_text_quoted(t, bytes->data, p->kind == TEXT ? text_length(bytes) : bytes->n);
}

void kt_address_put(struct kt_text *t, const struct kt_value *v)
{
	const struct part *p = find_family(v)->parts, *end = p + N_PARTS;
	struct kt_value bytes = {v->data, family_part.size};

	kt_text_char(t, '{');
	put_part(t, &family_part, &bytes);
	for (; p < end && p->name; p++) {
		if (!find_bytes(v, p, &bytes))
			continue;
		kt_text_string(t, ", ");
		put_part(t, p, &bytes);
	}
	kt_text_char(t, '}');
}

static struct json_object *make_octets(const struct kt_value *bytes)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; array && i < bytes->n; i++) {
		if (!kt_json_append(array, json_object_new_int((unsigned char)bytes->data[i]))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* A name that is no file's has its 0 in front. */
static size_t path_length(const struct kt_value *bytes)
{
	return *bytes->data ? text_length(bytes) : bytes->n;
}

static struct json_object *make_part(const struct part *p, const struct kt_value *bytes)
{
	char text[KT_NOTATION_MAX];
	const char *name;

	if (p->kind == BYTES || p->kind == OCTETS)
		return make_octets(bytes);
	if (p->kind == TEXT || p->kind == PATH)
		return kt_json_text(bytes->data,
				    p->kind == PATH ? path_length(bytes) : text_length(bytes));
	if (p->kind == IPV4 || p->kind == IPV6)
		return json_object_new_string_len(text, write_ip(p, bytes, text));
	name = name_of(p, bytes);
	if (name)
		return json_object_new_string(name);
	return p->kind == SIGNED ? json_object_new_int64(number_of(p, bytes))
				 : json_object_new_uint64(number_of(p, bytes));
}

struct json_object *kt_address_object(const struct kt_value *v)
{
	const struct part *p = find_family(v)->parts, *end = p + N_PARTS;
	struct kt_value bytes = {v->data, family_part.size};
	struct json_object *o = json_object_new_object();
	bool is_whole = kt_json_add(o, family_part.name, make_part(&family_part, &bytes));

	for (; is_whole && p < end && p->name; p++)
		if (find_bytes(v, p, &bytes))
			is_whole = kt_json_add(o, p->name, make_part(p, &bytes));
	if (is_whole)
		return o;
	json_object_put(o);
	return NULL;
}
