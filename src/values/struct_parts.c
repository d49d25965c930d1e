// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/struct_parts.h"

#include <arpa/inet.h>
#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "constants/constants.h"
#include "constants/labels.h"
#include "trace/record_layout.h"
#include "values/number_forms.h"
#include "values/text.h"

bool kt_struct_part_find(const struct kt_value *v, const struct kt_struct_part *p,
			 struct kt_value *bytes)
{
	size_t rest = p->at < v->n ? v->n - p->at : 0;

	*bytes = (struct kt_value){v->data + p->at, p->size ? p->size : rest};
	if (p->kind == KT_PART_OCTETS && bytes->n <= rest &&
	    (unsigned char)bytes->data[-1] < bytes->n)
		bytes->n = (unsigned char)bytes->data[-1];
	if (p->kind == KT_PART_MAC && bytes->n <= rest && kt_load(bytes->data - 2, 2) < bytes->n)
		bytes->n = kt_load(bytes->data - 2, 2);
	return bytes->n && bytes->n <= rest;
}

static uint64_t read_number(const struct kt_struct_part *p, const struct kt_value *bytes)
{
	uint64_t n = kt_load(bytes->data, bytes->n);
	unsigned int unused = 64 - 8 * bytes->n;

	if (p->kind == KT_PART_PORT)
		return ntohs(n);
	if (p->kind == KT_PART_SIGNED)
		return (int64_t)(n << unused) >> unused;
	return p->kind == KT_PART_LONG ? ntohl(n) : n;
}

/* Returns the number's label, or NULL. */
static const char *get_label(const struct kt_struct_part *p, const struct kt_value *bytes)
{
	struct kt_labelled found = {0};

	if (p->labels)
		kt_labels_of(kt_constants_find(p->labels), read_number(p, bytes), &found);
	return found.n ? found.text[0] : NULL;
}

/* Finds all flags, and the bits without one. */
static void find_flags(const struct kt_struct_part *p, const struct kt_value *bytes,
		       struct kt_labelled *all)
{
	char names[128], *rest = names, *name;
	struct kt_labelled found;
	size_t i;

	all->n = 0;
	all->rest = read_number(p, bytes);
	snprintf(names, sizeof(names), "%s", p->labels);
	while ((name = strsep(&rest, " "))) {
		kt_labels_of(kt_constants_find(name), all->rest, &found);
		for (i = 0; i < found.n && all->n < sizeof(all->text) / sizeof(*all->text); i++)
			all->text[all->n++] = found.text[i];
		all->rest = found.rest;
	}
}

static size_t text_length(const struct kt_value *bytes)
{
	return strnlen(bytes->data, bytes->n);
}

static size_t write_ip(const struct kt_struct_part *p, const struct kt_value *bytes,
		       char text[KT_NOTATION_MAX])
{
	return kt_notation_write(p->kind == KT_PART_IPV6 ? KT_IPV6 : KT_IPV4, bytes->data, bytes->n,
				 text);
}

/* Prints a mask as strace does: with its digits padded as if there were no 0x. */
static void put_mask(struct kt_text *t, uint64_t n, size_t size)
{
	char text[16];

	kt_text_put(t, text, snprintf(text, sizeof(text), "%#0*x", 2 * (int)size, (unsigned int)n));
}

static void put_plain(struct kt_text *t, const struct kt_struct_part *p,
		      const struct kt_value *bytes)
{
	const struct kt_labels *labels = p->labels ? kt_constants_find(p->labels) : NULL;
	bool is_decimal = labels && labels->is_decimal;
	uint64_t n = read_number(p, bytes);

	if (p->kind == KT_PART_MASK)
		put_mask(t, n, bytes->n);
	else if (p->kind == KT_PART_TICKS)
		kt_number_form_put(t, KT_NUMBER_TICKS, n);
	else if (p->kind == KT_PART_ERROR && strerrorname_np(n))
		kt_text_string(t, strerrorname_np(n));
	else if (p->kind == KT_PART_POINTER && !n)
		kt_text_string(t, "NULL");
	else if (p->kind == KT_PART_HEX || p->kind == KT_PART_POINTER || (p->labels && !is_decimal))
		kt_text_bits(t, n);
	else if (p->kind == KT_PART_SIGNED)
		kt_text_signed(t, n);
	else
		kt_text_number(t, n);
}

