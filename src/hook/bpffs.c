// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/bpffs.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/privilege.h"
#include "base/resolved_path.h"
#include "hook/capabilities.h"

/* The path of a name in an open directory, as bpf(2) expects it. */
struct path {
	char text[32 + NAME_MAX];
};

static struct path format_path(int dir, const char *name)
{
	struct path p;

	snprintf(p.text, sizeof(p.text), "/proc/self/fd/%d/%s", dir, name);
	return p;
}

static bool is_bpffs(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (unsigned long)fs.f_type == BPF_FS_MAGIC;
}

static int report_mounted(int code, struct kt_error *err)
{
	if (code == EACCES)
		return kt_fail(err, code, KT_BPFFS ": %s; %s", strerror(code),
			       kt_privilege_advice());
	return kt_fail(err, code, KT_BPFFS ": %s", strerror(code));
}

/* Returns -ENOENT if no bpffs is mounted. */
static int open_mounted(struct kt_error *err)
{
	int fd = open(KT_BPFFS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return kt_fail(err, ENODEV,
			       "there is no " KT_BPFFS
			       ": sysfs is not mounted, or this kernel has no BPF");
	if (fd < 0)
		return report_mounted(errno, err);
	if (is_bpffs(fd))
		return fd;
	close(fd);
	return kt_fail(err, ENOENT, "no BPF file system is mounted at " KT_BPFFS);
}

static int report_mount(int code, struct kt_error *err)
{
	if (code == EPERM)
		return kt_fail(err, code,
			       "no BPF file system is mounted at " KT_BPFFS
			       ", and mounting one needs CAP_SYS_ADMIN: %s",
			       kt_privilege_advice());
	return kt_fail(err, code,
		       "no BPF file system is mounted at " KT_BPFFS ", and none can be: %s",
		       strerror(code));
}

/*
 * A process that finds no mount waits here while another one mounts: a second mount would hide the
 * first.
 */
static int mount_own(struct kt_error *err)
{
	int place = open(KT_BPFFS, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	if (place >= 0)
		flock(place, LOCK_EX);
	fd = open_mounted(err);
	if (fd == -ENOENT && place >= 0) {
		if (mount("bpf", KT_BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=700") < 0)
			fd = report_mount(errno, err);
		else
			fd = open_mounted(err);
	}
	if (place >= 0)
		close(place);
	return fd;
}

int kt_bpffs_open(bool mount, struct kt_error *err)
{
	int fd = open_mounted(err);

	return fd == -ENOENT && mount ? mount_own(err) : fd;
}

static const char *get_owner(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? "?" : kt_user_name(st.st_uid);
}

/* Pins and their directories have owners and modes like files. */
static int report_pinned(int dir, const char *name, int code, struct kt_error *err)
{
	if (code == EACCES)
		return kt_fail(err, code, "%s below " KT_BPFFS ": %s; it belongs to '%s'", name,
			       strerror(code), get_owner(dir, name));
	return kt_fail(err, code, "%s below " KT_BPFFS ": %s", name, strerror(code));
}

/* Pins must be root's or the user's own, and no other user may have been able to place them. */
static int check_safe(int fd, const char *name, struct kt_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return kt_fail(err, errno, "%s below " KT_BPFFS ": %s", name, strerror(errno));
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return kt_fail(err, EPERM, "%s below " KT_BPFFS " belongs to '%s'", name,
			       kt_user_name(st.st_uid));
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return kt_fail(err, EPERM, "%s below " KT_BPFFS ": others may write to it", name);
	return 0;
}

/* Does not follow a link of that name. */
static int open_within(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int kt_bpffs_enter(int dir, const char *name, bool make, struct kt_error *err)
{
	int fd;

	if (make && mkdirat(dir, name, S_IRWXU) < 0 && errno != EEXIST)
		return kt_fail(err, errno, "cannot make %s below " KT_BPFFS ": %s", name,
			       strerror(errno));
	fd = open_within(dir, name);
	if (fd < 0)
		return report_pinned(dir, name, errno, err);
	if (check_safe(fd, name, err) == 0)
		return fd;
	close(fd);
	return -err->code;
}

int kt_bpffs_pin(int dir, const char *name, int fd, struct kt_error *err)
{
	int ret = bpf_obj_pin(fd, format_path(dir, name).text);

	return ret < 0 ? kt_capabilities_fail(err, -ret, "cannot pin a BPF object") : 0;
}

int kt_bpffs_write_text(int dir, const char *name, const char *text, struct kt_error *err)
{
	if (symlinkat(text, dir, name) == 0)
		return 0;
	return kt_fail(err, errno, "cannot make a symbolic link below " KT_BPFFS ": %s",
		       strerror(errno));
}

bool kt_bpffs_read_text(int dir, const char *name, char *text, size_t size)
{
	ssize_t n = readlinkat(dir, name, text, size);

	if (n < 0 || (size_t)n >= size)
		return false;
	text[n] = '\0';
	return true;
}

bool kt_bpffs_has(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

uint64_t kt_bpffs_inode(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? 0 : st.st_ino;
}

/* For another kind of file the kernel reports a permission error. */
static bool is_pin(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || S_ISREG(st.st_mode);
}

int kt_bpffs_get(int dir, const char *name, struct kt_error *err)
{
	int fd = bpf_obj_get(format_path(dir, name).text);

	if (fd < 0 && !is_pin(dir, name))
		return kt_fail(err, EPROTO, "%s is no BPF object", name);
	if (fd < 0 && faccessat(dir, name, R_OK | W_OK, AT_EACCESS) < 0)
		return report_pinned(dir, name, errno, err);
	return fd < 0 ? kt_capabilities_fail(err, -fd, name) : fd;
}

static int drop_directory(int dir, const char *name)
{
	struct kt_error ignored;
	int fd = open_within(dir, name);

	if (fd >= 0) {
		kt_bpffs_clear(fd, &ignored);
		close(fd);
	}
	return unlinkat(dir, name, AT_REMOVEDIR);
}

int kt_bpffs_drop(int dir, const char *name, struct kt_error *err)
{
	int ret = unlinkat(dir, name, 0);

	if (ret < 0 && errno == EISDIR)
		ret = drop_directory(dir, name);
	if (ret == 0 || errno == ENOENT || errno == ENOTDIR)
		return 0;
	return kt_fail(err, errno, "cannot remove %s: %s", name, strerror(errno));
}

int kt_bpffs_rename(int dir, const char *from, const char *to, struct kt_error *err)
{
	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	return kt_fail(err, errno, "cannot rename %s: %s", from, strerror(errno));
}

static int is_entry(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

/* Reads all entries of a directory, sorted; free_entries() frees them. Returns -errno on error. */
static int read_entries(int dir, struct dirent ***entries, struct kt_error *err)
{
	int n = scandirat(dir, ".", entries, is_entry, alphasort);

	return n < 0 ? kt_fail(err, errno, "cannot read a directory: %s", strerror(errno)) : n;
}

static void free_entries(struct dirent **entries, int n)
{
	while (n > 0)
		free(entries[--n]);
	free(entries);
}

static char *join_names(struct dirent *const *entries, int n)
{
	size_t size = 1;
	char *names, *at;
	int i;

	for (i = 0; i < n; i++)
		size += strlen(entries[i]->d_name) + 1;
	names = at = malloc(size);
	for (i = 0; names && i < n; i++)
		at = stpcpy(at, entries[i]->d_name) + 1;
	if (names)
		*at = '\0';
	return names;
}

char *kt_bpffs_names(int dir, struct kt_error *err)
{
	struct dirent **entries;
	int n = read_entries(dir, &entries, err);
	char *names;

	if (n < 0)
		return NULL;
	names = join_names(entries, n);
	free_entries(entries, n);
	if (!names)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return names;
}

/* The kernel reports memory only by descriptor. Returns 0 if it does not. */
static uint64_t get_memory(int fd)
{
	static const char key[] = "memlock:";
	char path[64], line[128];
	unsigned long long n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, sizeof(key) - 1))
			n = strtoull(line + sizeof(key) - 1, NULL, 10);
	if (f)
		fclose(f);
	return n;
}

uint64_t kt_bpffs_memory(int dir)
{
	struct kt_error ignored;
	struct dirent **entries;
	int n = read_entries(dir, &entries, &ignored), i, fd;
	uint64_t sum = 0;
	bool is_dir;

	for (i = 0; i < n; i++) {
		is_dir = entries[i]->d_type == DT_DIR;
		fd = is_dir ? open_within(dir, entries[i]->d_name)
			    : kt_bpffs_get(dir, entries[i]->d_name, &ignored);
		if (fd < 0)
			continue;
		sum += is_dir ? kt_bpffs_memory(fd) : get_memory(fd);
		close(fd);
	}
	if (n >= 0)
		free_entries(entries, n);
	return sum;
}

int kt_bpffs_clear(int dir, struct kt_error *err)
{
	struct dirent **entries;
	int n = read_entries(dir, &entries, err), ret = 0, i;

	if (n < 0)
		return n;
	for (i = 0; i < n; i++)
		if (kt_bpffs_drop(dir, entries[i]->d_name, err) < 0)
			ret = -err->code;
	free_entries(entries, n);
	return ret;
}
