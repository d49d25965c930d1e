// SPDX-License-Identifier: GPL-2.0-or-later
/* One trace with a record of every event that there is, as babeltrace2 reads it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/layout.h"
#include "catalog/event.h"
#include "catalog/names.h"
#include "catalog/tracefs.h"
#include "ring/ring.h"
#include "tests/ctf/babeltrace.h"
#include "tests/unit/fixtures.h"
#include "trace/metadata.h"
#include "trace/stream.h"

/* Those whose fields all lie in place. */
static struct kt_event **read_events(int tracefs, size_t *n)
{
	struct kt_error err;
	struct kt_names *names = kt_names_read(tracefs, &err);
	struct kt_event **events;
	size_t i;

	assert_non_null(names);
	events = calloc(kt_names_count(names), sizeof(*events));
	assert_non_null(events);
	for (*n = 0, i = 0; i < kt_names_count(names); i++) {
		events[*n] = kt_event_read(tracefs, kt_names_at(names, i), &err);
		assert_non_null(events[*n]);
		if (kt_event_in_place(events[*n], &err) == 0)
			(*n)++;
		else
			kt_event_free(events[*n]);
	}
	kt_names_free(names);
	return events;
}

/* All fields are zero. */
static void write_records(const struct kt_metadata *m, struct kt_stream *s)
{
	struct kt_packet packet = {.begin = 1, .end = m->n_events};
	struct kt_error err;
	size_t i, size = 0;
	uint64_t head;

	for (i = 0; i < m->n_events; i++)
		size += kt_record_size(kt_event_record_size(m->events[i]));
	packet.records = calloc(1, size);
	assert_non_null(packet.records);
	for (i = 0; i < m->n_events; i++) {
		head = i | (i + 1) << KT_TIME_SHIFT;
		memcpy((char *)packet.records + packet.size, &head, sizeof(head));
		packet.size += kt_record_size(kt_event_record_size(m->events[i]));
	}
	assert_int_equal(kt_stream_write(s, &packet, &err), 0);
	free(packet.records);
}

/* One line each, in their order, and no word more. */
static void assert_lines(char *text, const struct kt_metadata *m)
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
	struct kt_metadata m = {.host.nodename = "here", .version = "0"};
	struct kt_event **events = read_events(tracefs, &m.n_events);
	struct kt_stream *s;
	struct directory dir;
	struct kt_error err;
	char *text;
	size_t i;

	m.events = (const struct kt_event *const *)events;
	open_directory(&dir);
	assert_int_equal(kt_metadata_write(&m, dir.fd, &err), 0);
	s = kt_stream_new(&m, dir.fd, 0, &err);
	assert_non_null(s);
	write_records(&m, s);
	text = babeltrace(&dir, "--clock-cycles");
	assert_lines(text, &m);
	free(text);
	kt_stream_free(s);
	remove_directory(&dir);
	for (i = 0; i < m.n_events; i++)
		kt_event_free(events[i]);
	free(events);
}

static void of_other_kernels(void **state)
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

static void of_this_kernel(void **state)
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
		cmocka_unit_test(of_other_kernels),
		cmocka_unit_test(of_this_kernel),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
