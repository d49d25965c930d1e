/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of a trace by hand (tests/unit/metadata.h) as lines (view/syscall_lines.h). */
#ifndef KT_TESTS_UNIT_LINES_H
#define KT_TESTS_UNIT_LINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/parsed.h"
#include "trace/read/stream_reader.h"
#include "values/text.h"
#include "view/syscall_lines.h"

static struct kt_syscall_lines *paired;
static struct kt_text text;
static char *written; /* set when the lines have ended */
static size_t size;
static struct kt_hit hit;

static void begin_lines(const char *metadata, const struct kt_strace_form *form)
{
	parse(metadata);
	paired = kt_syscall_lines_new(parsed, form);
	assert_non_null(paired);
	text.to = open_memstream(&written, &size);
	assert_non_null(text.to);
	hit = (struct kt_hit){.tid = 7};
}

/* Puts an event 1 ns after the last one. The record is invalid afterwards. */
static void put_record(int id, char *record, size_t n)
{
	const struct kt_event_class *e = &parsed->events[id];
	struct kt_value values[5];

	assert_true(kt_record_layout_read(&e->fields, record, n, values) >= 0);
	hit.event = e;
	hit.values = values;
	hit.time++;
	assert_int_equal(kt_syscall_lines_print(paired, &text, &hit), 0);
	memset(record, 'X', n);
}

static inline void lose(void)
{
	struct kt_hit lost = {.time = ++hit.time, .lost = 3};

	assert_int_equal(kt_syscall_lines_print(paired, &text, &lost), 0);
}

static inline void end_lines(void)
{
	kt_text_flush(&text);
	fclose(text.to);
}

static void free_lines(void)
{
	free(written);
	kt_syscall_lines_free(paired);
	free_parsed(NULL);
}

#endif
