// SPDX-License-Identifier: GPL-2.0-or-later
/* Event counts and their file in a trace. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/ctf/made_trace.h"
#include "trace/event_counts.h"
#include "trace/event_counts_file.h"
#include "trace/read/event_counts_reader.h"
#include "trace/read/metadata_reader.h"

#define FILE_NAME "ktrace/counts.jsonl"
#define HEAD      "{\"trace\":\"01020300-0000-0000-0000-000000000000\",\"rows\":"

static const struct kt_row rows[] = {
	{NUMBER, 0, {.hits = 9, .filtered = 3, .records = 7, .overwritten = 2}},
	{NUMBER, 5, {.hits = 63, .records = 0, .lost = {1, 2, 4, 8, 16, 32}}},
	{NUMBER, KT_NO_CPU, {.hits = 9, .lost[KT_LOST_MISSED] = 9}},
	{VARYING, 1, {.hits = UINT64_MAX, .records = UINT64_MAX - 1, .lost[KT_LOST_FULL] = 1}},
	{VARYING, 2, {.filtered = 1}},
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char text[] = HEAD
	"5,\"missed_forks\":2,\"missed_functions\":4,\"missed_calls\":3,\"missed_unknown\":true}\n"
	"{\"id\":0,\"event\":\"test:number\",\"cpu\":0,\"hits\":9,\"filtered\":3,\"records\":7,"
	"\"overwritten\":2}\n"
	"{\"id\":0,\"event\":\"test:number\",\"cpu\":5,\"hits\":63,\"full\":1,\"contended\":2,"
	"\"no_ring\":4,\"unfit\":8,\"missed\":16,\"unwritten\":32}\n"
	"{\"id\":0,\"event\":\"test:number\",\"hits\":9,\"missed\":9}\n"
	"{\"id\":3,\"event\":\"test:varying\",\"cpu\":1,\"hits\":18446744073709551615,"
	"\"records\":18446744073709551614,\"full\":1}\n"
	"{\"id\":3,\"event\":\"test:varying\",\"cpu\":2,\"filtered\":1}\n";

static struct kt_event_counts *make_counts(void)
{
	struct kt_event_counts *b = calloc(1, sizeof(*b));
	size_t i;

	b->missed_forks = 2;
	b->missed_functions = 4;
	b->missed_calls = 3;
	b->missed_unknown = true;
	for (i = 0; i < N_ROWS; i++)
		assert_true(kt_event_counts_add(b, rows[i]));
	return b;
}

static void write_counts(struct made *m)
{
	struct kt_event_counts *b = make_counts();

	assert_int_equal(kt_event_counts_file_make(m->dir.fd, N_ROWS, &m->err), 0);
	assert_int_equal(kt_event_counts_file_write(b, &m->metadata, m->dir.fd, &m->err), 0);
	kt_event_counts_free(b);
}

static struct kt_event_counts *read_counts(struct made *m)
{
	struct kt_metadata *s = kt_metadata_read(m->dir.fd, &m->err);
	struct kt_event_counts *b;

	assert_non_null(s);
	b = kt_event_counts_read(m->dir.fd, s, &m->err);
	kt_metadata_free(s);
	return b;
}

static void written_and_read(void **state)
{
	struct made *m = *state;
	struct kt_event_counts *b;
	char bytes[1024];
	size_t i, size;

	assert_null(read_counts(m));
	assert_int_equal(m->err.code, ENOENT);
	assert_string_equal(m->err.text, FILE_NAME ": No such file or directory");

	write_counts(m);
	size = load(m, FILE_NAME, bytes, sizeof(bytes));
	bytes[size] = '\0';
	assert_string_equal(bytes, text);
	b = read_counts(m);
	assert_non_null(b);
	assert_int_equal(b->missed_forks, 2);
	assert_int_equal(b->missed_functions, 4);
	assert_int_equal(b->missed_calls, 3);
	assert_true(b->missed_unknown);
	assert_int_equal(b->n, N_ROWS);
	for (i = 0; i < N_ROWS; i++) {
		assert_int_equal(b->rows[i].event, rows[i].event);
		assert_int_equal(b->rows[i].cpu, rows[i].cpu);
		assert_memory_equal(&b->rows[i].outcome, &rows[i].outcome,
				    sizeof(struct kt_outcome));
	}
	kt_event_counts_free(b);
}

/* Other readers ignore the file. */
static void other_readers(void **state)
{
	struct made *m = *state;

	begin(m, 1000, 0);
	number(m, 1000, 7);
	assert_int_equal(end(m, 2000), 0);
	write_counts(m);
	assert_babeltrace(&m->dir, "--clock-seconds",
			  "[0.000001000] here test:number: { cpu_id = 3 }, { tid = 100 }, "
			  "{ n = 7 }\n");
}

