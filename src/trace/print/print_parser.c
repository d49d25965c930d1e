// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_parser.h"

#include "trace/print/print_helpers.h"
#include "trace/print/print_lexer.h"
#include "trace/print/print_number.h"
#include "trace/print/print_types.h"
#include "trace/record_layout.h"

/* No format of the kernel's is nested half as deep. */
enum { DEPTH_MAX = 64 };

typedef const struct kt_print_expr expr;

static bool is_computed(const struct kt_print_expr *e)
{
	return e->type.bits && e->op >= KT_PRINT_CAST && e->op <= KT_PRINT_CHOICE;
}

/* Returns whether the expression depends on no field. */
static bool is_constant(const struct kt_print_expr *e)
{
	size_t i;

	for (i = 0; i < sizeof(e->of) / sizeof(*e->of); i++)
		if (e->of[i] && e->of[i]->op != KT_PRINT_NUMBER)
			return false;
	return true;
}

const struct kt_print_expr *kt_print_add(struct kt_print_parser *p, struct kt_print_expr e)
{
	struct kt_print_expr *added = kt_print_alloc(p, sizeof(*added));

	if (added && is_computed(&e) && is_constant(&e))
		e = (struct kt_print_expr){.op = KT_PRINT_NUMBER,
					   .type = e.type,
					   .number = kt_print_number(&e, NULL, NULL)};
	if (added)
		*added = e;
	return added;
}

const struct kt_member *kt_print_field(struct kt_print_parser *p)
{
	const struct kt_record_layout *s = p->fields;
	const char *name;
	size_t len = kt_print_word(p, &name), i;

	for (i = 0; i < s->n_members; i++)
		if (kt_print_is_word(name, len, s->members[i].name) && !s->members[i].of)
			return &s->members[i];
	return NULL;
}

static expr *add_member(struct kt_print_parser *p, enum kt_print_op op, const struct kt_member *m,
			expr *index)
{
	struct kt_print_expr e = {
		.op = op,
		.member = m - p->fields->members,
		.of = {index},
	};

	if (op != KT_PRINT_MEMBER)
		e.type = (struct kt_print_type){8 * m->width, !m->is_signed};
	return kt_print_add(p, e);
}

const struct kt_print_expr *kt_print_member(struct kt_print_parser *p, const struct kt_member *m)
{
	return add_member(p, KT_PRINT_MEMBER, m, NULL);
}

static expr *read_element(struct kt_print_parser *p, const struct kt_member *m)
{
	expr *index = kt_print_numeric(p);

	return index && kt_print_take(p, "]") ? add_member(p, KT_PRINT_ELEMENT, m, index) : NULL;
}

/* Reads a field's name after REC->. */
static expr *read_field(struct kt_print_parser *p)
{
	const struct kt_member *m = kt_print_field(p);

	if (!m)
		return NULL;
	if (m->array && !m->text && kt_print_take(p, "["))
		return read_element(p, m);
	return kt_member_is_number(m) ? add_member(p, KT_PRINT_FIELD, m, NULL)
				      : kt_print_member(p, m);
}

static expr *read_word(struct kt_print_parser *p)
{
	struct kt_print_expr number = {.op = KT_PRINT_NUMBER, .type = {32, false}};
	const char *word;
	size_t len = kt_print_word(p, &word);

	if (kt_print_is_word(word, len, "REC"))
		return kt_print_take(p, "->") ? read_field(p) : NULL;
	number.number = kt_print_is_word(word, len, "true");
	if (number.number || kt_print_is_word(word, len, "false"))
		return kt_print_add(p, number);
	return len > 0 && kt_print_take(p, "(") ? kt_print_helper(p, word, len) : NULL;
}

static expr *read_operand(struct kt_print_parser *p);

/* Text remains text: "(char *)__get_str(name)". */
static expr *read_cast(struct kt_print_parser *p, struct kt_print_type type)
{
	expr *of = read_operand(p);

	if (!of || !of->type.bits)
		return of;
	return kt_print_add(p,
			    (struct kt_print_expr){.op = KT_PRINT_CAST, .type = type, .of = {of}});
}

static expr *read_bracket(struct kt_print_parser *p)
{
	struct kt_print_type type;
	expr *e;

	if (kt_print_cast(p, &type))
		return read_cast(p, type);
	e = kt_print_expression(p);
	return e && kt_print_take(p, ")") ? e : NULL;
}

static expr *read_text(struct kt_print_parser *p)
{
	struct kt_print_expr e = {.op = KT_PRINT_TEXT, .text = kt_print_text(p)};

	return e.text ? kt_print_add(p, e) : NULL;
}

static expr *read_unary(struct kt_print_parser *p, enum kt_print_op op)
{
	struct kt_print_expr e = {.op = op, .type = {32, false}, .of = {read_operand(p)}};

	if (!e.of[0] || !e.of[0]->type.bits)
		return NULL;
	if (op != KT_PRINT_NOT)
		e.type = kt_print_promoted(e.of[0]->type);
	return kt_print_add(p, e);
}

