// SPDX-License-Identifier: GPL-2.0-or-later
/* Path resolution: it follows the user's own and root's links, and never another user's. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/resolved_path.h"

enum { NOBODY = 65534 };

static char top[] = "/tmp/ktrace-test-XXXXXX";

/* Creates a directory for all tests: a/b/c, a file, and links. */
static int enter(void **state)
{
	(void)state;
	return !mkdtemp(top) || chdir(top) < 0 || mkdir("a", 0700) < 0 || mkdir("a/b", 0700) < 0 ||
	       mkdir("a/b/c", 0700) < 0 || mknod("file", S_IFREG | 0600, 0) < 0 ||
	       symlink("a/b", "to_b") < 0 || symlink("../to_b", "a/to_b") < 0 ||
	       symlink("to_b/c/", "to_c") < 0 || symlink("loop", "loop") < 0 ||
	       symlink("a/none", "to_none") < 0 || symlink("no/none", "to_nowhere") < 0;
}

static int leave(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r '%s'", top);
	return chdir("/") < 0 || system(command);
}

/* The directory found must be the one that the kernel's lookup finds. */
static void assert_in(const struct kt_resolved_path *p, const char *dir)
{
	struct stat found, expected;

	assert_int_equal(fstat(p->dir, &found), 0);
	assert_int_equal(stat(dir, &expected), 0);
	assert_int_equal(found.st_ino, expected.st_ino);
}

static void assert_found(const char *path, const char *dir, const char *name, const char *shown)
{
	struct kt_resolved_path p;
	struct kt_error err;

	if (kt_resolved_path_find(&p, path, &err) < 0)
		fail_msg("%s", err.text);
	assert_in(&p, dir);
	assert_string_equal(p.name, name);
	assert_string_equal(p.path, shown);
	assert_int_equal(p.is_led, strcmp(path, shown) != 0);
	kt_resolved_path_close(&p);
}

static void assert_not_found(const char *path, int code, const char *why)
{
	struct kt_resolved_path p;
	struct kt_error err;

	assert_int_equal(kt_resolved_path_find(&p, path, &err), -code);
	assert_string_equal(err.text, why);
	assert_int_equal(p.dir, -1);
}

static void names(void **state)
{
	(void)state;
	assert_found("a", ".", "a", "a");
	assert_found("none", ".", "none", "none");
	assert_found("a/b/c", "a/b", "c", "a/b/c");
	assert_found("a/../a/./b", "a", "b", "a/../a/./b");
	assert_found("/tmp", "/", "tmp", "/tmp");
	assert_not_found("", ENOENT, "missing name");
	assert_not_found("no/t", ENOENT, "no: No such file or directory");
	assert_not_found("a/no/t", ENOENT, "a/no: No such file or directory");
	assert_not_found("file/t", ENOTDIR, "file: Not a directory");
}

static void assert_missing(const char *path, const char *dir, const char *name)
{
	struct kt_resolved_path p;
	struct kt_error err;

	assert_int_equal(kt_resolved_path_find_missing(&p, path, &err), 0);
	assert_in(&p, dir);
	assert_string_equal(p.name, name);
	kt_resolved_path_close(&p);
}

