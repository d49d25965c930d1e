/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes of a flight's control tree (doc/fs.md).
 *
 *	struct fs_tree *t = fs_tree_new(flight, &err);
 *	const struct fs_node *events = fs_tree_find(t, fs_tree_node(t, 0), "events");
 *
 *	for (i = 0; i < events->n; i++)
 *		puts(fs_tree_node(t, events->first + i)->name);	// enable, sched, irq ...
 *	fs_tree_free(t);
 */
#ifndef KT_APP_FS_FS_TREE_H
#define KT_APP_FS_FS_TREE_H

#include <stddef.h>

struct fs_file;
struct kt_error;
struct kt_flight;
struct fs_tree;

/* What a directory shows. */
enum fs_level {
	FS_LEVEL_TOP,
	FS_LEVEL_EVENTS, /* "events": the systems of all events */
	FS_LEVEL_SYSTEM,
	FS_LEVEL_EVENT,
	FS_LEVEL_BUFFERS, /* "buffers": a file per ring */
};

struct fs_node {
	const char *name;           /* "" for the root */
	const struct fs_file *file; /* app/fs/fs_files.h; NULL: a directory */
	enum fs_level level;        /* for a file: that of its directory */
	size_t parent;
	size_t first, n;      /* for a directory: index of its first entry, number of entries */
	const size_t *events; /* events that it belongs to, by index */
	size_t n_events;
	size_t ring; /* for a ring's file: the ring's index, for kt_rings_at() */
};

/*
 * Creates the tree of a flight, which must outlive it; NULL: without a flight. The caller frees it.
 * Returns NULL on error.
 */
struct fs_tree *fs_tree_new(const struct kt_flight *f, struct kt_error *err);
void fs_tree_free(struct fs_tree *t);

/* Returns node i; the root is node 0. NULL: there are fewer. */
const struct fs_node *fs_tree_node(const struct fs_tree *t, size_t i);
size_t fs_tree_index(const struct fs_tree *t, const struct fs_node *p);

/* Finds an entry of a directory. Returns NULL if there is none, or dir is no directory. */
const struct fs_node *fs_tree_find(const struct fs_tree *t, const struct fs_node *dir,
				   const char *name);

#endif
