// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/serve.h"

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
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/fs/files.h"
#include "app/fs/lines.h"
#include "app/fs/subject.h"
#include "app/fs/tree.h"
#include "base/error.h"
#include "session/flight.h"

/* ms without a request */
enum { REST_AFTER = 1000 };

struct server {
	struct subject *subject;
	const char *place;
	gid_t group;
	time_t since;
	struct fuse_session *session;
	struct fuse_buf request; /* the last one; its memory is for the next */
};

/* A file that is open, and its text. */
struct opened {
	const struct file *file; /* NULL: nobody is to read it */
	char *bytes;
	size_t size;
	struct lines *lines; /* where it is made as it is read; where both are NULL it has none */
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

static void forget_text(struct opened *o)
{
	free(o->bytes);
	lines_free(o->lines);
	*o = (struct opened){0};
}

static int write_text(const struct server *s, const struct place *p, struct opened *o,
		      struct kt_error *err)
{
	FILE *to = open_memstream(&o->bytes, &o->size);
	int ret;

	if (!to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = p->file->read(to, s->subject, p, err);
	if (fclose(to) == 0 || ret < 0)
		return ret;
	return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

static int open_lines(const struct server *s, const struct place *p, struct opened *o,
		      struct kt_error *err)
{
	o->lines = lines_new(err);
	return o->lines ? p->file->open(o->lines, s->subject, err) : -err->code;
}

/* Its text as it is now, where it has one of its own. */
static int make_text(struct server *s, fuse_ino_t ino, struct opened *o, struct kt_error *err)
{
	const struct place *p = find_file(s, ino, err);
	int ret = 0;

	if (!p)
		return -err->code;
	o->file = p->file;
	if (p->file->read)
		ret = write_text(s, p, o, err);
	else if (p->file->open)
		ret = open_lines(s, p, o, err);
	if (ret < 0)
		forget_text(o);
	return ret;
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
	struct opened *o = calloc(1, sizeof(*o));
	int access = fi->flags & O_ACCMODE;
	struct kt_error err;
	int ret = o ? 0 : -ENOMEM;

	if (ret == 0 && access != O_RDONLY && (fi->flags & O_TRUNC))
		ret = obey(s, ino, NULL, &err);
	if (ret == 0 && access != O_WRONLY)
		do
			ret = make_text(s, ino, o, &err);
		while (renew(s, &ret, &err));
	if (ret < 0) {
		free(o);
		fuse_reply_err(req, -ret);
		return;
	}
	fi->fh = (uintptr_t)o;
	fi->direct_io = 1;
	fi->nonseekable = o->file && o->file->read_on;
	/* Whoever opened it may have been killed meanwhile: then nobody releases it. */
	if (fuse_reply_open(req, fi) == -ENOENT) {
		forget_text(o);
		free(o);
	}
}

/* A text that is nobody's own, but still the same flight's. */
static ssize_t read_on(struct subject *s, fuse_ino_t ino, const struct file *f, size_t size,
		       const char **bytes, struct kt_error *err)
{
	if (ino >> 32 != s->number)
		return kt_fail(err, ESTALE, "%s", strerror(ESTALE));
	return f->read_on(s, size, bytes, err);
}

static void read_file(fuse_req_t req, fuse_ino_t ino, size_t size, off_t from,
		      struct fuse_file_info *fi)
{
	const struct server *s = fuse_req_userdata(req);
	const struct opened *o = (struct opened *)(uintptr_t)fi->fh;
	size_t left = (size_t)from < o->size ? o->size - from : 0;
	const char *bytes = o->bytes + o->size - left;
	ssize_t n = left < size ? left : size;
	struct kt_error err;

	if (o->lines)
		n = lines_read_at(o->lines, from, size, &bytes, &err);
	else if (!o->bytes && o->file && o->file->read_on)
		n = read_on(s->subject, ino, o->file, size, &bytes, &err);
	else if (!o->bytes)
		n = -EINVAL;
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
	struct opened *o = (struct opened *)(uintptr_t)fi->fh;

	(void)ino;
	forget_text(o);
	free(o);
	fuse_reply_err(req, 0);
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
	.mknod = make_node,
	.mkdir = make_directory,
	.symlink = make_link,
	.link = name_again,
	.rename = move,
	.rmdir = discard,
	.unlink = discard,
};

static int open_device(struct kt_error *err)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return kt_fail(err, errno, "/dev/fuse: %s%s", strerror(errno),
			       errno == ENOENT || errno == ENODEV ? "; 'modprobe fuse' may help"
								  : "");
	return fd;
}

/*
 * FUSE's own library would ask a program of its own where the right is missing. The descriptor is
 * the session's from then on.
 */
static int mount_at(struct server *s, int fd, struct kt_error *err)
{
	char *argv[] = {"ktrace", NULL}, text[128];
	struct fuse_args args = FUSE_ARGS_INIT(1, argv);

	snprintf(text, sizeof(text),
		 "fd=%d,rootmode=%o,user_id=%u,group_id=%u,allow_other,default_permissions", fd,
		 S_IFDIR, geteuid(), getegid());
	if (mount(s->subject->name, s->place, "fuse.ktrace", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  text) < 0)
		return kt_fail(err, errno, "cannot mount at %s: %s%s", s->place, strerror(errno),
			       errno == EPERM ? "; CAP_SYS_ADMIN is missing: run as root" : "");
	s->session = fuse_session_new(&args, &operations, sizeof(operations), s);
	fuse_opt_free_args(&args);
	snprintf(text, sizeof(text), "/dev/fd/%d", fd);
	if (s->session && fuse_session_mount(s->session, text) == 0)
		return 0;
	umount2(s->place, MNT_DETACH);
	return kt_fail(err, EIO, "cannot serve %s", s->place);
}

struct server *server_mount(struct subject *subject, const char *place, gid_t group,
			    struct kt_error *err)
{
	struct server *s = calloc(1, sizeof(*s));
	int fd;

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*s = (struct server){
		.subject = subject, .place = place, .group = group, .since = time(NULL)};
	fd = open_device(err);
	if (fd >= 0 && mount_at(s, fd, err) == 0)
		return s;
	if (fd >= 0)
		close(fd);
	if (s->session)
		fuse_session_destroy(s->session);
	free(s);
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
	if (*ret == -EINTR || *ret == -EAGAIN)
		*ret = 1;
	return *ret > 0 && !fuse_session_exited(s->session);
}

/* 1 or -errno. */
static int await_request(struct server *s, struct pollfd fds[2])
{
	int ret = poll(fds, 2, REST_AFTER);

	if (ret == 0) {
		subject_rest(s->subject);
		ret = poll(fds, 2, -1);
	}
	return ret < 0 ? -errno : 1;
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

/* Somebody has done so, and what is there now may be another's. */
static bool is_unmounted(const struct server *s)
{
	struct pollfd fd = {.fd = fuse_session_fd(s->session)};

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR);
}

/* Also where somebody is in there: for him it ends as well. */
void server_free(struct server *s)
{
	if (!s)
		return;
	if (!is_unmounted(s))
		umount2(s->place, MNT_DETACH);
	fuse_session_destroy(s->session);
	free(s->request.mem);
	free(s);
}
