/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a file with one JSON object per line.
 *
 *	struct kt_json_lines l;
 *	struct json_object *o;
 *
 *	ret = kt_json_lines_open(&l, dir, "ktrace/tasks.jsonl", &err);
 *	while (ret >= 0 && (ret = kt_json_lines_next(&l, &o, &err)) > 0) {
 *		if (!kt_json_get_number(o, "tid", UINT32_MAX, &tid))
 *			ret = kt_json_lines_fail(&l, "no task", &err);
 *		json_object_put(o);
 *	}
 *	kt_json_lines_close(&l);
 *
 *	// ktrace/tasks.jsonl, line 12: no task
 *
 * Errors name the file and line, and are -EPROTO.
 */
#ifndef KT_TRACE_READ_JSON_LINES_H
#define KT_TRACE_READ_JSON_LINES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct kt_error;

struct kt_json_lines {
	const char *name; /* file name within its directory */
	FILE *file;
	struct json_tokener *tokener;
	size_t line; /* lines read so far */
	bool cut;    /* the file ends within the last line */
};

/*
 * Opens a file of a directory; the name must outlive l. Returns 0; or -errno with nothing to close.
 */
int kt_json_lines_open(struct kt_json_lines *l, int dir, const char *name, struct kt_error *err);

/* Closes the file; all zeros, too. */
void kt_json_lines_close(struct kt_json_lines *l);

/*
 * Reads the next object, which the caller releases. Returns 1; 0 at the end, after which whole
 * lines may still be added; or -errno.
 */
int kt_json_lines_next(struct kt_json_lines *l, struct json_object **o, struct kt_error *err);

/* Reports what is wrong with the last line. Returns -EPROTO. */
int kt_json_lines_fail(const struct kt_json_lines *l, const char *why, struct kt_error *err);

#endif
