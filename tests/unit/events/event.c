// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/record_sizes.h"
#include "events/tracefs.h"
#include "tests/unit/fixtures.h"

static struct kt_event *read_fixture(size_t i, const char *system, const char *name)
{
	struct kt_error err;
	int dir = open_fixture(i);
	struct kt_event *e;

	assert_true(dir >= 0);
	e = kt_event_read(dir, &(struct kt_event_name){system, name}, &err);
	close(dir);
	if (!e)
		fail_msg("%s: %s", fixtures[i], err.text);
	return e;
}

static void assert_field(const struct kt_field *f, const char *decl, unsigned int offset,
			 unsigned int size, unsigned int flags)
{
	char text[256];

	kt_field_declare(f, text, sizeof(text));
	assert_string_equal(text, decl);
	assert_int_equal(f->offset, offset);
	assert_int_equal(f->size, size);
	assert_int_equal(f->flags, flags);
}

static void kinds_of_fields(void **state)
{
	struct kt_event *e = read_fixture(1, "sched", "sched_switch");

	(void)state;
	assert_string_equal(e->system, "sched");
	assert_string_equal(e->name, "sched_switch");
	assert_int_equal(e->id, 372);
	assert_int_equal(e->n_fields, 7);
	assert_field(&e->fields[0], "char prev_comm[16]", 8, 16, KT_FIELD_ARRAY);
	assert_field(&e->fields[1], "pid_t prev_pid", 24, 4, KT_FIELD_SIGNED);
	assert_field(&e->fields[3], "long prev_state", 32, 8, KT_FIELD_SIGNED);
	kt_event_free(e);

	e = read_fixture(0, "sched", "sched_process_exec");
	/* 6.1 still uses the compiler's char, which is signed on x86. */
	assert_field(&e->fields[0], "__data_loc char[] filename", 8, 4,
		     KT_FIELD_DATA_LOC | KT_FIELD_SIGNED);
	kt_event_free(e);

	e = read_fixture(1, "sched", "sched_process_exec");
	assert_field(&e->fields[0], "__data_loc char[] filename", 8, 4, KT_FIELD_DATA_LOC);
	kt_event_free(e);

	e = read_fixture(0, "syscalls", "sys_enter_openat");
	assert_field(&e->fields[2], "const char *filename", 24, 8, KT_FIELD_POINTER);
	kt_event_free(e);

	e = read_fixture(1, "raw_syscalls", "sys_enter");
	assert_field(&e->fields[1], "unsigned long args[6]", 16, 48, KT_FIELD_ARRAY);
	kt_event_free(e);

	e = read_fixture(1, "ipi", "ipi_send_cpumask");
	assert_field(&e->fields[0], "__data_loc cpumask_t cpumask", 8, 4, KT_FIELD_DATA_LOC);
	kt_event_free(e);
}

/* "void * ptr" and "void *ptr" are the same declaration. */
static void drop_blank_after_star(char *decl)
{
	char *star = strrchr(decl, '*');

	if (star && star[1] == ' ')
		memmove(star + 1, star + 2, strlen(star + 2) + 1);
}

/* Compares each field line of a format file, read by sscanf, with the parsed field. */
static void assert_as_written(const struct kt_event *e, char *format)
{
	unsigned int offset, size, is_signed;
	size_t n = 0;
	char *line, decl[256], made[256];

	for (line = strtok(format, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, " field:%255[^;]; offset:%u; size:%u; signed:%u;", decl, &offset,
			   &size, &is_signed) != 4 ||
		    strstr(decl, " common_"))
			continue;
		assert_true(n < e->n_fields);
		drop_blank_after_star(decl);
		kt_field_declare(&e->fields[n], made, sizeof(made));
		assert_string_equal(made, decl);
		assert_int_equal(e->fields[n].offset, offset);
		assert_int_equal(e->fields[n].size, size);
		assert_int_equal(!!(e->fields[n].flags & KT_FIELD_SIGNED), is_signed);
		n++;
	}
	assert_int_equal(e->n_fields, n);
}

static void every_fixture(void **state)
{
	const struct kt_event_name *name;
	struct kt_event_names *names;
	struct kt_error err;
	struct kt_event *e;
	char path[256], *format;
	size_t i, k;
	int dir;

	(void)state;
	for (k = 0; k < N_FIXTURES; k++) {
		dir = open_fixture(k);
		names = kt_event_names_read(dir, &err);
		assert_non_null(names);
		for (i = 0; i < kt_event_names_count(names); i++) {
			name = kt_event_names_at(names, i);
			snprintf(path, sizeof(path), "events/%s/%s/format", name->system,
				 name->event);
			format = kt_tracefs_read(dir, path, &err);
			assert_non_null(format);
			e = kt_event_parse(name->system, format, &err);
			assert_non_null(e);
			assert_as_written(e, format);
			kt_event_free(e);
			free(format);
		}
		kt_event_names_free(names);
		close(dir);
	}
}

#define HEAD  "name: x\nID: 7\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD "\tfield:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n"
#define TAIL  "\nprint fmt: \"%d\", REC->a\n"

