// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/record/event_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants/labels.h"
#include "constants/symbols.h"
#include "trace/print/print_format.h"
#include "trace/print/print_number.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/printf_value.h"
#include "values/record/field_text.h"
#include "values/text.h"

enum { SIZE_LIMIT = 1024 };

/* What a conversion prints. */
struct value {
	const struct kt_print_conversion *as;
	const struct kt_print_expr *of;
	const struct kt_hit *hit;
};

static uint64_t get_number(const struct kt_print_expr *e, const struct kt_hit *hit)
{
	return kt_print_number(e, &hit->event->fields, hit->values);
}

static void put_string(struct kt_text *t, const struct kt_print_conversion *as, const char *s)
{
	kt_printf_value_text(t, as, s, strlen(s));
}

static void put_symbolic(struct kt_text *t, const struct value *v)
{
	uint64_t n = get_number(v->of->of[0], v->hit);
	struct kt_labelled found;

	kt_labels_of(v->of->labels, n, &found);
	if (found.n)
		put_string(t, v->as, found.text[0]);
	else
		kt_text_hex(t, n);
}

/*
 * Prints flags as the kernel does: each label in order if all its bits are still left, then the
 * rest.
 */
static void put_flags(struct kt_text *t, const struct value *v)
{
	uint64_t n = get_number(v->of->of[0], v->hit);
	const struct kt_label *label = v->of->labels->of, *end = label + v->of->labels->n;
	const char *delimiter = "";

	for (; label < end && n; label++) {
		if ((n & label->value) != label->value)
			continue;
		n &= ~label->value;
		kt_text_escaped_string(t, delimiter);
		kt_text_escaped_string(t, label->text);
		delimiter = v->of->text;
	}
	if (n) {
		kt_text_escaped_string(t, delimiter);
		kt_text_hex(t, n);
	}
}

/* Returns how many elements are printed: at most those that exist. */
static size_t get_count(const struct value *v)
{
	uint64_t n = get_number(v->of->of[0], v->hit), size = 1;
	const struct kt_value *of = &v->hit->values[v->of->member];

	if (v->of->op != KT_PRINT_ARRAY)
		size = v->hit->event->fields.members[v->of->member].width;
	return n < of->n * size ? n : of->n * size;
}

static void put_bytes(struct kt_text *t, const struct value *v)
{
	const unsigned char *data = (const void *)v->hit->values[v->of->member].data;
	size_t n = get_count(v), i;
	char text[4];

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%02x", data[i]);
		if (i > 0 && v->of->op == KT_PRINT_HEX)
			kt_text_char(t, ' ');
		kt_text_put(t, text, 2);
	}
}

static void put_array(struct kt_text *t, const struct value *v)
{
	unsigned int width = v->hit->event->fields.members[v->of->member].width;
	const char *data = v->hit->values[v->of->member].data;
	size_t n = get_count(v), i;

	kt_text_char(t, '{');
	for (i = 0; i < n; i++) {
		if (i > 0)
			kt_text_char(t, ',');
		kt_text_hex(t, kt_load(data + i * width, width));
	}
	kt_text_char(t, '}');
}

static void put_member(struct kt_text *t, const struct value *v)
{
	const struct kt_value *of = &v->hit->values[v->of->member];

	if (v->hit->event->fields.members[v->of->member].text)
		kt_printf_value_text(t, v->as, of->data, strnlen(of->data, of->n));
	else
		kt_field_text_print(t, v->hit, v->of->member);
}

static void put_text(struct kt_text *t, struct value v)
{
	while (v.of->op == KT_PRINT_CHOICE)
		v.of = v.of->of[get_number(v.of->of[0], v.hit) ? 1 : 2];
	switch (v.of->op) {
	case KT_PRINT_TEXT:
		put_string(t, v.as, v.of->text);
		return;
	case KT_PRINT_MEMBER:
		put_member(t, &v);
		return;
	case KT_PRINT_SYMBOLIC:
		put_symbolic(t, &v);
		return;
	case KT_PRINT_FLAGS:
		put_flags(t, &v);
		return;
	case KT_PRINT_ARRAY:
		put_array(t, &v);
		return;
	default:
		put_bytes(t, &v);
	}
}

