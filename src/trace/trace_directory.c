// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/trace_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static const char *const in_ktrace[] = {KT_TRACE_DIRECTORY_NAMES, KT_TRACE_DIRECTORY_STACKS,
					KT_TRACE_DIRECTORY_BINARIES, KT_TRACE_DIRECTORY_COUNTS,
					KT_TRACE_DIRECTORY_DRAFT};

enum { N_IN_KTRACE = sizeof(in_ktrace) / sizeof(*in_ktrace) };

/* What is at a path. */
enum { ABSENT, EMPTY, TRACE };

/* Write permission for others than the owner; with an ACL the group's bits are its mask. */
enum { OTHERS_MAY_WRITE = S_IWGRP | S_IWOTH };

/* Prefixes of streams, in front of the CPU's number. */
static const char *const streams[KT_CHANNELS] = {[KT_MAIN] = "cpu", [KT_RARE] = "rare"};

void kt_trace_directory_name_stream(char *name, size_t size, enum kt_channel channel,
				    unsigned int cpu)
{
	snprintf(name, size, "%s%u", streams[channel], cpu);
}

bool kt_trace_directory_is_stream(const char *name)
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

bool kt_trace_directory_may_be_stream(int dir, const char *name)
{
	struct stat st;

	return *name != '.' && strcmp(name, "metadata") != 0 &&
	       !(fstatat(dir, name, &st, 0) == 0 && S_ISDIR(st.st_mode));
}

/* The recorder holds the lock. */
bool kt_trace_directory_is_busy(int dir)
{
	if (flock(dir, LOCK_SH | LOCK_NB) < 0)
		return errno == EWOULDBLOCK;
	flock(dir, LOCK_UN);
	return false;
}

/* Returns whether ktrace wrote the metadata: two marks are near its start. */
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

