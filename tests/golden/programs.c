// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
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
	static const struct kt_event event = {"test", "test", 1, 6, fields};
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
	static const struct kt_event event = {"test", "test", 1, 4, fields};
	struct kt_reserve r = {
		.ledger = 3, .rings = 4, .followed = -1, .geometry = {12, 2}, .event = 2};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_record(a, r, &event);
	assert_golden(a, "varying");
	kt_asm_free(a);
}

/* Nothing but what happens while a followed process runs. */
static void followed(void **state)
{
	static const struct kt_field fields[] = {{.name = "a", .offset = 8, .size = 8}};
	static const struct kt_event event = {"test", "test", 1, 1, fields};
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
	static const struct kt_event fork = {"sched", "sched_process_fork", 1, 2, fields};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_fork(a, 5, &fork);
	assert_golden(a, "fork");
	kt_asm_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(count),    cmocka_unit_test(record),  cmocka_unit_test(varying),
		cmocka_unit_test(followed), cmocka_unit_test(at_fork),
	};

	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
