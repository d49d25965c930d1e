// SPDX-License-Identifier: GPL-2.0-or-later
/* What programs record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events/curated.h"
#include "events/event.h"
#include "generate/count_hits.h"
#include "handlers/task_name_prog.h"
#include "tests/golden/golden.h"

static void count(void **state)
{
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_count(a, 3, 5);
	assert_golden(a, "count");
	kt_asm_free(a);
}

/* Fields with and without gaps, at offsets of every alignment. */
static void record(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .offset = 8, .size = 1},   {.name = "b", .offset = 10, .size = 2},
		{.name = "c", .offset = 12, .size = 4},  {.name = "d", .offset = 16, .size = 8},
		{.name = "e", .offset = 24, .size = 16}, {.name = "f", .offset = 44, .size = 11},
	};
	struct kt_event event = make_event(fields, 6, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);

	(void)state;
	assert_record(r, &event, "record");
}

/* A ring in which the oldest records make room. */
static void overwriting(void **state)
{
	static const struct kt_field field = {.name = "a", .offset = 8, .size = 8};
	struct kt_event event = make_event(&field, 1, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);

	(void)state;
	r.overwrite = true;
	assert_record(r, &event, "overwriting");
}

/* The ids of stacks come before the fields. */
static void stacks(void **state)
{
	static const struct kt_field field = {.name = "a", .offset = 8, .size = 8};
	struct kt_event event = make_event(&field, 1, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);

	(void)state;
	event.stacks = KT_CALLSTACK_BIT(KT_CALLSTACK_KERNEL);
	r.stacks = (struct kt_callstack_maps){11, {12, 13}, false, {.of_task = 80, .id = 96}};
	assert_record(r, &event, "stack");
	event.stacks = KT_CALLSTACK_BIT(KT_CALLSTACK_USER);
	assert_record(r, &event, "user_stack");
	r.stacks.keep = true;
	assert_record(r, &event, "kept_user_stack");
}

/* Data of varying length after the fields. */
static void varying(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .offset = 8, .size = 4},
		{.name = "b", .offset = 12, .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "c", .offset = 16, .size = 4, .width = 8, .flags = KT_FIELD_REL_LOC},
		{.name = "d", .offset = 20, .size = 4},
	};
	struct kt_event event = make_event(fields, 4, NULL);
	struct kt_reserve r = make_reserve(12, 2, 2);

	(void)state;
	assert_record(r, &event, "varying");
}

/* Every test, on fields of every size and sign, in every combination. */
static void filter(void **state)
{
	static const struct kt_field fields[] = {
		{"a", "u8", 8, 1, 1, 0, KT_DECIMAL, NULL, NULL},
		{"b", "short", 10, 2, 2, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
		{"c", "int", 12, 4, 4, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
		{"d", "u64", 16, 8, 8, 0, KT_DECIMAL, NULL, NULL},
	};
	struct kt_event event = make_event(fields, 4, NULL);

	(void)state;
	assert_filtered(
		make_reserve(16, 64, 5), &event,
		make_filter(
			&event,
			"(a == 1 || b != -2 && !(c < 3)) && (d > 0xffffffffff || a & 4 || c <= -5) "
			"&& !(d & 6) && b >= 7 && (PID == 8 || TID == 9) && !(CPU < 10 && d == "
			"11)"),
		"filter");
}

/* Values of a curated event; a pointer shared by two of them is followed once. */
static void filter_curated(void **state)
{
	static const struct kt_field fields[] = {
		{"a", "int", 8, 4, 4, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
		{"b", "u8", 12, 1, 1, 0, KT_DECIMAL, NULL, NULL},
		{"c", "long", 16, 8, 8, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
	};
	struct kt_expr y = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {16}, .size = 8}};
	struct kt_expr z = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {24}, .size = 4}};
	struct kt_expr one = {KT_EXPR_NUMBER, .number = 1};
	struct kt_expr task = {KT_EXPR_PATH, .path = {KT_MEMBER_PATH_GLOBALS + KT_BTF_CURRENT,
						      .n = 1, .offsets = {8}, .size = 4}};
	struct kt_expr c = {KT_EXPR_CHOICE, .of = {&y, &one, &task}};
	struct kt_curated *curated = calloc(1, sizeof(*curated) + 3 * sizeof(*curated->exprs));
	struct kt_event event = make_event(fields, 3, curated);

	(void)state;
	curated->n = 3;
	curated->exprs[0] = &y;
	curated->exprs[1] = &z;
	curated->exprs[2] = &c;
	curated->takes[KT_BTF_CURRENT] = true;
	assert_filtered(make_reserve(16, 64, 5), &event,
			make_filter(&event, "a < 1 && b == 2 && c > 3 && a != 4"),
			"filter-curated");
	free(curated);
}

