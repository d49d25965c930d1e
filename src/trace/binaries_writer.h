/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the programs and libraries in which frames of stacks are (doc/stacks.md), and functions.
 *
 *	kt_binaries_writer_declare(&stacks, binaries, i);	// before a stack has the i-th one
 *	...
 *	struct kt_binaries_writer *w = kt_binaries_writer_new(metadata, dir, &err);
 *
 *	kt_binaries_writer_add(w, binaries, NULL, &err);	// with their functions
 *	kt_binaries_writer_free(w);
 *
 *	{"binary":1,"build_id":"0b9f..."}
 *
 *	{"binary":1,"path":"/usr/bin/bash"}
 *	{"binary":1,"first":16384,"last":16403,"function":"readline"}
 *	{"binary":0,"first":18446744071580420048,"last":...,"function":"vfs_read"}
 *
 * 0 is the kernel, whose functions are here only in a trace that is read while it grows; else they
 * are in the metadata. trace/read/binaries_reader.h reads it.
 */
#ifndef KT_TRACE_BINARIES_WRITER_H
#define KT_TRACE_BINARIES_WRITER_H

#include <stddef.h>

struct kt_binaries;
struct kt_binaries_writer;
struct kt_error;
struct kt_json_lines_writer;
struct kt_metadata_writer;
struct kt_symbols;

/* Puts a line that says which file it is: by its build id, or by its path if it has none. */
void kt_binaries_writer_declare(struct kt_json_lines_writer *to, const struct kt_binaries *b,
				size_t i);

/* Creates the file in the trace's directory, without binaries. Returns NULL on error. */
struct kt_binaries_writer *kt_binaries_writer_new(const struct kt_metadata_writer *metadata,
						  int dir, struct kt_error *err);
void kt_binaries_writer_free(struct kt_binaries_writer *w);

/*
 * Appends what is new: paths, the functions that were found last, and the kernel's. Either may be
 * NULL, and the former are always the same binaries. Returns 0; or -errno, and the file is
 * unchanged.
 */
int kt_binaries_writer_add(struct kt_binaries_writer *w, const struct kt_binaries *b,
			   const struct kt_symbols *kernel, struct kt_error *err);

#endif
