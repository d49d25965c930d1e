// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/installed_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct visitor {
	kt_installed_file_visit visit;
	void *with;
};

/* Not every file system says the type of an entry. */
static bool is_regular(DIR *d, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_REG;
	return fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode);
}

/* Returns whether to continue. */
static bool visit_directory(struct visitor *v, const char *dir)
{
	DIR *d = *dir == '/' ? opendir(dir) : NULL;
	const struct dirent *entry;
	char path[PATH_MAX];
	bool continues = true;

	if (!d)
		return true;
	while (continues && (entry = readdir(d)))
		if (is_regular(d, entry) &&
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) < PATH_MAX)
			continues = v->visit(v->with, path);
	closedir(d);
	return continues;
}

/* Without memory those in PATH are left out. */
static bool visit_path(struct visitor *v)
{
	const char *path = getenv("PATH");
	char *copy = path ? strdup(path) : NULL, *rest = copy, *dir;
	bool continues = true;

	while (continues && (dir = strsep(&rest, ":")))
		continues = visit_directory(v, dir);
	free(copy);
	return continues;
}

static bool visit_matches(struct visitor *v, const char *pattern)
{
	bool continues = true;
	glob_t found;
	size_t i;

	if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
		return true;
	for (i = 0; continues && i < found.gl_pathc; i++)
		continues = visit_directory(v, found.gl_pathv[i]);
	globfree(&found);
	return continues;
}

void kt_installed_files_visit(kt_installed_file_visit visit, void *with)
{
	static const char *const usual[] = {
		"/usr/local/sbin", "/usr/local/bin",        "/usr/sbin", "/usr/bin",
		"/usr/lib64",      "/usr/lib/*-linux-gnu*", "/usr/lib",  "/usr/local/lib"};
	struct visitor v = {visit, with};
	bool continues = visit_path(&v);
	size_t i;

	for (i = 0; continues && i < sizeof(usual) / sizeof(*usual); i++)
		continues = visit_matches(&v, usual[i]);
}
