// SPDX-License-Identifier: GPL-2.0-or-later
/* The field that names the task an event happens to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/event_target.h"
#include "tests/unit/fixtures.h"

/* Asserts the target field of the event in both kernels; NULL: none. */
static void assert_target(const char *system, const char *name, const char *expected)
{
	const struct kt_field *target;
	struct kt_error err;
	struct kt_event *e;
	size_t i;
	int dir;

	for (i = 0; i < N_FIXTURES; i++) {
		dir = open_fixture(i);
		e = kt_event_read(dir, &(struct kt_event_name){system, name}, &err);
		assert_non_null(e);
		target = kt_event_target(e);
		assert_int_equal(!target, !expected);
		if (target)
			assert_string_equal(target->name, expected);
		kt_event_free(e);
		close(dir);
	}
}

static void events_of_kernels(void **state)
{
	(void)state;
	assert_target("sched", "sched_switch", "next_pid");
	assert_target("signal", "signal_generate", "pid");
	assert_target("sched", "sched_process_exec", NULL); /* its pid is the running task */
	assert_target("irq", "irq_handler_entry", NULL);
}

/* An event of that name in another system, or with other fields, has no target. */
static void other_events(void **state)
{
	static const struct kt_field prev = {.name = "prev_pid", .size = 4, .width = 4};
	static const struct kt_field next = {.name = "next_pid", .size = 4, .width = 4};
	struct kt_event e = {.system = "sched", .name = "sched_switch", .n_fields = 1};

	(void)state;
	e.fields = &next;
	assert_ptr_equal(kt_event_target(&e), &next);
	e.system = "schedule";
	assert_null(kt_event_target(&e));
	e.system = "sched";
	e.fields = &prev;
	assert_null(kt_event_target(&e));
	e.n_fields = 0;
	assert_null(kt_event_target(&e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_kernels),
		cmocka_unit_test(other_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
