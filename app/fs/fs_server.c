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

struct server {
	struct subject *subject;
	struct mount_point *mount_point;
	gid_t group;
	time_t since;
	struct queue *queue;
	struct fuse_session *session;
	struct fuse_buf request; /* the last one; its memory is for the next */
};

/*
 * The number of a place: FUSE has 1 for the tree itself, and all others are different ones where
 * the subject is another.
 */
static fuse_ino_t number_of(const struct server *s, size_t place)
{
	return place == 0 ? FUSE_ROOT_ID : (fuse_ino_t)s->subject->number << 32 | (place + 1);
}

/* Looks at the subject first. On error NULL; -ESTALE: it is another's. */
static const struct place *find(struct server *s, fuse_ino_t number, struct kt_error *err)
{
	size_t place = (number & UINT32_MAX) - 1;
	const struct place *p;

	if (subject_look(s->subject, err) < 0)
		return NULL;
	p = number_of(s, place) == number ? tree_at(s->subject->tree, place) : NULL;
	if (!p)
		kt_fail(err, ESTALE, "%s", strerror(ESTALE));
	return p;
}

static struct stat stat_of(const struct server *s, const struct place *p)
{
	bool is_open = s->group != 0 || p->level != LEVEL_TOP;
	struct stat st = {
		.st_ino = number_of(s, tree_index(s->subject->tree, p)),
		.st_mode = p->file ? S_IFREG | p->file->mode : S_IFDIR | (is_open ? 0750 : 0700),
		.st_nlink = p->file ? 1 : 2,
		.st_gid = s->group,
	};

	st.st_atim.tv_sec = st.st_mtim.tv_sec = st.st_ctim.tv_sec = s->since;
	return st;
}

static void lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct server *s = fuse_req_userdata(req);
	struct fuse_entry_param entry = {0};
	const struct place *dir, *p;
	struct kt_error err;

	dir = find(s, parent, &err);
	p = dir ? tree_find(s->subject->tree, dir, name) : NULL;
	if (!p) {
		fuse_reply_err(req, dir ? ENOENT : err.code);
		return;
	}
	entry.attr = stat_of(s, p);
	entry.ino = entry.attr.st_ino;
	fuse_reply_entry(req, &entry);
}

static void get_attributes(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct server *s = fuse_req_userdata(req);
	struct kt_error err;
	const struct place *p = find(s, ino, &err);
	struct stat st;

	(void)fi;
	if (!p) {
		fuse_reply_err(req, err.code);
		return;
	}
	st = stat_of(s, p);
	fuse_reply_attr(req, &st, 0);
}

/* Sizes and times are as they are, which harms nobody who sets them: '>' does. */
static void set_attributes(fuse_req_t req, fuse_ino_t ino, struct stat *st, int which,
			   struct fuse_file_info *fi)
{
	(void)st;
	if (which & (FUSE_SET_ATTR_MODE | FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID))
		fuse_reply_err(req, EPERM);
	else
		get_attributes(req, ino, fi);
}

/* What is in a directory, and itself and that above it before. NULL: no more. */
static const struct place *listed(const struct server *s, const struct place *dir, size_t i,
				  const char **name)
{
	const struct tree *t = s->subject->tree;
	const struct place *p;

	if (i >= dir->n + 2)
		return NULL;
	p = i == 0 ? dir : tree_at(t, i == 1 ? dir->parent : dir->first + i - 2);
	*name = i == 0 ? "." : i == 1 ? ".." : p->name;
	return p;
}

static void list(fuse_req_t req, fuse_ino_t ino, size_t size, off_t from, struct fuse_file_info *fi)
{
	struct server *s = fuse_req_userdata(req);
	const struct place *dir, *p;
	struct kt_error err;
	size_t n = 0, more;
	const char *name;
	struct stat st;
	char *entries;

	(void)fi;
	dir = find(s, ino, &err);
	entries = dir ? malloc(size) : NULL;
	if (!entries) {
		fuse_reply_err(req, dir ? ENOMEM : err.code);
		return;
	}
	while ((p = listed(s, dir, from, &name))) {
		st = stat_of(s, p);
		more = fuse_add_direntry(req, entries + n, size - n, name, &st, ++from);
		if (more > size - n)
			break;
		n += more;
	}
	fuse_reply_buf(req, entries, n);
	free(entries);
}