static void summation(void **state)
{
	struct kt_event_counts *b = make_counts();
	struct kt_outcome o;

	(void)state;
	o = kt_event_counts_event(b, NUMBER);
	assert_int_equal(o.hits, 81);
	assert_int_equal(o.filtered, 3);
	assert_int_equal(o.records, 7);
	assert_int_equal(o.overwritten, 2);
	assert_int_equal(o.lost[KT_LOST_MISSED], 25);
	assert_int_equal(kt_outcome_lost(&o), 72);
	assert_int_equal(kt_event_counts_event(b, KINDS).hits, 0);
	assert_int_equal(kt_event_counts_event(b, VARYING).filtered, 1);
	assert_int_equal(kt_event_counts_event(b, N_EVENTS).filtered, 0);

	/* Sums that wrap around, up to here. */
	b->n = 3;
	assert_int_equal(kt_event_counts_sum(b).hits, 81);
	assert_false(kt_event_counts_is_complete(b));
	b->n = 1;
	assert_false(kt_event_counts_is_complete(b));
	b->missed_forks = 0;
	assert_false(kt_event_counts_is_complete(b));
	b->missed_functions = b->missed_calls = 0;
	assert_true(kt_event_counts_is_complete(b));
	b->n = 2;
	assert_false(kt_event_counts_is_complete(b));

	/* An empty row is not added. */
	assert_true(kt_event_counts_add(b, (struct kt_row){.event = VARYING}));
	assert_int_equal(b->n, 2);
	kt_event_counts_free(b);
}

/* The file is created once, and remains empty if it cannot be written completely. */
static void unwritable_file(void **state)
{
	struct made *m = *state;
	struct kt_event_counts *b = make_counts();

	assert_int_equal(kt_event_counts_file_write(b, &m->metadata, m->dir.fd, &m->err), -ENOENT);
	assert_int_equal(kt_event_counts_file_make(m->dir.fd, 0, &m->err), 0);
	assert_int_equal(kt_event_counts_file_make(m->dir.fd, 0, &m->err), -EEXIST);
	assert_string_equal(m->err.text, FILE_NAME ": File exists");
	assert_null(read_counts(m));
	assert_int_equal(m->err.code, ENOENT);

	limit_files(strlen(text) - 1);
	assert_int_equal(kt_event_counts_file_write(b, &m->metadata, m->dir.fd, &m->err), -EFBIG);
	limit_files(RLIM_INFINITY);
	assert_null(read_counts(m));
	assert_int_equal(m->err.code, ENOENT);
	assert_int_equal(kt_event_counts_file_write(b, &m->metadata, m->dir.fd, &m->err), 0);
	kt_event_counts_free(b);
	b = read_counts(m);
	assert_non_null(b);
	kt_event_counts_free(b);
}

/* Reserved space is taken from the disk until the required size is known. */
static void reserved_space(void **state)
{
	struct made *m = *state;
	struct kt_event_counts b = {0};
	struct stat st;

	assert_int_equal(kt_event_counts_file_make(m->dir.fd, 1000, &m->err), 0);
	assert_int_equal(fstatat(m->dir.fd, FILE_NAME, &st, 0), 0);
	assert_int_equal(st.st_size, 0);
	if (st.st_blocks == 0)
		skip(); /* this file system cannot reserve */
	assert_true(st.st_blocks >= 1001 * 128 / 512);
	assert_int_equal(kt_event_counts_file_write(&b, &m->metadata, m->dir.fd, &m->err), 0);
	assert_int_equal(fstatat(m->dir.fd, FILE_NAME, &st, 0), 0);
	assert_true(st.st_blocks < 100);
}

/* Cut at every byte. */
static void truncated_file(void **state)
{
	struct made *m = *state;
	size_t size;

	write_counts(m);
	for (size = strlen(text) - 1; size > 0; size--) {
		store(m, FILE_NAME, text, size);
		assert_null(read_counts(m));
		assert_int_equal(m->err.code, EPROTO);
		if (text[size - 1] == '\n')
			assert_non_null(strstr(m->err.text, ": rows are missing"));
	}
}

#define ROW "{\"id\":0,\"event\":\"test:number\",\"cpu\":1,"

