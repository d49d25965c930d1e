// SPDX-License-Identifier: GPL-2.0-or-later
/* Creation of a trace's directory, and what happens to an existing one. */
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
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "trace/metadata_writer.h"
#include "trace/trace_directory.h"

/* Each test has an empty directory of its own. */
static int enter(void **state)
{
	char path[] = "/tmp/ktrace-test-XXXXXX";

	*state = NULL;
	if (!mkdtemp(path) || chdir(path) < 0)
		return -1;
	*state = strdup(path);
	return *state ? 0 : -1;
}

static int leave(void **state)
{
	char command[64];

	if (!*state || chdir("/") < 0)
		return -1;
	snprintf(command, sizeof(command), "rm -r '%s'", (char *)*state);
	free(*state);
	return system(command);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *path, const char *text)
{
	char buffer[64] = "";
	FILE *f = fopen(path, "r");

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	assert_non_null(fgets(buffer, sizeof(buffer), f));
	fclose(f);
	assert_string_equal(buffer, text);
}

static struct kt_trace_directory make(const char *path)
{
	struct kt_trace_directory d;
	struct kt_error err;

	if (kt_trace_directory_make(&d, path, &err) < 0)
		fail_msg("%s", err.text);
	return d;
}

static void make_and_close(const char *path)
{
	struct kt_trace_directory d = make(path);

	kt_trace_directory_close(&d);
}

static void make_trace(const char *path, const char *stream)
{
	struct kt_metadata_writer m = {.version = "test"};
	char name[64];
	struct kt_trace_directory d = make(path);
	struct kt_error err;

	assert_int_equal(kt_metadata_writer_fill(&m, &err), 0);
	assert_int_equal(kt_metadata_writer_write(&m, d.fd, &err), 0);
	snprintf(name, sizeof(name), "%s/cpu0", path);
	write_file(name, stream);
	assert_int_equal(mkdirat(d.fd, "ktrace", 0777), 0);
	snprintf(name, sizeof(name), "%s/ktrace/counts.jsonl", path);
	write_file(name, "{}");
	kt_trace_directory_close(&d);
}

/* Both functions must refuse, with the same error. */
static void assert_refused(const char *path, int code, const char *text)
{
	struct kt_trace_directory d;
	struct kt_error err;

	assert_int_equal(kt_trace_directory_check(path, &err), -code);
	assert_string_equal(err.text, text);
	assert_int_equal(kt_trace_directory_make(&d, path, &err), -code);
	assert_string_equal(err.text, text);
}