static void put_number(struct kt_text *t, const struct kt_struct_part *p,
		       const struct kt_value *bytes)
{
	const struct kt_labels *labels = p->labels ? kt_constants_find(p->labels) : NULL;
	const char *unnamed = labels ? labels->unnamed : NULL;
	const char *name = get_label(p, bytes);

	if (name && t->names == KT_NAMES_ABBREV && labels->form != KT_LABELS_COMMENTS) {
		kt_text_string(t, name);
		return;
	}
	put_plain(t, p, bytes);
	if (t->names != KT_NAMES_RAW && (name || unnamed))
		kt_text_comment(t, name ? name : unnamed);
}

static void put_names(struct kt_text *t, const struct kt_labelled *found)
{
	size_t i;

	for (i = 0; i < found->n; i++) {
		if (i > 0)
			kt_text_char(t, '|');
		kt_text_string(t, found->text[i]);
	}
	if (found->n && found->rest)
		kt_text_char(t, '|');
	if (found->rest || !found->n)
		kt_text_bits(t, found->rest);
}

static void put_flags(struct kt_text *t, const struct kt_struct_part *p,
		      const struct kt_value *bytes)
{
	const struct kt_labels *labels = kt_constants_find(p->labels); /* NULL: several tables */
	struct kt_labelled found;

	find_flags(p, bytes, &found);
	if (found.n && t->names == KT_NAMES_ABBREV) {
		put_names(t, &found);
		return;
	}
	kt_text_bits(t, read_number(p, bytes));
	if (t->names == KT_NAMES_RAW)
		return;
	if (!found.n && found.rest && labels && labels->unnamed)
		kt_text_comment(t, labels->unnamed);
	if (!found.n)
		return;
	kt_text_string(t, " /* ");
	put_names(t, &found);
	kt_text_string(t, " */");
}

/* Returns what the elements of a list are; NULL if it is no list. */
static const struct kt_struct_part *get_element_part(const struct kt_struct_part *p)
{
	static const struct kt_struct_part elements[] = {
		[KT_PART_OCTETS] = {NULL, 0, 1, KT_PART_MASK, NULL},
		[KT_PART_NAMED] = {NULL, 0, 1, KT_PART_HEX, NULL},
		[KT_PART_HEXES] = {NULL, 0, 1, KT_PART_HEX, NULL},
		[KT_PART_INTS] = {NULL, 0, 4, KT_PART_SIGNED, NULL},
		[KT_PART_UINTS] = {NULL, 0, 4, KT_PART_NUMBER, NULL},
	};

	return p->kind >= KT_PART_OCTETS ? &elements[p->kind] : NULL;
}

static struct kt_value get_element(const struct kt_struct_part *of, const struct kt_value *bytes,
				   size_t i)
{
	return (struct kt_value){bytes->data + i * of->size, of->size};
}

/* Prints "[NAME]=", or "[5]=". */
static void put_place(struct kt_text *t, const struct kt_labels *names, size_t i)
{
	struct kt_labelled found;

	kt_labels_of(names, i, &found);
	kt_text_char(t, '[');
	if (found.n)
		kt_text_string(t, found.text[0]);
	else
		kt_text_number(t, i);
	kt_text_string(t, "]=");
}

