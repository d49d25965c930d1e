// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/event_json.h"

#include <string.h>

#include "base/hex.h"
#include "base/json.h"
#include "constants/labels.h"
#include "constants/symbols.h"
#include "ctypes/struct_layout.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "values/cmsg.h"
#include "values/sockaddr.h"
#include "values/sockopt.h"
#include "view/task_comm.h"

static bool add_value(struct json_object *o, const struct kt_member *m, const struct kt_value *v);

/* Returns NULL without memory. */
static struct json_object *make_struct(const struct kt_record_layout *layout, const char *at)
{
	const struct kt_member *m = layout->members, *end = m + layout->n_members;
	struct json_object *o = json_object_new_object();

	for (; o && m < end; at += m->count * m->width, m++) {
		if (!kt_struct_layout_pads(m->name) &&
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

/* Adds several texts as one string, one after the other; the last may be cut. */
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

static struct json_object *make_bytes(const struct kt_value *v, enum kt_copied copied)
{
	return kt_json_bytes(v->data, v->n, copied == KT_COPIED_PART);
}

/* Adds each buffer as make_bytes(); null for those that could not be read. */
static bool add_buffers(struct json_object *o, const char *name, struct kt_buffers b)
{
	struct json_object *array = json_object_new_array();
	struct kt_buffer next;
	bool is_read;

	if (!kt_json_add(o, name, array))
		return false;
	while (kt_buffers_next(&b, &next)) {
		is_read = kt_is_copied(next.copied);
		if (is_read ? !kt_json_append(array, make_bytes(&next.value, next.copied))
			    : json_object_array_add(array, NULL) < 0)
			return false;
	}
	return true;
}

static bool add_pointed(struct json_object *o, const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	enum kt_copied copied = kt_record_layout_copied(fields, hit->values, i);
	const struct kt_member *m = &fields->members[i];
	const struct kt_value *v = &hit->values[i];

	if (!kt_is_copied(copied))
		return kt_json_add_null(o, m->name);
	if (m->notation == KT_STRINGS)
		return add_strings(o, m->name, v);
	if (m->notation == KT_SOCKADDR)
		return kt_json_add(o, m->name, kt_sockaddr_object(v));
	if (m->notation == KT_CONTROL)
		return kt_json_add(o, m->name, kt_cmsg_object(v));
	if (m->notation == KT_OPTION)
		return kt_json_add(o, m->name,
				   kt_sockopt_object(kt_sockopt_copied(hit, i), v, copied));
	if (m->notation == KT_BUFFERS)
		return add_buffers(o, m->name, kt_buffers_of(fields, hit->values, m->structs));
	if (m->notation == KT_BYTES)
		return kt_json_add(o, m->name, make_bytes(v, copied));
	return add_value(o, m, v);
}

static bool add_field(struct json_object *o, const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];

	if (m->is_late && !hit->values[i].n)
		return true;
	return m->is_pointed ? add_pointed(o, hit, i) : add_value(o, m, &hit->values[i]);
}

static bool add_fields(struct json_object *o, const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (!add_field(o, hit, i))
			return false;
	return true;
}

/* Adds the names of fields that were cut, if there are any. */
static bool add_cut(struct json_object *o, const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	struct json_object *cut = NULL;
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (!m->is_pointed ||
		    kt_record_layout_copied(fields, hit->values, i) != KT_COPIED_PART)
			continue;
		if (!cut && !kt_json_add(o, "truncated", cut = json_object_new_array()))
			return false;
		if (!kt_json_append(cut, json_object_new_string(m->name)))
			return false;
	}
	return true;
}

/* Makes a label, or an array of labels for flags. */
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

/* The labels of a value, structured as the value; NULL if it has none. */
struct names {
	struct json_object *of;
	bool failed; /* without memory */
};

/* Keeps the object if it has anything, else frees it. */
static void keep_or_free(struct names *names, bool is_used)
{
	if (is_used)
		return;
	json_object_put(names->of);
	*names = (struct names){.failed = true};
}

static struct names name_number(const struct kt_member *m, uint64_t n)
{
	char symbol[KT_SYMBOL_MAX];
	struct kt_labelled found;
	struct names names = {.of = NULL};
	size_t len;

	if (m->labels) {
		kt_labels_of(m->labels, n, &found);
		names.of = found.n ? make_labels(m->labels, &found) : NULL;
		names.failed = found.n && !names.of;
		return names;
	}
	len = m->symbols ? kt_symbols_write(m->symbols, n, symbol) : 0;
	names.of = len ? kt_json_text(symbol, len) : NULL;
	names.failed = len && !names.of;
	return names;
}

static struct names name_value(const struct kt_member *m, const struct kt_value *v);

/* Adds a value's labels, if it has any, by its name. Returns false without memory. */
static bool add_name(struct names *names, const char *name, const struct kt_member *m,
		     const struct kt_value *v)
{
	struct names of = name_value(m, v);

	if (of.of && !names->of)
		names->of = json_object_new_object();
	keep_or_free(names, !of.failed && (!of.of || kt_json_add(names->of, name, of.of)));
	return !names->failed;
}

static struct names name_struct(const struct kt_record_layout *layout, const char *at)
{
	const struct kt_member *m = layout->members, *end = m + layout->n_members;
	struct names names = {.of = NULL};

	for (; m < end; at += m->count * m->width, m++)
		if (!kt_struct_layout_pads(m->name) &&
		    !add_name(&names, m->name, m, &(struct kt_value){at, m->count}))
			break;
	return names;
}

static struct names name_element(const struct kt_member *m, const struct kt_value *v, size_t i)
{
	return m->of ? name_struct(m->of, v->data + i * m->width)
		     : name_number(m, kt_value_number(m, v, i));
}

/* Makes an array with each element's labels, null for elements without. */
static struct names name_elements(const struct kt_member *m, const struct kt_value *v)
{
	struct names names = {.of = json_object_new_array()}, of;
	bool any = false;
	size_t i;

	names.failed = !names.of;
	for (i = 0; i < v->n && !names.failed; i++) {
		of = name_element(m, v, i);
		any = any || of.of;
		keep_or_free(&names, !of.failed && json_object_array_add(names.of, of.of) == 0);
	}
	if (!any && !names.failed) {
		json_object_put(names.of);
		names.of = NULL;
	}
	return names;
}

static struct names name_value(const struct kt_member *m, const struct kt_value *v)
{
	if (!m->of && !m->labels && !m->symbols)
		return (struct names){.of = NULL};
	return m->array ? name_elements(m, v) : name_element(m, v, 0);
}

/* Adds the labels of all fields, if there are any. */
static bool add_names(struct json_object *o, const struct kt_hit *hit)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	struct names names = {.of = NULL};
	const struct kt_member *as;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		as = kt_metadata_variants_member(fields, hit->values, i);
		if (as && !add_name(&names, fields->members[i].name, as, &hit->values[i]))
			return false;
	}
	return !names.of || kt_json_add(o, "labels", names.of);
}

static bool add_record(struct json_object *o, const struct kt_hit *hit)
{
	struct json_object *fields = json_object_new_object();

	/* What is added to an object belongs to it. */
	return kt_json_add(o, "tid", json_object_new_int64(hit->tid)) &&
	       kt_task_comm_add(o, hit->tid, hit->comm) &&
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

int kt_event_json_print(FILE *to, const struct kt_hit *hit)
{
	struct json_object *o = json_object_new_object();
	int ret = kt_json_print(add_hit(o, hit) ? o : NULL, to);

	json_object_put(o);
	return ret;
}