static void new_directory(void **state)
{
	struct kt_error err;
	struct stat st;

	(void)state;
	assert_int_equal(kt_trace_directory_check("t", &err), 0);
	assert_int_equal(access("t", F_OK), -1);
	make_and_close("t");
	assert_int_equal(stat("t", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);

	/* An empty directory is used, and others lose access to it. */
	assert_int_equal(chmod("t", 0755), 0);
	make_and_close("t///");
	assert_int_equal(stat("t", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(access("t.old", F_OK), -1);
}

static void old_traces(void **state)
{
	struct kt_error err;

	(void)state;
	make_trace("t", "first");
	make_trace("t", "second");
	assert_holds("t.old/cpu0", "first");
	assert_holds("t/cpu0", "second");

	assert_int_equal(kt_trace_directory_check("t/", &err), 0);
	assert_holds("t.old/cpu0", "first");
	make_trace("t/", "third");
	assert_holds("t.old/cpu0", "second");
	assert_holds("t/cpu0", "third");
}

static void foreign_directories(void **state)
{
	static const char its_ktrace[] = "cannot create the trace: t: exists and is not a trace of "
					 "ktrace: it contains 'ktrace'";

	(void)state;
	write_file("file", "dear diary");
	assert_refused("file", ENOTDIR, "cannot create the trace: file: Not a directory");
	assert_holds("file", "dear diary");

	make_trace("t", "trace");
	write_file("t/notes", "dear diary");
	assert_refused(
		"t", EEXIST,
		"cannot create the trace: t: exists and is not a trace of ktrace: it contains "
		"'notes'");
	assert_int_equal(rename("t/notes", "t/cpu1x"), 0);
	assert_refused(
		"t", EEXIST,
		"cannot create the trace: t: exists and is not a trace of ktrace: it contains "
		"'cpu1x'");
	assert_int_equal(unlink("t/cpu1x"), 0);
	write_file("t/ktrace/notes", "dear diary");
	assert_refused("t", EEXIST, its_ktrace);
	assert_int_equal(unlink("t/ktrace/notes"), 0);

	/* The target of a link is not an old trace either. */
	assert_int_equal(rename("t/ktrace", "theirs"), 0);
	assert_int_equal(symlink("../theirs", "t/ktrace"), 0);
	assert_refused("t", EEXIST, its_ktrace);
	assert_holds("theirs/counts.jsonl", "{}");
	assert_int_equal(unlink("t/ktrace"), 0);
	write_file("t/ktrace", "a file");
	assert_refused("t", EEXIST, its_ktrace);
	assert_int_equal(unlink("t/ktrace"), 0);

	/* Another tracer's trace. */
	write_file("t/metadata", "/* CTF 1.8 */\nenv { tracer_name = \"lttng-modules\"; };\n");
	assert_refused(
		"t", EEXIST,
		"cannot create the trace: t: exists and is not a trace of ktrace: other metadata");
	assert_int_equal(unlink("t/metadata"), 0);
	assert_refused(
		"t", EEXIST,
		"cannot create the trace: t: exists and is not a trace of ktrace: other metadata");
	assert_holds("t/cpu0", "trace");
}

static void foreign_old_trace(void **state)
{
	(void)state;
	make_trace("t", "trace");
	assert_int_equal(mkdir("t.old", 0777), 0);
	write_file("t.old/notes", "dear diary");
	assert_refused("t", EEXIST,
		       "cannot create the trace: t.old: exists and is not a trace of ktrace: it "
		       "contains 'notes'");
	assert_holds("t.old/notes", "dear diary");
	assert_holds("t/cpu0", "trace");
}

static void trace_being_recorded(void **state)
{
	struct kt_trace_directory d;
	int dir;

	(void)state;
	d = make("t");
	assert_refused("t", EBUSY, "cannot create the trace: t: a trace is being recorded into it");
	kt_trace_directory_close(&d);
	make_trace("t", "first");
	make_trace("t", "second");
	dir = open("t.old", O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(dir, LOCK_EX), 0);
	assert_refused("t", EBUSY,
		       "cannot create the trace: t.old: a trace is being recorded into it");
	close(dir);
	assert_holds("t.old/cpu0", "first");
	make_and_close("t");
	assert_holds("t.old/cpu0", "second");
}

/* Processes that do something at the same time. */
struct at_once {
	_Atomic int ready, done;
	int ret[2];
};

static void wait_for_both(_Atomic int *n)
{
	for (++*n; *n < 2;)
		sched_yield();
}

static void make_at_once(struct at_once *b)
{
	struct kt_trace_directory d;
	struct kt_error err;
	pid_t pid[2];
	int i;

	b->ready = b->done = 0;
	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i])
			continue;
		wait_for_both(&b->ready);
		b->ret[i] = kt_trace_directory_make(&d, "t", &err);
		wait_for_both(&b->done);
		_exit(0);
	}
	for (i = 0; i < 2; i++)
		assert_int_equal(waitpid(pid[i], NULL, 0), pid[i]);
}

/* One of them succeeds, and the older files remain. */
static void concurrent_creation(void **state)
{
	struct at_once *b =
		mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int i, winner;

	(void)state;
	assert_true(b != MAP_FAILED);
	for (i = 0; i < 500; i++) {
		make_trace("t", "older");
		make_at_once(b);
		winner = b->ret[0] >= 0 ? 0 : 1;
		assert_true(b->ret[winner] >= 0);
		assert_int_equal(b->ret[!winner], -EBUSY);
		assert_holds("t.old/cpu0", "older");
	}
	munmap(b, sizeof(*b));
}

