// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/record/json_value.h"

#include <string.h>

#include "constants/labels.h"
#include "constants/symbols.h"
#include "ctypes/struct_layout.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/bitmap.h"
#include "values/cmsg.h"
#include "values/json_text.h"
#include "values/siginfo.h"
#include "values/sockaddr.h"
#include "values/sockopt.h"
#include "values/text.h"

static void put_value(struct kt_text *t, const struct kt_member *m, const struct kt_value *v);

static void put_struct(struct kt_text *t, const struct kt_record_layout *layout, const char *at)
{
	const struct kt_member *m = layout->members, *end = m + layout->n_members;
	bool is_first = true;

	kt_text_char(t, '{');
	for (; m < end; at += m->count * m->width, m++) {
		if (m->pads)
			continue;
		kt_json_text_key(t, m->name, is_first);
		put_value(t, m, &(struct kt_value){at, m->count});
		is_first = false;
	}
	kt_text_char(t, '}');
}

/* Puts a pointer in quotes, as JSON numbers are decimal, and some readers keep only 53 bits. */
static void put_pointer(struct kt_text *t, uint64_t n)
{
	kt_text_char(t, '"');
	kt_text_hex(t, n);
	kt_text_char(t, '"');
}

static void put_element(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
			size_t i)
{
	char text[KT_NOTATION_MAX];
	uint64_t n;

	if (m->of) {
		put_struct(t, m->of, v->data + i * m->width);
		return;
	}
	n = kt_value_number(m, v, i);
	if (m->notation == KT_POINTER || (m->notation == KT_WORD && !kt_notation_word_is_number(n)))
		put_pointer(t, n);
	else if (m->notation == KT_DEVICE)
		kt_json_text_string(t, text, kt_notation_write_device(n, text));
	else if (m->is_signed)
		kt_text_signed(t, n);
	else
		kt_text_number(t, n);
}

static void put_value(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	char address[KT_NOTATION_MAX];
	size_t i, len;

	if (m->text) {
		kt_json_text_string(t, v->data, strnlen(v->data, v->n));
		return;
	}
	if (!m->array) {
		put_element(t, m, v, 0);
		return;
	}
	len = kt_notation_write(m->notation, v->data, v->n, address);
	if (len) {
		kt_json_text_string(t, address, len);
		return;
	}
	kt_text_char(t, '[');
	for (i = 0; i < v->n; i++) {
		if (i > 0)
			kt_text_char(t, ',');
		put_element(t, m, v, i);
	}
	kt_text_char(t, ']');
}

/* Puts several texts as strings. */
static void put_strings(struct kt_text *t, const struct kt_value *v)
{
	const char *text;
	size_t at = 0, len, n = 0;

	kt_text_char(t, '[');
	while ((text = kt_value_next_string(v, &at, &len))) {
		if (n++ > 0)
			kt_text_char(t, ',');
		kt_json_text_string(t, text, len);
	}
	kt_text_char(t, ']');
}

/* Puts each buffer as bytes; null for those that could not be read. */
static void put_buffers(struct kt_text *t, struct kt_buffers b)
{
	struct kt_buffer next;
	size_t n = 0;

	kt_text_char(t, '[');
	while (kt_buffers_next(&b, &next)) {
		if (n++ > 0)
			kt_text_char(t, ',');
		if (kt_is_copied(next.copied))
			kt_json_text_bytes(t, next.value.data, next.value.n,
					   next.copied == KT_COPIED_PART);
		else
			kt_text_string(t, "null");
	}
	kt_text_char(t, ']');
}

static int put_copy(struct kt_text *t, const struct kt_hit *hit, size_t i, enum kt_copied copied)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];
	const struct kt_value *v = &hit->values[i];

	switch (m->notation) {
	case KT_STRINGS:
		put_strings(t, v);
		return 0;
	case KT_SOCKADDR:
		return kt_json_text_object(t, kt_sockaddr_object(v));
	case KT_SIGINFO:
		return kt_json_text_object(t, kt_siginfo_object(v));
	case KT_CONTROL:
		return kt_json_text_object(t, kt_cmsg_object(v));
	case KT_OPTION:
		return kt_json_text_object(t,
					   kt_sockopt_object(kt_sockopt_copied(hit, i), v, copied));
	case KT_BUFFERS:
		put_buffers(t, kt_buffers_of(fields, hit->values, m->structs));
		return 0;
	case KT_BITMAP:
		kt_bitmap_put_json(t, v, kt_bitmap_size(hit, i));
		return 0;
	case KT_BYTES:
		kt_json_text_bytes(t, v->data, v->n, copied == KT_COPIED_PART);
		return 0;
	default:
		put_value(t, m, v);
		return 0;
	}
}

