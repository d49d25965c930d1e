/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A path, resolved safely: an open directory and a name in it.
 *
 *	struct kt_resolved_path path;
 *
 *	if (kt_resolved_path_find(&path, "logs/today", &err) < 0)
 *		return say_error(NAME, &err);
 *	mkdirat(path.dir, path.name, 0700);
 *	kt_resolved_path_close(&path);
 *
 * Root runs ktrace in directories that other users can write to. Whatever they rename or replace by
 * a link after kt_resolved_path_find(), path.dir stays the directory that was found. path.name must
 * still be opened with O_NOFOLLOW, unless it is magic. Costs an open and a close per component.
 */
#ifndef KT_BASE_RESOLVED_PATH_H
#define KT_BASE_RESOLVED_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct kt_error;

struct kt_resolved_path {
	const char *typed;       /* the path as given, the caller's */
	int dir;                 /* opened with O_PATH */
	char name[NAME_MAX + 1]; /* one component, never ".."; "." only for the root directory */
	char path[PATH_MAX];     /* dir and name as text, for messages, with links resolved */
	bool is_led;             /* the last component was a link, "." or ".." */
	bool is_magic; /* name is a procfs link to something other than a directory: /proc/self/fd/1
			*/
};

/*
 * Resolves a path up to its last name, which need not exist. Trailing slashes are ignored.
 *
 * - Symbolic links, the last component included, are followed if they belong to the effective user
 *   or to root. Another user's link is -EACCES, for it may lead anywhere.
 * - Magic links (of procfs) lead where the kernel says, whatever their text. A directory without a
 *   path, as in another mount namespace, can be passed through, but is -ESTALE at the end.
 *
 * Returns 0 or -errno. On success the caller closes the result.
 */
int kt_resolved_path_find(struct kt_resolved_path *place, const char *path, struct kt_error *err);
void kt_resolved_path_close(struct kt_resolved_path *place);

/*
 * Resolves a path up to the first directory that is missing, but is not its last name: of
 * "logs/may/today" without logs/may it finds the name may in logs. Returns as
 * kt_resolved_path_find() does: -ENOENT for a link that leads nowhere.
 */
int kt_resolved_path_find_missing(struct kt_resolved_path *place, const char *path,
				  struct kt_error *err);

/*
 * Creates the directories above a path's last name that are missing, as mkdir -p does. Returns 0 or
 * -errno; those that were created before an error remain.
 */
int kt_resolved_path_make_parents(const char *path, struct kt_error *err);

/* Returns a user's name, or the number as text, for messages; valid until the next call. */
const char *kt_user_name(uid_t uid);

#endif