static expr *read_simple(struct kt_print_parser *p)
{
	char next = kt_print_next(p);

	if (next == '"')
		return read_text(p);
	if (next == '\'' || (next >= '0' && next <= '9'))
		return kt_print_literal(p);
	if (kt_print_take(p, "("))
		return read_bracket(p);
	if (kt_print_take(p, "-"))
		return read_unary(p, KT_PRINT_MINUS);
	if (kt_print_take(p, "!"))
		return read_unary(p, KT_PRINT_NOT);
	if (kt_print_take(p, "~"))
		return read_unary(p, KT_PRINT_COMPLEMENT);
	return read_word(p);
}

static expr *read_operand(struct kt_print_parser *p)
{
	expr *e;

	if (p->depth == DEPTH_MAX)
		return NULL;
	p->depth++;
	e = read_simple(p);
	p->depth--;
	return e;
}

struct operation {
	const char *token;
	int precedence; /* higher: binds tighter */
	enum kt_print_op op;
};

/* Of two operators with a common beginning the longer one comes first. */
static const struct operation operations[] = {
	{"<<", 8, KT_PRINT_SHIFT_LEFT},
	{">>", 8, KT_PRINT_SHIFT_RIGHT},
	{"<=", 7, KT_PRINT_LESS_OR_EQUAL},
	{">=", 7, KT_PRINT_GREATER_OR_EQUAL},
	{"==", 6, KT_PRINT_EQUAL},
	{"!=", 6, KT_PRINT_NOT_EQUAL},
	{"&&", 2, KT_PRINT_BOTH},
	{"||", 1, KT_PRINT_EITHER},
	{"*", 10, KT_PRINT_MULTIPLY},
	{"/", 10, KT_PRINT_DIVIDE},
	{"%", 10, KT_PRINT_MODULO},
	{"+", 9, KT_PRINT_ADD},
	{"-", 9, KT_PRINT_SUBTRACT},
	{"<", 7, KT_PRINT_LESS},
	{">", 7, KT_PRINT_GREATER},
	{"&", 5, KT_PRINT_AND},
	{"^", 4, KT_PRINT_XOR},
	{"|", 3, KT_PRINT_OR},
};

/* Returns the operator that comes next, without taking it. */
static const struct operation *find_operation(struct kt_print_parser *p)
{
	const char *from = p->at;
	size_t i;

	for (i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		if (kt_print_take(p, operations[i].token)) {
			p->at = from;
			return &operations[i];
		}
	return NULL;
}

static expr *add_binary(struct kt_print_parser *p, enum kt_print_op op, expr *left, expr *right)
{
	struct kt_print_expr e = {.op = op, .of = {left, right}};

	if (!left || !right || !left->type.bits || !right->type.bits)
		return NULL;
	e.type = kt_print_type_of(op, left->type, right->type);
	return kt_print_add(p, e);
}

static expr *read_binary(struct kt_print_parser *p, int precedence)
{
	expr *left = read_operand(p);
	const struct operation *o;

	while (left && (o = find_operation(p)) && o->precedence >= precedence) {
		kt_print_take(p, o->token);
		left = add_binary(p, o->op, left, read_binary(p, o->precedence + 1));
	}
	return left;
}

/* Converts to text: a pointer to text may be NULL, which is printed as "(null)". */
static expr *convert_to_text(struct kt_print_parser *p, expr *e)
{
	static const struct kt_print_expr null = {.op = KT_PRINT_TEXT, .text = "(null)"};

	if (!e->type.bits)
		return e;
	return e->op == KT_PRINT_NUMBER && !e->number ? kt_print_add(p, null) : NULL;
}

/* Makes a choice of two numbers, or two texts. */
static expr *add_choice(struct kt_print_parser *p, expr *condition, expr *a, expr *b)
{
	struct kt_print_expr e = {.op = KT_PRINT_CHOICE, .of = {condition, a, b}};

	if (!condition->type.bits)
		return NULL;
	if (a->type.bits && b->type.bits) {
		e.type = kt_print_type_of(KT_PRINT_ADD, a->type, b->type);
	} else {
		e.of[1] = convert_to_text(p, a);
		e.of[2] = convert_to_text(p, b);
	}
	return e.of[1] && e.of[2] ? kt_print_add(p, e) : NULL;
}

/* Reads a choice after its question mark. */
static expr *read_choice(struct kt_print_parser *p, expr *condition)
{
	expr *a = kt_print_expression(p);
	expr *b = a && kt_print_take(p, ":") ? kt_print_expression(p) : NULL;

	return b ? add_choice(p, condition, a, b) : NULL;
}

const struct kt_print_expr *kt_print_expression(struct kt_print_parser *p)
{
	expr *e;

	if (p->depth == DEPTH_MAX)
		return NULL;
	p->depth++;
	e = read_binary(p, 1);
	if (e && kt_print_take(p, "?"))
		e = read_choice(p, e);
	p->depth--;
	return e;
}

const struct kt_print_expr *kt_print_numeric(struct kt_print_parser *p)
{
	expr *e = kt_print_expression(p);

	return e && e->type.bits ? e : NULL;
}