/* Texts in every place, whole, in part and by patterns, matching and not. */
static void filter_text(void **state)
{
	static const struct kt_field fields[] = {
		{"a", "char[12]", 12, 12, 1, KT_FIELD_ARRAY, KT_DECIMAL, NULL, NULL},
		{"b", "__data_loc char[]", 24, 4, 1, KT_FIELD_DATA_LOC, KT_DECIMAL, NULL, NULL},
		{"c", "__rel_loc char[]", 28, 4, 1, KT_FIELD_REL_LOC, KT_DECIMAL, NULL, NULL},
	};
	struct kt_event event = make_event(fields, 3, NULL);

	(void)state;
	assert_filtered(make_reserve(16, 64, 5), &event,
			make_filter(&event, "(a == 'abcdefghijkl' || b != 'abc') && (c ~ "
					    "'a\xff\xff\xff\xff*' || a ~ '?*')"
					    "&& !(b ~ '*[ab]' && COMM == 'sh')"),
			"filter-text");
}

/* The same for a curated event. */
static void filter_curated_text(void **state)
{
	static const struct kt_field fields[] = {
		{"a", "char[16]", 8, 16, 1, KT_FIELD_ARRAY, KT_DECIMAL, NULL, NULL},
		{"b", "__data_loc char[]", 24, 4, 1, KT_FIELD_DATA_LOC, KT_DECIMAL, NULL, NULL},
	};
	struct kt_expr a = {KT_EXPR_PATH,
			    .path = {.n = 1, .offsets = {20}, .size = 16, .is_array = true}};
	struct kt_expr v = {KT_EXPR_PATH, .path = {.arg = 1, .size = 8}};
	struct kt_expr pointer = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {8}, .size = 8}};
	struct kt_expr ours = {KT_EXPR_TEXT, .text = (char[]){"none"}};
	struct kt_expr b = {KT_EXPR_CHOICE, .of = {&v, &pointer, &ours}};
	struct kt_curated *curated = calloc(1, sizeof(*curated) + 2 * sizeof(*curated->exprs));
	struct kt_event event = make_event(fields, 2, curated);

	(void)state;
	curated->n = 2;
	curated->exprs[0] = &a;
	curated->exprs[1] = &b;
	curated->text_max = KT_CURATED_TEXT_MAX;
	assert_filtered(make_reserve(16, 64, 5), &event,
			make_filter(&event, "a ~ 'ab*' && b == 'no'"), "filter-curated-text");
	free(curated);
}

static void assert_curated(const struct kt_field *fields, struct kt_expr *exprs, size_t n,
			   const char *name)
{
	struct kt_curated *c = calloc(1, sizeof(*c) + n * sizeof(*c->exprs));
	struct kt_event event = make_event(fields, n, c);
	bool is_text = strcmp(name, "text") == 0;
	bool follows = !is_text && fields[n - 1].flags & KT_FIELD_DATA_LOC;
	struct kt_reserve r = make_reserve(follows ? 12 : 16, 64, 5);

	for (; c->n < n; c->n++)
		c->exprs[c->n] = &exprs[c->n];
	c->takes[KT_BTF_CURRENT] = c->takes[KT_BTF_JIFFIES] = strcmp(name, "computed") == 0;
	c->vmemmap = 0xffffea0000000000;
	c->text_max = is_text ? KT_CURATED_TEXT_MAX : 0;
	while (follows && c->n_pointed < n &&
	       fields[n - 1 - c->n_pointed].flags & KT_FIELD_DATA_LOC)
		c->n_pointed++;
	c->bytes_max = 32;
	assert_record(r, &event, name);
	free(c);
}

