/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of the control tree (doc/fs.md), one row each.
 *
 *	for (f = fs_files; f->name; f++)
 *		printf("%s is in every directory of level %d\n", f->name, f->level);
 */
#ifndef KT_APP_FS_FS_FILES_H
#define KT_APP_FS_FS_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "app/fs/fs_tree.h"

struct kt_error;
struct fs_pipe;
struct fs_flight;

struct fs_file {
	const char *name;
	enum fs_level level; /* of the directories that have the file */
	mode_t mode;         /* permissions */
	bool is_always;      /* exists without a flight, too, and does not lock it */
	/*
	 * Writes the file's present text. Returns 0 or -errno: -EAGAIN if the flight must be opened
	 * again first.
	 */
	int (*read)(FILE *to, const struct fs_flight *s, const struct fs_node *p,
		    struct kt_error *err);
	/* Or: the text is what the rings hold, made while it is read (app/fs/fs_copy.h). */
	bool is_of_rings;
	/*
	 * Or: reads the next part of a text that is read once by all readers together, up to that
	 * size; valid until the next request. Returns its bytes, 0 at the end, or -errno.
	 */
	ssize_t (*read_on)(struct fs_flight *s, size_t size, const char **bytes,
			   struct kt_error *err);
	/*
	 * Or: returns a pipe of what is being recorded, which is also read once; to be freed by
	 * fs_pipe_unref(). NULL on error.
	 */
	struct fs_pipe *(*join)(struct fs_flight *s, const struct fs_node *p, struct kt_error *err);
	/*
	 * Executes what was written, with the flight locked. Returns as read. NULL: not writable.
	 */
	int (*write)(struct fs_flight *s, const struct fs_node *p, const char *text,
		     struct kt_error *err);
	/* Executes opening with O_TRUNC, as by '>'. NULL: nothing. */
	int (*clear)(struct fs_flight *s, struct kt_error *err);
};

/* Ends with a row without a name. */
extern const struct fs_file fs_files[];

/* The row of all files of rings, which have names of their own. */
extern const struct fs_file fs_ring_file;

#endif