static const struct place *find_file(struct server *s, fuse_ino_t number, struct kt_error *err)
{
	const struct place *p = find(s, number, err);

	if (!p || p->file)
		return p;
	kt_fail(err, EISDIR, "%s", strerror(EISDIR));
	return NULL;
}

/* Whether it is to be tried again, of what was found to have changed. */
static bool renew(struct server *s, int *ret, struct kt_error *err)
{
	if (*ret != -EAGAIN)
		return false;
	*ret = subject_renew(s->subject, err);
	return *ret == 0;
}

/* Its text as it is now, where it has one of its own. */
static int make_text(struct server *s, fuse_ino_t ino, struct opened *o, bool is_root,
		     struct kt_error *err)
{
	const struct place *p = find_file(s, ino, err);

	return p ? opened_make(o, s->subject, p, !is_root, err) : -err->code;
}

/* What was written, or NULL: whatever was written before is to go. */
static int take_order(struct server *s, fuse_ino_t ino, const char *text, struct kt_error *err)
{
	const struct place *p = find_file(s, ino, err);
	int ret;

	if (!p)
		return -err->code;
	if (!text && !p->file->clear)
		return 0;
	if (text && !p->file->write)
		return kt_fail(err, EINVAL, "%s", strerror(EINVAL));
	if (subject_hold(s->subject, err) < 0)
		return -err->code;
	ret = text ? p->file->write(s->subject, p, text, err) : p->file->clear(s->subject, err);
	subject_let_go(s->subject);
	return ret;
}

static int obey(struct server *s, fuse_ino_t ino, const char *text, struct kt_error *err)
{
	int ret;

	do
		ret = take_order(s, ino, text, err);
	while (renew(s, &ret, err));
	return ret;
}

static void open_file(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct server *s = fuse_req_userdata(req);
	int access = fi->flags & O_ACCMODE;
	struct kt_error err;
	struct opened *o = opened_new(&err);
	int ret = o ? 0 : -err.code;

	if (ret == 0 && access != O_RDONLY && (fi->flags & O_TRUNC))
		ret = obey(s, ino, NULL, &err);
	if (ret == 0 && access != O_WRONLY)
		do
			ret = make_text(s, ino, o, fuse_req_ctx(req)->uid == 0, &err);
		while (renew(s, &ret, &err));
	if (ret < 0) {
		opened_free(o);
		fuse_reply_err(req, -ret);
		return;
	}
	fi->fh = (uintptr_t)o;
	fi->direct_io = 1;
	fi->nonseekable = opened_is_shared(o);
	fi->noflush = 1; /* his close would fail where we are gone by then */
	/* Whoever opened it may have been killed meanwhile: then nobody releases it. */
	if (fuse_reply_open(req, fi) == -ENOENT)
		opened_free(o);
}

static void read_file(fuse_req_t req, fuse_ino_t ino, size_t size, off_t from,
		      struct fuse_file_info *fi)
{
	struct server *s = fuse_req_userdata(req);
	struct opened *o = (struct opened *)(uintptr_t)fi->fh;
	struct kt_error err;
	const char *bytes;
	ssize_t n;

	(void)ino;
	if (opened_can_wait(o) && !(fi->flags & O_NONBLOCK)) {
		queue_read(s->queue, req, o, size);
		return;
	}
	n = opened_read(o, s->subject, from, size, &bytes, &err);
	if (n < 0)
		fuse_reply_err(req, -n);
	else
		fuse_reply_buf(req, n ? bytes : NULL, n);
}

/* Each write is an order of its own, wherever in the file it is. */
static void write_file(fuse_req_t req, fuse_ino_t ino, const char *bytes, size_t size, off_t to,
		       struct fuse_file_info *fi)
{
	struct server *s = fuse_req_userdata(req);
	char *text = strndup(bytes, size);
	struct kt_error err;
	int ret = text ? obey(s, ino, text, &err) : -ENOMEM;

	(void)to, (void)fi;
	free(text);
	if (ret < 0)
		fuse_reply_err(req, -ret);
	else
		fuse_reply_write(req, size);
}

static void release_file(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct server *s = fuse_req_userdata(req);
	struct opened *o = (struct opened *)(uintptr_t)fi->fh;

	(void)ino;
	queue_forget(s->queue, o);
	opened_free(o);
	fuse_reply_err(req, 0);
}

