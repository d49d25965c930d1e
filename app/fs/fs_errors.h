/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of the file error_log: why the last writes to the control tree failed, as tracefs has
 * it.
 *
 *	fs_errors_add(&fs->errors, fs->tree, node, "1 two 3\n", &err);
 *	fs_errors_print(&fs->errors, stdout);
 *
 *	[ 5012.000123] set_event_pid: not a task's number
 *	  1 two 3
 *	    ^~~
 */
#ifndef KT_APP_FS_FS_ERRORS_H
#define KT_APP_FS_FS_ERRORS_H

#include <stddef.h>
#include <stdio.h>

struct fs_node;
struct fs_tree;
struct kt_error;

enum { FS_ERRORS_MAX = 8 }; /* as many as tracefs keeps */

/* All zeros: none. */
struct fs_errors {
	char *texts[FS_ERRORS_MAX]; /* oldest first */
	size_t n;
};

/*
 * Adds an error of what was written to a file, replacing the oldest one; without memory the error
 * is not kept. `written` is NULL if opening the file failed.
 */
void fs_errors_add(struct fs_errors *e, const struct fs_tree *tree, const struct fs_node *file,
		   const char *written, const struct kt_error *err);

void fs_errors_print(const struct fs_errors *e, FILE *to);
void fs_errors_clear(struct fs_errors *e);

#endif