/* Prints "kfree_skb+0x1f/0x60 [module]". */
static void put_place(struct kt_text *t, const struct kt_symbol *s, uint64_t address)
{
	const char *module = strchrnul(s->name, ' ');

	kt_text_escaped(t, s->name, module - s->name);
	kt_text_char(t, '+');
	kt_text_hex(t, address - s->first);
	kt_text_char(t, '/');
	kt_text_hex(t, s->last - s->first + 1);
	kt_text_escaped_string(t, module);
}

static void put_symbol(struct kt_text *t, const struct value *v)
{
	const struct kt_symbols *symbols = v->hit->event->fields.members[v->of->member].symbols;
	uint64_t n = get_number(v->of, v->hit);
	const struct kt_symbol *found = symbols ? kt_symbols_find(symbols, n) : NULL;

	if (!found)
		kt_text_hex(t, n);
	else if (v->as->with_offset)
		put_place(t, found, n);
	else
		put_string(t, v->as, found->name);
}

static bool is_plain(const struct kt_print_conversion *as)
{
	return as->width < 0 && as->precision < 0 && !as->plus && !as->blank && !as->prefix &&
	       as->bits >= 32;
}

/* The most frequent conversions take the fastest way. */
static void put_number(struct kt_text *t, const struct value *v)
{
	uint64_t n = get_number(v->of, v->hit);

	if (v->as->kind == 'u' && is_plain(v->as))
		kt_text_number(t, v->as->bits == 32 ? (uint32_t)n : n);
	else if (v->as->kind == 'd' && is_plain(v->as))
		kt_text_signed(t, v->as->bits == 32 ? (int32_t)n : (int64_t)n);
	else if (v->as->kind == 'x' && is_plain(v->as))
		kt_text_hex_digits(t, v->as->bits == 32 ? (uint32_t)n : n);
	else
		kt_printf_value_number(t, v->as, n);
}

static void put_char(struct kt_text *t, const struct value *v)
{
	char c = get_number(v->of, v->hit);

	kt_printf_value_text(t, v->as, &c, 1);
}

static void put_value(struct kt_text *t, const struct value *v)
{
	if (v->as->is_symbol)
		put_symbol(t, v);
	else if (v->as->is_notation)
		kt_field_text_print(t, v->hit, v->of->member);
	else if (v->as->kind == 's')
		put_text(t, *v);
	else if (v->as->kind == 'c')
		put_char(t, v);
	else
		put_number(t, v);
}

static int limit_size(int64_t size)
{
	return size > SIZE_LIMIT ? SIZE_LIMIT : size;
}

/*
 * Returns the conversion with sizes from arguments: a negative width aligns to the left, a negative
 * precision is none.
 */
static struct kt_print_conversion resolve_sizes(const struct kt_print_conversion *as,
						const struct kt_hit *hit)
{
	struct kt_print_conversion sized = *as;
	int64_t n;

	if (as->width_of) {
		n = (int32_t)get_number(as->width_of, hit);
		sized.left |= n < 0;
		sized.width = limit_size(n < 0 ? -n : n);
	}
	if (as->precision_of) {
		n = (int32_t)get_number(as->precision_of, hit);
		sized.precision = n < 0 ? -1 : limit_size(n);
	}
	return sized;
}

static void put_piece(struct kt_text *t, const struct kt_print_piece *piece,
		      const struct kt_hit *hit)
{
	struct value v = {&piece->as, piece->of, hit};
	struct kt_print_conversion sized;

	if (piece->as.width_of || piece->as.precision_of) {
		sized = resolve_sizes(&piece->as, hit);
		v.as = &sized;
	}
	put_value(t, &v);
}

void kt_event_text_put(struct kt_text *t, const struct kt_hit *hit)
{
	const struct kt_print_format *f = hit->event->print;
	size_t i;

	for (i = 0; i < f->n_pieces; i++) {
		if (f->pieces[i].is_plain)
			kt_text_put(t, f->pieces[i].text, f->pieces[i].len);
		else
			kt_text_escaped(t, f->pieces[i].text, f->pieces[i].len);
		if (f->pieces[i].of)
			put_piece(t, &f->pieces[i], hit);
	}
}
