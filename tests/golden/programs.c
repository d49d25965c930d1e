// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "emit/count.h"
#include "tests/golden/golden.h"

static void count(void **state)
{
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_count(a, 3, 5);
	assert_golden(a, "count");
	kt_asm_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(count),
	};

	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
