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

static const char *const in_ktrace[] = {KT_DIRECTORY_ROSTER, KT_DIRECTORY_SHEET,
					KT_DIRECTORY_DRAFT};

enum { N_IN_KTRACE = sizeof(in_ktrace) / sizeof(*in_ktrace) };

/* What lies at a path. */
enum { ABSENT, EMPTY, TRACE };

/* What streams are called, in front of the CPU's number. */
static const char *const streams[KT_CHANNELS] = {[KT_MAIN] = "cpu", [KT_KEPT] = "kept"};

void kt_directory_name_stream(char *name, size_t size, enum kt_channel channel, unsigned int cpu)
{
	snprintf(name, size, "%s%u", streams[channel], cpu);
}

bool kt_directory_is_stream(const char *name)
{
	const char *number;
	size_t i, n;

	for (i = 0; i < KT_CHANNELS; i++) {
		n = strlen(streams[i]);
		number = name + n;
		if (!strncmp(name, streams[i], n) && *number &&
		    !number[strspn(number, "0123456789")])
			return true;
	}
	return false;
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

static bool is_in_ktrace(const char *name)
{
	size_t i = 0;

	while (i < N_IN_KTRACE && strcmp(name, in_ktrace[i]))
		i++;
	return i < N_IN_KTRACE;
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
	while (in && is_in_ktrace(in));
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
	int n;
	const char *foreign = find_foreign(d, &n);

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

/* Another lies at path by now. */
static bool has_moved(const char *path, int dir)
{
	struct stat there, here;

	return stat(path, &there) < 0 || fstat(dir, &here) < 0 || there.st_dev != here.st_dev ||
	       there.st_ino != here.st_ino;
}

/* Unless somebody has it. Where nothing can be locked, as on some networks, that is nobody. */
static bool take(int dir, int lock)
{
	return flock(dir, lock | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* What lies at path, locked and left open in *dir if anything does, or -errno. */
static int look_at(const char *path, int flags, int lock, int *dir, struct kt_error *err)
{
	DIR *d;
	int what;

	*dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (*dir < 0 && errno == ENOENT)
		return ABSENT;
	if (*dir < 0)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	if (!take(*dir, lock) || has_moved(path, *dir))
		return fail_busy(path, err);
	d = open_in(*dir, ".");
	if (!d)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	what = look_into(path, d, err);
	closedir(d);
	return what;
}

/*
 * Where a trace goes, and where one that is there goes: the path without slashes at its end, and
 * that with ".old" behind it. What lies there is open, or -1, and locked: to look at it LOCK_SH, to
 * make a trace LOCK_EX, so that of two that begin at once only one moves and removes.
 */
struct place {
	char path[PATH_MAX], old_path[PATH_MAX];
	int dir, old, lock;
};

static int find_place(struct place *p, const char *path, int lock, struct kt_error *err)
{
	size_t n = strlen(path);

	p->dir = p->old = -1;
	p->lock = lock;
	while (n > 1 && path[n - 1] == '/')
		n--;
	if (n + sizeof(".old") > sizeof(p->path))
		return kt_fail(err, ENAMETOOLONG, "%.64s…: %s", path, strerror(ENAMETOOLONG));
	if (n == 0)
		return kt_fail(err, ENOENT, "the name of a directory is missing");
	snprintf(p->path, sizeof(p->path), "%.*s", (int)n, path);
	snprintf(p->old_path, sizeof(p->old_path), "%.*s.old", (int)n, path);
	return 0;
}

static void close_place(const struct place *p)
{
	if (p->dir >= 0)
		close(p->dir);
	if (p->old >= 0)
		close(p->old);
}

/* May be written to, as things look. */
static int may_write(const char *path, struct kt_error *err)
{
	if (faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) < 0)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

/* What lies there, or -errno. */
static int check(struct place *p, struct kt_error *err)
{
	int now = look_at(p->path, 0, p->lock, &p->dir, err), old = ABSENT;
	char copy[PATH_MAX];

	if (now == EMPTY)
		return may_write(p->path, err) < 0 ? -err->code : now;
	if (now == TRACE)
		old = look_at(p->old_path, O_NOFOLLOW, p->lock, &p->old, err);
	if (now < 0 || old < 0)
		return -err->code;
	strcpy(copy, p->path);
	return may_write(dirname(copy), err) < 0 ? -err->code : now;
}

int kt_directory_check(const char *path, struct kt_error *err)
{
	struct place p;
	int what = find_place(&p, path, LOCK_SH, err);

	if (what == 0)
		what = check(&p, err);
	close_place(&p);
	return what < 0 ? kt_fail_because(err, "cannot make a trace") : 0;
}

int kt_directory_add(int dir, const char *name)
{
	char path[NAME_MAX];
	int fd;

	if (mkdirat(dir, KT_DIRECTORY_KTRACE, 0777) < 0 && errno != EEXIST)
		return -errno;
	snprintf(path, sizeof(path), KT_DIRECTORY_KTRACE "/%s", name);
	fd = openat(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : fd;
}

static int remove_ktrace(int dir, const char *name)
{
	DIR *d = open_in(dir, name);
	size_t i;

	if (!d)
		return -errno;
	for (i = 0; i < N_IN_KTRACE; i++)
		unlinkat(dirfd(d), in_ktrace[i], 0);
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

void kt_directory_remove(const char *path, int dir, bool is_new)
{
	empty(dir);
	if (is_new)
		rmdir(path);
}

/* What is there was looked at: it is ours. */
static int move(const struct place *p, struct kt_error *err)
{
	int ret = p->old < 0 ? 0 : empty(p->old);

	if (ret < 0)
		return kt_fail(err, -ret, "%s: %s", p->old_path, strerror(-ret));
	if (rename(p->path, p->old_path) < 0)
		return kt_fail(err, errno, "%s: to %s: %s", p->path, p->old_path, strerror(errno));
	return 0;
}

/* Somebody else may come before us at any step, but then it is we who fail. */
static int make_new(const char *path, int *dir, bool *is_new, struct kt_error *err)
{
	int what;

	*is_new = mkdir(path, 0700) == 0;
	if (!*is_new && errno != EEXIST)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	what = look_at(path, 0, LOCK_EX, dir, err);
	if (what >= 0 && what != EMPTY)
		return fail_busy(path, err);
	return what < 0 ? what : 0;
}

static int make(struct place *p, int *dir, bool *is_new, struct kt_error *err)
{
	int what = check(p, err);

	*is_new = false;
	if (what < 0 || (what == TRACE && move(p, err) < 0))
		return -err->code;
	if (what != EMPTY)
		return make_new(p->path, dir, is_new, err);
	*dir = p->dir;
	p->dir = -1;
	return 0;
}

int kt_directory_make(const char *path, bool *is_new, struct kt_error *err)
{
	struct place p;
	int dir = -1, ret = find_place(&p, path, LOCK_EX, err);

	if (ret == 0)
		ret = make(&p, &dir, is_new, err);
	close_place(&p);
	if (ret == 0)
		return dir;
	if (dir >= 0)
		close(dir);
	return kt_fail_because(err, "cannot make a trace");
}
