// SPDX-License-Identifier: GPL-2.0-or-later
/* Pinned slots of dispatch tables, looked at by a process that keeps the tables open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <unistd.h>

#include "bpf/asm.h"
#include "hook/prog_array_slot.h"
#include "hook/program.h"
#include "tests/live/flight.h"

#define TABLE "calls/test"
#define LINK  "calls/test:link"
#define SLOT  "slot"

enum { NUMBER = 7 };

static int dir;
static struct kt_prog_array_tables tables;

static int load_program(void)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_asm *a = kt_asm_new();
	struct kt_error err;
	int program;

	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
	program = kt_program_load(kind, "test:slot", a, &err);
	kt_asm_free(a);
	assert_true(program >= 0);
	return program;
}

static void pin_object(const char *name, int fd)
{
	struct kt_error err;

	kt_bpffs_drop(dir, name, &err);
	if (kt_bpffs_pin(dir, name, fd, &err) < 0)
		fail_msg("%s", err.text);
}

static void drop(const char *name)
{
	struct kt_error err;

	assert_int_equal(kt_bpffs_drop(dir, name, &err), 0);
}

/* Pins a new table whose slot has the program, or none. */
static void pin_table(int program)
{
	struct kt_error err;
	struct kt_prog_array_slot slot = {
		.table = kt_prog_array_make(&err),
		.number = NUMBER,
	};

	assert_true(slot.table >= 0);
	if (program >= 0)
		assert_int_equal(kt_prog_array_slot_take(&slot, program, &err), 0);
	pin_object(TABLE, slot.table);
	close(slot.table);
}

static bool is_lost(void)
{
	return kt_prog_array_slot_is_lost(SLOT, dir, &tables);
}

static void make_directory(void)
{
	struct kt_error err;
	int bpffs = kt_bpffs_open(true, &err);

	assert_true(bpffs >= 0);
	dir = kt_bpffs_enter(bpffs, "slots", true, &err);
	assert_true(dir >= 0);
	close(kt_bpffs_enter(dir, KT_TABLES, true, &err));
	close(bpffs);
}

/* Each pin that is missing or replaced is noticed, though the table was opened before. */
static void replaced_tables(void **state)
{
	struct kt_prog_array_slot none = {.table = -1, .name = "test", .number = NUMBER};
	struct kt_error err;
	int program;

	(void)state;
	skip_where_refused();
	make_directory();
	program = load_program();
	assert_false(is_lost());
	none.is_used = true;
	assert_int_equal(kt_prog_array_slot_pin(&none, program, SLOT, dir, &err), 0);
	assert_true(is_lost());
	pin_object(LINK, program);
	assert_true(is_lost());
	pin_table(program);
	assert_false(is_lost());

	pin_table(-1);
	assert_true(is_lost());
	pin_table(program);
	assert_false(is_lost());
	pin_object(TABLE, program);
	assert_true(is_lost());
	pin_table(program);
	assert_false(is_lost());
	drop(TABLE);
	assert_true(is_lost());
	pin_table(program);
	drop(LINK);
	assert_true(is_lost());
	pin_object(LINK, program);
	assert_false(is_lost());

	assert_int_equal(kt_prog_array_slot_unpin(SLOT, dir, &err), 0);
	assert_false(is_lost());
	kt_prog_array_tables_close(&tables);
	close(program);
	kt_bpffs_clear(dir, &err);
	close(dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(replaced_tables),
	};

	return cmocka_run_group_tests_name("prog_array_slot", tests, enter_namespace, NULL);
}