/* Returns whether a copy is that of a pointer to one element, not to an array. */
static bool is_alone(const struct kt_member *m, const struct kt_value *v)
{
	return m->is_pointed && m->array && !m->text && m->varies && v->n == 1 &&
	       !m->has_full_length && (m->of || m->notation <= KT_SIGSET);
}

int kt_json_value_field(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	enum kt_copied copied;

	if (!fields->members[i].is_pointed) {
		put_value(t, &fields->members[i], &hit->values[i]);
		return 0;
	}
	copied = kt_record_layout_copied(fields, hit->values, i);
	if (kt_is_copied(copied))
		return put_copy(t, hit, i, copied);
	kt_text_string(t, "null");
	return 0;
}

int kt_json_value_argument(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_member *m = &hit->event->fields.members[i];

	if (!is_alone(m, &hit->values[i]))
		return kt_json_value_field(t, hit, i);
	put_element(t, m, &hit->values[i], 0);
	return 0;
}

static bool has_name(const struct kt_member *m, uint64_t n)
{
	struct kt_labelled found;

	if (!m->labels)
		return m->symbols && kt_symbols_find(m->symbols, n);
	kt_labels_of(m->labels, n, &found);
	return found.n > 0;
}

static bool struct_has_labels(const struct kt_record_layout *layout, const char *at)
{
	const struct kt_member *m = layout->members, *end = m + layout->n_members;

	for (; m < end; at += m->count * m->width, m++)
		if (!m->pads && kt_json_value_has_labels(m, &(struct kt_value){at, m->count}))
			return true;
	return false;
}

static bool element_has_labels(const struct kt_member *m, const struct kt_value *v, size_t i)
{
	return m->of ? struct_has_labels(m->of, v->data + i * m->width)
		     : has_name(m, kt_value_number(m, v, i));
}

bool kt_json_value_has_labels(const struct kt_member *m, const struct kt_value *v)
{
	size_t i, n = m->array ? v->n : 1;

	if (!m->of && !m->labels && !m->symbols)
		return false;
	for (i = 0; i < n; i++)
		if (element_has_labels(m, v, i))
			return true;
	return false;
}

static void put_labels(struct kt_text *t, const struct kt_labels *labels, uint64_t n)
{
	struct kt_labelled found;
	size_t i;

	kt_labels_of(labels, n, &found);
	if (!labels->are_flags) {
		kt_json_text_string(t, found.text[0], strlen(found.text[0]));
		return;
	}
	for (i = 0; i < found.n; i++) {
		kt_text_char(t, i == 0 ? '[' : ',');
		kt_json_text_string(t, found.text[i], strlen(found.text[i]));
	}
	kt_text_char(t, ']');
}

static void put_struct_labels(struct kt_text *t, const struct kt_record_layout *layout,
			      const char *at)
{
	const struct kt_member *m = layout->members, *end = m + layout->n_members;
	struct kt_value v;
	bool is_first = true;

	kt_text_char(t, '{');
	for (; m < end; at += m->count * m->width, m++) {
		v = (struct kt_value){at, m->count};
		if (m->pads || !kt_json_value_has_labels(m, &v))
			continue;
		kt_json_text_key(t, m->name, is_first);
		kt_json_value_labels(t, m, &v);
		is_first = false;
	}
	kt_text_char(t, '}');
}

static void put_element_labels(struct kt_text *t, const struct kt_member *m,
			       const struct kt_value *v, size_t i)
{
	char symbol[KT_SYMBOL_MAX];
	uint64_t n;

	if (m->of) {
		put_struct_labels(t, m->of, v->data + i * m->width);
		return;
	}
	n = kt_value_number(m, v, i);
	if (m->labels)
		put_labels(t, m->labels, n);
	else
		kt_json_text_string(t, symbol, kt_symbols_write(m->symbols, n, symbol));
}

void kt_json_value_labels(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	size_t i;

	if (!m->array) {
		put_element_labels(t, m, v, 0);
		return;
	}
	kt_text_char(t, '[');
	for (i = 0; i < v->n; i++) {
		if (i > 0)
			kt_text_char(t, ',');
		if (element_has_labels(m, v, i))
			put_element_labels(t, m, v, i);
		else
			kt_text_string(t, "null");
	}
	kt_text_char(t, ']');
}

void kt_json_value_argument_labels(struct kt_text *t, const struct kt_member *m,
				   const struct kt_value *v)
{
	if (is_alone(m, v))
		put_element_labels(t, m, v, 0);
	else
		kt_json_value_labels(t, m, v);
}
