// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/resolved_path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"

/* The kernel's own limit (MAXSYMLINKS). */
enum { LINKS_MAX = 40 };

/* A path while it is being resolved. */
struct walk {
	struct kt_resolved_path *place; /* dir and path are as far as the walk came */
	char rest[PATH_MAX];            /* the part of the path that is still to be walked */
	unsigned int links;             /* links followed so far */
};

const char *kt_user_name(uid_t uid)
{
	static char number[16];
	const struct passwd *user = getpwuid(uid);

	if (user)
		return user->pw_name;
	snprintf(number, sizeof(number), "%u", uid);
	return number;
}

static int fail_at(const struct kt_resolved_path *p, int code, struct kt_error *err)
{
	return kt_fail(err, code, "%s: %s", p->path, strerror(code));
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Copies the next component of the path to name. Returns false at the end of the path. */
static bool take_component(struct walk *w, char name[NAME_MAX + 1])
{
	size_t slashes = strspn(w->rest, "/"), n = strcspn(w->rest + slashes, "/");

	if (n == 0 || n > NAME_MAX)
		return false;
	memcpy(name, w->rest + slashes, n);
	name[n] = '\0';
	memmove(w->rest, w->rest + slashes + n, strlen(w->rest + slashes + n) + 1);
	return true;
}

static bool is_at_end(const struct walk *w)
{
	return w->rest[strspn(w->rest, "/")] == '\0';
}

/* Appends a component to the path that messages show. */
static int append_component(struct kt_resolved_path *p, const char *name, struct kt_error *err)
{
	size_t n = strlen(p->path);
	const char *slash = n == 0 || p->path[n - 1] == '/' ? "" : "/";

	if (n + strlen(slash) + strlen(name) >= sizeof(p->path))
		return kt_fail(err, ENAMETOOLONG, "%.64s…: %s", p->path, strerror(ENAMETOOLONG));
	strcat(strcat(p->path, slash), name);
	return 0;
}

static void remove_component(struct kt_resolved_path *p)
{
	char *slash = strrchr(p->path, '/');

	if (!slash)
		*p->path = '\0';
	else
		slash[slash == p->path] = '\0';
}

/* Goes to the directory where the path starts: the root or the working directory. */
static int go_to_start(struct walk *w, struct kt_error *err)
{
	const char *start = *w->rest == '/' ? "/" : ".";

	if (w->place->dir >= 0 && *start == '.')
		return 0; /* a link's target is relative to the directory of the link */
	if (w->place->dir >= 0)
		close(w->place->dir);
	strcpy(w->place->path, *start == '/' ? start : "");
	w->place->dir = open(start, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return w->place->dir < 0 ? kt_fail(err, errno, "%s: %s", start, strerror(errno)) : 0;
}

static int fail_at_foreign_link(const struct kt_resolved_path *p, uid_t owner, const char *target,
				struct kt_error *err)
{
	return kt_fail(err, EACCES,
		       "%s: a symbolic link of '%s'; to follow it, name its target: %s", p->path,
		       kt_user_name(owner), target);
}

/* Puts the target of a link, open as fd, in front of the rest of the path. */
static int follow_link(struct walk *w, int fd, uid_t owner, struct kt_error *err)
{
	char target[PATH_MAX];
	size_t rest = strlen(w->rest);
	ssize_t n = readlinkat(fd, "", target, sizeof(target) - 1);

	if (n < 0)
		return fail_at(w->place, errno, err);
	target[n] = '\0';
	if (owner != geteuid() && owner != 0)
		return fail_at_foreign_link(w->place, owner, target, err);
	if (++w->links > LINKS_MAX)
		return fail_at(w->place, ELOOP, err);
	if (n + rest >= sizeof(w->rest))
		return fail_at(w->place, ENAMETOOLONG, err);
	memmove(w->rest + n, w->rest, rest + 1);
	memcpy(w->rest, target, n);
	remove_component(w->place);
	return go_to_start(w, err);
}

/*
 * Returns whether fd is a procfs link. Its text need not name its target; no user can replace it.
 */
static bool is_magic(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/*
 * Returns whether the kernel's path of the directory fd leads to it. In another mount namespace it
 * does not.
 */
static bool leads_to(const char *path, int fd)
{
	struct stat there, here;

	return stat(path, &there) == 0 && fstat(fd, &here) == 0 && there.st_dev == here.st_dev &&
	       there.st_ino == here.st_ino;
}

/* Replaces a last component ".", ".." or a magic link by the kernel's path of that directory. */
static int resolve_directory(struct walk *w, const char *name, struct kt_error *err)
{
	int fd = openat(w->place->dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	char link[64];
	ssize_t n;

	if (fd < 0)
		return fail_at(w->place, errno, err);
	if (fstat(fd, &st) == 0 && st.st_nlink == 0) {
		close(fd);
		return kt_fail(err, ENOENT, "%s: the directory has been removed", name);
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, w->rest, sizeof(w->rest) - 1);
	if (n >= 0)
		w->rest[n] = '\0';
	else
		fail_at(w->place, errno, err);
	if (n >= 0 && !leads_to(w->rest, fd))
		n = kt_fail(err, ESTALE, "%s: no path leads to this directory from here", name);
	close(fd);
	w->place->is_led = true;
	return n < 0 ? -err->code : go_to_start(w, err);
}

/* Enters the directory fd, or follows the link fd. */
static int enter_directory(struct walk *w, int fd, struct kt_error *err)
{
	struct stat st;
	int ret;

	if (fd < 0 || fstat(fd, &st) < 0)
		ret = fail_at(w->place, errno, err);
	else if (S_ISLNK(st.st_mode))
		ret = follow_link(w, fd, st.st_uid, err);
	else if (!S_ISDIR(st.st_mode))
		ret = fail_at(w->place, ENOTDIR, err);
	else {
		close(w->place->dir);
		w->place->dir = fd;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Walks a component that is not the last one. */
static int walk_middle(struct walk *w, const char *name, struct kt_error *err)
{
	int fd = openat(w->place->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode) && is_magic(fd)) {
		close(fd);
		fd = openat(w->place->dir, name, O_PATH | O_CLOEXEC);
	}
	return enter_directory(w, fd, err);
}

/*
 * Handles the last component: stays in front of it, or follows it if it is a link. Returns 1 if the
 * walk is done, 0 if it continues.
 */
static int walk_last(struct walk *w, const char *name, struct kt_error *err)
{
	int ret, fd = openat(w->place->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno != ENOENT)
		return fail_at(w->place, errno, err);
	strcpy(w->place->name, name);
	if (fd < 0)
		return 1;
	if (fstat(fd, &st) < 0 || !S_ISLNK(st.st_mode)) {
		ret = 1;
	} else if (!is_magic(fd)) {
		w->place->is_led = true;
		ret = follow_link(w, fd, st.st_uid, err);
	} else if (fstatat(w->place->dir, name, &st, 0) == 0 && S_ISDIR(st.st_mode)) {
		ret = resolve_directory(w, name, err);
	} else {
		w->place->is_magic = true;
		ret = 1;
	}
	close(fd);
	return ret;
}

/* Walks one component. Returns 1 if the walk is done, 0 if it continues. */
static int walk_component(struct walk *w, struct kt_error *err)
{
	char name[NAME_MAX + 1];

	if (!take_component(w, name)) {
		if (!is_at_end(w))
			return fail_at(w->place, ENAMETOOLONG, err);
		strcpy(w->place->name, "."); /* the path is the root directory */
		return 1;
	}
	if (is_at_end(w) && is_dots(name))
		return resolve_directory(w, name, err);
	if (append_component(w->place, name, err) < 0)
		return -err->code;
	return is_at_end(w) ? walk_last(w, name, err) : walk_middle(w, name, err);
}

int kt_resolved_path_find(struct kt_resolved_path *place, const char *path, struct kt_error *err)
{
	struct walk w = {.place = place};
	int ret;

	*place = (struct kt_resolved_path){.typed = path, .dir = -1};
	if (strlen(path) >= sizeof(w.rest))
		return kt_fail(err, ENAMETOOLONG, "%.64s…: %s", path, strerror(ENAMETOOLONG));
	if (!*path)
		return kt_fail(err, ENOENT, "missing name");
	strcpy(w.rest, path);
	ret = go_to_start(&w, err);
	while (ret == 0)
		ret = walk_component(&w, err);
	if (ret > 0)
		return 0;
	kt_resolved_path_close(place);
	return ret;
}

/* Cuts the last component off. Returns false if there is no other. */
static bool cut_component(char *path)
{
	size_t n = strlen(path);

	while (n > 0 && path[n - 1] == '/')
		n--;
	while (n > 0 && path[n - 1] != '/')
		n--;
	path[n] = '\0';
	return n > 0;
}

int kt_resolved_path_find_missing(struct kt_resolved_path *place, const char *path,
				  struct kt_error *err)
{
	char part[PATH_MAX];
	int ret = kt_resolved_path_find(place, path, err);

	if (ret != -ENOENT)
		return ret;
	strcpy(part, path);
	while (ret == -ENOENT && cut_component(part))
		ret = kt_resolved_path_find(place, part, err);
	place->typed = path;
	return ret;
}

/* Creates a missing directory, which other processes may have created by now. */
static int make_missing(const char *path, struct kt_error *err)
{
	struct kt_resolved_path p;
	int ret = kt_resolved_path_find_missing(&p, path, err);

	if (ret < 0)
		return ret;
	if (mkdirat(p.dir, p.name, 0777) < 0 && errno != EEXIST)
		ret = fail_at(&p, errno, err);
	kt_resolved_path_close(&p);
	return ret;
}

int kt_resolved_path_make_parents(const char *path, struct kt_error *err)
{
	struct kt_resolved_path p;
	size_t left; /* no path has more components; another process may remove them */
	int ret;

	for (left = PATH_MAX / 2; left > 0; left--) {
		ret = kt_resolved_path_find(&p, path, err);
		kt_resolved_path_close(&p);
		if (ret == -ENOENT)
			ret = make_missing(path, err) < 0 ? -err->code : 1;
		if (ret <= 0)
			return ret;
	}
	return kt_fail(err, ENOENT, "%s: %s", path, strerror(ENOENT));
}

void kt_resolved_path_close(struct kt_resolved_path *place)
{
	if (place->dir >= 0)
		close(place->dir);
	place->dir = -1;
}