static void damaged_file(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"{}\n", "line 1: belongs to another trace"},
		{"{\"trace\":7,\"rows\":0}\n", "line 1: belongs to another trace"},
		{"{\"trace\":\"01020300-0000-0000-0000-000000000001\",\"rows\":0}\n",
		 "line 1: belongs to another trace"},
		{HEAD "-1}\n", "line 1: expected a number"},
		{HEAD "0,\"missed_forks\":0.5}\n", "line 1: expected a number"},
		{HEAD "0,\"missed_calls\":\"1\"}\n", "line 1: expected a number"},
		{HEAD "0,\"missed_unknown\":1}\n", "line 1: expected true or false"},
		{HEAD "0", "line 1: cut off, or too long"},
		{HEAD "0\n", "line 1: not a JSON object"},
		{"[]\n", "line 1: not a JSON object"},
		{"null\n", "line 1: not a JSON object"},
		{"\n", "line 1: not a JSON object"},
		{HEAD "0}\n" ROW "\"filtered\":1}\n", "line 2: rows are missing"},
		{HEAD "2}\n" ROW "\"filtered\":1}\n", "line 2: rows are missing"},
		{HEAD "1}\n{\"id\":4,\"event\":\"test:number\"}\n", "line 2: an unknown event"},
		{HEAD "1}\n{\"id\":\"0\",\"event\":\"test:number\"}\n", "line 2: an unknown event"},
		{HEAD "1}\n{\"id\":1,\"event\":\"test:number\"}\n", "line 2: an unknown event"},
		{HEAD "1}\n{\"id\":0,\"event\":\"test:numbers\"}\n", "line 2: an unknown event"},
		{HEAD "1}\n{\"id\":0}\n", "line 2: an unknown event"},
		{HEAD "1}\n{\"id\":0,\"event\":\"test:number\",\"cpu\":4294967295}\n",
		 "line 2: no CPU"},
		{HEAD "1}\n" ROW "\"hits\":\"7\"}\n", "line 2: expected a number"},
		{HEAD "1}\n" ROW "\"full\":-7}\n", "line 2: expected a number"},
		{HEAD "1}\n" ROW "\"hits\":7,\"records\":5,\"full\":1}\n",
		 "line 2: hits that are neither recorded nor lost"},
		{HEAD "1}\n" ROW "\"hits\":7,\"records\":5,\"overwritten\":1}\n",
		 "line 2: hits that are neither recorded nor lost"},
		{HEAD "2}\n" ROW "\"filtered\":1}\n" ROW "\"filtered\":1}\n",
		 "line 3: out of order"},
		{HEAD "2}\n{\"id\":2,\"event\":\"test:nothing\",\"filtered\":1}\n" ROW
		      "\"filtered\":1}\n",
		 "line 3: out of order"},
	};
	struct made *m = *state;
	char expected[128];
	size_t i;

	write_counts(m);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		store(m, FILE_NAME, cases[i].text, strlen(cases[i].text));
		assert_null(read_counts(m));
		assert_int_equal(m->err.code, EPROTO);
		snprintf(expected, sizeof(expected), FILE_NAME ", %s", cases[i].error);
		assert_string_equal(m->err.text, expected);
	}
}

/* Members added by later versions are ignored; the last line needs its newline. */
static void unknown_members(void **state)
{
	static const char more[] = HEAD "1,\"by\":\"ktrace\"}\n" ROW "\"hits\":1,\"records\":1,"
					"\"note\":{\"a\":[0,\"}\"]}}\n";
	struct made *m = *state;
	struct kt_event_counts *b;
	static char bytes[64 << 10];

	write_counts(m);
	store(m, FILE_NAME, more, strlen(more));
	b = read_counts(m);
	assert_non_null(b);
	assert_false(b->missed_unknown);
	assert_int_equal(b->n, 1);
	assert_int_equal(b->rows[0].outcome.records, 1);
	kt_event_counts_free(b);

	memset(bytes, ' ', sizeof(bytes));
	memcpy(bytes, more, strlen(more) - 2);
	memcpy(bytes + sizeof(bytes) - 2, "}\n", 2);
	store(m, FILE_NAME, bytes, sizeof(bytes));
	assert_null(read_counts(m));
	assert_string_equal(m->err.text, FILE_NAME ", line 2: cut off, or too long");
}

/* A missing file, and special files that would block. */
static void missing_and_special_files(void **state)
{
	struct made *m = *state;

	assert_int_equal(mkdirat(m->dir.fd, "ktrace", 0777), 0);
	assert_int_equal(mkfifoat(m->dir.fd, FILE_NAME, 0666), 0);
	assert_null(read_counts(m));
	assert_int_equal(m->err.code, ENOENT);
	assert_int_equal(unlinkat(m->dir.fd, FILE_NAME, 0), 0);
	assert_int_equal(mkdirat(m->dir.fd, FILE_NAME, 0777), 0);
	assert_null(read_counts(m));
	assert_string_equal(m->err.text, FILE_NAME ": Is a directory");
	assert_int_equal(unlinkat(m->dir.fd, FILE_NAME, AT_REMOVEDIR), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_and_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_readers, set_up, tear_down),
		cmocka_unit_test(summation),
		cmocka_unit_test_setup_teardown(unwritable_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(reserved_space, set_up, tear_down),
		cmocka_unit_test_setup_teardown(truncated_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damaged_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unknown_members, set_up, tear_down),
		cmocka_unit_test_setup_teardown(missing_and_special_files, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