static void missing_parent(void **state)
{
	struct kt_trace_directory d;
	struct kt_error err;

	(void)state;
	assert_refused("", ENOENT, "cannot create the trace: missing name");
	assert_int_equal(kt_trace_directory_check("no/more/t", &err), 0);
	assert_int_equal(access("no", F_OK), -1);
	assert_int_equal(kt_trace_directory_make(&d, "no/more/t", &err), 0);
	kt_trace_directory_close(&d);
	assert_int_equal(rmdir("no/more/t"), 0);
	assert_int_equal(rmdir("no/more"), 0);
	assert_int_equal(rmdir("no"), 0);

	/* Only creating it shows that. */
	assert_int_equal(kt_trace_directory_make(&d, "/proc/t", &err), -ENOENT);
	assert_string_equal(err.text,
			    "cannot create the trace: /proc/t: No such file or directory");
}

/* Writes the files of a recording that got no further. */
static void put_half(void)
{
	write_file("t/metadata", "half a");
	write_file("t/cpu0", "");
	assert_int_equal(mkdir("t/ktrace", 0777), 0);
	write_file("t/ktrace/counts.jsonl", "");
	write_file("t/ktrace/metadata.new", "");
}

static void discard(struct kt_trace_directory *d)
{
	kt_trace_directory_discard(d);
	kt_trace_directory_close(d);
}

static void unfinished_trace(void **state)
{
	struct kt_trace_directory d;

	(void)state;
	d = make("t");
	put_half();
	discard(&d);
	assert_int_equal(access("t", F_OK), -1);

	d = make("t");
	write_file("t/notes", "dear diary");
	discard(&d);
	assert_holds("t/notes", "dear diary");
}

/* An existing directory stays, and is emptied. */
static void unfinished_trace_in_old_directory(void **state)
{
	struct kt_trace_directory d;

	(void)state;
	assert_int_equal(mkdir("t", 0750), 0);
	d = make("t");
	put_half();
	discard(&d);
	assert_int_equal(rmdir("t"), 0);
}

enum { NOBODY = 65534 };

static void give_away(const char *path)
{
	assert_int_equal(lchown(path, NOBODY, NOBODY), 0);
}

#define NOT_OURS ": belongs to 'nobody', not to this user; choose another directory (-o)"

/* An owner or writer of the directory could read the trace, or put links into it. */
static void directories_of_others(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(mkdir("t", 0700), 0);
	give_away("t");
	assert_refused("t", EACCES, "cannot create the trace: t" NOT_OURS);
	assert_int_equal(rmdir("t"), 0);

	make_trace("t", "trace");
	give_away("t");
	assert_refused("t", EACCES, "cannot create the trace: t" NOT_OURS);
	assert_holds("t/cpu0", "trace");
	assert_int_equal(lchown("t", 0, 0), 0);
	assert_int_equal(mkdir("t.old", 0700), 0);
	give_away("t.old");
	assert_refused("t", EACCES, "cannot create the trace: t.old" NOT_OURS);
	assert_holds("t/cpu0", "trace");

	assert_int_equal(mkdir("w", 0700), 0);
	assert_int_equal(chmod("w", 01777), 0);
	assert_refused("w", EACCES,
		       "cannot create the trace: w: writable by others (mode 1777); try 'chmod "
		       "go-w w'");
	assert_int_equal(chmod("w", 0770), 0);
	assert_refused("w", EACCES,
		       "cannot create the trace: w: writable by others (mode 0770); try 'chmod "
		       "go-w w'");
}

/* Both traces stay where the link leads, which stays unchanged; its target may be missing. */
static void directory_behind_a_link(void **state)
{
	char buffer[64] = "";

	(void)state;
	assert_int_equal(mkdir("disk", 0700), 0);
	assert_int_equal(symlink("disk/traces", "t"), 0);
	make_trace("t", "first");
	make_trace("t", "second");
	make_trace("t/", "third");
	assert_int_equal(readlink("t", buffer, sizeof(buffer)), strlen("disk/traces"));
	assert_holds("disk/traces/cpu0", "third");
	assert_holds("disk/traces.old/cpu0", "second");
	assert_int_equal(access("t.old", F_OK), -1);
}