/* Arguments and what they point to, narrowed and widened, signed and unsigned. */
static void curated(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "b", .size = 1, .width = 1},
		{.name = "c", .size = 14, .width = 1, .flags = KT_FIELD_ARRAY},
		{.name = "d", .size = 4, .width = 4},
		{.name = "e", .size = 8, .width = 8},
		{.name = "f", .size = 4, .width = 4},
		{.name = "g", .size = 2, .width = 2},
	};
	struct kt_expr exprs[] = {
		{KT_EXPR_PATH, .path = {.arg = 1, .size = 4, .is_signed = true}},
		{KT_EXPR_PATH, .path = {.arg = 2, .size = 8}},
		{KT_EXPR_PATH, .path = {.n = 1, .offsets = {2000}, .size = 14, .is_array = true}},
		{KT_EXPR_PATH, .path = {.n = 1, .offsets = {16}, .size = 2}},
		{KT_EXPR_PATH,
		 .path = {.n = 3, .offsets = {8, 24, 4}, .size = 4, .is_signed = true}},
		{KT_EXPR_PATH, .path = {.n = 3, .offsets = {8, 24, 0}, .size = 4}},
		{KT_EXPR_PATH, .path = {.n = 3, .offsets = {8, 32, 0}, .size = 4}},
	};

	(void)state;
	assert_curated(fields, exprs, 7, "curated");
}

/*
 * a = (int)x->y, b[2] = current->z & 2 ? x->y, 7 : v, x->y, c = v == (v | x->y) ? 1 : v == 5 ? 2 :
 * 3 with a u8 v, after each of which r7 is unknown; d = jiffies.
 */
static void computed(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "b", .size = 8, .width = 4, .flags = KT_FIELD_ARRAY},
		{.name = "c", .size = 1, .width = 1},
		{.name = "d", .size = 8, .width = 8},
	};
	struct kt_expr y = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {16}, .size = 8}};
	struct kt_expr z = {KT_EXPR_PATH, .path = {KT_MEMBER_PATH_GLOBALS + KT_BTF_CURRENT, .n = 1,
						   .offsets = {8}, .size = 4}};
	struct kt_expr v = {KT_EXPR_PATH, .path = {.arg = 1, .size = 1}};
	struct kt_expr one = {KT_EXPR_NUMBER, .number = 1}, two = {KT_EXPR_NUMBER, .number = 2};
	struct kt_expr three = {KT_EXPR_NUMBER, .number = 3}, five = {KT_EXPR_NUMBER, .number = 5};
	struct kt_expr seven = {KT_EXPR_NUMBER, .number = 7};
	struct kt_expr if_z = {KT_EXPR_AND, .of = {&z, &two}},
		       v_or_y = {KT_EXPR_OR, .of = {&v, &y}};
	struct kt_expr is_or = {KT_EXPR_EQUAL, .of = {&v, &v_or_y}},
		       is_5 = {KT_EXPR_EQUAL, .of = {&v, &five}};
	struct kt_expr left = {KT_EXPR_LIST, .of = {&y, &seven}},
		       right = {KT_EXPR_LIST, .of = {&v, &y}};
	struct kt_expr last = {KT_EXPR_CHOICE, .of = {&is_5, &two, &three}};
	struct kt_expr exprs[] = {
		{KT_EXPR_CAST, .of = {&y}, .path = {.size = 4, .is_signed = true}},
		{KT_EXPR_CHOICE, .of = {&if_z, &left, &right}},
		{KT_EXPR_CHOICE, .of = {&is_or, &one, &last}},
		{KT_EXPR_PATH, .path = {KT_MEMBER_PATH_GLOBALS + KT_BTF_JIFFIES, .size = 8}},
	};

	(void)state;
	assert_curated(fields, exprs, 4, "computed");
}

/* a = p == 0 ? 0 : probe(p->x->y), b = ntohs(p->z): only r6 to r9 survive the call. */
static void probed(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "b", .size = 2, .width = 2},
	};
	struct kt_expr p = {KT_EXPR_PATH, .path = {.size = 8, .is_pointer = true}};
	struct kt_expr nothing = {.op = KT_EXPR_NUMBER},
		       is_nothing = {KT_EXPR_EQUAL, .of = {&p, &nothing}};
	struct kt_expr y = {KT_EXPR_PROBE,
			    .path = {.n = 2, .offsets = {8, 16}, .size = 4, .is_signed = true}};
	struct kt_expr z = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {24}, .size = 2}};
	struct kt_expr exprs[] = {
		{KT_EXPR_CHOICE, .of = {&is_nothing, &nothing, &y}},
		{KT_EXPR_NTOHS, .of = {&z}},
	};

	(void)state;
	assert_curated(fields, exprs, 2, "probed");
}

