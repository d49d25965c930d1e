/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the programs and libraries in which frames of stacks are (doc/stacks.md).
 *
 *	kt_binaries_writer_declare(&stacks, binaries, i);	// before a stack has the i-th one
 *	...
 *	kt_binaries_writer_write(&file, binaries, &err);	// at the end, with their functions
 *
 *	{"binary":1,"build_id":"0b9f..."}
 *
 *	{"binary":1,"path":"/usr/bin/bash"}
 *	{"binary":1,"first":16384,"last":16403,"function":"readline"}
 *
 * trace/read/binaries_reader.h reads it.
 */
#ifndef KT_TRACE_BINARIES_WRITER_H
#define KT_TRACE_BINARIES_WRITER_H

#include <stddef.h>

struct kt_binaries;
struct kt_error;
struct kt_json_lines_writer;

/* Puts a line that says which file it is: by its build id, or by its path if it has none. */
void kt_binaries_writer_declare(struct kt_json_lines_writer *to, const struct kt_binaries *b,
				size_t i);

/* Appends all binaries. Returns 0; or -errno, and the file is unchanged. */
int kt_binaries_writer_write(struct kt_json_lines_writer *to, const struct kt_binaries *b,
			     struct kt_error *err);

#endif
