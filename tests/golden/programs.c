// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "emit/count.h"
#include "emit/follow.h"
#include "emit/record.h"
#include "tests/golden/golden.h"

static void count(void **state)
{
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_count(a, 3, 5);
	assert_golden(a, "count");
	kt_asm_free(a);
}

/* Fields with and without gaps between them, at places of every alignment. */
static void record(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .offset = 8, .size = 1},   {.name = "b", .offset = 10, .size = 2},
		{.name = "c", .offset = 12, .size = 4},  {.name = "d", .offset = 16, .size = 8},
		{.name = "e", .offset = 24, .size = 16}, {.name = "f", .offset = 44, .size = 11},
	};
	static const struct kt_event event = {"test", "test", 1, 6, fields, NULL};
	struct kt_reserve r = {
		.ledger = 3, .rings = 4, .followed = -1, .geometry = {16, 64}, .event = 5};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_record(a, r, &event);
	assert_golden(a, "record");
	kt_asm_free(a);
}

/* Data of any length, which follow the fields. */
static void varying(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "a", .offset = 8, .size = 4},
		{.name = "b", .offset = 12, .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
		{.name = "c", .offset = 16, .size = 4, .width = 8, .flags = KT_FIELD_REL_LOC},
		{.name = "d", .offset = 20, .size = 4},
	};
	static const struct kt_event event = {"test", "test", 1, 4, fields, NULL};
	struct kt_reserve r = {
		.ledger = 3, .rings = 4, .followed = -1, .geometry = {12, 2}, .event = 2};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_record(a, r, &event);
	assert_golden(a, "varying");
	kt_asm_free(a);
}

/* Arguments and what they lead to, cut and widened, with and without a sign. */
static void curated(void **state)
{
	static const struct kt_path paths[] = {
		{.arg = 1, .size = 4, .is_signed = true},
		{.arg = 2, .size = 8},
		{.arg = 0, .n = 1, .offsets = {2000}, .size = 14},
		{.arg = 0, .n = 1, .offsets = {16}, .size = 2},
		{.arg = 0, .n = 3, .offsets = {8, 24, 4}, .size = 4, .is_signed = true},
		{.arg = 0, .n = 3, .offsets = {8, 24, 0}, .size = 4},
		{.arg = 0, .n = 3, .offsets = {8, 32, 0}, .size = 4},
	};
	static const struct kt_field fields[] = {
		{.name = "a", .offset = 8, .size = 8},
		{.name = "b", .offset = 16, .size = 1},
		{.name = "c", .offset = 17, .size = 14, .flags = KT_FIELD_ARRAY},
		{.name = "d", .offset = 32, .size = 4},
		{.name = "e", .offset = 40, .size = 8},
		{.name = "f", .offset = 48, .size = 4},
		{.name = "g", .offset = 52, .size = 2},
	};
	struct kt_curated *c = calloc(1, sizeof(*c) + sizeof(paths));
	struct kt_event event = {"test", "test", 1, 7, fields, c};
	struct kt_reserve r = {
		.ledger = 3, .rings = 4, .followed = -1, .geometry = {16, 64}, .event = 5};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	memcpy(c->paths, paths, sizeof(paths));
	kt_emit_record(a, r, &event);
	assert_golden(a, "curated");
	kt_asm_free(a);
	free(c);
}

/* Nothing but what happens while a followed process runs. */
static void followed(void **state)
{
	static const struct kt_field fields[] = {{.name = "a", .offset = 8, .size = 8}};
	static const struct kt_event event = {"test", "test", 1, 1, fields, NULL};
	struct kt_reserve r = {
		.ledger = 3, .rings = 4, .followed = 5, .geometry = {12, 2}, .event = 1};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_record(a, r, &event);
	assert_golden(a, "followed");
	kt_asm_free(a);
}

/* Where the child's number stands differs between kernels. */
static void at_fork(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "parent_pid", .offset = 24, .size = 4},
		{.name = "child_pid", .offset = 44, .size = 4},
	};
	static const struct kt_event fork = {"sched", "sched_process_fork", 1, 2, fields, NULL};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_fork(a, 5, &fork);
	assert_golden(a, "fork");
	kt_asm_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(count),   cmocka_unit_test(record),   cmocka_unit_test(varying),
		cmocka_unit_test(curated), cmocka_unit_test(followed), cmocka_unit_test(at_fork),
	};

	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
