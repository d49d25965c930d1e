// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/object.h"

#include <string.h>

#include "base/hex.h"
#include "base/json.h"
#include "base/labels.h"
#include "base/symbols.h"
#include "base/utf8.h"
#include "catalog/composite.h"
#include "trace/schema.h"
#include "trace/source.h"
#include "view/address.h"
#include "view/task.h"

static bool add_value(struct json_object *o, const struct kt_member *m, const struct kt_value *v);

/* NULL where there is no memory. */
static struct json_object *make_struct(const struct kt_shape *shape, const char *at)
{
	const struct kt_member *m = shape->members, *end = m + shape->n_members;
	struct json_object *o = json_object_new_object();

	for (; o && m < end; at += m->count * m->width, m++) {
		if (!kt_composite_pads(m->name) &&
		    !add_value(o, m, &(struct kt_value){at, m->count})) {
			json_object_put(o);
			return NULL;
		}
	}
	return o;
}

static struct json_object *make_element(const struct kt_member *m, const struct kt_value *v,
					size_t i)
{
	char text[KT_NOTATION_MAX];
	uint64_t n;

	if (m->of)
		return make_struct(m->of, v->data + i * m->width);
	n = kt_value_number(m, v, i);
	if (m->notation == KT_POINTER)
		return json_object_new_string_len(text, kt_hex_write(text, n) - text);
	if (m->notation == KT_DEVICE)
		return json_object_new_string_len(text, kt_notation_write_device(n, text));
	return m->is_signed ? json_object_new_int64(n) : json_object_new_uint64(n);
}

static bool append_elements(struct json_object *array, const struct kt_member *m,
			    const struct kt_value *v)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (!kt_json_append(array, make_element(m, v, i)))
			return false;
	return true;
}

static bool add_value(struct json_object *o, const struct kt_member *m, const struct kt_value *v)
{
	struct json_object *array;
	char address[KT_NOTATION_MAX];
	size_t len;

	if (m->text)
		return kt_json_add(o, m->name, kt_json_text(v->data, strnlen(v->data, v->n)));
	if (!m->array)
		return kt_json_add(o, m->name, make_element(m, v, 0));
	len = kt_notation_write(m->notation, v->data, v->n, address);
	if (len)
		return kt_json_add(o, m->name, json_object_new_string_len(address, len));
	array = json_object_new_array();
	return kt_json_add(o, m->name, array) && append_elements(array, m, v);
}

/* Of several, one behind the other; a cut one, too. */
static bool add_strings(struct json_object *o, const char *name, const struct kt_value *v)
{
	struct json_object *array = json_object_new_array();
	const char *text;
	size_t at = 0, len;

	if (!kt_json_add(o, name, array))
		return false;
	while ((text = kt_value_next_string(v, &at, &len)))
		if (!kt_json_append(array, kt_json_text(text, len)))
			return false;
	return true;
}

/*
 * Bytes are a text where they are one, as systemd's journal has them, or else numbers. Of a cut one
 * that ends within a character the rest of this is left out.
 */
static bool add_pointee(struct json_object *o, const struct kt_member *m, const struct kt_value *v,
			enum kt_copied copied)
{
	size_t at, len, rest = copied == KT_COPIED_PART ? KT_UTF8_MAX - 1 : 0;

	if (!kt_is_copied(copied))
		return kt_json_add_null(o, m->name);
	if (m->notation == KT_STRINGS)
		return add_strings(o, m->name, v);
	if (m->notation == KT_SOCKADDR)
		return kt_json_add(o, m->name, kt_address_object(v));
	if (m->notation != KT_BYTES)
		return add_value(o, m, v);
	for (at = 0; (len = kt_utf8_length(v->data + at, v->n - at)) > 0; at += len)
		;
	return v->n - at > rest ? add_value(o, m, v)
				: kt_json_add(o, m->name, kt_json_text(v->data, at));
}