/* A link in place of an old trace is not followed. */
static void old_trace_is_a_link(void **state)
{
	(void)state;
	make_trace("t", "trace");
	make_trace("elsewhere", "precious");
	assert_int_equal(symlink("elsewhere", "t.old"), 0);
	assert_refused("t", ENOTDIR, "cannot create the trace: t.old: Not a directory");
	assert_holds("elsewhere/cpu0", "precious");
}

/* A link or foreign directory in place of ktrace/ is refused, whoever created it. */
static void ktrace_directory_is_foreign(void **state)
{
	struct kt_trace_directory d;

	(void)state;
	assert_int_equal(mkdir("theirs", 0700), 0);
	d = make("t");
	assert_int_equal(symlink("../theirs", "t/ktrace"), 0);
	assert_int_equal(kt_trace_directory_add(d.fd, "tasks.jsonl"), -ENOTDIR);
	assert_int_equal(unlink("t/ktrace"), 0);
	assert_int_equal(mkdir("t/ktrace", 0700), 0);
	assert_int_equal(chmod("t/ktrace", 0777), 0);
	assert_int_equal(kt_trace_directory_add(d.fd, "tasks.jsonl"), -EACCES);
	assert_int_equal(chmod("t/ktrace", 0755), 0);
	assert_int_equal(symlink("/etc/hostname", "t/ktrace/tasks.jsonl"), 0);
	assert_int_equal(kt_trace_directory_add(d.fd, "tasks.jsonl"), -EEXIST);
	kt_trace_directory_close(&d);
	assert_int_equal(rmdir("theirs"), 0);
}

/* Files have their modes in spite of the umask. */
static void private_files(void **state)
{
	struct kt_trace_directory d;
	struct stat st;
	int fd;

	(void)state;
	umask(0);
	d = make("t");
	fd = kt_trace_directory_add(d.fd, "tasks.jsonl");
	umask(022);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	close(fd);
	assert_int_equal(stat("t", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat("t/ktrace", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	kt_trace_directory_close(&d);
}

/* "." is a directory like any other, by its own name; a mount point cannot be renamed. */
static void dots_and_mount_points(void **state)
{
	(void)state;
	assert_int_equal(mkdir("here", 0700), 0);
	assert_int_equal(chdir("here"), 0);
	make_trace(".", "first");
	assert_int_equal(chdir(".."), 0);
	assert_holds("here/cpu0", "first");
	make_trace("here/../here/.", "second");
	assert_holds("here/cpu0", "second");
	assert_holds("here.old/cpu0", "first");
	assert_refused("/proc", EBUSY,
		       "cannot create the trace: /proc: a mount point; choose a directory in it: "
		       "/proc/trace");
	assert_refused(
		"/proc/..", EBUSY,
		"cannot create the trace: /: a mount point; choose a directory in it: /trace");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(new_directory, enter, leave),
		cmocka_unit_test_setup_teardown(old_traces, enter, leave),
		cmocka_unit_test_setup_teardown(foreign_directories, enter, leave),
		cmocka_unit_test_setup_teardown(foreign_old_trace, enter, leave),
		cmocka_unit_test_setup_teardown(trace_being_recorded, enter, leave),
		cmocka_unit_test_setup_teardown(concurrent_creation, enter, leave),
		cmocka_unit_test_setup_teardown(missing_parent, enter, leave),
		cmocka_unit_test_setup_teardown(unfinished_trace, enter, leave),
		cmocka_unit_test_setup_teardown(unfinished_trace_in_old_directory, enter, leave),
		cmocka_unit_test_setup_teardown(directories_of_others, enter, leave),
		cmocka_unit_test_setup_teardown(directory_behind_a_link, enter, leave),
		cmocka_unit_test_setup_teardown(old_trace_is_a_link, enter, leave),
		cmocka_unit_test_setup_teardown(ktrace_directory_is_foreign, enter, leave),
		cmocka_unit_test_setup_teardown(private_files, enter, leave),
		cmocka_unit_test_setup_teardown(dots_and_mount_points, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