static void put_list(struct kt_text *t, const struct kt_struct_part *of,
		     const struct kt_value *bytes, bool is_limited, const struct kt_labels *names)
{
	size_t i, all = bytes->n / of->size;
	size_t n = is_limited ? kt_text_limited(t, all) : all;
	struct kt_value one;

	kt_text_char(t, '[');
	for (i = 0; i < n; i++) {
		if (i > 0)
			kt_text_string(t, ", ");
		if (names)
			put_place(t, names, i);
		one = get_element(of, bytes, i);
		put_number(t, of, &one);
	}
	if (n < all)
		kt_text_string(t, n ? ", ..." : "...");
	kt_text_char(t, ']');
}

/* Prints an address within another one: {family=AF_X25, "\1\2"} */
static void put_family(struct kt_text *t, const struct kt_value *bytes)
{
	static const struct kt_struct_part family = {"family", 0, 2, KT_PART_NUMBER, "family"};
	struct kt_value number = {bytes->data, family.size};

	kt_text_char(t, '{');
	kt_struct_part_put(t, &family, &number);
	kt_text_string(t, ", ");
	kt_text_quoted(t, bytes->data + family.size, bytes->n - family.size);
	kt_text_char(t, '}');
}

static size_t write_mac(const struct kt_value *bytes, char text[KT_NOTATION_MAX])
{
	size_t i, n = 0;

	*text = '\0';
	for (i = 0; i < bytes->n && n + 4 < KT_NOTATION_MAX; i++)
		n += sprintf(text + n, i ? ":%02x" : "%02x", (unsigned char)bytes->data[i]);
	return n;
}

