// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/line.h"

#include <string.h>

#include "base/labels.h"
#include "base/symbols.h"
#include "catalog/pointee.h"
#include "trace/schema.h"
#include "trace/source.h"
#include "view/task.h"
#include "view/text.h"

enum { NAME_WIDTH = 16, TID_WIDTH = 7 };

/* The bits that the trace has of it. */
static uint64_t without_sign(const struct kt_member *m, uint64_t n)
{
	unsigned int unused = 64 - 8 * m->width;

	return n << unused >> unused;
}

static void put_device(struct kt_text *t, uint64_t n)
{
	char text[KT_NOTATION_MAX];

	kt_text_put(t, text, kt_notation_write_device(n, text));
}

static void put_element(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
			size_t i)
{
	uint64_t n = kt_value_number(m, v, i);

	if (m->notation == KT_HEX || m->notation == KT_POINTER)
		kt_text_hex(t, without_sign(m, n));
	else if (m->notation == KT_OCTAL)
		kt_text_octal(t, without_sign(m, n));
	else if (m->notation == KT_DEVICE)
		put_device(t, n);
	else if (m->is_signed)
		kt_text_signed(t, n);
	else
		kt_text_number(t, n);
}

/* A value without one is a number; of flags, the bits that have none, behind those that have. */
static void put_labelled(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	struct kt_labelled found;
	size_t i;

	kt_labels_of(m->labels, kt_value_number(m, v, 0), &found);
	if (!found.n && !(m->labels->are_flags && found.rest)) {
		put_element(t, m, v, 0);
		return;
	}
	for (i = 0; i < found.n; i++) {
		if (i > 0)
			kt_text_char(t, '|');
		kt_text_escaped(t, found.text[i], strlen(found.text[i]));
	}
	if (found.rest) {
		if (found.n)
			kt_text_char(t, '|');
		kt_text_hex(t, found.rest);
	}
}

static void put_symbol(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	char text[KT_SYMBOL_MAX];
	size_t len = kt_symbols_write(m->symbols, kt_value_number(m, v, 0), text);

	if (len > 0)
		kt_text_escaped(t, text, len);
	else
		put_element(t, m, v, 0);
}

static void put_array(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	char address[KT_NOTATION_MAX];
	size_t i, len = kt_notation_write(m->notation, v->data, v->n, address);

	if (len) {
		kt_text_put(t, address, len);
		return;
	}
	kt_text_char(t, '{');
	for (i = 0; i < v->n; i++) {
		if (i > 0)
			kt_text_char(t, ',');
		put_element(t, m, v, i);
	}
	kt_text_char(t, '}');
}

static void put_name(struct kt_text *t, const char *name)
{
	kt_text_char(t, ' ');
	kt_text_string(t, name);
	kt_text_char(t, '=');
}

/* Behind one that was longer there are dots. */
static void put_pointee(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
			enum kt_copied copied)
{
	kt_text_quoted(t, v->data, m->text ? strnlen(v->data, v->n) : v->n);
	if (copied == KT_COPIED_PART)
		kt_text_string(t, "...");
}

/* Whether what is there is known, and anything: nothing is written to NULL. */
static bool is_followed(const struct kt_hit *hit, size_t i, enum kt_copied *copied)
{
	const struct kt_shape *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[i];

	if (!m->pointee)
		return false;
	*copied = kt_shape_copied(fields, hit->values, m->pointee);
	return kt_is_copied(*copied) &&
	       (hit->values[m->pointee].n || kt_value_number(m, &hit->values[i], 0));
}

/* What a call gave, whose pointer stands where it was called. */
static void put_lone(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_shape *fields = &hit->event->fields;
	enum kt_copied copied = kt_shape_copied(fields, hit->values, i);
	char argument[KT_POINTEE_NAME_MAX];

	if (copied == KT_COPIED_ABSENT)
		return;
	kt_pointee_argument(fields->members[i].name, argument);
	put_name(t, argument);
	if (copied == KT_COPIED_UNREAD)
		kt_text_char(t, '?');
	else
		put_pointee(t, &fields->members[i], &hit->values[i], copied);
}

/* What a pointer leads to stands in its place, where it is known. */
static void put_field(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_member *members = hit->event->fields.members, *m = &members[i];
	const struct kt_value *v = &hit->values[i];
	enum kt_copied copied;

	if (m->is_lone)
		put_lone(t, hit, i);
	if (m->is_pointee)
		return;
	put_name(t, m->name);
	if (is_followed(hit, i, &copied))
		put_pointee(t, &members[m->pointee], &hit->values[m->pointee], copied);
	else if (m->text)
		kt_text_escaped(t, v->data, strnlen(v->data, v->n));
	else if (m->array)
		put_array(t, m, v);
	else if (m->labels)
		put_labelled(t, m, v);
	else if (m->symbols)
		put_symbol(t, m, v);
	else
		put_element(t, m, v, 0);
}

/* Which task, as kt_task_name has it, and its number. */
static void put_task(struct kt_text *t, const struct kt_hit *hit)
{
	const char *name = kt_task_name(hit->tid, hit->comm);
	size_t n = strlen(name);

	if (n < NAME_WIDTH)
		kt_text_fill(t, NAME_WIDTH - n, ' ');
	kt_text_escaped(t, name, n);
	kt_text_char(t, '-');
	n = kt_text_signed(t, hit->tid);
	if (n < TID_WIDTH)
		kt_text_fill(t, TID_WIDTH - n, ' ');
}

static void put_record(struct kt_text *t, const struct kt_hit *hit)
{
	size_t i;

	put_task(t, hit);
	kt_text_put(t, " [", 2);
	kt_text_padded(t, hit->cpu, 3, '0');
	kt_text_put(t, "] ", 2);
	kt_text_time(t, hit->time);
	kt_text_put(t, ": ", 2);
	kt_text_string(t, hit->event->name);
	kt_text_char(t, ':');
	for (i = 0; i < hit->event->fields.n_members; i++)
		put_field(t, hit, i);
	kt_text_char(t, '\n');
}

static void put_lost(struct kt_text *t, const struct kt_hit *hit)
{
	kt_text_string(t, "CPU:");
	kt_text_number(t, hit->cpu);
	kt_text_string(t, " [LOST ");
	kt_text_number(t, hit->lost);
	kt_text_string(t, " EVENTS]\n");
}

void kt_line_print(struct kt_text *to, const struct kt_hit *hit)
{
	if (hit->event)
		put_record(to, hit);
	else
		put_lost(to, hit);
}