/* a = p ? p - vmemmap : -1, b = p->x - p, in structs of 64 bytes. */
static void differences(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "b", .size = 8, .width = 8},
	};
	struct kt_expr p = {KT_EXPR_PATH, .path = {.size = 8, .is_pointer = true}};
	struct kt_expr x = {KT_EXPR_PATH,
			    .path = {.n = 1, .offsets = {16}, .size = 8, .is_pointer = true}};
	struct kt_expr vmemmap = {
		KT_EXPR_PATH,
		.path = {KT_MEMBER_PATH_GLOBALS + KT_BTF_VMEMMAP, .size = 8, .is_pointer = true},
	};
	struct kt_expr none = {KT_EXPR_NUMBER, .number = -1};
	struct kt_expr from_first = {KT_EXPR_MINUS, .of = {&p, &vmemmap}, .number = 6};
	struct kt_expr exprs[] = {
		{KT_EXPR_CHOICE, .of = {&p, &from_first, &none}},
		{KT_EXPR_MINUS, .of = {&x, &p}, .number = 6},
	};

	(void)state;
	assert_curated(fields, exprs, 2, "differences");
}

/* a = p->bits, b = p->v > 255 ? p->x - p->y + p->v : 0, and c, d through a computed pointer. */
static void packet(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 1, .width = 1},
		{.name = "b", .size = 4, .width = 4},
		{.name = "c", .size = 4, .width = 4},
		{.name = "d", .size = 2, .width = 2},
	};
	struct kt_expr x = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {16}, .size = 8}};
	struct kt_expr y = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {24}, .size = 8}};
	struct kt_expr v = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {32}, .size = 2}};
	struct kt_expr none = {.op = KT_EXPR_NUMBER};
	struct kt_expr most = {KT_EXPR_NUMBER, .number = 255};
	struct kt_expr is_more = {KT_EXPR_MORE, .of = {&v, &most}};
	struct kt_expr minus = {KT_EXPR_MINUS, .of = {&x, &y}};
	struct kt_expr sum = {KT_EXPR_PLUS, .of = {&minus, &v}};
	struct kt_member_path there = {
		.n = 2, .offsets = {16, 4}, .size = 4, .plus = 40, .as = 7, .by = 8};
	struct kt_expr exprs[] = {
		{KT_EXPR_PATH, .path = {.n = 1, .offsets = {36}, .size = 1, .bit = 5, .bits = 2}},
		{KT_EXPR_CHOICE, .of = {&is_more, &sum, &none}},
		{KT_EXPR_PATH, .path = there},
		{KT_EXPR_PATH, .path = there},
	};

	(void)state;
	exprs[3].path.offsets[1] = 12;
	exprs[3].path.size = 2;
	assert_curated(fields, exprs, 4, "packet");
}

/* Letters in ten bytes: "F" or nothing, then "W" or "R". */
static void letters(void **state)
{
	static const struct kt_field field = {
		.name = "a", .size = 10, .width = 1, .flags = KT_FIELD_ARRAY};
	struct kt_expr v = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {24}, .size = 4}};
	struct kt_expr one = {KT_EXPR_NUMBER, .number = 1};
	struct kt_expr nine = {KT_EXPR_NUMBER, .number = 9};
	struct kt_expr highest = {KT_EXPR_SHIFT, .of = {&v, &nine}};
	struct kt_expr is_one = {KT_EXPR_EQUAL, .of = {&v, &one}};
	struct kt_expr f = {KT_EXPR_TEXT, .text = (char[]){"F"}};
	struct kt_expr r = {KT_EXPR_TEXT, .text = (char[]){"R"}};
	struct kt_expr w = {KT_EXPR_TEXT, .text = (char[]){"W"}};
	struct kt_expr none = {KT_EXPR_TEXT, .text = (char[]){""}};
	struct kt_expr first = {KT_EXPR_CHOICE, .of = {&highest, &f, &none}};
	struct kt_expr second = {KT_EXPR_CHOICE, .of = {&is_one, &w, &r}};
	struct kt_expr both = {KT_EXPR_LIST, .of = {&first, &second}};
	struct kt_expr join = {KT_EXPR_JOIN, .of = {&both}};

	(void)state;
	assert_curated(&field, &join, 1, "letters");
}

