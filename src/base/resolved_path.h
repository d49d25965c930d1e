/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a path leads: a directory, held open, and a name in it.
 *
 *	struct kt_place place;
 *
 *	if (kt_resolved_path_find(&place, "logs/today", &err) < 0)
 *		return say_error(NAME, &err);
 *	mkdirat(place.dir, place.name, 0700);
 *	kt_resolved_path_close(&place);
 *
 * Root runs ktrace in directories that others can write to. Whatever they rename or replace by a
 * link after kt_resolved_path_find(), place.dir stays the directory that was found; place.name must
 * still be opened with O_NOFOLLOW, unless it is magic. Costs an open and a close for each component
 * of the path.
 */
#ifndef KT_BASE_RESOLVED_PATH_H
#define KT_BASE_RESOLVED_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct kt_error;

struct kt_place {
	const char *typed;       /* the path that was given, the caller's */
	int dir;                 /* open with O_PATH */
	char name[NAME_MAX + 1]; /* one component, not ".."; "." for the root directory alone */
	char path[PATH_MAX];     /* of both, for messages: behind the links that were followed */
	bool is_led;             /* the last component was a link, or "." or ".." */
	bool is_magic; /* name is a link of procfs to no directory, as /proc/self/fd/1 is */
};

/*
 * Follows the path up to its last name, which need not exist, and slashes at its end are ignored.
 * Symbolic links, the last one too, are followed if they belong to the effective user or to root;
 * another user's link is -EACCES, for it may lead anywhere. Magic links, those of procfs, lead
 * where the kernel says, whatever their text is; a directory that no path leads to, as in another
 * mount namespace, can be passed through, but is -ESTALE at the end. On success the caller closes
 * the place. 0 or -errno.
 */
int kt_resolved_path_find(struct kt_place *place, const char *path, struct kt_error *err);
void kt_resolved_path_close(struct kt_place *place);

/* A user's name, or their number as text, for messages; valid until the next call. */
const char *kt_user_name(uid_t uid);

#endif
