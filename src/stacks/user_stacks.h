/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds in which programs and libraries the frames of stacks in user space are (doc/stacks.md).
 *
 *	struct kt_user_stacks *u = kt_user_stacks_new(true, &err);	// before the first hit
 *
 *	n = kt_user_stacks_locate(u, &stack, places, &is_cut);
 *	for (i = 0; i < n; i++)
 *		printf("%zu %#lx\n", places[i].binary, places[i].at);
 *	kt_user_stacks_free(u);
 *
 * Watches which files are mapped (stacks/mapping_log.h). A stack takes some us; one of a process
 * that began before takes some 100 us more, the first time.
 */
#ifndef KT_STACKS_USER_STACKS_H
#define KT_STACKS_USER_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_binaries;
struct kt_error;
struct kt_user_callstack;
struct kt_user_stacks;

/* Where a frame is. */
struct kt_place {
	size_t binary; /* index (stacks/binaries.h); KT_BINARY_NONE: `at` is an address */
	uint64_t at;   /* offset in the file */
};

/*
 * Without `watch`, of hits that were before, only frames in files with a build id are located.
 * Returns NULL on error.
 */
struct kt_user_stacks *kt_user_stacks_new(bool watch, struct kt_error *err);
void kt_user_stacks_free(struct kt_user_stacks *u);

/* Reads what was mapped since the last call; to be called often, whether there are stacks or not.
 */
void kt_user_stacks_watch(struct kt_user_stacks *u);

/*
 * Stores where each frame is, KT_USER_CALLSTACK_FRAMES_MAX at most, and whether there are more;
 * returns their number. What cannot be an address ends the stack. All that was mapped before the
 * hit is known if kt_user_stacks_watch() was called after it.
 */
size_t kt_user_stacks_locate(struct kt_user_stacks *u, const struct kt_user_callstack *stack,
			     struct kt_place *places, bool *is_cut);

/*
 * Searches for binaries whose path is unknown, each once: in the processes that are running now,
 * and among the files that are installed. Takes some 10 ms for the former, and up to a second for
 * the latter.
 */
void kt_user_stacks_search_all(struct kt_user_stacks *u);

/* Returns the binaries, which remain u's. */
struct kt_binaries *kt_user_stacks_binaries(struct kt_user_stacks *u);

#endif
