/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace's directory, and babeltrace2 as its reader. */
#ifndef KT_TESTS_BABELTRACE_H
#define KT_TESTS_BABELTRACE_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct directory {
	char path[256];
	int fd;
};

static inline void open_directory(struct directory *d)
{
	const char *in = getenv("TMPDIR");

	snprintf(d->path, sizeof(d->path), "%s/ktrace-test-XXXXXX", in ? in : "/tmp");
	assert_non_null(mkdtemp(d->path));
	d->fd = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(d->fd >= 0);
}

static inline void remove_directory(struct directory *d)
{
	DIR *dir = fdopendir(d->fd);
	struct dirent *e;

	unlinkat(d->fd, "ktrace/counts.jsonl", 0);
	unlinkat(d->fd, "ktrace/tasks.jsonl", 0);
	unlinkat(d->fd, "ktrace/metadata.new", 0);
	unlinkat(d->fd, "ktrace", AT_REMOVEDIR);
	while ((e = readdir(dir)))
		unlinkat(dirfd(dir), e->d_name, 0);
	closedir(dir);
	rmdir(d->path);
}

/* Limits the size of files, like a full disk. */
static inline void limit_files(rlim_t size)
{
	struct rlimit l;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &l), 0);
	l.rlim_cur = size < l.rlim_max ? size : l.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

/*
 * Returns babeltrace2's output and messages, for the caller to free; options may end in
 * ">/dev/null".
 */
static inline char *babeltrace(const struct directory *d, const char *options)
{
	char command[512], *text = NULL;
	size_t size = 0;
	ssize_t n;
	FILE *f;

	snprintf(command, sizeof(command), "(timeout 30 babeltrace2 --no-delta %s %s) 2>&1",
		 d->path, options);
	f = popen(command, "re");
	assert_non_null(f);
	n = getdelim(&text, &size, '\0', f);
	if (n < 0) {
		free(text);
		text = strdup("");
	}
	assert_int_equal(pclose(f), 0);
	return text;
}

static inline void assert_babeltrace(const struct directory *d, const char *options,
				     const char *expected)
{
	char *text = babeltrace(d, options);

	assert_string_equal(text, expected);
	free(text);
}

#endif
