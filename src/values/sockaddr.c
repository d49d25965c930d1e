// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/sockaddr.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "base/json.h"
#include "trace/record_layout.h"
#include "values/struct_parts.h"
#include "values/text.h"

enum { N_PARTS = 6 };

static const struct family {
	unsigned int number;
	size_t least; /* bytes; a shorter address is not valid */
	struct kt_struct_part parts[N_PARTS];
} families[] = {
	{AF_ALG,
	 24,
	 {{"salg_type", 2, 14, KT_PART_TEXT, NULL},
	  {"salg_feat", 16, 4, KT_PART_HEX, NULL},
	  {"salg_mask", 20, 4, KT_PART_HEX, NULL},
	  {"salg_name", 24, 0, KT_PART_TEXT, NULL}}},
	{AF_INET,
	 16,
	 {{"sin_port", 2, 2, KT_PART_PORT, NULL}, {"sin_addr", 4, 4, KT_PART_IPV4, NULL}}},
	{AF_INET6,
	 24,
	 {{"sin6_port", 2, 2, KT_PART_PORT, NULL},
	  {"sin6_flowinfo", 4, 4, KT_PART_LONG, NULL},
	  {"sin6_addr", 8, 16, KT_PART_IPV6, NULL},
	  {"sin6_scope_id", 24, 4, KT_PART_NUMBER, NULL}}},
	{AF_NETLINK,
	 12,
	 {{"nl_pid", 4, 4, KT_PART_SIGNED, NULL}, {"nl_groups", 8, 4, KT_PART_MASK, NULL}}},
	{AF_PACKET,
	 20,
	 {{"sll_protocol", 2, 2, KT_PART_PORT, "ethernet"},
	  {"sll_ifindex", 4, 4, KT_PART_NUMBER, NULL},
	  {"sll_hatype", 8, 2, KT_PART_NUMBER, "hardware"},
	  {"sll_pkttype", 10, 1, KT_PART_NUMBER, "packet"},
	  {"sll_halen", 11, 1, KT_PART_NUMBER, NULL},
	  {"sll_addr", 12, 8, KT_PART_OCTETS, NULL}}},
	{AF_RXRPC,
	 36,
	 {{"srx_service", 2, 2, KT_PART_NUMBER, "rxrpc_service"},
	  {"transport_type", 4, 2, KT_PART_NUMBER, "socket_type"},
	  {"transport_len", 6, 2, KT_PART_NUMBER, NULL},
	  {"transport", 8, 28, KT_PART_FAMILY, NULL}}},
	{AF_UNIX, 3, {{"sun_path", 2, 0, KT_PART_PATH, NULL}}},
	{AF_VSOCK,
	 16,
	 {{"svm_cid", 8, 4, KT_PART_NUMBER, "vsock"},
	  {"svm_port", 4, 4, KT_PART_HEX, NULL},
	  {"svm_flags", 12, 1, KT_PART_HEX, NULL}}},
};

static const struct kt_struct_part family_part = {"sa_family", 0, 2, KT_PART_NUMBER, "family"};
static const struct family other = {.parts = {{"sa_data", 2, 0, KT_PART_BYTES, NULL}}};

static const struct family *find_family(const struct kt_value *v)
{
	size_t i, number = kt_load(v->data, family_part.size);

	for (i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (families[i].number == number && v->n >= families[i].least)
			return &families[i];
	return &other;
}

void kt_sockaddr_put(struct kt_text *t, const struct kt_value *v)
{
	struct kt_value bytes = {v->data, family_part.size};

	kt_text_char(t, '{');
	kt_struct_part_put(t, &family_part, &bytes);
	kt_struct_part_put_all(t, ", ", find_family(v)->parts, N_PARTS, v);
	kt_text_char(t, '}');
}

struct json_object *kt_sockaddr_object(const struct kt_value *v)
{
	struct kt_value bytes = {v->data, family_part.size};
	struct json_object *o = json_object_new_object();

	if (kt_json_add(o, family_part.name, kt_struct_part_object(&family_part, &bytes)) &&
	    kt_struct_part_add_all(o, find_family(v)->parts, N_PARTS, v))
		return o;
	json_object_put(o);
	return NULL;
}
