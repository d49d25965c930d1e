/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of JSON, one object a line, as it is read.
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
 * What is wrong is told with file and line, as -EPROTO.
 */
#ifndef KT_TRACE_READ_JSON_LINES_H
#define KT_TRACE_READ_JSON_LINES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct kt_error;

struct kt_json_lines {
	const char *name; /* the file's, within its directory */
	FILE *file;
	struct json_tokener *tokener;
	size_t line; /* how many were read */
	bool cut;    /* the last one was: the file ends in it */
};

/* The name is to outlive it. 0; or -errno, and nothing to close. */
int kt_json_lines_open(struct kt_json_lines *l, int dir, const char *name, struct kt_error *err);

/* Also one that is zero. */
void kt_json_lines_close(struct kt_json_lines *l);

/*
 * The next object, which the caller releases: 1; 0 at the end, behind which there can be more
 * later, in whole lines; or -errno.
 */
int kt_json_lines_next(struct kt_json_lines *l, struct json_object **o, struct kt_error *err);

/* -EPROTO: what is wrong with the one that was read last. */
int kt_json_lines_fail(const struct kt_json_lines *l, const char *why, struct kt_error *err);

#endif