static void odd_formats(void **state)
{
	static const char *const bad[] = {
		"",
		"\x01\xff\n",
		HEAD FIELD,
		HEAD,
		TAIL,
		"name: x\nformat:\n" FIELD TAIL,
		HEAD "\tfield:u8 a;\toffset:-8;\tsize:1;\tsigned:0;\n" TAIL,
		HEAD "\tfield:u8 a;\toffset:8;\n" TAIL,
		HEAD FIELD "\tfield:u8" TAIL,
	};
	struct kt_error err;
	struct kt_event *e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		e = kt_event_parse("s", bad[i], &err);
		if (e)
			fail_msg("format %zu passed", i);
		assert_int_equal(err.code, EPROTO);
	}

	/* A format that cannot be printed can still be recorded. */
	e = kt_event_parse("s", HEAD FIELD "\nprint fmt: \"%d\", frob(REC->", &err);
	assert_non_null(e);
	assert_int_equal(e->n_fields, 1);
	assert_field(&e->fields[0], "u8 a", 8, 1, 0);
	kt_event_free(e);

	e = kt_event_parse("s", HEAD TAIL, &err);
	assert_non_null(e);
	assert_int_equal(e->n_fields, 0);
	kt_event_free(e);

	e = kt_event_parse("s",
			   HEAD "\tfield:__rel_loc char[] a;\toffset:8;\tsize:4;\tsigned:0;\n" TAIL,
			   &err);
	assert_non_null(e);
	assert_field(&e->fields[0], "__rel_loc char[] a", 8, 4, KT_FIELD_REL_LOC);
	kt_event_free(e);
	kt_event_free(NULL);
}

/* Elements of unknown size are bytes. */
static void varying_elements(void **state)
{
	static const struct {
		const char *type;
		unsigned int width;
	} cases[] = {
		{"__data_loc char[]", 1},          {"__data_loc u8[]", 1},
		{"__data_loc s16[]", 2},           {"__data_loc unsigned short[]", 2},
		{"__data_loc int[]", 4},           {"__rel_loc unsigned int[]", 4},
		{"__data_loc __u32[]", 4},         {"__data_loc u64[]", 8},
		{"__data_loc unsigned long[]", 8}, {"__data_loc void *[]", 8},
		{"__data_loc cpumask_t", 1},       {"__data_loc struct odd[]", 1},
	};
	struct kt_error err;
	struct kt_event *e;
	char format[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(format, sizeof(format),
			 "%s\tfield:%s a;\toffset:8;\tsize:4;\tsigned:0;\n%s", HEAD, cases[i].type,
			 TAIL);
		e = kt_event_parse("s", format, &err);
		assert_non_null(e);
		assert_string_equal(e->fields[0].type, cases[i].type);
		if (e->fields[0].width != cases[i].width)
			fail_msg("%s: width %u", cases[i].type, e->fields[0].width);
		assert_true(kt_event_varying(e) == e->fields);
		kt_event_free(e);
	}
}

/* A record has the event's fields, with a count in place of a varying one. */
static void record_sizes(void **state)
{
	static const struct kt_geometry g = {12, 2};
	static const struct {
		struct kt_record head;
		uint16_t a;
		uint32_t b;
		uint16_t c;
	} __attribute__((packed)) record = {.a = 5, .b = UINT32_MAX, .c = 3};
	struct kt_record_sizes *sizes;
	struct kt_event *e, *plain;
	struct kt_error err;

	(void)state;
	e = kt_event_parse("s",
			   HEAD
			   "\tfield:__data_loc char[] a;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:u32 b;\toffset:12;\tsize:4;\tsigned:0;\n"
			   "\tfield:__data_loc u64[] c;\toffset:16;\tsize:4;\tsigned:0;\n" TAIL,
			   &err);
	assert_non_null(e);
	assert_int_equal(kt_event_record_size(e), sizeof(record));
	assert_int_equal(kt_event_data_size(e, &record), 5 + 3 * 8);
	assert_int_equal(kt_event_record_max(e, g),
			 536); /* 20 and 512, rounded up to a multiple of 8 */

	plain = kt_event_parse("s", HEAD FIELD TAIL, &err);
	assert_non_null(plain);
	assert_null(kt_event_varying(plain));
	assert_int_equal(kt_event_record_max(plain, g), 16);

	sizes = kt_record_sizes_new((const struct kt_event *const[]){plain, e, plain}, 3);
	assert_non_null(sizes);
	assert_int_equal(kt_record_sizes_get(sizes, 0, &record, sizeof(record)),
			 kt_event_record_size(plain));
	assert_int_equal(kt_record_sizes_get(sizes, 1, &record, sizeof(record)),
			 sizeof(record) + 5 + 3 * 8);
	assert_int_equal(kt_record_sizes_get(sizes, 1, NULL, sizeof(record) - 1), sizeof(record));
	kt_record_sizes_free(sizes);
	kt_event_free(plain);
	kt_event_free(e);
}

static void absent_event(void **state)
{
	struct kt_error err;
	int dir = open_fixture(0);

	(void)state;
	assert_null(kt_event_read(dir, &(struct kt_event_name){"sched", "nix"}, &err));
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(err.text, "sched:nix: tracefs: events/sched/nix/format: "
				      "No such file or directory");
	close(dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_fields), cmocka_unit_test(every_fixture),
		cmocka_unit_test(odd_formats),     cmocka_unit_test(varying_elements),
		cmocka_unit_test(record_sizes),    cmocka_unit_test(absent_event),
	};

	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
