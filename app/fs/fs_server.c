// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_server.h"

#define FUSE_USE_VERSION 35

#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse_lowlevel.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/fs/fs_files.h"
#include "app/fs/fs_flight.h"
#include "app/fs/fs_handle.h"
#include "app/fs/fs_mount.h"
#include "app/fs/fs_tree.h"
#include "app/fs/fs_waiters.h"
#include "base/error.h"
#include "session/flight/flight.h"

/* ms without a request */
enum { REST_AFTER = 1000 };

struct fs_server {
	struct fs_flight *fs;
	struct mount_point *mount_point;
	gid_t group;
	time_t since;
	struct fs_waiters *queue;
	struct fuse_session *session;
	struct fuse_buf request; /* the last request; its memory is reused */
};

/*
 * Returns a node's number: FUSE has 1 for the root; the others differ from those of other flights.
 */
static fuse_ino_t get_number(const struct fs_server *s, size_t place)
{
	return place == 0 ? FUSE_ROOT_ID : (fuse_ino_t)s->fs->number << 32 | (place + 1);
}

/*
 * Finds a node, after checking the flight. Returns NULL on error: ESTALE if it belongs to another
 * flight.
 */
static const struct fs_node *find_node(struct fs_server *s, fuse_ino_t number, struct kt_error *err)
{
	size_t place = (number & UINT32_MAX) - 1;
	const struct fs_node *p;

	if (fs_flight_check(s->fs, err) < 0)
		return NULL;
	p = get_number(s, place) == number ? fs_tree_node(s->fs->tree, place) : NULL;
	if (!p)
		kt_fail(err, ESTALE, "%s", strerror(ESTALE));
	return p;
}

static struct stat make_stat(const struct fs_server *s, const struct fs_node *p)
{
	bool is_open = s->group != 0 || p->level != FS_LEVEL_TOP;
	struct stat st = {
		.st_ino = get_number(s, fs_tree_index(s->fs->tree, p)),
		.st_mode = p->file ? S_IFREG | p->file->mode : S_IFDIR | (is_open ? 0750 : 0700),
		.st_nlink = p->file ? 1 : 2,
		.st_gid = s->group,
	};

	st.st_atim.tv_sec = st.st_mtim.tv_sec = st.st_ctim.tv_sec = s->since;
	return st;
}

static void answer_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fs_server *s = fuse_req_userdata(req);
	struct fuse_entry_param entry = {0};
	const struct fs_node *dir, *p;
	struct kt_error err;

	dir = find_node(s, parent, &err);
	p = dir ? fs_tree_find(s->fs->tree, dir, name) : NULL;
	if (!p) {
		fuse_reply_err(req, dir ? ENOENT : err.code);
		return;
	}
	entry.attr = make_stat(s, p);
	entry.ino = entry.attr.st_ino;
	fuse_reply_entry(req, &entry);
}

static void get_attributes(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct fs_server *s = fuse_req_userdata(req);
	struct kt_error err;
	const struct fs_node *p = find_node(s, ino, &err);
	struct stat st;

	(void)fi;
	if (!p) {
		fuse_reply_err(req, err.code);
		return;
	}
	st = make_stat(s, p);
	fuse_reply_attr(req, &st, 0);
}

/* Sizes and times do not change; setting them succeeds, as '>' does it. */
static void set_attributes(fuse_req_t req, fuse_ino_t ino, struct stat *st, int which,
			   struct fuse_file_info *fi)
{
	(void)st;
	if (which & (FUSE_SET_ATTR_MODE | FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID))
		fuse_reply_err(req, EPERM);
	else
		get_attributes(req, ino, fi);
}

/* Returns entry i of a directory: itself and its parent first. NULL: no more. */
static const struct fs_node *get_listed(const struct fs_server *s, const struct fs_node *dir,
					size_t i, const char **name)
{
	const struct fs_tree *t = s->fs->tree;
	const struct fs_node *p;

	if (i >= dir->n + 2)
		return NULL;
	p = i == 0 ? dir : fs_tree_node(t, i == 1 ? dir->parent : dir->first + i - 2);
	*name = i == 0 ? "." : i == 1 ? ".." : p->name;
	return p;
}