static void put_mac(struct kt_text *t, const struct kt_value *bytes)
{
	char text[KT_NOTATION_MAX];

	write_mac(bytes, text);
	if (t->names == KT_NAMES_ABBREV) {
		kt_text_string(t, text);
		return;
	}
	kt_text_quoted_in_hex(t, bytes->data, bytes->n);
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_comment(t, text);
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

/* Prints the call by which a program would make the value, as strace does: htons(80). */
static void put_call(struct kt_text *t, const struct kt_struct_part *p,
		     const struct kt_value *bytes)
{
	static const char *const calls[] = {[KT_PART_PORT] = "htons(",
					    [KT_PART_LONG] = "htonl(",
					    [KT_PART_IPV4] = "inet_addr(\"",
					    [KT_PART_IPV6] = "inet_pton(AF_INET6, \""};
	char text[KT_NOTATION_MAX];

	kt_text_string(t, calls[p->kind]);
	if (p->kind == KT_PART_PORT || p->kind == KT_PART_LONG) {
		put_number(t, p, bytes);
		kt_text_char(t, ')');
		return;
	}
	kt_text_put(t, text, write_ip(p, bytes, text));
	if (p->kind == KT_PART_IPV6) {
		kt_text_char(t, '"');
		if (p->name) {
			kt_text_string(t, ", &");
			kt_text_string(t, p->name);
		}
		kt_text_char(t, ')');
	} else {
		kt_text_string(t, "\")");
	}
}

void kt_struct_part_put_value(struct kt_text *t, const struct kt_struct_part *p,
			      const struct kt_value *bytes)
{
	const struct kt_struct_part *of = get_element_part(p);

	if (p->kind == KT_PART_FLAGS)
		put_flags(t, p, bytes);
	else if (p->kind < KT_PART_PORT)
		put_number(t, p, bytes);
	else if (p->kind < KT_PART_TEXT)
		put_call(t, p, bytes);
	else if (of)
		put_list(t, of, bytes, p->kind > KT_PART_NAMED,
			 p->kind == KT_PART_NAMED ? kt_constants_find(p->labels) : NULL);
	else if (p->kind == KT_PART_PATH)
		put_path(t, bytes);
	else if (p->kind == KT_PART_FAMILY)
		put_family(t, bytes);
	else if (p->kind == KT_PART_MAC)
		put_mac(t, bytes);
	else
		kt_text_quoted(t, bytes->data,
			       p->kind == KT_PART_TEXT ? text_length(bytes) : bytes->n);
}

void kt_struct_part_put(struct kt_text *t, const struct kt_struct_part *p,
			const struct kt_value *bytes)
{
	if (p->kind != KT_PART_IPV6) {
		kt_text_string(t, p->name);
		kt_text_char(t, '=');
	}
	kt_struct_part_put_value(t, p, bytes);
}

const char *kt_struct_part_put_all(struct kt_text *t, const char *before,
				   const struct kt_struct_part *parts, size_t n,
				   const struct kt_value *v)
{
	const struct kt_struct_part *p = parts;
	struct kt_value bytes;

	for (; p < parts + n && p->name; p++) {
		if (!kt_struct_part_find(v, p, &bytes))
			continue;
		kt_text_string(t, before);
		kt_struct_part_put(t, p, &bytes);
		before = ", ";
	}
	return before;
}

static struct json_object *make_number(const struct kt_struct_part *p, const struct kt_value *bytes)
{
	uint64_t n = read_number(p, bytes);

	return p->kind == KT_PART_SIGNED ? json_object_new_int64(n) : json_object_new_uint64(n);
}

static struct json_object *make_flags(const struct kt_struct_part *p, const struct kt_value *bytes)
{
	struct json_object *array = json_object_new_array();
	struct kt_labelled found;
	bool is_whole = array;
	size_t i;

	find_flags(p, bytes, &found);
	for (i = 0; i < found.n && is_whole; i++)
		is_whole = kt_json_append(array, json_object_new_string(found.text[i]));
	if (found.rest && is_whole)
		is_whole = kt_json_append(array, json_object_new_uint64(found.rest));
	if (is_whole)
		return array;
	json_object_put(array);
	return NULL;
}

static struct json_object *make_list(const struct kt_struct_part *of, const struct kt_value *bytes)
{
	struct json_object *array = json_object_new_array();
	struct kt_value one;
	size_t i;

	for (i = 0; array && i < bytes->n / of->size; i++) {
		one = get_element(of, bytes, i);
		if (!kt_json_append(array, make_number(of, &one))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* Returns the length of a path; an abstract name begins with a NUL. */
static size_t path_length(const struct kt_value *bytes)
{
	return *bytes->data ? text_length(bytes) : bytes->n;
}

struct json_object *kt_struct_part_object(const struct kt_struct_part *p,
					  const struct kt_value *bytes)
{
	static const struct kt_struct_part octets = {NULL, 0, 0, KT_PART_OCTETS, NULL};
	const struct kt_struct_part *of = get_element_part(
		p->kind == KT_PART_BYTES || p->kind == KT_PART_FAMILY ? &octets : p);
	char text[KT_NOTATION_MAX];
	const char *name;

	if (of)
		return make_list(of, bytes);
	if (p->kind == KT_PART_FLAGS)
		return make_flags(p, bytes);
	if (p->kind == KT_PART_TEXT || p->kind == KT_PART_PATH)
		return kt_json_text(bytes->data, p->kind == KT_PART_PATH ? path_length(bytes)
									 : text_length(bytes));
	if (p->kind == KT_PART_IPV4 || p->kind == KT_PART_IPV6)
		return json_object_new_string_len(text, write_ip(p, bytes, text));
	if (p->kind == KT_PART_MAC)
		return json_object_new_string_len(text, write_mac(bytes, text));
	name = get_label(p, bytes);
	return name ? json_object_new_string(name) : make_number(p, bytes);
}

bool kt_struct_part_add_all(struct json_object *o, const struct kt_struct_part *parts, size_t n,
			    const struct kt_value *v)
{
	const struct kt_struct_part *p = parts;
	struct kt_value bytes;
	bool is_whole = o;

	for (; is_whole && p < parts + n && p->name; p++)
		if (kt_struct_part_find(v, p, &bytes))
			is_whole = kt_json_add(o, p->name, kt_struct_part_object(p, &bytes));
	return is_whole;
}
