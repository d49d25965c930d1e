/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the file of stacks in a trace, each once (doc/stacks.md).
 *
 *	struct kt_stacks_writer *w = kt_stacks_writer_new(metadata, dir, tables, addresses, &err);
 *
 *	while (...)
 *		kt_stacks_writer_copy(w, &err);
 *	kt_binaries_writer_add(to, kt_stacks_writer_name(w, false), NULL, &err);
 *	kt_stacks_writer_free(w);
 *
 * or, from tables that keep stacks (session/callstack_tables.h), those that records have:
 *
 *	lost += kt_stacks_writer_note(w, event->stacks, record);	// of every record
 *	kt_stacks_writer_flush(w, &err);
 *
 * A stack of 20 frames takes about 450 bytes and 10 us. trace/read/stacks_reader.h reads it.
 *
 * If there are stacks in user space, they are located from the start on (stacks/user_stacks.h). The
 * binaries and their functions are in a second file (trace/binaries_writer.h).
 */
#ifndef KT_TRACE_STACKS_WRITER_H
#define KT_TRACE_STACKS_WRITER_H

#include <stdbool.h>

struct kt_binaries;
struct kt_callstack_tables;
struct kt_error;
struct kt_metadata_writer;
struct kt_stacks_writer;
struct kt_symbol_addresses;

/*
 * Creates the files in the trace's directory, without stacks. They will be those of the tables; to
 * `addresses` those of the kernel are added. Returns NULL on error.
 */
struct kt_stacks_writer *kt_stacks_writer_new(const struct kt_metadata_writer *metadata, int dir,
					      struct kt_callstack_tables *tables,
					      struct kt_symbol_addresses *addresses,
					      struct kt_error *err);
void kt_stacks_writer_free(struct kt_stacks_writer *w);

/*
 * Takes the stacks out of the tables, and appends those that are new. Returns 0; or -errno, when
 * some are missing. From tables that keep stacks nothing is taken.
 */
int kt_stacks_writer_copy(struct kt_stacks_writer *w, struct kt_error *err);

/*
 * Looks up the stacks of a record whose event has those of these kinds. Returns how many are lost:
 * they are no longer in the tables. A stack that was lost once is lost in the whole trace. The
 * others are in the file after the next flush.
 */
unsigned int kt_stacks_writer_note(struct kt_stacks_writer *w, unsigned int kinds,
				   const char *record);

/* Appends the stacks that were noted and are new. Returns 0; or -errno, and none was appended. */
int kt_stacks_writer_flush(struct kt_stacks_writer *w, struct kt_error *err);

/* Watches what is mapped: must be called often, whether there are stacks or not. */
void kt_stacks_writer_watch(struct kt_stacks_writer *w);

/*
 * Finds the paths of binaries, and the functions at the frames that are new since the last call
 * (kt_binaries_find_functions in stacks/binaries.h). Returns the binaries, which remain w's; NULL:
 * there are none.
 */
const struct kt_binaries *kt_stacks_writer_name(struct kt_stacks_writer *w, bool again);

#endif