static void poll_file(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi,
		      struct fuse_pollhandle *handle)
{
	struct server *s = fuse_req_userdata(req);

	(void)ino;
	queue_poll(s->queue, req, (struct opened *)(uintptr_t)fi->fh, handle);
}

/* The tree is not changed by its users. With these errors tracefs says so. */
static void make_node(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode, dev_t device)
{
	(void)dir, (void)name, (void)mode, (void)device;
	fuse_reply_err(req, EACCES);
}

static void make_directory(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode)
{
	(void)dir, (void)name, (void)mode;
	fuse_reply_err(req, EPERM);
}

static void make_link(fuse_req_t req, const char *to, fuse_ino_t dir, const char *name)
{
	(void)to, (void)dir, (void)name;
	fuse_reply_err(req, EPERM);
}

static void name_again(fuse_req_t req, fuse_ino_t ino, fuse_ino_t dir, const char *name)
{
	(void)ino, (void)dir, (void)name;
	fuse_reply_err(req, EPERM);
}

static void move(fuse_req_t req, fuse_ino_t dir, const char *name, fuse_ino_t to,
		 const char *new_name, unsigned int flags)
{
	(void)dir, (void)name, (void)to, (void)new_name, (void)flags;
	fuse_reply_err(req, EPERM);
}

static void discard(fuse_req_t req, fuse_ino_t dir, const char *name)
{
	(void)dir, (void)name;
	fuse_reply_err(req, EPERM);
}

static const struct fuse_lowlevel_ops operations = {
	.lookup = lookup,
	.getattr = get_attributes,
	.setattr = set_attributes,
	.readdir = list,
	.open = open_file,
	.read = read_file,
	.write = write_file,
	.release = release_file,
	.poll = poll_file,
	.mknod = make_node,
	.mkdir = make_directory,
	.symlink = make_link,
	.link = name_again,
	.rename = move,
	.rmdir = discard,
	.unlink = discard,
};

/* The descriptor is the session's from then on. */
static int begin_session(struct server *s, int fd, struct kt_error *err)
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

static void end(struct server *s)
{
	if (s->session)
		fuse_session_destroy(s->session);
	queue_free(s->queue);
	free(s->request.mem);
	free(s);
}

struct server *server_mount(struct subject *subject, struct mount_point *m, gid_t group,
			    struct kt_error *err)
{
	struct server *s = calloc(1, sizeof(*s));
	int fd;

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*s = (struct server){
		.subject = subject, .mount_point = m, .group = group, .since = time(NULL)};
	s->queue = queue_new(subject, err);
	fd = s->queue ? mount_fuse(m, subject->name, err) : -err->code;
	if (fd >= 0 && begin_session(s, fd, err) == 0)
		return s;
	if (fd >= 0) {
		unmount_fuse(m, fd);
		close(fd);
	}
	end(s);
	return NULL;
}

int server_detach(struct kt_error *err)
{
	if (fuse_daemonize(0) < 0)
		return kt_fail(err, errno, "cannot go on in the background: %s", strerror(errno));
	return 0;
}

/* Whether there may be more. */
static bool answer_next(struct server *s, int *ret)
{
	*ret = fuse_session_receive_buf(s->session, &s->request);
	if (*ret > 0)
		fuse_session_process_buf(s->session, &s->request);
	queue_go_on(s->queue);
	if (*ret == -EINTR || *ret == -EAGAIN)
		*ret = 1;
	return *ret > 0 && !fuse_session_exited(s->session);
}

/* Meanwhile what is to be done without one. 1 or -errno. */
static int await_request(struct server *s, struct pollfd fds[2])
{
	bool may_come = true;
	int ret, timeout;

	while (true) {
		timeout = queue_timeout(s->queue);
		ret = poll(fds, 2, timeout >= 0 ? timeout : may_come ? REST_AFTER : -1);
		if (ret != 0)
			return ret < 0 ? -errno : 1;
		if (timeout >= 0)
			queue_go_on(s->queue);
		else
			may_come = subject_idle(s->subject);
	}
}

int server_run(struct server *s, const sigset_t *signals, struct kt_error *err)
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

/* Who waits is answered while he can be. */
void server_free(struct server *s)
{
	if (!s)
		return;
	queue_end(s->queue);
	unmount_fuse(s->mount_point, fuse_session_fd(s->session));
	end(s);
}
