// SPDX-License-Identifier: GPL-2.0-or-later
/* Which hits a program records, and which program records a hit. */
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

static void assert_wait(struct kt_reserve r, const struct kt_event *event, const char *name)
{
	struct kt_asm *a = kt_asm_new();

	kt_emit_trigger_prog(a, r, 7, event);
	assert_golden(a, name);
	kt_asm_free(a);
}

static void assert_plain(struct kt_reserve r, const char *golden)
{
	static const struct kt_field fields[] = {{.name = "a", .offset = 8, .size = 8}};
	struct kt_event event = make_event(fields, 1, NULL);

	assert_record(r, &event, golden);
}

/* Only hits while the enable word is on and of followed processes. */
static void followed(void **state)
{
	struct kt_reserve r = make_reserve(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.followed = 5;
	assert_plain(r, "followed");
}

/* It also marks itself as running, for a second program, which otherwise does nothing. */
static void nested(void **state)
{
	struct kt_reserve r = make_reserve(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.nested = (struct kt_nested_hits){.role = KT_NESTED_FIRST, .map = 11};
	assert_plain(r, "nested-first");
	r.nested.role = KT_NESTED_SECOND;
	assert_plain(r, "nested-second");
}

/* And only while the event's enable word, here the last possible one, has this program's number. */
static void enabled_by_number(void **state)
{
	struct kt_reserve r = make_reserve(12, 2, KT_EVENTS_MAX - 1);

	(void)state;
	r.enable = 6;
	r.number = KT_NUMBER_MAX;
	assert_plain(r, "enable-bit");
}

/* A successor waits while its predecessor may still run. */
static void succeeding(void **state)
{
	struct kt_reserve r = make_reserve(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.number = 2;
	r.succeeds = true;
	assert_plain(r, "succeeding");
}

/* Only hits of tasks in the PID filter. */
static void pid_filter(void **state)
{
	struct kt_reserve r = make_reserve(12, 2, 1);

	(void)state;
	r.enable = 6;
	r.pid_filter = 5;
	assert_plain(r, "pid-filter");
}

/*
 * A trigger by some hits; an event frozen by others, at once; and a trigger that records nothing.
 */
static void triggers(void **state)
{
	static const struct kt_field fields[] = {
		{"a", "char[8]", 8, 8, 1, KT_FIELD_ARRAY, KT_DECIMAL, NULL, NULL}};
	struct kt_event event = make_event(fields, 1, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);
	struct kt_error err;

	(void)state;
	event.is_trigger = true;
	r.enable = 6;
	r.freezing = (struct kt_freezing){true, 10000000000};
	event.filter = kt_filter_parse(&event, "a ~ 'b*c'", &err);
	event.trigger = kt_filter_parse(&event, "a ~ 'bd*c'", &err);
	assert_record(r, &event, "trigger");
	r.freezing.after = 0;
	assert_plain(r, "trigger-hit");
	assert_wait(r, &event, "trigger-wait");
	kt_filter_free(event.filter);
	kt_filter_free(event.trigger);
}

/* Only events that happen to followed tasks. */
static void followed_target(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "prio", .offset = 8, .size = 4, .width = 4},
		{.name = "pid", .offset = 12, .size = 4, .width = 4, .flags = KT_FIELD_SIGNED},
	};
	struct kt_event event = make_event(fields, 2, NULL);
	struct kt_reserve r = make_reserve(12, 2, 1);

	(void)state;
	event.system = "sched";
	event.name = "sched_waking";
	r.followed = 5;
	assert_record(r, &event, "followed-target");
}

/* Only hits on CPUs with a ring. */
static void some_cpus(void **state)
{
	struct kt_reserve r = make_reserve(12, 2, 1);

	(void)state;
	r.some_cpus = true;
	assert_plain(r, "some-cpus");
}

/* The offset of the child's PID differs between kernels. */
static void classic_fork(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "parent_pid", .offset = 24, .size = 4, .width = 4},
		{.name = "child_pid", .offset = 44, .size = 4, .width = 4},
	};
	struct kt_event fork = make_event(fields, 2, NULL);
	struct kt_asm *a = kt_asm_new();

	(void)state;
	kt_emit_fork(a, 5, &fork);
	assert_golden(a, "fork");
	kt_asm_free(a);
}

/* As does its offset in the task that the tracepoint passes. */
static void typed_fork(void **state)
{
	static const struct kt_field child = {.name = "child_pid", .size = 4, .width = 4};
	struct kt_expr pid = {KT_EXPR_PATH, .path = {1, 1, {1432}, 4, .is_signed = true}};
	struct kt_curated *c = calloc(1, sizeof(*c) + sizeof(*c->exprs));
	struct kt_event fork = make_event(&child, 1, c);
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
		cmocka_unit_test(followed),          cmocka_unit_test(nested),
		cmocka_unit_test(enabled_by_number), cmocka_unit_test(succeeding),
		cmocka_unit_test(pid_filter),        cmocka_unit_test(triggers),
		cmocka_unit_test(some_cpus),         cmocka_unit_test(classic_fork),
		cmocka_unit_test(typed_fork),        cmocka_unit_test(followed_target),
	};

	return cmocka_run_group_tests_name("hits", tests, NULL, NULL);
}
