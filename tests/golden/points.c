// SPDX-License-Identifier: GPL-2.0-or-later
/* What programs of points do beside recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "handlers/call_duration.h"
#include "handlers/computed_values.h"
#include "handlers/function_group_prog.h"
#include "handlers/missed_return_prog.h"
#include "tests/golden/golden.h"

/* The entry of a function whose return is an event: the 65th nested one is missed. */
static void missed_return(void **state)
{
	struct kt_asm *a = kt_asm_new();
	struct kt_curated curated = {.awaited = {.utask = 2960, .depth = 24}};
	struct kt_event event = make_event(NULL, 0, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);

	(void)state;
	event.curated = &curated;
	r.followed = 7;
	kt_emit_missed_return(a, r, &event);
	assert_golden(a, "missed-return");
	kt_asm_free(a);
}

/*
 * A USDT mark with two sites: at the second one the argument is in the program's memory, which
 * another program may have to page in. The first computed value is the site.
 */
static void computed_first(void **state)
{
	static const struct kt_field field = {"arg0",          "s32",      0,    4,   4,
					      KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL};
	struct kt_expr cookie = {.op = KT_EXPR_COOKIE};
	struct kt_expr site = {KT_EXPR_PATH, .path = {.arg = KT_MEMBER_PATH_COMPUTED, .size = 8}};
	struct kt_expr one = {KT_EXPR_NUMBER, .number = 1};
	struct kt_expr is_second = {KT_EXPR_EQUAL, .of = {&site, &one}};
	struct kt_expr base = {KT_EXPR_PATH, .path = {.arg = 5, .size = 8}};
	struct kt_expr far = {KT_EXPR_NUMBER, .number = 5000000000};
	struct kt_expr address = {KT_EXPR_PLUS, .of = {&base, &far}};
	struct kt_expr user = {KT_EXPR_USER, .of = {&address}, .path = {.size = 4}};
	struct kt_expr in_memory = {KT_EXPR_CAST, .of = {&user},
				    .path = {.size = 4, .is_signed = true}};
	struct kt_expr choice = {KT_EXPR_CHOICE, .of = {&is_second, &in_memory, &one}};
	struct kt_expr value = {KT_EXPR_PATH,
				.path = {.arg = KT_MEMBER_PATH_COMPUTED + 1, .size = 8}};
	struct kt_curated *c = calloc(1, sizeof(*c) + sizeof(*c->exprs));
	struct kt_event event = make_event(&field, 1, NULL);
	struct kt_asm *a = kt_asm_new();

	(void)state;
	c->n_computed = 2;
	c->computed[0] = &cookie;
	c->computed[1] = &choice;
	c->reads_user = true;
	c->n = 1;
	c->exprs[0] = &value;
	event.curated = c;
	assert_record(make_reserve(16, 64, 5), &event, "computed-first");
	kt_emit_page_in(a, make_reserve(16, 64, 5), &event);
	assert_golden(a, "page-in");
	kt_asm_free(a);
	free(c);
}

/* The return of a function of the kernel, and the programs that measure its calls. */
static void call_duration(void **state)
{
	static const struct kt_field field = {"duration",      "long",     0,    8,   8,
					      KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL};
	struct kt_expr duration = {
		KT_EXPR_PATH, .path = {.arg = KT_MEMBER_PATH_GLOBALS + KT_BTF_DURATION, .size = 8}};
	struct kt_curated *c = calloc(1, sizeof(*c) + sizeof(*c->exprs));
	struct kt_event event = make_event(&field, 1, NULL);
	struct kt_point point = {.is_return = true, .function = (char *)"vfs_read"};
	struct kt_asm *start = kt_asm_new(), *session = kt_asm_new(), *entry = kt_asm_new();
	struct kt_reserve r = make_reserve(16, 64, 5);

	(void)state;
	c->takes[KT_BTF_DURATION] = true;
	c->timing = (struct kt_call_timing){1424, 2000, 2008, 501, 502, true};
	c->n = 1;
	c->exprs[0] = &duration;
	event.curated = c;
	event.point = &point;
	r.calls = 9;
	assert_record(r, &event, "duration");
	kt_emit_call_session(session, r, &event);
	assert_golden(session, "call-session");
	point.by_registers = true;
	assert_record(r, &event, "duration-by-registers");
	point.by_multi = true;
	kt_emit_call_entry(entry, &event);
	kt_emit_record(entry, r, &event);
	assert_golden(entry, "duration-by-multi");
	point.by_multi = false;
	r.followed = 7;
	kt_emit_call_start(start, r, &event);
	assert_golden(start, "call-start");
	kt_asm_free(start);
	kt_asm_free(session);
	kt_asm_free(entry);
	free(c);
}

