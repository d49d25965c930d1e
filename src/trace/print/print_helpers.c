// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_helpers.h"

#include "constants/labels.h"
#include "trace/print/print_format.h"
#include "trace/print/print_lexer.h"
#include "trace/print/print_number.h"
#include "trace/print/print_parser.h"
#include "trace/print/print_types.h"
#include "trace/record_layout.h"

typedef const struct kt_print_expr expr;

/* Reads a label's text. The last label may have none: { -1, ((void *)0) }. */
static bool read_label_text(struct kt_print_parser *p, const char **text)
{
	*text = NULL;
	if (kt_print_take(p, "NULL") || kt_print_take(p, "((void *)0)") || kt_print_take(p, "0"))
		return true;
	*text = kt_print_text(p);
	return *text;
}

/* Reads { VALUE, "TEXT" } after its opening brace. */
static bool read_label(struct kt_print_parser *p, struct kt_labels *labels)
{
	expr *value = kt_print_numeric(p);
	const char *text;

	if (!value || value->op != KT_PRINT_NUMBER || !kt_print_take(p, ",") ||
	    !read_label_text(p, &text) || !kt_print_take(p, "}"))
		return false;
	return !text || kt_labels_add(labels, value->number, text) == 0;
}

static bool read_labels(struct kt_print_parser *p, struct kt_labels *labels)
{
	while (kt_print_take(p, ",") && kt_print_take(p, "{"))
		if (!read_label(p, labels))
			return false;
	return kt_print_take(p, ")");
}

/* __print_flags(VALUE, "DELIMITER", LABELS...), __print_symbolic(VALUE, LABELS...) */
static expr *read_labels_helper(struct kt_print_parser *p, enum kt_print_op op)
{
	bool are_flags = op == KT_PRINT_FLAGS;
	struct kt_print_expr e = {.op = op, .of = {kt_print_numeric(p)}};
	struct kt_labels *labels = kt_print_labels(p, are_flags);

	e.labels = labels;
	if (!e.of[0] || !labels)
		return NULL;
	if (are_flags && (!kt_print_take(p, ",") || !(e.text = kt_print_text(p))))
		return NULL;
	if (!read_labels(p, labels) || (!are_flags && kt_labels_sort(labels) < 0))
		return NULL;
	return kt_print_add(p, e);
}

/*
 * Reads the third argument of __print_array(). Returns whether it is the size of the member's
 * elements.
 */
static bool is_size_of(struct kt_print_parser *p, const struct kt_member *m)
{
	expr *size = kt_print_take(p, ",") ? kt_print_numeric(p) : NULL;

	return size && size->op == KT_PRINT_NUMBER && size->number == m->width;
}

/* __print_hex(ARRAY, COUNT), __print_array(ARRAY, COUNT, SIZE) */
static expr *read_elements_helper(struct kt_print_parser *p, enum kt_print_op op)
{
	expr *array = kt_print_expression(p);
	struct kt_print_expr e = {.op = op};

	if (!array || array->op != KT_PRINT_MEMBER || !kt_print_take(p, ","))
		return NULL;
	e.member = array->member;
	e.of[0] = kt_print_numeric(p);
	if (!e.of[0] ||
	    (op == KT_PRINT_ARRAY && !is_size_of(p, &p->fields->members[array->member])))
		return NULL;
	return kt_print_take(p, ")") ? kt_print_add(p, e) : NULL;
}

/* __get_str(NAME), __get_dynamic_array(NAME) */
static expr *read_member_helper(struct kt_print_parser *p)
{
	const struct kt_member *m = kt_print_field(p);

	return m && (m->text || m->array) && kt_print_take(p, ")") ? kt_print_member(p, m) : NULL;
}

/* __get_dynamic_array_len(NAME) */
static expr *read_length_helper(struct kt_print_parser *p)
{
	expr *of = read_member_helper(p);

	return of ? kt_print_add(p, (struct kt_print_expr){.op = KT_PRINT_LENGTH,
							   .type = {32, false},
							   .member = of->member})
		  : NULL;
}

/* sizeof(TYPE) */
static expr *read_sizeof(struct kt_print_parser *p)
{
	struct kt_print_expr e = {.op = KT_PRINT_NUMBER, .type = {64, true}};
	struct kt_print_type type;

	if (!kt_print_cast(p, &type))
		return NULL;
	e.number = type.bits / 8;
	return kt_print_add(p, e);
}

/* __builtin_expect(VALUE, USUAL) */
static expr *read_expected(struct kt_print_parser *p)
{
	expr *value = kt_print_numeric(p);

	return value && kt_print_take(p, ",") && kt_print_numeric(p) && kt_print_take(p, ")")
		       ? value
		       : NULL;
}

static expr *read_flags(struct kt_print_parser *p)
{
	return read_labels_helper(p, KT_PRINT_FLAGS);
}

static expr *read_symbolic(struct kt_print_parser *p)
{
	return read_labels_helper(p, KT_PRINT_SYMBOLIC);
}

static expr *read_hex(struct kt_print_parser *p)
{
	return read_elements_helper(p, KT_PRINT_HEX);
}

static expr *read_hex_text(struct kt_print_parser *p)
{
	return read_elements_helper(p, KT_PRINT_HEX_TEXT);
}

static expr *read_array(struct kt_print_parser *p)
{
	return read_elements_helper(p, KT_PRINT_ARRAY);
}

const struct kt_print_expr *kt_print_helper(struct kt_print_parser *p, const char *name, size_t len)
{
	static const struct {
		const char *name;
		expr *(*read)(struct kt_print_parser *p);
	} helpers[] = {
		{"__get_str", read_member_helper},
		{"__get_rel_str", read_member_helper},
		{"__get_dynamic_array", read_member_helper},
		{"__get_rel_dynamic_array", read_member_helper},
		{"__get_sockaddr", read_member_helper},
		{"__get_rel_sockaddr", read_member_helper},
		{"__get_dynamic_array_len", read_length_helper},
		{"__get_rel_dynamic_array_len", read_length_helper},
		{"__print_symbolic", read_symbolic},
		{"__print_symbolic64", read_symbolic},
		{"__print_flags", read_flags},
		{"__print_flags_u64", read_flags},
		{"__print_hex", read_hex},
		{"__print_hex_str", read_hex_text},
		{"__print_array", read_array},
		{"__builtin_expect", read_expected},
		{"sizeof", read_sizeof},
	};
	size_t i;

	for (i = 0; i < sizeof(helpers) / sizeof(*helpers); i++)
		if (kt_print_is_word(name, len, helpers[i].name))
			return helpers[i].read(p);
	return NULL;
}