static bool add_field(struct json_object *o, const struct kt_hit *hit, size_t i)
{
	const struct kt_shape *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];

	if (m->is_pointee)
		return add_pointee(o, m, &hit->values[i], kt_shape_copied(fields, hit->values, i));
	return add_value(o, m, &hit->values[i]);
}

static bool add_fields(struct json_object *o, const struct kt_hit *hit)
{
	const struct kt_shape *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (!add_field(o, hit, i))
			return false;
	return true;
}

/* The names of those that are longer than here, where there are any. */
static bool add_cut(struct json_object *o, const struct kt_hit *hit)
{
	const struct kt_shape *fields = &hit->event->fields;
	struct json_object *cut = NULL;
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (!m->is_pointee || kt_shape_copied(fields, hit->values, i) != KT_COPIED_PART)
			continue;
		if (!cut && !kt_json_add(o, "truncated", cut = json_object_new_array()))
			return false;
		if (!kt_json_append(cut, json_object_new_string(m->name)))
			return false;
	}
	return true;
}

/* The one, or an array of those of flags. */
static struct json_object *make_labels(const struct kt_labels *labels,
				       const struct kt_labelled *found)
{
	struct json_object *array;
	size_t i;

	if (!labels->are_flags)
		return kt_json_text(found->text[0], strlen(found->text[0]));
	array = json_object_new_array();
	for (i = 0; array && i < found->n; i++) {
		if (!kt_json_append(array, kt_json_text(found->text[i], strlen(found->text[i])))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* Whether a value is called something; what, or NULL where there is no memory. */
static bool has_name(const struct kt_member *m, uint64_t n, struct json_object **name)
{
	char symbol[KT_SYMBOL_MAX];
	struct kt_labelled found;
	size_t len;

	if (m->labels) {
		kt_labels_of(m->labels, n, &found);
		*name = found.n ? make_labels(m->labels, &found) : NULL;
		return found.n;
	}
	len = m->symbols ? kt_symbols_write(m->symbols, n, symbol) : 0;
	*name = len ? kt_json_text(symbol, len) : NULL;
	return len;
}

/* Where there are any. */
static bool add_names(struct json_object *o, const struct kt_hit *hit)
{
	const struct kt_shape *fields = &hit->event->fields;
	struct json_object *names = NULL, *name;
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if ((!m->labels && !m->symbols) ||
		    !has_name(m, kt_value_number(m, &hit->values[i], 0), &name))
			continue;
		if (!names && !kt_json_add(o, "labels", names = json_object_new_object())) {
			json_object_put(name);
			return false;
		}
		if (!kt_json_add(names, m->name, name))
			return false;
	}
	return true;
}

static bool add_record(struct json_object *o, const struct kt_hit *hit)
{
	struct json_object *fields = json_object_new_object();

	/* From when it is added, what is added to it is o's. */
	return kt_json_add(o, "tid", json_object_new_int64(hit->tid)) &&
	       kt_task_add_name(o, hit->tid, hit->comm) &&
	       kt_json_add(o, "system", json_object_new_string(hit->event->system)) &&
	       kt_json_add(o, "event", json_object_new_string(hit->event->name)) &&
	       kt_json_add(o, "fields", fields) && add_fields(fields, hit) && add_names(o, hit) &&
	       add_cut(o, hit);
}

static bool add_hit(struct json_object *o, const struct kt_hit *hit)
{
	if (!kt_json_add(o, "time", json_object_new_uint64(hit->time)) ||
	    !kt_json_add(o, "cpu", json_object_new_uint64(hit->cpu)))
		return false;
	if (!hit->event)
		return kt_json_add(o, "lost", json_object_new_uint64(hit->lost));
	return add_record(o, hit);
}

int kt_object_print(FILE *to, const struct kt_hit *hit)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_hit(o, hit) ? o : NULL, to);

	json_object_put(o);
	return ret;
}