/* Opens a directory in another one, never through a link. Returns -1 and sets errno on error. */
static int open_directory(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Opens a directory for listing, never through a link. Returns NULL and sets errno on error. */
static DIR *open_listing(int dir, const char *name)
{
	int fd = open_directory(dir, name);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

/* Returns the next name in a directory, or NULL. */
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

/* Returns whether it is a directory that holds only ktrace's own files. */
static bool is_ktrace(int dir, const char *name)
{
	DIR *d = strcmp(name, KT_TRACE_DIRECTORY_KTRACE) ? NULL : open_listing(dir, name);
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
	return kt_trace_directory_is_stream(name) || !strcmp(name, "metadata");
}

/* Returns the first entry that is not part of a trace, or NULL; counts those that are. */
static const char *find_foreign(DIR *d, int *n)
{
	const char *name;

	rewinddir(d);
	for (*n = 0; (name = next_name(d)); ++*n)
		if (!is_file(name) && !is_ktrace(dirfd(d), name))
			return name;
	return NULL;
}

static int report_busy(const char *path, struct kt_error *err)
{
	return kt_fail(err, EBUSY, "%s: a trace is being recorded into it", path);
}

static int report_errno(const char *path, int code, struct kt_error *err)
{
	return kt_fail(err, code, "%s: %s", path, strerror(code));
}

/* Returns what an open directory holds, or -EEXIST. */
static int examine_contents(const char *path, DIR *d, struct kt_error *err)
{
	int n;
	const char *foreign = find_foreign(d, &n);

	if (foreign)
		return kt_fail(err, EEXIST,
			       "%s: exists and is not a trace of ktrace: it contains '%s'", path,
			       foreign);
	if (n == 0)
		return EMPTY;
	if (!is_metadata_of_ktrace(dirfd(d)))
		return kt_fail(err, EEXIST,
			       "%s: exists and is not a trace of ktrace: other metadata", path);
	return TRACE;
}

/*
 * Locks a directory unless another process has locked it. Where locking is not supported, as on
 * some networks, nobody has.
 */
static bool lock_directory(int dir, int lock)
{
	return flock(dir, lock | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* One of the two directories: the trace's, or the older trace's. */
struct target {
	char name[NAME_MAX + 1]; /* in the directory of the path */
	char path[PATH_MAX];     /* for messages */
	int fd;                  /* -1: it does not exist */
	mode_t mode;             /* if it exists */
};

/*
 * The directory of a trace, and that of an older one. Both stay locked while they are open: LOCK_SH
 * for checking, LOCK_EX for making a trace, so that of two recorders that start at once only one
 * moves and removes.
 */
struct targets {
	struct kt_resolved_path place;
	struct target trace, old;
	int lock;
};

/* Returns whether the name leads to another directory by now. */
static bool has_moved(const struct targets *t, const struct target *target)
{
	struct stat there, here;

	return fstatat(t->place.dir, target->name, &there, AT_SYMLINK_NOFOLLOW) < 0 ||
	       fstat(target->fd, &here) < 0 || there.st_dev != here.st_dev ||
	       there.st_ino != here.st_ino;
}

static bool is_mount_point(int fd)
{
	struct statx st;

	return statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &st) == 0 &&
	       st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* Refuses what does not belong to the effective user, and what cannot be renamed. */
static int check_owner(struct target *target, struct kt_error *err)
{
	struct stat st;

	if (fstat(target->fd, &st) < 0)
		return report_errno(target->path, errno, err);
	if (st.st_uid != geteuid())
		return kt_fail(
			err, EACCES,
			"%s: belongs to '%s', not to this user; choose another directory (-o)",
			target->path, kt_user_name(st.st_uid));
	if (is_mount_point(target->fd))
		return kt_fail(err, EBUSY, "%s: a mount point; choose a directory in it: %s%strace",
			       target->path, target->path,
			       strcmp(target->path, "/") == 0 ? "" : "/");
	target->mode = st.st_mode;
	return 0;
}

/* Refuses a directory that others may write to. */
static int check_mode(const struct target *target, struct kt_error *err)
{
	if (!(target->mode & OTHERS_MAY_WRITE))
		return 0;
	return kt_fail(err, EACCES, "%s: writable by others (mode %04o); try 'chmod go-w %s'",
		       target->path, target->mode & 07777, target->path);
}

/* Returns what is there, or -errno. */
static int examine_target(const struct targets *t, struct target *target, struct kt_error *err)
{
	DIR *d;
	int what;

	target->fd = open_directory(t->place.dir, target->name);
	if (target->fd < 0 && errno == ENOENT)
		return ABSENT;
	if (target->fd < 0)
		return report_errno(target->path, errno, err);
	if (check_owner(target, err) < 0)
		return -err->code;
	if (!lock_directory(target->fd, t->lock) || has_moved(t, target))
		return report_busy(target->path, err);
	d = open_listing(target->fd, ".");
	if (!d)
		return report_errno(target->path, errno, err);
	what = examine_contents(target->path, d, err);
	closedir(d);
	if (what == EMPTY && check_mode(target, err) < 0)
		return -err->code;
	return what;
}

static void set_target(struct target *target, const struct kt_resolved_path *place, const char *end)
{
	snprintf(target->name, sizeof(target->name), "%s%s", place->name, end);
	snprintf(target->path, sizeof(target->path), "%s%s", place->path, end);
	target->fd = -1;
}

static int find_targets(struct targets *t, const char *path, int lock, struct kt_error *err)
{
	static const char end[] = ".old";

	*t = (struct targets){.place.dir = -1, .trace.fd = -1, .old.fd = -1, .lock = lock};
	if (kt_resolved_path_find(&t->place, path, err) < 0)
		return -err->code;
	if (strlen(t->place.name) + strlen(end) > NAME_MAX ||
	    strlen(t->place.path) + strlen(end) >= PATH_MAX)
		return kt_fail(err, ENAMETOOLONG, "%.64s…: %s", path, strerror(ENAMETOOLONG));
	set_target(&t->trace, &t->place, "");
	set_target(&t->old, &t->place, end);
	return 0;
}

static void close_targets(struct targets *t)
{
	if (t->trace.fd >= 0)
		close(t->trace.fd);
	if (t->old.fd >= 0)
		close(t->old.fd);
	kt_resolved_path_close(&t->place);
}

static int check_access(int dir, const char *path, struct kt_error *err)
{
	if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return report_errno(path, errno, err);
	return 0;
}

/* Returns what is at the trace's path, or -errno if it cannot go there. */
static int check_targets(struct targets *t, struct kt_error *err)
{
	int now = examine_target(t, &t->trace, err), old = ABSENT;

	if (now == EMPTY)
		return check_access(t->trace.fd, t->trace.path, err) < 0 ? -err->code : now;
	if (now == TRACE)
		old = examine_target(t, &t->old, err);
	if (now < 0 || old < 0)
		return -err->code;
	return check_access(t->place.dir, t->trace.path, err) < 0 ? -err->code : now;
}

/* Returns whether the directories above could be created where the first one is missing. */
static int check_parents(const char *path, struct kt_error *err)
{
	struct kt_resolved_path missing;
	int ret = kt_resolved_path_find_missing(&missing, path, err);

	if (ret == 0)
		ret = check_access(missing.dir, missing.path, err);
	kt_resolved_path_close(&missing);
	return ret;
}

int kt_trace_directory_check(const char *path, struct kt_error *err)
{
	struct targets t;
	int what = find_targets(&t, path, LOCK_SH, err);

	if (what == 0)
		what = check_targets(&t, err);
	else if (what == -ENOENT)
		what = check_parents(path, err);
	close_targets(&t);
	return what < 0 ? kt_fail_because(err, "cannot create the trace") : 0;
}

/* Returns whether a directory belongs to the user, and only they may write to it. */
static bool is_private(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & OTHERS_MAY_WRITE);
}

int kt_trace_directory_open_ktrace(int dir)
{
	int fd = open_directory(dir, KT_TRACE_DIRECTORY_KTRACE);

	if (fd < 0)
		return -errno;
	if (is_private(fd))
		return fd;
	close(fd);
	return -EACCES;
}

int kt_trace_directory_add(int dir, const char *name)
{
	int fd, ret, ktrace;

	if (mkdirat(dir, KT_TRACE_DIRECTORY_KTRACE, 0700) < 0 && errno != EEXIST)
		return -errno;
	ktrace = kt_trace_directory_open_ktrace(dir);
	if (ktrace < 0)
		return ktrace;
	fd = openat(ktrace, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ret = fd < 0 ? -errno : fd;
	close(ktrace);
	return ret;
}

static int remove_ktrace(int dir, const char *name)
{
	DIR *d = open_listing(dir, name);
	size_t i;

	if (!d)
		return -errno;
	for (i = 0; i < N_IN_KTRACE; i++)
		unlinkat(dirfd(d), in_ktrace[i], 0);
	closedir(d);
	return unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* Removes a part of a trace. */
static int remove_part(int dir, const char *name)
{
	if (!strcmp(name, KT_TRACE_DIRECTORY_KTRACE))
		return remove_ktrace(dir, name);
	return is_file(name) && unlinkat(dir, name, 0) < 0 ? -errno : 0;
}

static int remove_parts(int dir)
{
	DIR *d = open_listing(dir, ".");
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

/* Moves the older trace away; check_targets() has verified that both belong to the user. */
static int move_trace(const struct targets *t, struct kt_error *err)
{
	int ret = t->old.fd < 0 ? 0 : remove_parts(t->old.fd);

	if (ret < 0)
		return report_errno(t->old.path, -ret, err);
	if (renameat(t->place.dir, t->trace.name, t->place.dir, t->old.name) < 0)
		return kt_fail(err, errno, "%s: to %s: %s", t->trace.path, t->old.path,
			       strerror(errno));
	return 0;
}

/* Another recorder may be first at any step; then this one fails. */
static int make_new(struct targets *t, bool *is_new, struct kt_error *err)
{
	int what;

	*is_new = mkdirat(t->place.dir, t->trace.name, 0700) == 0;
	if (!*is_new && errno != EEXIST)
		return report_errno(t->trace.path, errno, err);
	if (t->trace.fd >= 0)
		close(t->trace.fd);
	what = examine_target(t, &t->trace, err);
	if (what >= 0 && what != EMPTY)
		return report_busy(t->trace.path, err);
	return what < 0 ? what : 0;
}

static int make_directory(struct targets *t, bool *is_new, struct kt_error *err)
{
	int what = check_targets(t, err);

	*is_new = false;
	if (what < 0 || (what == TRACE && move_trace(t, err) < 0))
		return -err->code;
	if (what != EMPTY && make_new(t, is_new, err) < 0)
		return -err->code;
	/*
	 * An empty directory belongs to the user, and only they may write to it, so no other
	 * process was first.
	 */
	if (fchmod(t->trace.fd, t->trace.mode & 07700) < 0)
		return report_errno(t->trace.path, errno, err);
	return 0;
}

int kt_trace_directory_make(struct kt_trace_directory *d, const char *path, struct kt_error *err)
{
	struct targets t = {.place.dir = -1, .trace.fd = -1, .old.fd = -1};
	int ret = kt_resolved_path_make_parents(path, err);

	if (ret == 0)
		ret = find_targets(&t, path, LOCK_EX, err);
	if (ret == 0)
		ret = make_directory(&t, &d->is_new, err);
	if (ret == 0) {
		d->fd = t.trace.fd;
		d->place = t.place;
		t.trace.fd = t.place.dir = -1;
	}
	close_targets(&t);
	return ret < 0 ? kt_fail_because(err, "cannot create the trace") : 0;
}

void kt_trace_directory_close(struct kt_trace_directory *d)
{
	close(d->fd);
	kt_resolved_path_close(&d->place);
}

/* Some file systems have no fsync for directories, or none at all. */
static int sync_fd(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS ? 0 : -errno;
}

static int sync_file(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), ret;

	if (fd < 0)
		return -errno;
	ret = sync_fd(fd);
	close(fd);
	return ret;
}

/* Syncs the contents of a directory, then the directory itself. */
static int sync_directory(int dir, const char *name)
{
	DIR *d = open_listing(dir, name);
	const char *in;
	int ret = 0;

	if (!d)
		return -errno;
	while (ret == 0 && (in = next_name(d)))
		ret = strcmp(in, KT_TRACE_DIRECTORY_KTRACE) ? sync_file(dirfd(d), in)
							    : sync_directory(dirfd(d), in);
	if (ret == 0)
		ret = sync_fd(dirfd(d));
	closedir(d);
	return ret;
}

int kt_trace_directory_sync(const struct kt_trace_directory *d, struct kt_error *err)
{
	int ret = sync_directory(d->fd, ".");

	if (ret == 0)
		ret = sync_file(d->place.dir, ".");
	if (ret == -EACCES) /* writing to a directory does not require reading it */
		ret = 0;
	return ret < 0 ? kt_fail(err, -ret, "cannot sync: %s", strerror(-ret)) : 0;
}

void kt_trace_directory_discard(struct kt_trace_directory *d)
{
	remove_parts(d->fd);
	if (d->is_new)
		unlinkat(d->place.dir, d->place.name, AT_REMOVEDIR);
}
