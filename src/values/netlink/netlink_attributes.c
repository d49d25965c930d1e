// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/netlink/netlink_attributes.h"

#include <linux/netlink.h>
#include <stdint.h>
#include <string.h>

#include "trace/record_layout.h"
#include "values/text.h"

enum { HEADER = NLA_HDRLEN, IPV4_SIZE = 4, IPV6_SIZE = 16, PARTS_MAX = 32 };

/* An attribute, and as much of its data as there is. */
struct attribute {
	uint16_t length, type;
	struct kt_value header, data;
};

/* Takes the first attribute off the rest. Returns false if there is no header. */
static bool take_attribute(struct kt_value *rest, struct attribute *a)
{
	size_t n = rest->n, next;

	if (n < HEADER)
		return false;
	a->length = kt_load(rest->data, 2);
	a->type = kt_load(rest->data + 2, 2);
	a->header = (struct kt_value){rest->data, HEADER};
	if (a->length < n)
		n = a->length < HEADER ? HEADER : a->length;
	a->data = (struct kt_value){rest->data + HEADER, n - HEADER};
	next = NLA_ALIGN(a->length);
	if (a->length < HEADER || next > rest->n)
		next = rest->n;
	*rest = (struct kt_value){rest->data + next, rest->n - next};
	return true;
}

static const struct kt_netlink_attribute *find_attribute(const struct kt_netlink_attributes *table,
							 unsigned int type)
{
	size_t i;

	for (i = 0; table && i < table->n; i++)
		if (table->of[i].type == type)
			return &table->of[i];
	return NULL;
}

static void put_header(struct kt_text *t, const struct kt_netlink_attributes *table,
		       const struct attribute *a)
{
	static const struct kt_struct_part length = {"nla_len", 0, 2, KT_PART_NUMBER, NULL};
	const struct kt_struct_part type = {NULL, 0, 2, table ? KT_PART_NUMBER : KT_PART_HEX,
					    table ? table->labels : NULL};
	uint16_t number = a->type & NLA_TYPE_MASK;
	const struct kt_value bytes = {(const char *)&number, sizeof(number)};
	struct kt_value first = {a->header.data, 2};

	kt_text_char(t, '{');
	kt_struct_part_put(t, &length, &first);
	kt_text_string(t, ", nla_type=");
	if (a->type & NLA_F_NESTED)
		kt_text_string(t, "NLA_F_NESTED|");
	if (a->type & NLA_F_NET_BYTEORDER)
		kt_text_string(t, "NLA_F_NET_BYTEORDER|");
	kt_struct_part_put_value(t, &type, &bytes);
	kt_text_char(t, '}');
}

static bool is_address(const struct kt_value *v)
{
	return v->n == IPV4_SIZE || v->n == IPV6_SIZE;
}

static void put_address(struct kt_text *t, const struct kt_value *v)
{
	const struct kt_struct_part p = {NULL, 0, v->n,
					 v->n == IPV4_SIZE ? KT_PART_IPV4 : KT_PART_IPV6, NULL};

	kt_struct_part_put_value(t, &p, v);
}

static void put_struct(struct kt_text *t, const struct kt_netlink_attribute *form,
		       const struct kt_value *v)
{
	kt_text_char(t, '{');
	kt_struct_part_put_all(t, "", form->parts, PARTS_MAX, v);
	kt_text_char(t, '}');
}

/* Prints data in its form. Returns false if it does not fit. */
static bool put_formed(struct kt_text *t, const struct kt_netlink_attribute *form,
		       const struct kt_value *v)
{
	static const struct kt_struct_part mac = {NULL, 0, 0, KT_PART_MAC, NULL};
	const struct kt_struct_part number = {NULL, 0, form->size, form->kind, form->labels};
	const struct kt_value bytes = {v->data, form->size};

	if (form->form == KT_NETLINK_STRING)
		kt_text_quoted(t, v->data, strnlen(v->data, v->n));
	else if (form->form == KT_NETLINK_NUMBER && v->n >= form->size)
		kt_struct_part_put_value(t, &number, &bytes);
	else if (form->form == KT_NETLINK_ADDRESS && is_address(v))
		put_address(t, v);
	else if (form->form == KT_NETLINK_MAC)
		kt_struct_part_put_value(t, &mac, v);
	else if (form->form == KT_NETLINK_STRUCT && v->n >= form->size)
		put_struct(t, form, v);
	else if (form->form == KT_NETLINK_NESTED)
		kt_netlink_attributes_put(t, form->nested, v, false);
	else
		return false;
	return true;
}

static void put_attribute(struct kt_text *t, const struct kt_netlink_attributes *table,
			  const struct attribute *a)
{
	const struct kt_netlink_attribute *form = find_attribute(table, a->type & NLA_TYPE_MASK);

	if (a->data.n)
		kt_text_char(t, '[');
	put_header(t, table, a);
	if (!a->data.n)
		return;
	kt_text_string(t, ", ");
	if (!form || !put_formed(t, form, &a->data))
		kt_text_quoted_in_hex(t, a->data.data, a->data.n);
	kt_text_char(t, ']');
}

/* Returns whether less of the attribute is there than its length says. */
static bool is_partial(const struct attribute *a)
{
	return a->length > HEADER + a->data.n;
}

void kt_netlink_attributes_put(struct kt_text *t, const struct kt_netlink_attributes *table,
			       const struct kt_value *v, bool is_cut)
{
	struct kt_value rest = *v;
	struct attribute a;
	bool is_list = false;
	size_t n = 0;

	for (; take_attribute(&rest, &a) && !(is_cut && is_partial(&a)); n++) {
		if (n == 0 && (rest.n || is_cut)) {
			kt_text_char(t, '[');
			is_list = true;
		}
		kt_text_separator(t, n);
		if (kt_text_limited(t, n + 1) == n && t->brief) {
			kt_text_string(t, "...");
			kt_text_char(t, ']');
			return;
		}
		put_attribute(t, table, &a);
	}
	if (is_cut) {
		kt_text_rest(t, n, 0);
	} else if (rest.n || n == 0) {
		kt_text_separator(t, n);
		kt_text_quoted_in_hex(t, rest.data, rest.n);
	}
	if (is_list)
		kt_text_char(t, ']');
}