/* A text at a pointer, in an array of 16, or constant, and a number after it. */
static void text(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 4, .width = 4},
		{.name = "b", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "c", .size = 8, .width = 8},
	};
	struct kt_expr v = {KT_EXPR_PATH, .path = {.size = 8}};
	struct kt_expr w = {KT_EXPR_PATH, .path = {.arg = 1, .size = 8}};
	struct kt_expr pointer = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {8}, .size = 8}};
	struct kt_expr array = {KT_EXPR_PATH,
				.path = {.n = 2, .offsets = {8, 32}, .size = 16, .is_array = true}};
	struct kt_expr ours = {KT_EXPR_TEXT, .text = (char[]){"none"}};
	struct kt_expr last = {KT_EXPR_CHOICE, .of = {&w, &array, &ours}};
	struct kt_expr exprs[] = {
		{KT_EXPR_PATH, .path = {.arg = 1, .size = 4}},
		{KT_EXPR_CHOICE, .of = {&v, &pointer, &last}},
		{KT_EXPR_PATH, .path = {.n = 1, .offsets = {16}, .size = 8}},
	};

	(void)state;
	assert_curated(fields, exprs, 3, "text");
}

/*
 * A process's two strings, its bytes and, unless the call failed, two numbers, after their
 * pointers, in rings with room for 167 bytes of each.
 */
static void pointed(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "b", .size = 8, .width = 8},
		{.name = "__a_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "__b_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "__c_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "__d_val", .size = 4, .width = 4, .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_expr n = {KT_EXPR_PATH, .path = {.arg = 1, .size = 8, .is_signed = true}};
	struct kt_expr a = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr b = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {104}, .size = 8}};
	struct kt_expr zero = {KT_EXPR_NUMBER}, eight = {KT_EXPR_NUMBER, .number = 8};
	struct kt_expr failed = {KT_EXPR_MORE, .of = {&zero, &n}};
	struct kt_expr none = {KT_EXPR_BYTES, .of = {&a, &zero}, .number = 1};
	struct kt_expr two = {KT_EXPR_BYTES, .of = {&a, &eight}, .number = 1};
	struct kt_expr exprs[] = {
		a,
		b,
		{KT_EXPR_STRING, .of = {&a}},
		{KT_EXPR_STRING, .of = {&b}},
		{KT_EXPR_BYTES, .of = {&a, &n, &b}, .number = 1},
		{KT_EXPR_CHOICE, .of = {&failed, &none, &two}},
	};

	(void)state;
	assert_curated(fields, exprs, 6, "pointed-data");
}

/*
 * Unless the call failed, as many elements as asked for, up to the limit; and a struct of which the
 * process knows a part.
 */
static void elements(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "__a_val", .size = 4, .width = 12, .flags = KT_FIELD_DATA_LOC},
		{.name = "__b_val", .size = 4, .width = 20, .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_expr n = {KT_EXPR_PATH, .path = {.arg = 1, .size = 8, .is_signed = true}};
	struct kt_expr a = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr b = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {104}, .size = 8}};
	struct kt_expr zero = {KT_EXPR_NUMBER};
	struct kt_expr failed = {KT_EXPR_MORE, .of = {&zero, &n}};
	struct kt_expr none = {KT_EXPR_BYTES, .of = {&a, &zero}, .number = 1};
	struct kt_expr array = {KT_EXPR_BYTES, .of = {&a, &b}, .number = 12};
	struct kt_expr exprs[] = {
		a,
		{KT_EXPR_CHOICE, .of = {&failed, &none, &array}},
		{KT_EXPR_PADDED, .of = {&b, &n}, .number = 20},
	};

	(void)state;
	assert_curated(fields, exprs, 3, "elements");
}

/* Buffers of structs: complete at the entry, as much as returned at the return. */
static void vector_buffers(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "__a_val", .size = 4, .width = 16, .flags = KT_FIELD_DATA_LOC},
		{.name = "__a_data", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "__b_val", .size = 4, .width = 16, .flags = KT_FIELD_DATA_LOC},
		{.name = "__b_data", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_expr n = {KT_EXPR_PATH, .path = {.arg = 1, .size = 8, .is_signed = true}};
	struct kt_expr a = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr any = {KT_EXPR_NUMBER, .number = -1};
	struct kt_expr exprs[] = {
		a,
		{KT_EXPR_BYTES, .of = {&a, &n}, .number = 16},
		{KT_EXPR_BUFFERS, .of = {&any}},
		{KT_EXPR_BYTES, .of = {&a, &n}, .number = 16},
		{KT_EXPR_BUFFERS, .of = {&n}},
	};

	(void)state;
	assert_curated(fields, exprs, 5, "buffers");
}

