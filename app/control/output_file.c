// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/resolved_path.h"

static int fail_open(const struct kt_resolved_path *p, int code, struct kt_error *err)
{
	return kt_fail(err, code, "cannot write to %s: %s", p->path, strerror(code));
}

/* Refuses another user's file or pipe. Other users cannot create devices such as terminals. */
static int check_owner(const struct kt_resolved_path *p, int fd, struct kt_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fail_open(p, errno, err);
	if (p->is_magic || S_ISCHR(st.st_mode) || st.st_uid == geteuid() || st.st_uid == 0)
		return 0;
	return kt_fail(err, EACCES, "cannot write to %s: it belongs to '%s'; name another file",
		       p->path, kt_user_name(st.st_uid));
}

/* Refuses an existing one before opening it: opening a pipe would wait for its reader. */
static int check_before(const struct kt_resolved_path *p, struct kt_error *err)
{
	int ret, fd = openat(p->dir, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : fail_open(p, errno, err);
	ret = check_owner(p, fd, err);
	close(fd);
	return ret;
}

/* Opens it with O_APPEND, or truncates it, if `appends` is 0. */
static int open_place(const struct kt_resolved_path *p, int appends, struct kt_error *err)
{
	int flags = O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC | (p->is_magic ? 0 : O_NOFOLLOW), fd;
	struct stat st;

	if (check_before(p, err) < 0)
		return -err->code;
	fd = openat(p->dir, p->name, flags | appends, 0600);
	if (fd < 0)
		return fail_open(p, errno, err);
	if (check_owner(p, fd, err) < 0)
		goto refused;
	if (!appends && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && ftruncate(fd, 0) < 0) {
		fail_open(p, errno, err);
		goto refused;
	}
	return fd;
refused:
	close(fd);
	return -err->code;
}

static FILE *open_file(const char *path, int appends, struct kt_error *err)
{
	struct kt_error why;
	struct kt_resolved_path place;
	FILE *to = NULL;
	int fd;

	if (*path && path[strlen(path) - 1] == '/') {
		kt_fail(err, EISDIR, "cannot write to %s: %s", path, strerror(EISDIR));
		return NULL;
	}
	if (kt_resolved_path_find(&place, path, &why) < 0) {
		kt_fail(err, why.code, "cannot write to %s", why.text);
		return NULL;
	}
	fd = open_place(&place, appends, err);
	if (fd >= 0)
		to = fdopen(fd, appends ? "a" : "w");
	if (fd >= 0 && !to) {
		fail_open(&place, errno, err);
		close(fd);
	}
	kt_resolved_path_close(&place);
	return to;
}

FILE *output_file_open(const char *path, struct kt_error *err)
{
	return open_file(path, 0, err);
}

FILE *output_file_append(const char *path, struct kt_error *err)
{
	return open_file(path, O_APPEND, err);
}
