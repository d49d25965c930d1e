/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands where in the control tree of a flight (doc/fs.md).
 *
 *	struct tree *t = tree_new(flight, &err);
 *	const struct place *events = tree_find(t, tree_at(t, 0), "events");
 *
 *	for (i = 0; i < events->n; i++)
 *		puts(tree_at(t, events->first + i)->name);	// enable, sched, irq ...
 *	tree_free(t);
 */
#ifndef KT_APP_FS_FS_TREE_H
#define KT_APP_FS_FS_TREE_H

#include <stddef.h>

struct file;
struct kt_error;
struct kt_flight;
struct tree;

/* What a directory is of. */
enum level {
	LEVEL_TOP,
	LEVEL_EVENTS, /* all of them */
	LEVEL_SYSTEM,
	LEVEL_EVENT,
	LEVEL_BUFFERS, /* its rings */
};

struct place {
	const char *name;        /* "" of the tree itself */
	const struct file *file; /* app/fs/fs_files.h; NULL: a directory */
	enum level level;        /* of a file that of the directory that it is in */
	size_t parent;
	size_t first, n;      /* of a directory: what is in it */
	const size_t *events; /* that it is of, by index */
	size_t n_events;
	size_t ring; /* of a ring's file, by which kt_rings_at has it */
};

/* Of a flight, which is to outlive it; NULL: of none. For the caller to free. On error NULL. */
struct tree *tree_new(const struct kt_flight *f, struct kt_error *err);
void tree_free(struct tree *t);

/* The tree itself is the first of its places. NULL: there are less. */
const struct place *tree_at(const struct tree *t, size_t i);
size_t tree_index(const struct tree *t, const struct place *p);

/* What is in a directory by that name. NULL: nothing, or it is none. */
const struct place *tree_find(const struct tree *t, const struct place *dir, const char *name);

#endif
