// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_number.h"

#include "trace/record_layout.h"

static uint64_t convert_to_type(uint64_t n, struct kt_print_type t)
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

static bool is_comparison(enum kt_print_op op)
{
	return (op >= KT_PRINT_LESS && op <= KT_PRINT_NOT_EQUAL) || op == KT_PRINT_BOTH ||
	       op == KT_PRINT_EITHER;
}

/* Returns the type that both operands are converted to (usual arithmetic conversions). */
static struct kt_print_type find_common_type(struct kt_print_type left, struct kt_print_type right)
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
	if (is_comparison(op))
		return (struct kt_print_type){32, false};
	if (op == KT_PRINT_SHIFT_LEFT || op == KT_PRINT_SHIFT_RIGHT)
		return kt_print_promoted(left);
	return find_common_type(left, right);
}

static uint64_t divide_numbers(int64_t a, int64_t b, bool is_unsigned, bool rest)
{
	if (b == 0)
		return 0;
	if (is_unsigned)
		return rest ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b;
	if (b == -1)
		return rest ? 0 : -(uint64_t)a;
	return rest ? a % b : a / b;
}

static uint64_t shift_number(uint64_t a, uint64_t by, bool left, struct kt_print_type t)
{
	if (by >= t.bits)
		return 0;
	if (left)
		return a << by;
	return t.is_unsigned ? a >> by : (uint64_t)((int64_t)a >> by);
}

/* Compares two numbers of the common type. */
static bool compare_numbers(enum kt_print_op op, uint64_t a, uint64_t b, bool is_unsigned)
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

static uint64_t combine_numbers(enum kt_print_op op, uint64_t a, uint64_t b, struct kt_print_type t)
{
	switch (op) {
	case KT_PRINT_MULTIPLY:
		return a * b;
	case KT_PRINT_DIVIDE:
	case KT_PRINT_MODULO:
		return divide_numbers(a, b, t.is_unsigned, op == KT_PRINT_MODULO);
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

/* Computes an operator with two operands that always evaluates both. */
static uint64_t compute_binary(const struct kt_print_expr *e, uint64_t a, uint64_t b)
{
	struct kt_print_type t = find_common_type(e->of[0]->type, e->of[1]->type);

	if (e->op == KT_PRINT_SHIFT_LEFT || e->op == KT_PRINT_SHIFT_RIGHT)
		return shift_number(convert_to_type(a, e->type), b, e->op == KT_PRINT_SHIFT_LEFT,
				    e->type);
	a = convert_to_type(a, t);
	b = convert_to_type(b, t);
	return is_comparison(e->op) ? compare_numbers(e->op, a, b, t.is_unsigned)
				    : combine_numbers(e->op, a, b, t);
}

static uint64_t read_element(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			     const struct kt_value *values)
{
	uint64_t i = e->of[0]->op == KT_PRINT_NUMBER ? e->of[0]->number
						     : kt_print_number(e->of[0], fields, values);
	const struct kt_value *v = &values[e->member];

	return i < v->n ? kt_value_number(&fields->members[e->member], v, i) : 0;
}

static uint64_t compute_value(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			      const struct kt_value *values)
{
	const struct kt_print_expr *const *of = e->of;

	switch (e->op) {
	case KT_PRINT_NUMBER:
		return e->number;
	case KT_PRINT_FIELD:
		return kt_value_number(&fields->members[e->member], &values[e->member], 0);
	case KT_PRINT_ELEMENT:
		return read_element(e, fields, values);
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
		return compute_binary(e, kt_print_number(of[0], fields, values),
				      kt_print_number(of[1], fields, values));
	}
}

uint64_t kt_print_number(const struct kt_print_expr *e, const struct kt_record_layout *fields,
			 const struct kt_value *values)
{
	/* the most frequent one */
	if (e->op == KT_PRINT_FIELD)
		return convert_to_type(
			kt_value_number(&fields->members[e->member], &values[e->member], 0),
			e->type);
	return convert_to_type(compute_value(e, fields, values), e->type);
}
