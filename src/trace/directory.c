// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* What lies at a path. */
enum { ABSENT, EMPTY, TRACE };

bool kt_directory_is_stream(const char *name)
{
	return !strncmp(name, "cpu", 3) && name[3] && !name[3 + strspn(name + 3, "0123456789")];
}

/* Its recorder holds the lock. */
bool kt_directory_is_busy(int dir)
{
	if (flock(dir, LOCK_SH | LOCK_NB) < 0)
		return errno == EWOULDBLOCK;
	flock(dir, LOCK_UN);
	return false;
}

/* Whether it is ktrace that wrote it: both stand near its beginning. */
static bool is_metadata_of_ktrace(int dir)
{
	static const char begin[] = "/* CTF 1.8 */", tracer[] = "tracer_name = \"ktrace\"";
	int fd = openat(dir, "metadata", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[4096];
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text));
	close(fd);
	return n >= (ssize_t)strlen(begin) && !memcmp(text, begin, strlen(begin)) &&
	       memmem(text, n, tracer, strlen(tracer));
}

/* A directory in another, from its beginning; never through a link. NULL with errno. */
static DIR *open_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

/* The next that is in it, or NULL. */
static const char *next_name(DIR *d)
{
	struct dirent *e;

	do
		e = readdir(d);
	while (e && (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")));
	return e ? e->d_name : NULL;
}

/* Whether it is a directory with nothing in it but what ktrace puts there. */
static bool is_ktrace(int dir, const char *name)
{
	DIR *d = strcmp(name, KT_DIRECTORY_KTRACE) ? NULL : open_in(dir, name);
	const char *in = NULL;

	if (!d)
		return false;
	do
		in = next_name(d);
	while (in && !strcmp(in, KT_DIRECTORY_SHEET));
	closedir(d);
	return !in;
}

static bool is_file(const char *name)
{
	return kt_directory_is_stream(name) || !strcmp(name, "metadata");
}

/* The first that is no part of a trace, or NULL; how many are. */
static const char *find_foreign(DIR *d, int *n)
{
	const char *name;

	rewinddir(d);
	for (*n = 0; (name = next_name(d)); ++*n)
		if (!is_file(name) && !is_ktrace(dirfd(d), name))
			return name;
	return NULL;
}

static int fail_busy(const char *path, struct kt_error *err)
{
	return kt_fail(err, EBUSY, "%s: a trace that is being recorded", path);
}

static int look_into(const char *path, DIR *d, struct kt_error *err)
{
	const char *foreign;
	int n;

	if (kt_directory_is_busy(dirfd(d)))
		return fail_busy(path, err);
	foreign = find_foreign(d, &n);
	if (foreign)
		return kt_fail(err, EEXIST,
			       "%s: is there, and is no trace of ktrace's: it holds '%s'", path,
			       foreign);
	if (n == 0)
		return EMPTY;
	if (!is_metadata_of_ktrace(dirfd(d)))
		return kt_fail(err, EEXIST,
			       "%s: is there, and is no trace of ktrace's: its metadata is not",
			       path);
	return TRACE;
}

/* What lies at path, or -errno. */
static int look_at(const char *path, struct kt_error *err)
{
	DIR *d = opendir(path);
	int what;

	if (!d && errno == ENOENT)
		return ABSENT;
	if (!d)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	what = look_into(path, d, err);
	closedir(d);
	return what;
}

/* path without slashes at its end, and that with ".old" behind it. */
struct paths {
	char now[PATH_MAX], old[PATH_MAX];
};

static int find_paths(struct paths *p, const char *path, struct kt_error *err)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	if (n + sizeof(".old") > sizeof(p->now))
		return kt_fail(err, ENAMETOOLONG, "%.64s…: %s", path, strerror(ENAMETOOLONG));
	if (n == 0)
		return kt_fail(err, ENOENT, "the name of a directory is missing");
	snprintf(p->now, sizeof(p->now), "%.*s", (int)n, path);
	snprintf(p->old, sizeof(p->old), "%.*s.old", (int)n, path);
	return 0;
}

/* May be written to, as things look. */
static int may_write(const char *path, struct kt_error *err)
{
	if (faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) < 0)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int check(const struct paths *p, struct kt_error *err)
{
	int now = look_at(p->now, err), old = ABSENT;
	char copy[PATH_MAX];

	if (now == EMPTY)
		return may_write(p->now, err) < 0 ? -err->code : now;
	if (now == TRACE)
		old = look_at(p->old, err);
	if (now < 0 || old < 0)
		return -err->code;
	strcpy(copy, p->now);
	return may_write(dirname(copy), err) < 0 ? -err->code : now;
}

int kt_directory_check(const char *path, struct kt_error *err)
{
	struct paths p;

	if (find_paths(&p, path, err) < 0 || check(&p, err) < 0)
		return kt_fail_because(err, "cannot make a trace");
	return 0;
}

static int remove_ktrace(int dir, const char *name)
{
	DIR *d = open_in(dir, name);

	if (!d)
		return -errno;
	unlinkat(dirfd(d), KT_DIRECTORY_SHEET, 0);
	closedir(d);
	return unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* If it is part of a trace. */
static int remove_part(int dir, const char *name)
{
	if (!strcmp(name, KT_DIRECTORY_KTRACE))
		return remove_ktrace(dir, name);
	return is_file(name) && unlinkat(dir, name, 0) < 0 ? -errno : 0;
}

static int empty(int dir)
{
	DIR *d = open_in(dir, ".");
	const char *name;
	int part, ret = 0;

	if (!d)
		return -errno;
	while ((name = next_name(d))) {
		part = remove_part(dir, name);
		ret = part < 0 ? part : ret;
	}
	closedir(d);
	return ret;
}

void kt_directory_remove(const char *path, int dir)
{
	empty(dir);
	rmdir(path);
}

/* What is at p->old was looked at: it is ours. */
static int move(const struct paths *p, struct kt_error *err)
{
	int ret, old = open(p->old, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (old < 0 && errno != ENOENT)
		return kt_fail(err, errno, "%s: %s", p->old, strerror(errno));
	if (old >= 0) {
		ret = empty(old);
		close(old);
		if (ret < 0)
			return kt_fail(err, -ret, "%s: %s", p->old, strerror(-ret));
	}
	if (rename(p->now, p->old) < 0)
		return kt_fail(err, errno, "%s: to %s: %s", p->now, p->old, strerror(errno));
	return 0;
}

static int make(const struct paths *p, struct kt_error *err)
{
	int dir, what = check(p, err);

	if (what < 0 || (what == TRACE && move(p, err) < 0))
		return -err->code;
	if (what != EMPTY && mkdir(p->now, 0700) < 0)
		return kt_fail(err, errno, "%s: %s", p->now, strerror(errno));
	dir = open(p->now, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return kt_fail(err, errno, "%s: %s", p->now, strerror(errno));
	/* Where nothing can be locked, as on some networks, it can be recorded all the same. */
	if (flock(dir, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		close(dir);
		return fail_busy(p->now, err);
	}
	return dir;
}

int kt_directory_make(const char *path, struct kt_error *err)
{
	struct paths p;
	int dir;

	if (find_paths(&p, path, err) < 0)
		return kt_fail_because(err, "cannot make a trace");
	dir = make(&p, err);
	return dir < 0 ? kt_fail_because(err, "cannot make a trace") : dir;
}
