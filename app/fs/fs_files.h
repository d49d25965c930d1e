/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of the control tree (doc/fs.md): a row each.
 *
 *	for (f = files; f->name; f++)
 *		printf("%s is in every directory of level %d\n", f->name, f->level);
 */
#ifndef KT_APP_FS_FS_FILES_H
#define KT_APP_FS_FS_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "app/fs/fs_tree.h"

struct kt_error;
struct pipe;
struct subject;

struct file {
	const char *name;
	enum level level; /* of the directories that it is in */
	mode_t mode;      /* its permissions */
	bool is_always;   /* there, also without a flight */
	/*
	 * Writes its text as it is now. 0; or -errno: of these -EAGAIN, where the subject is to be
	 * renewed first.
	 */
	int (*read)(FILE *to, const struct subject *s, const struct place *p, struct kt_error *err);
	/* Or its text is what the rings hold, made as it is read (app/fs/fs_copy.h). */
	bool is_of_rings;
	/*
	 * Or what comes next of a text that is read once, whoever reads: up to that size,
	 * which is good until the next request. How many bytes, 0 at the end; or -errno.
	 */
	ssize_t (*read_on)(struct subject *s, size_t size, const char **bytes,
			   struct kt_error *err);
	/*
	 * Or what comes as it is hit, which is waited for, and also read once: for pipe_leave. On
	 * error NULL.
	 */
	struct pipe *(*join)(struct subject *s, const struct place *p, struct kt_error *err);
	/*
	 * Does what was written, with the subject held. As read. Each is NULL where there is
	 * nothing to read, or to write.
	 */
	int (*write)(struct subject *s, const struct place *p, const char *text,
		     struct kt_error *err);
	/* And where it is opened to be written anew, as '>' does. NULL: that alone does nothing. */
	int (*clear)(struct subject *s, struct kt_error *err);
};

/* Behind the last one is one without a name. */
extern const struct file files[];

/* And those of a flight's rings, which are called by these. */
extern const struct file ring_file;

#endif
