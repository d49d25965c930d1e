// SPDX-License-Identifier: GPL-2.0-or-later
/* Slots of tasks by PID: one each, all are iterated, and few tasks need little memory. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "trace/read/task_table.h"

enum { N_RELEASED = 4 };

static const uint32_t numbers[] = {0, 1, 15, 16, 8191, 8192, 100000, KT_PIDS_MAX - 1};

enum { N = sizeof(numbers) / sizeof(*numbers) };

static void one_slot_per_task(void **state)
{
	struct kt_task_table s = {.size = sizeof(uint32_t)};
	uint32_t *slots[N], tid;
	size_t i;

	(void)state;
	for (i = 0; i < N; i++) {
		assert_non_null(slots[i] = kt_task_table_make(&s, numbers[i]));
		assert_int_equal(*slots[i], 0);
		*slots[i] = numbers[i] + 1;
	}
	for (i = 0; i < N; i++) {
		assert_ptr_equal(kt_task_table_find(&s, numbers[i]), slots[i]);
		assert_ptr_equal(kt_task_table_make(&s, numbers[i]), slots[i]);
		assert_int_equal(*slots[i], numbers[i] + 1);
	}
	assert_null(kt_task_table_find(&s, 50000));
	assert_null(kt_task_table_find(&s, KT_PIDS_MAX));
	assert_null(kt_task_table_make(&s, KT_PIDS_MAX));
	assert_null(kt_task_table_make(&s, UINT32_MAX));

	/* Iteration visits all slots in order. */
	for (tid = 0, i = 0; (slots[0] = kt_task_table_next(&s, &tid)); tid++)
		if (*slots[0]) {
			assert_int_equal(*slots[0], tid + 1);
			assert_int_equal(tid, numbers[i++]);
		}
	assert_int_equal(i, N);
	kt_task_table_clear(&s, NULL);
	assert_null(kt_task_table_find(&s, 0));
	tid = 0;
	assert_null(kt_task_table_next(&s, &tid));
}

static size_t released;

static void release(void *slot)
{
	char **text = slot;

	released += *text != NULL;
	free(*text);
}

static void clearing_releases(void **state)
{
	struct kt_task_table s = {.size = sizeof(char *)};
	char **slot;
	size_t i;

	(void)state;
	for (i = 0; i < N_RELEASED; i++) {
		assert_non_null(slot = kt_task_table_make(&s, numbers[2 * i]));
		assert_non_null(*slot = malloc(1));
	}
	kt_task_table_clear(&s, release);
	assert_int_equal(released, N_RELEASED);
}

/* PIDs spread over the whole range, as on a machine with a long uptime. */
static void few_tasks_need_little_memory(void **state)
{
	enum { N_TASKS = 500, SIZE = 32 };
	struct kt_task_table s = {.size = SIZE};
	size_t before = mallinfo2().uordblks, i;

	(void)state;
	for (i = 0; i < N_TASKS; i++)
		assert_non_null(kt_task_table_make(&s, i * (KT_PIDS_MAX / N_TASKS)));
	assert_in_range(mallinfo2().uordblks - before, N_TASKS * SIZE, N_TASKS * (5 << 10));
	kt_task_table_clear(&s, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_slot_per_task),
		cmocka_unit_test(clearing_releases),
		cmocka_unit_test(few_tasks_need_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
