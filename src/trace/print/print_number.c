// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_number.h"

#include "trace/record_layout.h"

static uint64_t as_type(uint64_t n, struct kt_print_type t)
{
	unsigned int unused = 64 - t.bits;

	if (t.is_unsigned)
		return n << unused >> unused;
	return (uint64_t)((int64_t)(n << unused) >> unused);
}

struct kt_print_type kt_print_promoted(struct kt_print_type t)
{
	return t.bits < 32 ? (struct kt_print_type){32, false} : t;
}

static bool compares(enum kt_print_op op)
{
	return (op >= KT_PRINT_LESS && op <= KT_PRINT_NOT_EQUAL) || op == KT_PRINT_BOTH ||
	       op == KT_PRINT_EITHER;
}

/* What two operands are before the operator comes to them. */
static struct kt_print_type common(struct kt_print_type left, struct kt_print_type right)
{
	left = kt_print_promoted(left);
	right = kt_print_promoted(right);
	if (left.bits != right.bits)
		return left.bits > right.bits ? left : right;
	return left.is_unsigned ? left : right;
}

struct kt_print_type kt_print_type_of(enum kt_print_op op, struct kt_print_type left,
				      struct kt_print_type right)
{
	if (compares(op))
		return (struct kt_print_type){32, false};
	if (op == KT_PRINT_SHIFT_LEFT || op == KT_PRINT_SHIFT_RIGHT)
		return kt_print_promoted(left);
	return common(left, right);
}

static uint64_t divide(int64_t a, int64_t b, bool is_unsigned, bool rest)
{
	if (b == 0)
		return 0;
	if (is_unsigned)
		return rest ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b;
	if (b == -1)
		return rest ? 0 : -(uint64_t)a;
	return rest ? a % b : a / b;
}

static uint64_t shift(uint64_t a, uint64_t by, bool left, struct kt_print_type t)
{
	if (by >= t.bits)
		return 0;
	if (left)
		return a << by;
	return t.is_unsigned ? a >> by : (uint64_t)((int64_t)a >> by);
}

/* Both are of the common type. */
static bool compare(enum kt_print_op op, uint64_t a, uint64_t b, bool is_unsigned)
{
	bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;

	switch (op) {
	case KT_PRINT_LESS:
		return less;
	case KT_PRINT_LESS_OR_EQUAL:
		return less || a == b;
	case KT_PRINT_GREATER:
		return !less && a != b;
	case KT_PRINT_GREATER_OR_EQUAL:
		return !less;
	case KT_PRINT_EQUAL:
		return a == b;
	default:
		return a != b;
	}
}

static uint64_t combine(enum kt_print_op op, uint64_t a, uint64_t b, struct kt_print_type t)
{
	switch (op) {
	case KT_PRINT_MULTIPLY:
		return a * b;
	case KT_PRINT_DIVIDE:
	case KT_PRINT_MODULO:
		return divide(a, b, t.is_unsigned, op == KT_PRINT_MODULO);
	case KT_PRINT_ADD:
		return a + b;
	case KT_PRINT_SUBTRACT:
		return a - b;
	case KT_PRINT_AND:
		return a & b;
	case KT_PRINT_XOR:
		return a ^ b;
	case KT_PRINT_OR:
		return a | b;
	default:
		return 0;
	}
}

/* An operator's with two operands, that needs both of them. */
static uint64_t compute(const struct kt_print_expr *e, uint64_t a, uint64_t b)
{
	struct kt_print_type t = common(e->of[0]->type, e->of[1]->type);

	if (e->op == KT_PRINT_SHIFT_LEFT || e->op == KT_PRINT_SHIFT_RIGHT)
		return shift(as_type(a, e->type), b, e->op == KT_PRINT_SHIFT_LEFT, e->type);
	a = as_type(a, t);
	b = as_type(b, t);
	return compares(e->op) ? compare(e->op, a, b, t.is_unsigned) : combine(e->op, a, b, t);
}

static uint64_t element(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			const struct kt_value *values)
{
	uint64_t i = kt_print_number(e->of[0], fields, values);
	const struct kt_value *v = &values[e->member];

	return i < v->n ? kt_value_number(&fields->members[e->member], v, i) : 0;
}

static uint64_t value_of(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			 const struct kt_value *values)
{
	const struct kt_print_expr *const *of = e->of;

	switch (e->op) {
	case KT_PRINT_NUMBER:
		return e->number;
	case KT_PRINT_FIELD:
		return kt_value_number(&fields->members[e->member], &values[e->member], 0);
	case KT_PRINT_ELEMENT:
		return element(e, fields, values);
	case KT_PRINT_LENGTH:
		return values[e->member].n * fields->members[e->member].width;
	case KT_PRINT_CAST:
		return kt_print_number(of[0], fields, values);
	case KT_PRINT_MINUS:
		return -kt_print_number(of[0], fields, values);
	case KT_PRINT_NOT:
		return !kt_print_number(of[0], fields, values);
	case KT_PRINT_COMPLEMENT:
		return ~kt_print_number(of[0], fields, values);
	case KT_PRINT_BOTH:
		return kt_print_number(of[0], fields, values) &&
		       kt_print_number(of[1], fields, values);
	case KT_PRINT_EITHER:
		return kt_print_number(of[0], fields, values) ||
		       kt_print_number(of[1], fields, values);
	case KT_PRINT_CHOICE:
		return kt_print_number(of[kt_print_number(of[0], fields, values) ? 1 : 2], fields,
				       values);
	default:
		return compute(e, kt_print_number(of[0], fields, values),
			       kt_print_number(of[1], fields, values));
	}
}

uint64_t kt_print_number(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			 const struct kt_value *values)
{
	return as_type(value_of(e, fields, values), e->type);
}
