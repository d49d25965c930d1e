// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "emit/count.h"
#include "emit/reserve.h"
#include "tests/golden/golden.h"

static void count(void **state)
{
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_count(a, 3, 5);
	assert_golden(a, "count");
	kt_asm_free(a);
}

static void reserve(void **state)
{
	struct kt_reserve r = {
		.ledger = 3, .rings = 4, .geometry = {16, 64}, .event = 5, .size = 24};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_reserve(a, &r);
	kt_asm_note(a, "fields");
	kt_emit_commit(a, &r);
	assert_golden(a, "reserve");
	kt_asm_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(count),
		cmocka_unit_test(reserve),
	};

	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