/* Functions with arguments of other sizes, and the second one with a filter, share a program. */
static void function_group(void **state)
{
	static const struct kt_field fields[] = {
		{"file", "void *", 0, 8, 8, 0, KT_HEX, NULL, NULL},
		{"whence", "int", 8, 4, 4, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
	};
	const struct kt_event_indices indices = {.map = 8, .n = 720, .by_cookie = true};
	struct kt_expr file = {KT_EXPR_PATH, .path = {.arg = 14, .size = 8}};
	struct kt_expr whence = {KT_EXPR_PATH, .path = {.arg = 13, .size = 4, .is_signed = true}};
	struct kt_point point = {.function = (char *)"f", .by_registers = true, .by_multi = true};
	struct kt_filter filter = {
		.op = KT_FILTER_EQUAL, .source = KT_FILTER_FIELD, .field = 1, .number = 2};
	struct kt_event events[] = {make_event(fields, 1, NULL), make_event(fields, 2, NULL)};
	const struct kt_event *const of[] = {&events[0], &events[1]};
	struct kt_reserve r = make_reserve(16, 64, 5);
	struct kt_asm *a = kt_asm_new();
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		events[i].point = &point;
		events[i].curated =
			calloc(1, sizeof(struct kt_curated) + 2 * sizeof(struct kt_expr *));
		events[i].curated->n = i + 1;
		events[i].curated->exprs[0] = &file;
		events[i].curated->exprs[1] = i ? &whence : NULL;
	}
	events[1].filter = &filter;
	r.enable = 6;
	r.shared = &indices;
	kt_emit_function_group(a, r, (struct kt_function_classes){of, 2});
	assert_golden(a, "function-group");
	kt_asm_free(a);
	for (i = 0; i < 2; i++)
		free(events[i].curated);
}

/*
 * A filter that follows pointers: "file->f_inode->i_flags == 5 && file->f_path.dentry->d_name.name
 * == "beta"". A program that gets the arguments loads through them, one that gets the registers
 * cannot.
 */
static void filter_path(void **state)
{
	struct kt_expr flags = {KT_EXPR_PATH,
				.path = {.arg = 0, .n = 2, .offsets = {32, 12}, .size = 4}};
	struct kt_expr name = {KT_EXPR_PATH, .path = {.arg = 0,
						      .n = 2,
						      .offsets = {152, 40},
						      .size = 8,
						      .is_pointer = true,
						      .is_text = true}};
	struct kt_filter tests[] = {
		{.op = KT_FILTER_EQUAL, .source = KT_FILTER_EXPR, .expr = &flags, .number = 5},
		{.op = KT_FILTER_IS,
		 .source = KT_FILTER_EXPR,
		 .expr = &name,
		 .len = 4,
		 .text = (char *)"beta"},
	};
	struct kt_filter both = {.op = KT_FILTER_AND, .of = {&tests[0], &tests[1]}};
	struct kt_curated curated = {.n = 0};
	struct kt_point point = {.function = (char *)"f"};
	struct kt_event event = make_event(NULL, 0, NULL);

	(void)state;
	event.point = &point;
	event.curated = &curated;
	event.filter = &both;
	assert_record(make_reserve(16, 64, 5), &event, "filter-path");
	point.by_registers = true;
	flags.path.arg = name.path.arg = 14;
	assert_record(make_reserve(16, 64, 5), &event, "filter-path-by-registers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missed_return), cmocka_unit_test(computed_first),
		cmocka_unit_test(call_duration), cmocka_unit_test(function_group),
		cmocka_unit_test(filter_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
