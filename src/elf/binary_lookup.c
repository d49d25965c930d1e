// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/binary_lookup.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Maximum nesting of "include" lines in ld.so.conf. */
enum { INCLUDES_MAX = 8 };

struct lookup {
	const char *name;
	const char *root;
	char *path; /* PATH_MAX bytes; "" until a file is found */
	struct stat found;
	struct kt_error *err;
};

/* Returns 0 or -ENAMETOOLONG. */
static int format_path(char path[PATH_MAX], const char *a, const char *b, const char *c,
		       struct kt_error *err)
{
	int n = snprintf(path, PATH_MAX, "%s%s%s", a, b, c);

	return n < PATH_MAX ? 0 : kt_fail(err, ENAMETOOLONG, "%s: %s", b, strerror(ENAMETOOLONG));
}

static bool is_elf(const char *path, struct stat *st)
{
	char magic[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = fstat(fd, st) == 0 && S_ISREG(st->st_mode) && read(fd, magic, SELFMAG) == SELFMAG &&
	     memcmp(magic, ELFMAG, SELFMAG) == 0;
	close(fd);
	return is;
}

/* Tries the name in a directory. Returns 1 if it is found, 0, or -errno. */
static int try_exact(struct lookup *l, const char *dir)
{
	char file[PATH_MAX], path[PATH_MAX];
	int ret = format_path(file, dir, "/", l->name, l->err);

	if (ret == 0)
		ret = format_path(path, l->root, file, "", l->err);
	if (ret < 0 || !is_elf(path, &l->found))
		return ret;
	strcpy(l->path, path);
	return 1;
}

/* Returns whether a directory's entry is the name and ".so" or ".so.N". */
static bool is_library_of(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return strncmp(entry, name, n) == 0 && strncmp(entry + n, ".so", 3) == 0 &&
	       (!entry[n + 3] || entry[n + 3] == '.');
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Takes a library; of several names of one file the shortest. */
static int take_library(struct lookup *l, const char *path)
{
	struct stat st;

	if (!is_elf(path, &st))
		return 0;
	if (*l->path && !is_same_file(&st, &l->found))
		return kt_fail(l->err, EEXIST, "'%s' may be %s or %s; give one of them", l->name,
			       l->path, path);
	if (!*l->path || strlen(path) < strlen(l->path))
		strcpy(l->path, path);
	l->found = st;
	return 1;
}

/* Tries the name with a library's suffix. Returns 1 if it is found, 0, or -errno. */
static int try_library(struct lookup *l, const char *dir)
{
	char at[PATH_MAX], path[PATH_MAX];
	int ret = format_path(at, l->root, dir, "/", l->err), taken = 0;
	const struct dirent *entry;
	DIR *d = ret == 0 ? opendir(at) : NULL;

	if (!d)
		return ret;
	while (ret >= 0 && (entry = readdir(d))) {
		if (!is_library_of(entry->d_name, l->name))
			continue;
		ret = format_path(path, at, entry->d_name, "", l->err);
		if (ret == 0)
			ret = take_library(l, path);
		taken |= ret > 0;
	}
	closedir(d);
	return ret < 0 ? ret : taken;
}

static int try_library_dir(struct lookup *l, const char *dir)
{
	int ret = try_exact(l, dir);

	return ret ? ret : try_library(l, dir);
}

static int try_configured(struct lookup *l, const char *file, int depth);

static int try_included(struct lookup *l, const char *pattern, int depth)
{
	char path[PATH_MAX];
	int ret = format_path(path, l->root, pattern, "", l->err);
	size_t i, root = strlen(l->root);
	glob_t files;

	if (ret < 0 || glob(path, 0, NULL, &files) != 0)
		return ret;
	for (i = 0; ret == 0 && i < files.gl_pathc; i++)
		ret = try_configured(l, files.gl_pathv[i] + root, depth + 1);
	globfree(&files);
	return ret;
}

/* Tries the directory, or the included files, of a line of ld.so.conf. */
static int try_line(struct lookup *l, char *line, int depth)
{
	static const char include[] = "include";

	line += strspn(line, " \t");
	line[strcspn(line, " \t\n#")] = *line == '/' ? '\0' : line[strcspn(line, " \t\n#")];
	if (*line == '/')
		return try_library_dir(l, line);
	if (strncmp(line, include, sizeof(include) - 1) != 0 || depth >= INCLUDES_MAX)
		return 0;
	line += sizeof(include) - 1;
	line += strspn(line, " \t");
	line[strcspn(line, " \t\n#")] = '\0';
	return *line == '/' ? try_included(l, line, depth) : 0;
}

/* Tries the directories of a file like /etc/ld.so.conf, which need not exist. */
static int try_configured(struct lookup *l, const char *file, int depth)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	int ret = format_path(path, l->root, file, "", l->err);
	FILE *f = ret == 0 ? fopen(path, "re") : NULL;

	if (!f)
		return ret;
	while (ret == 0 && getline(&line, &size, f) > 0)
		ret = try_line(l, line, depth);
	free(line);
	fclose(f);
	return ret;
}

static int try_path(struct lookup *l)
{
	const char *usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	const char *of_user = getenv("PATH");
	char *copy = strdup(of_user && !*l->root ? of_user : usual), *rest = copy, *dir;
	int ret = 0;

	if (!copy)
		return kt_fail(l->err, ENOMEM, "%s", strerror(ENOMEM));
	while (ret == 0 && (dir = strsep(&rest, ":")))
		if (*dir == '/')
			ret = try_exact(l, dir);
	free(copy);
	return ret;
}

static int try_library_dirs(struct lookup *l)
{
	static const char *const usual[] = {"/lib64", "/usr/lib64", "/lib", "/usr/lib"};
	size_t i;
	int ret = try_configured(l, "/etc/ld.so.conf", 0);

	for (i = 0; ret == 0 && i < sizeof(usual) / sizeof(*usual); i++)
		ret = try_library_dir(l, usual[i]);
	return ret;
}

static int find_named(struct lookup *l)
{
	int ret = try_path(l);

	if (ret == 0)
		ret = try_library_dirs(l);
	if (ret == 0)
		ret = kt_fail(l->err, ENOENT,
			      "no program or library '%s' in PATH and the library directories",
			      l->name);
	return ret < 0 ? ret : 0;
}

int kt_binary_lookup(const char *name, const char *root, char path[PATH_MAX], struct kt_error *err)
{
	struct lookup l = {.name = name, .root = root, .path = path, .err = err};

	*path = '\0';
	if (!strchr(name, '/'))
		return find_named(&l);
	if (*name != '/')
		return realpath(name, path) ? 0
					    : kt_fail(err, errno, "%s: %s", name, strerror(errno));
	if (format_path(path, root, name, "", err) < 0)
		return -err->code;
	if (access(path, F_OK) < 0)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}
