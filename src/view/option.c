// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/option.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "base/labels.h"
#include "catalog/constants.h"
#include "trace/schema.h"
#include "trace/source.h"
#include "trace/variants.h"
#include "view/part.h"
#include "view/text.h"

enum { N_PARTS = 3, NUMBER_SIZE = 4 };

/* clang-format off */

#define GROUP \
	{{"imr_multiaddr", 0, 4, KT_PART_IPV4, NULL}, {"imr_interface", 4, 4, KT_PART_IPV4, NULL}, \
	 {"imr_ifindex", 8, 4, KT_PART_SIGNED, NULL}}
#define GROUP6 \
	{{"ipv6mr_multiaddr", 0, 16, KT_PART_IPV6, NULL}, {"ipv6mr_interface", 16, 4, KT_PART_NUMBER, NULL}}
#define LIMIT \
	{{"tv_sec", 0, 8, KT_PART_SIGNED, NULL}, {"tv_usec", 8, 8, KT_PART_SIGNED, NULL}}

/* Those of which four bytes are no number: structs, and without parts text. */
static const struct option {
	const char *name;
	struct kt_part parts[N_PARTS];
} options[] = {
	{"IPV6_ADD_MEMBERSHIP", GROUP6},
	{"IPV6_DROP_MEMBERSHIP", GROUP6},
	{"IP_ADD_MEMBERSHIP", GROUP},
	{"IP_DROP_MEMBERSHIP", GROUP},
	{"SO_BINDTODEVICE", {}},
	{"SO_LINGER", {{"l_onoff", 0, 4, KT_PART_SIGNED, NULL}, {"l_linger", 4, 4, KT_PART_SIGNED, NULL}}},
	{"SO_PEERCRED",
	 {{"pid", 0, 4, KT_PART_SIGNED, NULL}, {"uid", 4, 4, KT_PART_SIGNED, NULL},
	  {"gid", 8, 4, KT_PART_SIGNED, NULL}}},
	{"SO_RCVTIMEO_NEW", LIMIT},
	{"SO_RCVTIMEO_OLD", LIMIT},
	{"SO_SNDTIMEO_NEW", LIMIT},
	{"SO_SNDTIMEO_OLD", LIMIT},
	{"TCP_CONGESTION", {}},
	{"TCP_ULP", {}},
};

/* clang-format on */

const char *kt_option_at(const struct kt_hit *entry, size_t argument)
{
	const struct kt_member *m;
	struct kt_labelled found;
	uint64_t n;

	if (argument == 0)
		return NULL;
	m = kt_variant_of(&entry->event->fields, entry->values, argument - 1);
	if (!m || !m->labels || m->labels->are_flags)
		return NULL;
	n = kt_value_number(m, &entry->values[argument - 1], 0);
	kt_labels_of(m->labels, n, &found);
	return found.n ? found.text[0] : NULL;
}

const char *kt_option_copied(const struct kt_hit *hit, size_t copy)
{
	const struct kt_shape *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (fields->members[i].pointee == copy)
			return kt_option_at(hit, i);
	return NULL;
}

static const struct option *find_option(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(options) / sizeof(*options); i++)
		if (strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

/* How it is shown. */
enum form { BYTES, NUMBER, STRUCT };

static enum form form_of(const struct option *o, const struct kt_value *v, enum kt_copied copied)
{
	struct kt_value first;

	if (o)
		return o->parts->name && kt_part_find(v, o->parts, &first) ? STRUCT : BYTES;
	return v->n == NUMBER_SIZE && copied == KT_COPIED_ALL ? NUMBER : BYTES;
}

static int32_t number_of(const struct kt_value *v)
{
	return kt_load(v->data, NUMBER_SIZE);
}

/* What failed since is called as what calls return then is, without the minus. */
static const char *error_of(const char *name, int32_t n)
{
	struct kt_labelled found = {0};

	if (name && strcmp(name, "SO_ERROR") == 0)
		kt_labels_of(kt_constants_find("error"), -(int64_t)n, &found);
	return found.n ? found.text[0] + 1 : NULL;
}

static void put_number(struct kt_text *t, const char *name, int32_t n)
{
	const char *error = error_of(name, n);

	kt_text_char(t, '[');
	if (error)
		kt_text_string(t, error);
	else
		kt_text_signed(t, n);
	kt_text_char(t, ']');
}

/* Bytes of the struct's part that is not all there. */
static bool is_part(const struct option *o, const struct kt_value *v)
{
	const struct kt_part *p = o->parts;
	struct kt_value bytes;

	while (p < o->parts + N_PARTS && p->name && kt_part_find(v, p, &bytes))
		p++;
	return p < o->parts + N_PARTS && p->name && v->n > p->at;
}

static void put_struct(struct kt_text *t, const struct option *o, const struct kt_value *v)
{
	const char *before;

	kt_text_char(t, '{');
	before = kt_part_put_all(t, "", o->parts, N_PARTS, v);
	if (is_part(o, v)) {
		kt_text_string(t, before);
		kt_text_string(t, "...");
	}
	kt_text_char(t, '}');
}

void kt_option_put(struct kt_text *t, const char *name, const struct kt_value *v,
		   enum kt_copied copied)
{
	const struct option *o = find_option(name);
	enum form form = form_of(o, v, copied);

	if (form == STRUCT)
		put_struct(t, o, v);
	else if (form == NUMBER)
		put_number(t, name, number_of(v));
	else
		kt_text_quoted_cut(t, v->data, v->n, copied == KT_COPIED_PART);
}

static struct json_object *make_struct(const struct option *o, const struct kt_value *v)
{
	struct json_object *made = json_object_new_object();

	if (kt_part_add_all(made, o->parts, N_PARTS, v))
		return made;
	json_object_put(made);
	return NULL;
}

struct json_object *kt_option_object(const char *name, const struct kt_value *v,
				     enum kt_copied copied)
{
	const struct option *o = find_option(name);
	enum form form = form_of(o, v, copied);

	if (form == STRUCT)
		return make_struct(o, v);
	if (form == NUMBER)
		return json_object_new_int64(number_of(v));
	return kt_json_bytes(v->data, v->n, copied == KT_COPIED_PART);
}