/* Data that a struct's members point to, by its copy, if it could be copied. */
static void members(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "__a_val", .size = 4, .width = 56, .flags = KT_FIELD_DATA_LOC},
		{.name = "__name_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "__vec_val", .size = 4, .width = 16, .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_expr a = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr all = {KT_EXPR_NUMBER, .number = KT_EXPR_STRUCT_SIZE};
	struct kt_expr name = {KT_EXPR_MEMBER, .path = {.size = 8}};
	struct kt_expr length = {KT_EXPR_MEMBER, .number = 8, .path = {.size = 4}};
	struct kt_expr sign = {KT_EXPR_CAST, .of = {&length},
			       .path = {.size = 4, .is_signed = true}};
	struct kt_expr vec = {KT_EXPR_MEMBER, .number = 16, .path = {.size = 8}};
	struct kt_expr n = {KT_EXPR_MEMBER, .number = 24, .path = {.size = 8}};
	struct kt_expr exprs[] = {
		{KT_EXPR_BYTES, .of = {&a, &all}, .number = 1},
		{KT_EXPR_UPTO, .of = {&name, &sign}, .number = 128},
		{KT_EXPR_BYTES, .of = {&vec, &n}, .number = 16},
	};

	(void)state;
	assert_curated(fields, exprs, 3, "members");
}

/* Lengths in a register, and in the process's memory. */
static void addresses(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "__a_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "__b_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_expr a = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr b = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {104}, .size = 8}};
	struct kt_expr n = {KT_EXPR_CAST, .of = {&b}, .path = {.size = 4, .is_signed = true}};
	struct kt_expr exprs[] = {
		a,
		{KT_EXPR_UPTO, .of = {&a, &n}, .number = 128},
		{KT_EXPR_UPTO_AT, .of = {&a, &b}, .number = 128},
	};

	(void)state;
	assert_curated(fields, exprs, 3, "addresses");
}

/* A list's length, and the texts at its pointers. */
static void listed(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .size = 8, .width = 8},
		{.name = "__a_count", .size = 4, .width = 4},
		{.name = "__a_val", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
	};
	struct kt_expr a = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr exprs[] = {a, {KT_EXPR_COUNT, .of = {&a}}, {KT_EXPR_STRINGS, .of = {&a}}};

	(void)state;
	assert_curated(fields, exprs, 3, "listed");
}

/* A task's new name, from the tracepoint's arguments. */
static void entry(void **state)
{
	struct kt_expr tid = {KT_EXPR_PATH, .path = {0, 1, {1432}, 4, .is_signed = true}};
	struct kt_expr pid = {KT_EXPR_PATH, .path = {0, 1, {1436}, 4, .is_signed = true}};
	struct kt_expr comm = {KT_EXPR_PATH, .path = {.arg = 1, .size = 8, .is_text = true}};
	struct kt_expr was = {KT_EXPR_PATH, .path = {0, 1, {1848}, 16, .is_array = true}};
	struct kt_curated *c = calloc(1, sizeof(*c) + 5 * sizeof(*c->exprs));
	struct kt_event event = {
		.system = "task", .name = "task_rename", .id = 1, .n_fields = 5, .curated = c};
	struct kt_emit_task_name n = {.ring = 3, .followed = 5, .recorder = 4711};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	c->n = 5;
	c->exprs[0] = &tid;
	c->exprs[1] = &pid;
	c->exprs[2] = &pid; /* is followed as its process is */
	c->exprs[3] = &comm;
	c->exprs[4] = &was;
	kt_emit_task_name(a, &n, &event);
	assert_golden(a, "task-names");
	kt_asm_free(a);

	a = kt_asm_new();
	n.all = true;
	n.kind = KT_TASK_NAME_RENAMED;
	kt_emit_task_name(a, &n, &event);
	assert_golden(a, "task-names-all");
	kt_asm_free(a);
	free(c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(count),          cmocka_unit_test(record),
		cmocka_unit_test(overwriting),    cmocka_unit_test(stacks),
		cmocka_unit_test(varying),        cmocka_unit_test(filter),
		cmocka_unit_test(filter_text),    cmocka_unit_test(filter_curated_text),
		cmocka_unit_test(filter_curated), cmocka_unit_test(curated),
		cmocka_unit_test(computed),       cmocka_unit_test(probed),
		cmocka_unit_test(differences),    cmocka_unit_test(letters),
		cmocka_unit_test(packet),         cmocka_unit_test(text),
		cmocka_unit_test(pointed),        cmocka_unit_test(elements),
		cmocka_unit_test(listed),         cmocka_unit_test(vector_buffers),
		cmocka_unit_test(members),        cmocka_unit_test(addresses),
		cmocka_unit_test(entry),
	};

	return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
