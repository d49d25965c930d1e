/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the file of stacks in a trace, each once (doc/stacks.md).
 *
 *	struct kt_stacks_writer *w = kt_stacks_writer_new(metadata, dir, &err);
 *
 *	while (...)
 *		kt_stacks_writer_copy(w, tables, addresses, &err);
 *	kt_stacks_writer_end(w, &err);
 *	kt_stacks_writer_free(w);
 *
 * A stack of 20 frames takes about 450 bytes and 10 us. trace/read/stacks_reader.h reads it.
 *
 * If there are stacks in user space, they are located from the start on (stacks/user_stacks.h), and
 * at the end a second file has the binaries and their functions (trace/binaries_writer.h).
 */
#ifndef KT_TRACE_STACKS_WRITER_H
#define KT_TRACE_STACKS_WRITER_H

struct kt_callstack_tables;
struct kt_error;
struct kt_metadata_writer;
struct kt_stacks_writer;
struct kt_symbol_addresses;

/*
 * Creates the files in the trace's directory, without stacks, which will be of these kinds. Returns
 * NULL on error.
 */
struct kt_stacks_writer *kt_stacks_writer_new(const struct kt_metadata_writer *metadata, int dir,
					      unsigned int kinds, struct kt_error *err);
void kt_stacks_writer_free(struct kt_stacks_writer *w);

/*
 * Takes the stacks out of the tables, and appends those that are new; adds their addresses in the
 * kernel. Returns 0; or -errno, when some are missing.
 */
int kt_stacks_writer_copy(struct kt_stacks_writer *w, struct kt_callstack_tables *tables,
			  struct kt_symbol_addresses *addresses, struct kt_error *err);

/* Watches what is mapped: must be called often, whether there are stacks or not. */
void kt_stacks_writer_watch(struct kt_stacks_writer *w);

/* Writes the names of functions in user space. Returns 0; or -errno, when they are missing. */
int kt_stacks_writer_end(struct kt_stacks_writer *w, struct kt_error *err);

#endif
