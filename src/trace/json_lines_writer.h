/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a file of a trace with one JSON object per line, the first with the trace's UUID.
 * trace/read/json_lines.h reads it.
 *
 *	struct kt_json_lines_writer w;
 *
 *	kt_json_lines_writer_make(&w, dir, "tasks.jsonl", metadata->uuid, &err);
 *
 *	kt_json_lines_writer_begin(&w);
 *	kt_json_lines_writer_put(&w, object, true);		// any number of lines
 *	kt_json_lines_writer_end(&w, &err);			// all of them, or none
 *
 *	kt_json_lines_writer_close(&w);
 */
#ifndef KT_TRACE_JSON_LINES_WRITER_H
#define KT_TRACE_JSON_LINES_WRITER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct kt_error;

struct kt_json_lines_writer {
	const char *name; /* of the file, in the trace's subdirectory */
	int fd;
	off_t size; /* of what is complete */
	FILE *text; /* lines between begin and end */
	char *buffer;
	size_t text_size;
	bool ok; /* there was memory for all of them */
};

/*
 * Creates the file in the trace's directory, with its first line; the name must outlive w. Returns
 * 0, or -errno with nothing to close.
 */
int kt_json_lines_writer_make(struct kt_json_lines_writer *w, int dir, const char *name,
			      const uint8_t uuid[16], struct kt_error *err);
void kt_json_lines_writer_close(struct kt_json_lines_writer *w);

/*
 * Adds a line, and releases the object. What cannot be made, NULL or without ok, is an error at the
 * end.
 */
void kt_json_lines_writer_begin(struct kt_json_lines_writer *w);
void kt_json_lines_writer_put(struct kt_json_lines_writer *w, struct json_object *o, bool ok);

/* Appends the lines since begin. Returns 0; or -errno, and the file is unchanged. */
int kt_json_lines_writer_end(struct kt_json_lines_writer *w, struct kt_error *err);

#endif
