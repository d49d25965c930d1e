// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose hits programs take, and which programs do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/filter.h"
#include "filter/filter_parser.h"
#include "generate/fork_tracking.h"
#include "handlers/trigger_prog.h"
#include "tests/golden/golden.h"

static void assert_watch(struct kt_reserve r, const struct kt_event *event, const char *name)
{
	struct kt_asm *a = kt_asm_new();

	kt_emit_trigger_prog(a, r, 7, event);
	assert_golden(a, name);
	kt_asm_free(a);
}

static void assert_plain(struct kt_reserve r, const char *golden)
{
	static const struct kt_field fields[] = {{.name = "a", .offset = 8, .size = 8}};
	struct kt_event event = event_of(fields, 1, NULL);

	assert_record(r, &event, golden);
}

/* Nothing but what happens while the gate is open and a followed process runs. */
static void followed(void **state)
{
	struct kt_reserve r = reserve_of(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.followed = 5;
	assert_plain(r, "followed");
}

/* And says so while it is at work, for a second program, which does nothing otherwise. */
static void nested(void **state)
{
	struct kt_reserve r = reserve_of(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.nested = (struct kt_nested_hits){.role = KT_NESTED_FIRST, .map = 11};
	assert_plain(r, "nested-first");
	r.nested.role = KT_NESTED_SECOND;
	assert_plain(r, "nested-second");
}

/* And while its switch, that of the last event there can be, has the number of this program. */
static void switched(void **state)
{
	struct kt_reserve r = reserve_of(12, 2, KT_EVENTS_MAX - 1);

	(void)state;
	r.enable = 6;
	r.number = KT_NUMBER_MAX;
	assert_plain(r, "switched");
}

/* Where it succeeds another one it waits while that may still run. */
static void succeeding(void **state)
{
	struct kt_reserve r = reserve_of(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.number = 2;
	r.succeeds = true;
	assert_plain(r, "succeeding");
}

/* Where it is focused one of those tasks is to run. */
static void focused(void **state)
{
	struct kt_reserve r = reserve_of(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.pid_filter = 5;
	assert_plain(r, "focused");
}

/* By some of its hits; as one that is frozen by others, at once; and as one that records nothing.
 */
static void freezing(void **state)
{
	static const struct kt_field fields[] = {
		{"a", "char[8]", 8, 8, 1, KT_FIELD_ARRAY, KT_DECIMAL, NULL, NULL}};
	struct kt_event event = event_of(fields, 1, NULL);
	struct kt_reserve r = reserve_of(16, 64, 5);
	struct kt_error err;

	(void)state;
	event.is_trigger = true;
	r.enable = 6;
	r.freezing = (struct kt_freezing){true, 10000000000};
	event.filter = kt_filter_parse(&event, "a ~ 'b*c'", &err);
	event.trigger = kt_filter_parse(&event, "a ~ 'bd*c'", &err);
	assert_record(r, &event, "freezing");
	r.freezing.after = 0;
	assert_plain(r, "frozen");
	assert_watch(r, &event, "watch");
	kt_filter_free(event.filter);
	kt_filter_free(event.trigger);
}

/* Nor what happens to a task of one. */
static void followed_target(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "prio", .offset = 8, .size = 4, .width = 4},
		{.name = "pid", .offset = 12, .size = 4, .width = 4, .flags = KT_FIELD_SIGNED},
	};
	struct kt_event event = event_of(fields, 2, NULL);
	struct kt_reserve r = reserve_of(12, 2, 1);

	(void)state;
	event.system = "sched";
	event.name = "sched_waking";
	r.followed = 5;
	assert_record(r, &event, "followed-target");
}

/* Nothing but what happens on a CPU with a ring. */
static void some_cpus(void **state)
{
	struct kt_reserve r = reserve_of(12, 2, 1);

	(void)state;
	r.some_cpus = true;
	assert_plain(r, "some-cpus");
}

/* Where the child's number stands differs between kernels. */
static void at_fork(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "parent_pid", .offset = 24, .size = 4, .width = 4},
		{.name = "child_pid", .offset = 44, .size = 4, .width = 4},
	};
	struct kt_event fork = event_of(fields, 2, NULL);
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_fork(a, 5, &fork);
	assert_golden(a, "fork");
	kt_asm_free(a);
}

/* Nor does that in the task that the tracepoint is called with. */
static void at_typed_fork(void **state)
{
	static const struct kt_field child = {.name = "child_pid", .size = 4, .width = 4};
	struct kt_expr pid = {KT_EXPR_PATH, .path = {1, 1, {1432}, 4, .is_signed = true}};
	struct kt_curated *c = calloc(1, sizeof(*c) + sizeof(*c->exprs));
	struct kt_event fork = event_of(&child, 1, c);
	struct kt_asm *a = kt_asm_new();

	(void)state;
	c->exprs[c->n++] = &pid;
	kt_emit_fork(a, 5, &fork);
	assert_golden(a, "fork-typed");
	kt_asm_free(a);
	free(c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(followed),      cmocka_unit_test(nested),
		cmocka_unit_test(switched),      cmocka_unit_test(succeeding),
		cmocka_unit_test(focused),       cmocka_unit_test(freezing),
		cmocka_unit_test(some_cpus),     cmocka_unit_test(at_fork),
		cmocka_unit_test(at_typed_fork), cmocka_unit_test(followed_target),
	};

	return cmocka_run_group_tests_name("golden/hits", tests, NULL, NULL);
}
