// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of tasks for metadata: each once, up to a limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "trace/task_labels.h"

static void add(struct kt_task_labels *l, uint32_t tid, const char *comm)
{
	assert_int_equal(kt_task_labels_add(l, tid, comm, KT_TASK_LABELS_MAX), 0);
}

static void each_once(void **state)
{
	struct kt_task_labels l = {0};
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		add(&l, 7, "sh");
		add(&l, 7, "ls");
		add(&l, 8, "sh");
	}
	assert_int_equal(l.n, 3);
	assert_int_equal(l.of[1].tid, 7);
	assert_string_equal(l.of[1].comm, "ls");
	assert_int_equal(l.of[2].tid, 8);
	assert_string_equal(l.of[2].comm, "sh");
	kt_task_labels_free(&l);
	assert_int_equal(l.n, 0);
}

static void limits(void **state)
{
	struct kt_task_labels l = {0};
	char comm[16];
	uint32_t i;

	(void)state;
	assert_int_equal(kt_task_labels_add(&l, 1, "a", 1), 0);
	assert_int_equal(kt_task_labels_add(&l, 2, "b", 1), 0);
	assert_int_equal(l.n, 1);
	for (i = 0; i < 3 * KT_TASK_LABELS_MAX; i++) {
		snprintf(comm, sizeof(comm), "task %u", i % 10);
		add(&l, i, comm);
	}
	assert_int_equal(l.n, KT_TASK_LABELS_MAX);
	assert_int_equal(l.of[KT_TASK_LABELS_MAX - 1].tid, KT_TASK_LABELS_MAX - 2);
	kt_task_labels_free(&l);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
