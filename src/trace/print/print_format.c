// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_format.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/print/print_lexer.h"
#include "trace/print/print_parser.h"
#include "trace/record_layout.h"

/* The longest formats of Linux 6.18 have some 60. */
enum { PIECES_MAX = 1024 };

static const char letters[] = "diuxXocsp";

static const char *read_flags(const char *c, struct kt_print_conversion *as)
{
	for (;; c++) {
		if (*c == '-')
			as->left = true;
		else if (*c == '0')
			as->zero = true;
		else if (*c == '+')
			as->plus = true;
		else if (*c == ' ')
			as->blank = true;
		else if (*c == '#')
			as->prefix = true;
		else
			return c;
	}
}

static const struct kt_print_expr *read_argument(struct kt_print_parser *p)
{
	return kt_print_take(p, ",") ? kt_print_expression(p) : NULL;
}

/* Reads a width or precision: a number, or `*` for an argument. Returns false if there is none. */
static bool read_size(struct kt_print_parser *p, const char **c, int *size,
		      const struct kt_print_expr **of)
{
	enum { SIZE_MAX_SHOWN = 1024 };

	if (**c == '*') {
		++*c;
		*of = read_argument(p);
		return *of && (*of)->type.bits;
	}
	for (*size = 0; **c >= '0' && **c <= '9'; ++*c)
		if (*size < SIZE_MAX_SHOWN)
			*size = 10 * *size + **c - '0';
	return true;
}

static const char *read_bits(const char *c, unsigned int *bits)
{
	*bits = 32;
	for (; *c && strchr("hlLqzt", *c); c++)
		*bits = *c == 'h' ? *bits / 2 : 64;
	if (*bits < 8)
		*bits = 8;
	return c;
}

/*
 * Reads what follows %p, up to the first character that is no letter or digit. Returns NULL if
 * unknown.
 */
static const char *read_pointer(const char *c, struct kt_print_conversion *as)
{
	static const char *const notations[] = {"I4", "I6c", "ISpc", "M", "U"};
	size_t len = 0, i;

	as->bits = 64;
	while (isalnum((unsigned char)c[len]))
		len++;
	for (i = 0; i < sizeof(notations) / sizeof(*notations); i++)
		as->is_notation |= kt_print_is_word(c, len, notations[i]);
	as->with_offset = kt_print_is_word(c, len, "S");
	as->is_symbol = as->with_offset || kt_print_is_word(c, len, "s");
	if (len == 0 || as->is_notation || as->is_symbol || kt_print_is_word(c, len, "x") ||
	    kt_print_is_word(c, len, "K"))
		return c + len;
	return NULL;
}

/* Reads a conversion after the %. Returns NULL if it is unknown. */
static const char *read_conversion(struct kt_print_parser *p, const char *c,
				   struct kt_print_conversion *as)
{
	as->width = as->precision = -1;
	c = read_flags(c, as);
	if (*c >= '1' && *c <= '9' && !read_size(p, &c, &as->width, &as->width_of))
		return NULL;
	if (*c == '*' && !read_size(p, &c, &as->width, &as->width_of))
		return NULL;
	if (*c == '.') {
		c++;
		if (!read_size(p, &c, &as->precision, &as->precision_of))
			return NULL;
	}
	c = read_bits(c, &as->bits);
	if (!*c || !strchr(letters, *c))
		return NULL;
	as->kind = *c == 'i' ? 'd' : *c;
	return as->kind == 'p' ? read_pointer(c + 1, as) : c + 1;
}

/* Returns whether the member's notation is the kernel's own. */
static bool has_notation(const struct kt_member *m)
{
	return m->notation == KT_IPV4 || m->notation == KT_IPV6 || m->notation == KT_MAC ||
	       m->notation == KT_SOCKADDR || m->notation == KT_UUID;
}

/* Returns whether the expression can be printed by that conversion. */
static bool fits_conversion(const struct kt_print_parser *p, const struct kt_print_conversion *as,
			    const struct kt_print_expr *e)
{
	if (as->is_notation)
		return e->op == KT_PRINT_MEMBER && has_notation(&p->fields->members[e->member]);
	if (as->is_symbol)
		return e->op == KT_PRINT_FIELD;
	return as->kind == 's' ? !e->type.bits : e->type.bits > 0;
}

static bool add_piece(struct kt_print_format *f, const struct kt_print_piece *piece)
{
	struct kt_print_piece *grown =
		f->n_pieces == PIECES_MAX ? NULL
					  : kt_grow((void *)f->pieces, f->n_pieces, sizeof(*grown));

	if (!grown)
		return false;
	f->pieces = grown;
	grown[f->n_pieces++] = *piece;
	return true;
}

/* Removes casts: a symbol's address is the field itself in "(void *)REC->call_site". */
static const struct kt_print_expr *strip_casts(const struct kt_print_expr *e)
{
	while (e->op == KT_PRINT_CAST && e->type.bits == 64)
		e = e->of[0];
	return e;
}

static bool is_plain(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '\\')
			return false;
	return true;
}

/* Reads up to the next conversion. A %% stands for itself, and is a piece of its own. */
static const char *read_piece(struct kt_print_parser *p, const char *c,
			      struct kt_print_piece *piece)
{
	piece->text = c;
	piece->len = strcspn(c, "%");
	piece->is_plain = is_plain(c, piece->len);
	c += piece->len;
	if (!*c)
		return c;
	if (c[1] == '%') {
		piece->len++;
		return c + 2;
	}
	c = read_conversion(p, c + 1, &piece->as);
	if (!c)
		return NULL;
	piece->of = read_argument(p);
	if (piece->of && piece->as.is_symbol)
		piece->of = strip_casts(piece->of);
	return piece->of && fits_conversion(p, &piece->as, piece->of) ? c : NULL;
}

static bool read_pieces(struct kt_print_format *f, struct kt_print_parser *p)
{
	const char *c = kt_print_text(p);

	while (c && *c) {
		struct kt_print_piece piece = {0};

		c = read_piece(p, c, &piece);
		if (c && !add_piece(f, &piece))
			return false;
	}
	return c && !kt_print_next(p);
}

static bool prints_field(const struct kt_print_format *f)
{
	size_t i;

	for (i = 0; i < f->n_pieces; i++)
		if (f->pieces[i].of)
			return true;
	return false;
}

struct kt_print_format *kt_print_format_parse(const char *text,
					      const struct kt_record_layout *fields)
{
	struct kt_print_format *f = calloc(1, sizeof(*f));
	struct kt_print_parser p = {.at = text, .fields = fields};

	if (!f)
		return NULL;
	if (read_pieces(f, &p) && prints_field(f)) {
		f->memory = p.memory;
		return f;
	}
	f->memory = p.memory;
	kt_print_format_free(f);
	return NULL;
}

void kt_print_format_free(struct kt_print_format *f)
{
	if (!f)
		return;
	kt_print_memory_free(f->memory);
	free((void *)f->pieces);
	free(f);
}
