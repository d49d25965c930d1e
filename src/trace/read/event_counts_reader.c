// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/event_counts_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "trace/event_counts.h"
#include "trace/read/json_lines.h"
#include "trace/read/metadata_reader.h"
#include "trace/trace_directory.h"

#define COUNTS_FILE KT_TRACE_DIRECTORY_KTRACE "/" KT_TRACE_DIRECTORY_COUNTS

/* The file while it is read. */
struct reading {
	const struct kt_metadata *metadata;
	struct kt_event_counts *b;
	struct kt_json_lines lines;
	uint64_t rows; /* as the header says */
	struct kt_error *err;
};

static int fail(struct reading *r, const char *why)
{
	return kt_json_lines_fail(&r->lines, why, r->err);
}

static int read_header(struct reading *r, const struct json_object *o)
{
	if (!kt_metadata_has_uuid(r->metadata, kt_json_get_text(o, "trace")))
		return fail(r, "belongs to another trace");
	if (!kt_json_get_number(o, "rows", UINT64_MAX, &r->rows) ||
	    !kt_json_get_number(o, "missed_forks", UINT64_MAX, &r->b->missed_forks) ||
	    !kt_json_get_number(o, "missed_functions", UINT64_MAX, &r->b->missed_functions) ||
	    !kt_json_get_number(o, "missed_calls", UINT64_MAX, &r->b->missed_calls))
		return fail(r, "expected a number");
	if (!kt_json_get_bool(o, "missed_unknown", &r->b->missed_unknown))
		return fail(r, "expected true or false");
	return 0;
}

static bool has_name(const struct kt_event_class *e, const char *name)
{
	size_t n = e->system ? strlen(e->system) : 0;

	return n && !strncmp(name, e->system, n) && name[n] == ':' &&
	       !strcmp(name + n + 1, e->name);
}

static bool is_after(const struct kt_row *row, const struct kt_row *last)
{
	return row->event != last->event ? row->event > last->event : row->cpu > last->cpu;
}

static int read_row(struct reading *r, const struct json_object *o)
{
	uint64_t id = 0, cpu = KT_NO_CPU;
	struct kt_row row = {0};
	uint64_t *figures = (uint64_t *)&row.outcome;
	size_t i;

	if (!kt_json_get_number(o, "id", UINT32_MAX, &id) || id >= r->metadata->n_events ||
	    !has_name(&r->metadata->events[id], kt_json_get_text(o, "event")))
		return fail(r, "an unknown event");
	if (!kt_json_get_number(o, "cpu", KT_NO_CPU - 1, &cpu))
		return fail(r, "no CPU");
	for (i = 0; i < KT_OUTCOME_FIGURES; i++)
		if (!kt_json_get_number(o, kt_outcome_figure(i), UINT64_MAX, &figures[i]))
			return fail(r, "expected a number");
	row.event = id;
	row.cpu = cpu;
	if (r->b->n && !is_after(&row, &r->b->rows[r->b->n - 1]))
		return fail(r, "out of order");
	if (row.outcome.hits !=
	    row.outcome.records + row.outcome.overwritten + kt_outcome_lost(&row.outcome))
		return fail(r, "hits that are neither recorded nor lost");
	return kt_event_counts_add(r->b, row) ? 0 : fail(r, strerror(ENOMEM));
}

static int read_lines(struct reading *r)
{
	struct json_object *o;
	int ret;

	while ((ret = kt_json_lines_next(&r->lines, &o, r->err)) > 0) {
		ret = r->lines.line == 1 ? read_header(r, o) : read_row(r, o);
		json_object_put(o);
		if (ret < 0)
			break;
	}
	if (ret < 0)
		return ret;
	if (!r->lines.line)
		return kt_fail(r->err, ENOENT, COUNTS_FILE ": empty (still being recorded)");
	return r->b->n == r->rows ? 0 : fail(r, "rows are missing");
}

struct kt_event_counts *kt_event_counts_read(int dir, const struct kt_metadata *metadata,
					     struct kt_error *err)
{
	struct reading r = {.metadata = metadata, .b = calloc(1, sizeof(*r.b)), .err = err};
	int ret = r.b ? kt_json_lines_open(&r.lines, dir, COUNTS_FILE, err)
		      : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	if (ret == 0)
		ret = read_lines(&r);
	kt_json_lines_close(&r.lines);
	if (ret == 0)
		return r.b;
	kt_event_counts_free(r.b);
	return NULL;
}