static void list_directory(fuse_req_t req, fuse_ino_t ino, size_t size, off_t from,
			   struct fuse_file_info *fi)
{
	struct fs_server *s = fuse_req_userdata(req);
	const struct fs_node *dir, *p;
	struct kt_error err;
	size_t n = 0, more;
	const char *name;
	struct stat st;
	char *entries;

	(void)fi;
	dir = find_node(s, ino, &err);
	entries = dir ? malloc(size) : NULL;
	if (!entries) {
		fuse_reply_err(req, dir ? ENOMEM : err.code);
		return;
	}
	while ((p = get_listed(s, dir, from, &name))) {
		st = make_stat(s, p);
		more = fuse_add_direntry(req, entries + n, size - n, name, &st, ++from);
		if (more > size - n)
			break;
		n += more;
	}
	fuse_reply_buf(req, entries, n);
	free(entries);
}

static const struct fs_node *find_file(struct fs_server *s, fuse_ino_t number, struct kt_error *err)
{
	const struct fs_node *p = find_node(s, number, err);

	if (!p || p->file)
		return p;
	kt_fail(err, EISDIR, "%s", strerror(EISDIR));
	return NULL;
}

/* Returns whether to try again, with a flight that was found to have changed. */
static bool reopen_flight(struct fs_server *s, int *ret, struct kt_error *err)
{
	if (*ret != -EAGAIN)
		return false;
	*ret = fs_flight_reopen(s->fs, err);
	return *ret == 0;
}

/* Makes the file's present text, if it has its own. */
static int fill_handle(struct fs_server *s, fuse_ino_t ino, struct fs_handle *o, bool is_root,
		       struct kt_error *err)
{
	const struct fs_node *p = find_file(s, ino, err);

	return p ? fs_handle_fill(o, s->fs, p, !is_root, err) : -err->code;
}

/* Executes what was written; NULL: opened with O_TRUNC. */
static int execute_write(struct fs_server *s, fuse_ino_t ino, const char *text,
			 struct kt_error *err)
{
	const struct fs_node *p = find_file(s, ino, err);
	int ret;

	if (!p)
		return -err->code;
	if (!text && !p->file->clear)
		return 0;
	if (text && !p->file->write)
		return kt_fail(err, EINVAL, "%s", strerror(EINVAL));
	if (!p->file->is_always && fs_flight_lock(s->fs, err) < 0)
		return -err->code;
	ret = text ? p->file->write(s->fs, p, text, err) : p->file->clear(s->fs, err);
	if (!p->file->is_always)
		fs_flight_unlock(s->fs);
	return ret;
}

/* Keeps the error for the file error_log; finding the file may fail in another way. */
static void log_error(struct fs_server *s, fuse_ino_t ino, const char *text, struct kt_error err)
{
	struct kt_error ignored;
	const struct fs_node *p = find_file(s, ino, &ignored);

	if (p)
		fs_errors_add(&s->fs->errors, s->fs->tree, p, text, &err);
}

static int execute_locked(struct fs_server *s, fuse_ino_t ino, const char *text,
			  struct kt_error *err)
{
	int ret;

	do
		ret = execute_write(s, ino, text, err);
	while (reopen_flight(s, &ret, err));
	if (ret < 0)
		log_error(s, ino, text, *err);
	return ret;
}

