/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generated program must equal a text that was read and found right. */
#ifndef KT_TESTS_GOLDEN_H
#define KT_TESTS_GOLDEN_H

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "events/event.h"
#include "events/filter.h"
#include "filter/filter_parser.h"
#include "handlers/record_prog.h"

/*
 * Compares with NAME.txt in the running test's folder. After an intended change: `GOLDEN=new make
 * test`.
 */
static inline void assert_golden(const struct kt_asm *a, const char *name)
{
	char path[128], text[16384] = "", expected[16384] = "";
	FILE *made = fmemopen(text, sizeof(text), "w"), *file;

	kt_asm_print(a, made);
	fclose(made);
	assert_true(strlen(text) < sizeof(text) - 1);

	snprintf(path, sizeof(path), "%.*s/%s.txt", (int)strlen(__BASE_FILE__) - 2, __BASE_FILE__,
		 name);
	if (getenv("GOLDEN")) {
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(text, file);
	} else {
		file = fopen(path, "r");
		assert_non_null(file);
		expected[fread(expected, 1, sizeof(expected) - 1, file)] = '\0';
		assert_string_equal(text, expected);
	}
	fclose(file);
}

/* Uses descriptors of maps that no program looks up. */
static inline struct kt_reserve make_reserve(unsigned int shift, unsigned int n_subbufs,
					     size_t event)
{
	return (struct kt_reserve){
		.counters = 3,
		.rings = 4,
		.enable = -1,
		.followed = -1,
		.pid_filter = -1,
		.globs = 9,
		.marks = -1,
		.scratch = 10,
		.geometry = {shift, n_subbufs},
		.event = event,
	};
}

static inline struct kt_event make_event(const struct kt_field *fields, size_t n,
					 struct kt_curated *curated)
{
	return (struct kt_event){
		.system = "test",
		.name = "test",
		.id = 1,
		.n_fields = n,
		.fields = fields,
		.curated = curated,
	};
}

static inline void assert_record(struct kt_reserve r, const struct kt_event *event,
				 const char *name)
{
	struct kt_asm *a = kt_asm_new();

	kt_emit_record(a, r, event);
	assert_golden(a, name);
	kt_asm_free(a);
}

/* The same with a filter, which is freed. */
static inline void assert_filtered(struct kt_reserve r, struct kt_event *event,
				   struct kt_filter *filter, const char *name)
{
	assert_non_null(filter);
	event->filter = filter;
	assert_record(r, event, name);
	kt_filter_free(filter);
}

static inline struct kt_filter *make_filter(const struct kt_event *event, const char *text)
{
	struct kt_error err;
	struct kt_filter *filter = kt_filter_parse(event, text, &err);

	if (!filter)
		fail_msg("%s", err.text);
	return filter;
}

#endif
