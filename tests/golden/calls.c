// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs of system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bpf/asm.h"
#include "ctypes/fdtable_offsets.h"
#include "events/curated.h"
#include "events/event.h"
#include "generate/fd_path.h"
#include "handlers/syscall_dispatch_prog.h"
#include "tests/golden/golden.h"

/* A call's program first tests whether the call is a 64-bit one. */
static void call(void **state)
{
	static const struct kt_field fields[] = {
		{"fd", "int", 16, 4, 4, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
		{"count", "size_t", 24, 8, 8, 0, KT_DECIMAL, NULL, NULL},
	};
	struct kt_expr fd = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {112}, .size = 8}};
	struct kt_expr count = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {104}, .size = 8}};
	struct kt_expr two = {KT_EXPR_NUMBER, .number = 2};
	struct kt_expr status = {KT_EXPR_PATH, .path = {KT_MEMBER_PATH_GLOBALS + KT_BTF_CURRENT,
							.n = 1, .offsets = {16}, .size = 4}};
	struct kt_expr foreign = {KT_EXPR_AND, .of = {&status, &two}};
	struct kt_curated *curated = calloc(1, sizeof(*curated) + 2 * sizeof(*curated->exprs));
	struct kt_event event = make_event(fields, 2, curated);

	(void)state;
	curated->n = 2;
	curated->exprs[0] = &fd;
	curated->exprs[1] = &count;
	curated->foreign = &foreign;
	assert_filtered(make_reserve(16, 64, 5), &event, make_filter(&event, "fd < 0"), "call");
	free(curated);
}

/* Selected by its entry's filter, which is tested before its own. */
static void selected(void **state)
{
	static const struct kt_field fields[] = {
		{"ret", "long", 16, 8, 8, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
	};
	struct kt_event event = make_event(fields, 1, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);
	struct kt_filter *f;

	(void)state;
	r.marks = 7;
	f = kt_filter_either(make_filter(&event, "ret < 0"), kt_filter_mark_return("fd == 3"));
	assert_filtered(r, &event, f, "mark-test");
}

static void selecting(void **state)
{
	static const struct kt_field fields[] = {
		{"fd", "int", 16, 4, 4, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
	};
	struct kt_event event = make_event(fields, 1, NULL);
	struct kt_reserve r = make_reserve(16, 64, 5);
	struct kt_filter *f;

	(void)state;
	r.marks = 7;
	r.sets_mark = true;
	f = kt_filter_mark_entry(make_filter(&event, "fd == 3 || fd == 5"));
	f = kt_filter_either(make_filter(&event, "fd == 4"), f);
	assert_filtered(r, &event, f, "mark-set");
}

/* Type and function of Linux 6.2 and later. */
static const struct kt_btf_cast registers = {.to = 8, .by = 9};

/* The dispatchers, which read the number through a pointer, one by a cast. */
static void dispatch(void **state)
{
	struct kt_expr number = {KT_EXPR_PATH, .path = {.n = 1, .offsets = {120}, .size = 8}};
	struct kt_expr cast = {KT_EXPR_CAST, .of = {&number},
			       .path = {.size = 4, .is_signed = true}};
	struct kt_expr status = {KT_EXPR_PATH,
				 .path = {.arg = KT_MEMBER_PATH_GLOBALS + KT_BTF_CURRENT,
					  .n = 1,
					  .offsets = {16},
					  .size = 4}};
	struct kt_dispatch d = {.number = &cast,
				.foreign = &status,
				.table = 3,
				.index = 1,
				.states = 4,
				.counts.map = -1};
	struct kt_asm *a = kt_asm_new();

	(void)state;
	d.side = KT_ENTER;
	kt_emit_syscall_dispatch(a, &d);
	assert_golden(a, "dispatch-enter");
	kt_asm_free(a);
	a = kt_asm_new();
	d.side = KT_EXIT;
	number.path.arg = KT_MEMBER_PATH_GLOBALS + KT_BTF_REGS;
	d.regs = registers;
	kt_emit_syscall_dispatch(a, &d);
	assert_golden(a, "dispatch-exit");
	kt_asm_free(a);
	a = kt_asm_new();
	d.side = KT_ENTER;
	d.counts = (struct kt_untraced_counts){.map = 6, .followed = 7, .unnamed = true};
	kt_emit_syscall_dispatch(a, &d);
	assert_golden(a, "dispatch-counts");
	kt_asm_free(a);
	a = kt_asm_new();
	d.counts.map = -1;
	d.excluded = 4711;
	kt_emit_syscall_dispatch(a, &d);
	assert_golden(a, "dispatch-excluded");
	kt_asm_free(a);
}

/* The path of a descriptor's file, or of the working directory. */
static void path(void **state)
{
	static const struct kt_fdtable_offsets files = {
		.task = {2808, 2800},
		.table = {32},
		.fdtable = {0, 8},
		.file = {64},
		.fs = {40},
		.mount = {16, 32, 0},
		.dentry = {4, 16, 24, 36, 40, 48, 104},
		.sb = {96},
		.inode = {64, 520},
		.ns = {8, 0},
	};
	struct kt_asm *a = kt_asm_new();
	struct kt_emit_fd_path f = {a, &files, true, BPF_REG_9, -200, .max = 4096};

	(void)state;
	f.none = kt_asm_label(a, "none");
	kt_emit_fd_path(&f);
	kt_asm_place(a, f.none);
	kt_asm_exit(a);
	assert_golden(a, "path");
	kt_asm_free(a);
}

/* Of several calls: the event's enable number, counters and records, by the call's number. */
static void shared(void **state)
{
	static const struct kt_field fields[] = {{.name = "nr", .size = 4, .width = 4}};
	const struct kt_event_indices indices = {.map = 9, .n = 720};
	struct kt_curated *c = calloc(1, sizeof(*c) + sizeof(*c->exprs));
	struct kt_event event = make_event(fields, 1, c);
	struct kt_expr number = {KT_EXPR_PATH, .path = {KT_MEMBER_PATH_GLOBALS + KT_BTF_REGS,
							.n = 1, .offsets = {120}, .size = 8}};
	struct kt_reserve r = make_reserve(16, 64, 5);

	(void)state;
	c->exprs[c->n++] = &number;
	c->takes[KT_BTF_REGS] = true;
	c->regs = registers;
	r.enable = 6;
	r.number = 1;
	r.shared = &indices;
	r.followed = 7;
	assert_record(r, &event, "shared");
	free(c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared),    cmocka_unit_test(call),     cmocka_unit_test(selected),
		cmocka_unit_test(selecting), cmocka_unit_test(dispatch), cmocka_unit_test(path),
	};

	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