static void open_file(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct fs_server *s = fuse_req_userdata(req);
	int access = fi->flags & O_ACCMODE;
	struct kt_error err;
	struct fs_handle *o = fs_handle_new(&err);
	int ret = o ? 0 : -err.code;

	if (ret == 0 && access != O_RDONLY && (fi->flags & O_TRUNC))
		ret = execute_locked(s, ino, NULL, &err);
	if (ret == 0 && access != O_WRONLY)
		do
			ret = fill_handle(s, ino, o, fuse_req_ctx(req)->uid == 0, &err);
		while (reopen_flight(s, &ret, &err));
	if (ret < 0) {
		fs_handle_free(o);
		fuse_reply_err(req, -ret);
		return;
	}
	fi->fh = (uintptr_t)o;
	fi->direct_io = 1;
	fi->nonseekable = fs_handle_is_shared(o);
	fi->noflush = 1; /* close() would fail if the server had exited by then */
	/* The opener may have been killed meanwhile; nobody releases the file then. */
	if (fuse_reply_open(req, fi) == -ENOENT)
		fs_handle_free(o);
}

static void read_file(fuse_req_t req, fuse_ino_t ino, size_t size, off_t from,
		      struct fuse_file_info *fi)
{
	struct fs_server *s = fuse_req_userdata(req);
	struct fs_handle *o = (struct fs_handle *)(uintptr_t)fi->fh;
	struct kt_error err;
	const char *bytes;
	ssize_t n;

	(void)ino;
	if (fs_handle_can_wait(o) && !(fi->flags & O_NONBLOCK)) {
		fs_waiters_add_read(s->queue, req, o, size);
		return;
	}
	n = fs_handle_read(o, s->fs, from, size, &bytes, &err);
	if (n < 0)
		fuse_reply_err(req, -n);
	else
		fuse_reply_buf(req, n ? bytes : NULL, n);
}

/* Each write is one command, whatever its offset. */
static void write_file(fuse_req_t req, fuse_ino_t ino, const char *bytes, size_t size, off_t to,
		       struct fuse_file_info *fi)
{
	struct fs_server *s = fuse_req_userdata(req);
	char *text = strndup(bytes, size);
	struct kt_error err;
	int ret = text ? execute_locked(s, ino, text, &err) : -ENOMEM;

	(void)to, (void)fi;
	free(text);
	if (ret < 0)
		fuse_reply_err(req, -ret);
	else
		fuse_reply_write(req, size);
}

static void release_file(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct fs_server *s = fuse_req_userdata(req);
	struct fs_handle *o = (struct fs_handle *)(uintptr_t)fi->fh;

	(void)ino;
	fs_waiters_remove(s->queue, o);
	fs_handle_free(o);
	fuse_reply_err(req, 0);
}

static void poll_file(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi,
		      struct fuse_pollhandle *handle)
{
	struct fs_server *s = fuse_req_userdata(req);

	(void)ino;
	fs_waiters_add_poll(s->queue, req, (struct fs_handle *)(uintptr_t)fi->fh, handle);
}

/* Users cannot change the tree. The errors are those of tracefs. */
static void refuse_node(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode, dev_t device)
{
	(void)dir, (void)name, (void)mode, (void)device;
	fuse_reply_err(req, EACCES);
}

static void refuse_directory(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode)
{
	(void)dir, (void)name, (void)mode;
	fuse_reply_err(req, EPERM);
}

static void refuse_symlink(fuse_req_t req, const char *to, fuse_ino_t dir, const char *name)
{
	(void)to, (void)dir, (void)name;
	fuse_reply_err(req, EPERM);
}

static void refuse_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t dir, const char *name)
{
	(void)ino, (void)dir, (void)name;
	fuse_reply_err(req, EPERM);
}

static void refuse_rename(fuse_req_t req, fuse_ino_t dir, const char *name, fuse_ino_t to,
			  const char *new_name, unsigned int flags)
{
	(void)dir, (void)name, (void)to, (void)new_name, (void)flags;
	fuse_reply_err(req, EPERM);
}

static void refuse_remove(fuse_req_t req, fuse_ino_t dir, const char *name)
{
	(void)dir, (void)name;
	fuse_reply_err(req, EPERM);
}

