// SPDX-License-Identifier: GPL-2.0-or-later
/* A trace with a record of every existing event, read by babeltrace2. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "events/event_names.h"
#include "events/event_reader.h"
#include "events/tracefs.h"
#include "ring/ring.h"
#include "tests/ctf/babeltrace.h"
#include "tests/unit/fixtures.h"
#include "trace/metadata_writer.h"
#include "trace/stream_writer.h"

enum { COUNT = 3 };

static struct kt_event **read_events(int tracefs, size_t *n)
{
	struct kt_error err;
	struct kt_event_reader *reader = kt_event_reader_new(tracefs, &err);
	struct kt_event_names *names = kt_event_names_read(tracefs, &err);
	struct kt_event **events;
	size_t i;

	assert_true(reader && names);
	events = calloc(kt_event_names_count(names), sizeof(*events));
	assert_non_null(events);
	*n = kt_event_names_count(names);
	for (i = 0; i < *n; i++) {
		events[i] = kt_event_reader_read(reader, kt_event_names_at(names, i), &err);
		assert_non_null(events[i]);
	}
	kt_event_names_free(names);
	kt_event_reader_free(reader);
	return events;
}

/* Returns the size of a record with COUNT elements in each varying field. */
static size_t record_size(const struct kt_event *e)
{
	size_t i, size = kt_event_record_size(e);

	for (i = 0; i < e->n_fields; i++)
		if (kt_field_varies(&e->fields[i]))
			size += COUNT * e->fields[i].width;
	return kt_record_size(size);
}

/* Fills a record with zeros, except for the counts. */
static void fill_record(const struct kt_event *e, uint64_t header, char *record)
{
	static const uint16_t count = COUNT;
	size_t i;

	memcpy(record, &header, sizeof(header));
	record += sizeof(struct kt_record);
	for (i = 0; i < e->n_fields; i++) {
		if (kt_field_varies(&e->fields[i]))
			memcpy(record, &count, sizeof(count));
		record += kt_field_record_size(&e->fields[i]);
	}
}

static void write_records(const struct kt_metadata_writer *m, struct kt_stream_writer *s)
{
	struct kt_packet packet = {.begin = 1, .end = m->n_events};
	struct kt_error err;
	size_t i, size = 0;

	for (i = 0; i < m->n_events; i++)
		size += record_size(m->events[i]);
	packet.records = calloc(1, size);
	assert_non_null(packet.records);
	for (i = 0; i < m->n_events; i++) {
		fill_record(m->events[i], i | (i + 1) << KT_TIME_SHIFT,
			    (char *)packet.records + packet.size);
		packet.size += record_size(m->events[i]);
	}
	assert_int_equal(kt_stream_writer_write(s, &packet, &err), 0);
	free(packet.records);
}

/* Asserts one line per event, in order, and no other output. */
static void assert_lines(char *text, const struct kt_metadata_writer *m)
{
	char expected[256], *line, *end;
	size_t i;

	for (i = 0, line = text; *line; i++, line = end + 1) {
		end = strchr(line, '\n');
		assert_non_null(end);
		*end = '\0';
		assert_true(i < m->n_events);
		snprintf(expected, sizeof(expected), "[%020zu] here %s:%s: { cpu_id = 0 }", i + 1,
			 m->events[i]->system, m->events[i]->name);
		if (strncmp(line, expected, strlen(expected)) != 0)
			assert_string_equal(line, expected);
	}
	assert_int_equal(i, m->n_events);
}

static void read_all(int tracefs)
{
	struct kt_metadata_writer m = {.host.nodename = "here", .version = "0"};
	struct kt_event **events = read_events(tracefs, &m.n_events);
	struct kt_stream_writer *s;
	struct directory dir;
	struct kt_error err;
	char *text;
	size_t i;

	m.events = (const struct kt_event *const *)events;
	open_directory(&dir);
	assert_int_equal(kt_metadata_writer_write(&m, dir.fd, &err), 0);
	s = kt_stream_writer_new(&m, dir.fd, KT_MAIN, 0, &err);
	assert_non_null(s);
	write_records(&m, s);
	text = babeltrace(&dir, "--clock-cycles");
	assert_lines(text, &m);
	free(text);
	kt_stream_writer_free(s);
	remove_directory(&dir);
	for (i = 0; i < m.n_events; i++)
		kt_event_free(events[i]);
	free(events);
}

static void events_of_other_kernels(void **state)
{
	size_t i;
	int dir;

	(void)state;
	for (i = 0; i < N_FIXTURES; i++) {
		dir = open_fixture(i);
		read_all(dir);
		close(dir);
	}
}

static void events_of_this_kernel(void **state)
{
	struct kt_error err;
	int tracefs = kt_tracefs_open(&err);

	(void)state;
	if (tracefs == -EACCES || tracefs == -EPERM) {
		print_message("# %s\n", err.text);
		skip();
	}
	assert_true(tracefs >= 0);
	read_all(tracefs);
	close(tracefs);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_other_kernels),
		cmocka_unit_test(events_of_this_kernel),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