static void missing_parents(void **state)
{
	struct kt_error err;
	struct stat st;

	(void)state;
	assert_missing("a/none", "a", "none");
	assert_missing("a/no/t", "a", "no");
	assert_missing("a//no/more//levels/", "a", "no");
	assert_int_equal(kt_resolved_path_make_parents("to_nowhere/t", &err), -ENOENT);
	assert_int_equal(kt_resolved_path_make_parents("", &err), -ENOENT);
	assert_int_equal(kt_resolved_path_make_parents("file/no/t", &err), -ENOTDIR);

	assert_int_equal(kt_resolved_path_make_parents("a/b/t", &err), 0);
	assert_int_equal(stat("a/b/t", &st), -1);
	assert_int_equal(kt_resolved_path_make_parents("a/no/more//levels/", &err), 0);
	assert_int_equal(stat("a/no/more", &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(stat("a/no/more/levels", &st), -1);
	assert_int_equal(rmdir("a/no/more"), 0);
	assert_int_equal(rmdir("a/no"), 0);
}

static void links(void **state)
{
	(void)state;
	assert_found("to_b", "a", "b", "a/b");
	assert_found("a/to_b", "a", "b", "a/../a/b");
	assert_found("to_c", "a/b", "c", "a/b/c");
	assert_found("to_none", "a", "none", "a/none");
	assert_not_found("to_nowhere", ENOENT, "no: No such file or directory");
	assert_not_found("loop", ELOOP, "loop: Too many levels of symbolic links");
	assert_not_found("loop/t", ELOOP, "loop: Too many levels of symbolic links");
}

static void dots(void **state)
{
	char path[128];
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/a/b", top);
	assert_found("a/b/.", "a", "b", path);
	assert_found("a/b/c/..", "a", "b", path);
	assert_found("..", "/", "tmp", "/tmp");
	assert_found("/.", "/", ".", "/");

	fd = open(".", O_PATH | O_DIRECTORY);
	assert_int_equal(mkdir("gone", 0700), 0);
	assert_int_equal(chdir("gone"), 0);
	assert_int_equal(rmdir("../gone"), 0);
	assert_not_found(".", ENOENT, ".: the directory has been removed");
	assert_int_equal(fchdir(fd), 0);
	close(fd);
}

static void too_long(void **state)
{
	static char path[PATH_MAX + 1], name[NAME_MAX + 2];
	struct kt_resolved_path p;
	struct kt_error err;

	(void)state;
	memset(path, '/', PATH_MAX);
	assert_int_equal(kt_resolved_path_find(&p, path, &err), -ENAMETOOLONG);
	memset(name, 'n', NAME_MAX + 1);
	assert_int_equal(kt_resolved_path_find(&p, name, &err), -ENAMETOOLONG);
}

/* Foreign links within the path, and at its end. */
static void links_of_others(void **state)
{
	static const char *const paths[] = {"theirs", "theirs/", "theirs/c"};
	size_t i;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(symlink("a/b", "theirs"), 0);
	assert_int_equal(lchown("theirs", NOBODY, NOBODY), 0);
	for (i = 0; i < 3; i++)
		assert_not_found(
			paths[i], EACCES,
			"theirs: a symbolic link of 'nobody'; to follow it, name its target: a/b");
	/* The other user's own links, and root's. */
	assert_int_equal(chown(".", NOBODY, NOBODY), 0);
	assert_int_equal(chown("a", NOBODY, NOBODY), 0);
	assert_int_equal(seteuid(NOBODY), 0);
	assert_found("theirs", "a", "b", "a/b");
	assert_found("to_b", "a", "b", "a/b");
	assert_int_equal(seteuid(0), 0);
}

/* Links of procfs, whose text may be another path or no path. */
static void magic_links(void **state)
{
	char path[128], name[16];
	struct kt_resolved_path p;
	struct kt_error err;
	int fd[2];

	(void)state;
	assert_found("/proc/self/cwd/a/b", "a", "b", "/proc/self/cwd/a/b");
	assert_found("/proc/self/cwd", "/tmp", top + strlen("/tmp/"), top);

	assert_int_equal(pipe(fd), 0);
	snprintf(name, sizeof(name), "%d", fd[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[1]);
	assert_int_equal(symlink(path, "to_pipe"), 0);
	assert_int_equal(kt_resolved_path_find(&p, "to_pipe", &err), 0);
	assert_string_equal(p.name, name);
	assert_true(p.is_magic);
	kt_resolved_path_close(&p);
	close(fd[0]);
	close(fd[1]);
}

/* Waits in a mount namespace where "a" contains only "here". */
static void wait_elsewhere(int ready, int end)
{
	if (unshare(CLONE_NEWNS) == 0 && mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount("none", "a", "tmpfs", 0, NULL) == 0 && chdir("a") == 0 &&
	    mkdir("here", 0700) == 0)
		write(ready, "y", 1);
	close(ready);
	read(end, &(char){0}, 1);
	_exit(0);
}

/* Here, the text of that process's /proc/PID/cwd names another directory. */
static void another_mount_namespace(void **state)
{
	int began[2], end[2];
	struct stat found, expected;
	struct kt_resolved_path p;
	struct kt_error err;
	char path[64];
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(pipe2(began, O_CLOEXEC) | pipe2(end, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		close(end[1]);
		wait_elsewhere(began[1], end[0]);
	}
	close(began[1]);
	assert_int_equal(read(began[0], &(char){0}, 1), 1);

	snprintf(path, sizeof(path), "/proc/%d/cwd", pid);
	assert_not_found(path, ESTALE, "cwd: no path leads to this directory from here");
	assert_int_equal(stat(path, &expected), 0);
	strcat(path, "/here");
	assert_int_equal(kt_resolved_path_find(&p, path, &err), 0);
	assert_int_equal(fstat(p.dir, &found), 0);
	assert_int_equal(found.st_ino, expected.st_ino);
	assert_int_equal(found.st_dev, expected.st_dev);
	kt_resolved_path_close(&p);
	close(began[0]);
	close(end[0]);
	close(end[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The directory found stays the same if its path is renamed and replaced by a link. */
static void renamed_later(void **state)
{
	struct stat found, expected;
	struct kt_resolved_path p;
	struct kt_error err;

	(void)state;
	assert_int_equal(kt_resolved_path_find(&p, "a/b", &err), 0);
	assert_int_equal(rename("a", "moved"), 0);
	assert_int_equal(symlink("/etc", "a"), 0);
	assert_int_equal(fstat(p.dir, &found), 0);
	assert_int_equal(stat("moved", &expected), 0);
	assert_int_equal(found.st_ino, expected.st_ino);
	kt_resolved_path_close(&p);
	assert_int_equal(unlink("a"), 0);
	assert_int_equal(rename("moved", "a"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),         cmocka_unit_test(missing_parents),
		cmocka_unit_test(links),         cmocka_unit_test(dots),
		cmocka_unit_test(too_long),      cmocka_unit_test(links_of_others),
		cmocka_unit_test(magic_links),   cmocka_unit_test(another_mount_namespace),
		cmocka_unit_test(renamed_later),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