static const struct fuse_lowlevel_ops operations = {
	.lookup = answer_lookup,
	.getattr = get_attributes,
	.setattr = set_attributes,
	.readdir = list_directory,
	.open = open_file,
	.read = read_file,
	.write = write_file,
	.release = release_file,
	.poll = poll_file,
	.mknod = refuse_node,
	.mkdir = refuse_directory,
	.symlink = refuse_symlink,
	.link = refuse_link,
	.rename = refuse_rename,
	.rmdir = refuse_remove,
	.unlink = refuse_remove,
};

/* Starts the FUSE session, which owns the descriptor from then on. */
static int begin_session(struct fs_server *s, int fd, struct kt_error *err)
{
	char *argv[] = {"ktrace", NULL}, path[32];
	struct fuse_args args = FUSE_ARGS_INIT(1, argv);

	s->session = fuse_session_new(&args, &operations, sizeof(operations), s);
	fuse_opt_free_args(&args);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	if (s->session && fuse_session_mount(s->session, path) == 0)
		return 0;
	return kt_fail(err, EIO, "cannot serve %s", s->mount_point->path);
}

static void end_session(struct fs_server *s)
{
	if (s->session)
		fuse_session_destroy(s->session);
	fs_waiters_free(s->queue);
	free(s->request.mem);
	free(s);
}

struct fs_server *fs_server_mount(struct fs_flight *fs, struct mount_point *m, gid_t group,
				  struct kt_error *err)
{
	struct fs_server *s = calloc(1, sizeof(*s));
	int fd;

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*s = (struct fs_server){.fs = fs, .mount_point = m, .group = group, .since = time(NULL)};
	s->queue = fs_waiters_new(fs, err);
	fd = s->queue ? mount_fuse(m, fs->name, err) : -err->code;
	if (fd >= 0 && begin_session(s, fd, err) == 0)
		return s;
	if (fd >= 0) {
		unmount_fuse(m, fd);
		close(fd);
	}
	end_session(s);
	return NULL;
}

int fs_server_daemonize(struct kt_error *err)
{
	if (fuse_daemonize(0) < 0)
		return kt_fail(err, errno, "cannot run in the background: %s", strerror(errno));
	return 0;
}

/* Answers the next request. Returns whether there may be more. */
static bool answer_next(struct fs_server *s, int *ret)
{
	*ret = fuse_session_receive_buf(s->session, &s->request);
	if (*ret > 0)
		fuse_session_process_buf(s->session, &s->request);
	fs_waiters_answer(s->queue);
	if (*ret == -EINTR || *ret == -EAGAIN)
		*ret = 1;
	return *ret > 0 && !fuse_session_exited(s->session);
}

/* Waits for a request, and meanwhile does what is due. Returns 1 or -errno. */
static int await_request(struct fs_server *s, struct pollfd fds[2])
{
	bool may_come = true;
	int ret, timeout;

	while (true) {
		timeout = fs_waiters_timeout(s->queue);
		ret = poll(fds, 2, timeout >= 0 ? timeout : may_come ? REST_AFTER : -1);
		if (ret != 0)
			return ret < 0 ? -errno : 1;
		if (timeout >= 0)
			fs_waiters_answer(s->queue);
		else
			may_come = fs_flight_idle(s->fs);
	}
}

int fs_server_run(struct fs_server *s, const sigset_t *signals, struct kt_error *err)
{
	struct pollfd fds[] = {
		{.fd = fuse_session_fd(s->session), .events = POLLIN},
		{.fd = signalfd(-1, signals, SFD_CLOEXEC), .events = POLLIN},
	};
	int ret;

	if (fds[1].fd < 0)
		return kt_fail(err, errno, "cannot wait for signals: %s", strerror(errno));
	do
		ret = await_request(s, fds);
	while (ret > 0 && !fds[1].revents && answer_next(s, &ret));
	close(fds[1].fd);
	return ret < 0 ? kt_fail(err, -ret, "cannot serve: %s", strerror(-ret)) : 0;
}

/* Waiting readers are answered while that is possible. */
void fs_server_free(struct fs_server *s)
{
	if (!s)
		return;
	fs_waiters_end(s->queue);
	unmount_fuse(s->mount_point, fuse_session_fd(s->session));
	end_session(s);
}
