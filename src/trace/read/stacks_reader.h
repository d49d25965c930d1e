/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the stacks of a trace. The counterpart of trace/stacks_writer.h.
 *
 *	struct kt_stacks_reader *r = kt_stacks_reader_new(metadata, dir);
 *	struct kt_stack stack;
 *
 *	if (kt_stacks_reader_find(r, id, &stack, &err) > 0)
 *		for (i = 0; i < stack.n; i++)
 *			printf("%lx\n", stack.frames[i].at);
 *	kt_stacks_reader_free(r);
 *
 * Reads the file as far as needed, about 10 us for each stack, and holds 16 bytes for each frame.
 */
#ifndef KT_TRACE_READ_STACKS_READER_H
#define KT_TRACE_READ_STACKS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_metadata;
struct kt_named_binary;
struct kt_stacks_reader;

struct kt_frame {
	const struct kt_named_binary *binary; /* NULL: `at` is an address */
	uint64_t at;                          /* offset in the file */
};

/* Innermost frame first. The frames remain the reader's. */
struct kt_stack {
	size_t n;
	bool is_cut; /* there are more, outermost frames that were not recorded */
	const struct kt_frame *frames;
};

/*
 * The metadata and dir must outlive the result. Symbols of the kernel that the metadata does not
 * have are added to it. Returns NULL without memory.
 */
struct kt_stacks_reader *kt_stacks_reader_new(struct kt_metadata *metadata, int dir);
void kt_stacks_reader_free(struct kt_stacks_reader *r);

/*
 * Finds a stack by its id. Returns 1; 0 if the trace does not have it; or -errno: -EPROTO for a
 * line that no recording wrote, and then no further line is read.
 */
int kt_stacks_reader_find(struct kt_stacks_reader *r, uint64_t id, struct kt_stack *stack,
			  struct kt_error *err);

/*
 * Reads the names of functions that were written since the last call; finding the first stack reads
 * those that there are then. Returns 0 or -errno.
 */
int kt_stacks_reader_read_names(struct kt_stacks_reader *r, struct kt_error *err);

#endif
