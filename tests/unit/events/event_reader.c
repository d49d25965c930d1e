// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "events/event.h"
#include "events/event_reader.h"

#define SYSCALLS "events/syscalls"

#define COMMON                                                                          \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"

static const struct call {
	const char *name, *format;
} entry = {"sys_enter_dup", "name: sys_enter_dup\nID: 7\n" COMMON
			    "\tfield:unsigned int fildes;\toffset:16;\tsize:8;\tsigned:0;\n"
			    "\nprint fmt: \"fildes: 0x%08lx\", ((unsigned long)(REC->fildes))\n"},
  back = {"sys_exit_dup",
	  "name: sys_exit_dup\nID: 6\n" COMMON "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n"
	  "\nprint fmt: \"0x%lx\", REC->ret\n"};

static char root[64];

/* Makes a directory like tracefs with these events. */
static int make_tracefs(const struct call *const *calls, size_t n)
{
	char path[128];
	int dir;
	FILE *file;

	snprintf(root, sizeof(root), "/tmp/ktrace-test-XXXXXX");
	assert_non_null(mkdtemp(root));
	dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(dir >= 0);
	mkdirat(dir, "events", 0700);
	mkdirat(dir, SYSCALLS, 0700);
	while (n--) {
		snprintf(path, sizeof(path), SYSCALLS "/%s", calls[n]->name);
		assert_int_equal(mkdirat(dir, path, 0700), 0);
		snprintf(path, sizeof(path), "%s/" SYSCALLS "/%s/format", root, calls[n]->name);
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(calls[n]->format, file);
		fclose(file);
	}
	return dir;
}

static void remove_call(int dir, const struct call *call)
{
	char path[128];

	snprintf(path, sizeof(path), SYSCALLS "/%s/format", call->name);
	unlinkat(dir, path, 0);
	snprintf(path, sizeof(path), SYSCALLS "/%s", call->name);
	unlinkat(dir, path, AT_REMOVEDIR);
}

static void remove_tracefs(int dir)
{
	remove_call(dir, &entry);
	remove_call(dir, &back);
	unlinkat(dir, SYSCALLS, AT_REMOVEDIR);
	unlinkat(dir, "events", AT_REMOVEDIR);
	close(dir);
	assert_int_equal(rmdir(root), 0);
}

static struct kt_event *read_call(struct kt_event_reader *r, const struct call *call)
{
	struct kt_error err;
	struct kt_event *e =
		kt_event_reader_read(r, &(struct kt_event_name){"syscalls", call->name}, &err);

	if (!e)
		fail_msg("%s", err.text);
	assert_string_equal(e->name, call->name);
	return e;
}

/* The entry's file has gone by then; what is changed in the entry is not seen in the return. */
static void entry_is_read_once(void **state)
{
	int dir = make_tracefs((const struct call *[]){&entry, &back}, 2);
	struct kt_error err;
	struct kt_event_reader *r = kt_event_reader_new(dir, &err);
	struct kt_event *entered, *returned;

	(void)state;
	assert_non_null(r);
	entered = read_call(r, &entry);
	assert_null(entered->call);
	assert_int_equal(kt_event_add_text(entered, "path"), 0);
	kt_event_fields(entered)[1].notation = KT_HEX;
	remove_call(dir, &entry);

	returned = read_call(r, &back);
	kt_event_reader_free(r);
	assert_non_null(returned->call);
	assert_string_equal(returned->call->name, "sys_enter_dup");
	assert_int_equal(returned->call->id, 7);
	assert_int_equal(returned->call->n_fields, 2);
	assert_string_equal(returned->call->fields[1].name, "fildes");
	assert_int_not_equal(returned->call->fields[1].notation, KT_HEX);

	kt_event_free(entered);
	assert_string_equal(returned->call->fields[1].name, "fildes");
	kt_event_free(returned);
	remove_tracefs(dir);
}

static void entry_was_not_read(void **state)
{
	int dir = make_tracefs((const struct call *[]){&entry, &back}, 2);
	struct kt_error err;
	struct kt_event_reader *r = kt_event_reader_new(dir, &err);
	struct kt_event *e = read_call(r, &back);

	(void)state;
	assert_non_null(e->call);
	assert_string_equal(e->call->name, "sys_enter_dup");
	kt_event_free(e);
	remove_call(dir, &entry);
	e = read_call(r, &back);
	assert_null(e->call);
	kt_event_free(e);
	kt_event_reader_free(r);
	remove_tracefs(dir);
}

static void copies_of_events(void **state)
{
	int dir = make_tracefs((const struct call *[]){&entry}, 1);
	struct kt_error err;
	struct kt_event *e, *copy;

	(void)state;
	e = kt_event_read_file(dir, &(struct kt_event_name){"syscalls", "sys_enter_dup"}, &err);
	assert_non_null(e);
	copy = kt_event_copy(e);
	assert_non_null(copy);
	assert_ptr_not_equal(copy->fields, e->fields);
	kt_event_free(e);
	assert_string_equal(copy->system, "syscalls");
	assert_int_equal(copy->n_fields, 2);
	kt_event_free(copy);

	e = kt_event_parse(
		"s", "name: x\nID: 1\n" COMMON "\nprint fmt: \"%d\", REC->__syscall_nr\n", &err);
	assert_non_null(e);
	assert_non_null(e->print);
	copy = kt_event_copy(e);
	assert_ptr_not_equal(copy->print, e->print);
	assert_string_equal(copy->print, e->print);
	kt_event_free(copy);
	assert_non_null(strstr(e->print, "REC->__syscall_nr"));
	kt_event_free(e);
	remove_tracefs(dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(entry_is_read_once),
		cmocka_unit_test(entry_was_not_read),
		cmocka_unit_test(copies_of_events),
	};

	return cmocka_run_group_tests_name("event_reader", tests, NULL, NULL);
}
