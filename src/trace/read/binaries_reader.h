/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the programs and libraries in which frames of stacks are. The counterpart of
 * trace/binaries_writer.h.
 *
 *	struct kt_binaries_reader r = {.metadata = metadata, .dir = dir, .kernel = &symbols};
 *
 *	kt_binaries_reader_read(&r, &err);			// the functions that there are
 *	kt_binaries_reader_add(&r, lines, object, &err);	// a line that declares one
 *	b = kt_binaries_reader_find(&r, 1);
 *	kt_binaries_reader_clear(&r);
 */
#ifndef KT_TRACE_READ_BINARIES_READER_H
#define KT_TRACE_READ_BINARIES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants/symbols.h"
#include "trace/read/json_lines.h"

struct kt_error;
struct kt_metadata;

/* A program or library. */
struct kt_named_binary {
	char *build_id;              /* in hexadecimal; NULL: the file has none */
	char *path;                  /* NULL: unknown */
	struct kt_symbols functions; /* by offsets in the file; those that were read */
};

/* The metadata and dir must outlive it. */
struct kt_binaries_reader {
	const struct kt_metadata *metadata;
	int dir;
	struct kt_symbols *kernel; /* where its functions are added */
	struct kt_json_lines lines;
	bool is_open;
	size_t n;
	struct kt_named_binary **of;
};

void kt_binaries_reader_clear(struct kt_binaries_reader *r);

/*
 * Reads the paths and functions that have been written since the last call; a trace may have none.
 * Returns 0; or -errno: -EPROTO for what no recording wrote.
 */
int kt_binaries_reader_read(struct kt_binaries_reader *r, struct kt_error *err);

/* Adds the binary of the line that was just read; their numbers count from 1. Returns likewise. */
int kt_binaries_reader_add(struct kt_binaries_reader *r, const struct kt_json_lines *lines,
			   const struct json_object *o, struct kt_error *err);

/* Returns the binary with that number, which remains the reader's; or NULL. */
const struct kt_named_binary *kt_binaries_reader_find(const struct kt_binaries_reader *r,
						      uint64_t number);

#endif
