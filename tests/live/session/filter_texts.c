// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of texts, compared with the C library. */
#include <fcntl.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/kernel_release.h"
#include "tests/live/calls.h"
#include "tests/live/exercise.h"
#include "tests/live/filter_trial.h"

/* The fields of the current record, and the running task. */
static char oldcomm[17], newcomm[17], prev_comm[17], next_comm[17], filename[512], name[256],
	dev_name[256];
static uint32_t len, tid;

#define TEXT(variable) #variable, variable, sizeof(variable)

static const struct {
	const char *name;
	char *value;
	size_t size;
} texts[] = {
	{TEXT(oldcomm)},  {TEXT(newcomm)}, {TEXT(prev_comm)}, {TEXT(next_comm)},
	{TEXT(filename)}, {TEXT(name)},    {TEXT(dev_name)},
};

enum { N_TEXTS = sizeof(texts) / sizeof(*texts) };

static void set_text(const char *field, const char *data, size_t size)
{
	size_t i;

	for (i = 0; i < N_TEXTS; i++) {
		if (strcmp(field, texts[i].name) != 0)
			continue;
		assert_true(size <= texts[i].size);
		snprintf(texts[i].value, texts[i].size, "%.*s", (int)size, data);
	}
}

/* At most one field varies; its data follows the last field. */
static void read_record(const struct kt_event *e, const char *record, size_t on)
{
	const char *at = record + sizeof(struct kt_record);
	const struct kt_field *f = e->fields;

	(void)on;
	tid = ((const struct kt_record *)record)->tid;
	for (; f < e->fields + e->n_fields; at += kt_field_record_size(f), f++) {
		if (strcmp(f->name, "len") == 0)
			memcpy(&len, at, sizeof(len));
		else if (kt_field_varies(f))
			set_text(f->name, record + kt_event_record_size(e), *(uint16_t *)at);
		else if (kt_field_is_text(f))
			set_text(f->name, at, f->size);
	}
}

static bool equals(const char *text, const char *that)
{
	return strcmp(text, that) == 0;
}

/* Only the beginning of a longer text is compared. */
static bool matches(const char *text, const char *pattern)
{
	char seen[KT_FILTER_SEEN_MAX + 1];

	snprintf(seen, sizeof(seen), "%.*s", KT_FILTER_SEEN_MAX, text);
	return fnmatch(pattern, seen, 0) == 0;
}

/* A number per row, its event, a filter, and the same in C. */
#define RENAMES(ROW)                                                                            \
	ROW(10, "newcomm == '' || newcomm == '0123456789abcde'",                                \
	    equals(newcomm, "") || equals(newcomm, "0123456789abcde"))                          \
	ROW(11, "newcomm == 'abcdefgh' || oldcomm == 'abcdefghi'",                              \
	    equals(newcomm, "abcdefgh") || equals(oldcomm, "abcdefghi"))                        \
	ROW(12, "newcomm != 'nginx' && newcomm ~ 'nginx*'",                                     \
	    !equals(newcomm, "nginx") && matches(newcomm, "nginx*"))                            \
	ROW(13, "!(oldcomm ~ \"*nginx*\")", !matches(oldcomm, "*nginx*"))                       \
	ROW(14, "newcomm ~ '[!a-m]*[0-9a-e]'", matches(newcomm, "[!a-m]*[0-9a-e]"))             \
	ROW(15, "newcomm == '\xff\xff\xff\xff\xff\xff\xff\xff\xff' || newcomm ~ '?b?'",         \
	    equals(newcomm, "\xff\xff\xff\xff\xff\xff\xff\xff\xff") || matches(newcomm, "?b?")) \
	ROW(16, "COMM == '0123456789abcde' || oldcomm ~ '\xff\xff\xff\xff*'",                   \
	    equals(oldcomm, "0123456789abcde") || matches(oldcomm, "\xff\xff\xff\xff*"))        \
	ROW(17, "COMM == 'abc' && newcomm ~ '*' || comm ~ '*x' || COMM ~ 'ng*' || COMM == ''",  \
	    equals(oldcomm, "abc") || matches(oldcomm, "*x") || matches(oldcomm, "ng*") ||      \
		    equals(oldcomm, ""))
#define PROGRAMS(ROW)                                                        \
	ROW(20, "filename == './a'", equals(filename, "./a"))                \
	ROW(21, "filename != './abcdefgh'", !equals(filename, "./abcdefgh")) \
	ROW(22, "filename ~ './a*' && filename ~ '*h*'",                     \
	    matches(filename, "./a*") && matches(filename, "*h*"))           \
	ROW(23, "filename ~ '*[0-9]' || filename ~ './?'",                   \
	    matches(filename, "*[0-9]") || matches(filename, "./?"))         \
	ROW(24, "!(filename ~ '*\\**')", !matches(filename, "*\\**"))        \
	ROW(25, "filename ~ '*long'", matches(filename, "*long"))            \
	ROW(26, "filename ~ '*./'", matches(filename, "*./"))                \
	ROW(27, "filename ~ './././*' || filename == './" NINES "'",         \
	    matches(filename, "./././*") || equals(filename, "./" NINES))
#define SWITCHES(ROW)                                                                \
	ROW(30, "prev_comm == 'to' && next_comm != 'to'",                            \
	    equals(prev_comm, "to") && !equals(next_comm, "to"))                     \
	ROW(31, "prev_comm ~ 'and*' || next_comm == 'and-fro' && next_comm ~ 'to*'", \
	    matches(prev_comm, "and*") ||                                            \
		    (equals(next_comm, "and-fro") && matches(next_comm, "to*")))     \
	ROW(32, "prev_comm ~ '*[-_/]*' && !(next_comm ~ '*[/-_]f*')",                \
	    matches(prev_comm, "*[-_/]*") && !matches(next_comm, "*[/-_]f*"))        \
	ROW(33, "comm == 'and-fro'", equals(prev_comm, "and-fro"))
#define CACHES(ROW)                                               \
	ROW(40, "name == 'filp'", equals(name, "filp"))           \
	ROW(41, "name ~ 'f*' || name ~ '?*[aeiou]*_*'",           \
	    matches(name, "f*") || matches(name, "?*[aeiou]*_*")) \
	ROW(42, "!(name ~ '*e*') && name != 'filp'", !matches(name, "*e*") && !equals(name, "filp"))
#define PACKETS(ROW)                                                          \
	ROW(50, "name == 'lo' && len > 500", equals(name, "lo") && len > 500) \
	ROW(51, "name ~ 'l?' && !(name ~ 'lo?*') && len < 500",               \
	    matches(name, "l?") && !matches(name, "lo?*") && len < 500)       \
	ROW(52, "name != 'lo' || name == 'l' || len >= 500",                  \
	    !equals(name, "lo") || equals(name, "l") || len >= 500)
#define POLLS(ROW)                                                                            \
	ROW(60, "dev_name == '(no_device)' && tid & 1",                                       \
	    equals(dev_name, "(no_device)") && tid & 1)                                       \
	ROW(61, "dev_name ~ '(no*' && tid & 1", matches(dev_name, "(no*") && tid & 1)         \
	ROW(62, "dev_name ~ '*_d*)' && !(tid & 1)", matches(dev_name, "*_d*)") && !(tid & 1)) \
	ROW(63, "dev_name == '(no' || !(dev_name != '(no_device)') && tid & 1",               \
	    equals(dev_name, "(no") || (equals(dev_name, "(no_device)") && tid & 1))

/* The maximum length of a file name, and of a filter's text without "./". */
#define NINES_60 "999999999999999999999999999999999999999999999999999999999999"
#define NINES    NINES_60 NINES_60 NINES_60 NINES_60 "999999999999"

#define FUNCTION(n, filter, expr)   \
	static bool is_so_##n(void) \
	{                           \
		return expr;        \
	}
#define ROW(n, filter, expr) {filter, is_so_##n},

RENAMES(FUNCTION)
PROGRAMS(FUNCTION)
SWITCHES(FUNCTION)
CACHES(FUNCTION)
PACKETS(FUNCTION)
POLLS(FUNCTION)

static const struct row renames[] = {RENAMES(ROW){}};
static const struct row programs[] = {PROGRAMS(ROW){}};
static const struct row switches[] = {SWITCHES(ROW){}};
static const struct row caches[] = {CACHES(ROW){}};
static const struct row packets[] = {PACKETS(ROW){}};
static const struct row polls[] = {POLLS(ROW){}};

/* Renames this task from each name to each other one. */
static void rename_task(void)
{
	static const char *const ours[] = {
		"",
		"a",
		"abc",
		"abcdefgh",
		"abcdefghi",
		"kworker/0:1",
		"0123456789abcde",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"nginx",
		"nginx-worker",
		"my-nginx",
		"\\*x",
	};
	size_t i, j, n = sizeof(ours) / sizeof(*ours);

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++) {
			prctl(PR_SET_NAME, ours[i]);
			prctl(PR_SET_NAME, ours[j]);
		}
}

static void run_as(const char *path)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl(path, "true", NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		_exit(9);
}

/* Under different names, in a private directory. */
static void run_programs(void)
{
	static const char *const ours[] = {
		"./a", "./abcdefgh", "./abcdefghi", "./b*7", "./long", "./" NINES,
	};
	char dir[] = "/tmp/ktrace-test-XXXXXX", path[512] = "";
	size_t i, n = sizeof(ours) / sizeof(*ours);

	if (!mkdtemp(dir) || chdir(dir) < 0)
		_exit(8);
	for (i = 0; i < n; i++) {
		if (symlink("/bin/true", ours[i]) < 0)
			_exit(8);
		run_as(ours[i]);
	}
	for (i = 0; i < 126; i++)
		strcat(path, "./");
	run_as(strcat(path, "long"));
	memmove(path + 11, path, strlen(path) + 1);
	run_as(memcpy(path, "././././///", 11));
	for (i = 0; i < n; i++)
		unlink(ours[i]);
	if (rmdir(dir) < 0)
		_exit(8);
}

/* Sends a byte to and fro between two processes of that name. */
static void take_turns(void)
{
	int there[2], back[2], i;
	char byte = 0;
	pid_t pid;

	if (pipe(there) < 0 || pipe(back) < 0)
		_exit(4);
	prctl(PR_SET_NAME, "to");
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, "and-fro");
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			usleep(100);
		_exit(0);
	}
	for (i = 0; i < 100; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			_exit(4);
	close(there[1]);
	wait_for(pid, 0);
}

static void use_caches(void)
{
	int i;

	for (i = 0; i < 100; i++) {
		close(open("/dev/null", 0));
		close(socket(AF_UNIX, SOCK_STREAM, 0));
	}
	for (i = 0; i < 10; i++) {
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
}

static void send_packets(void)
{
	create_network();
	use_network();
}

/* Runs several processes, some with odd PIDs. */
static void poll_network(void)
{
	pid_t pid, odd = 0, even = 0;

	create_network();
	while (!odd || !even) {
		pid = fork();
		if (pid == 0) {
			use_network();
			_exit(0);
		}
		wait_for(pid, 0);
		*(pid & 1 ? &odd : &even) = pid;
	}
}

static void filters_of_renames(void **state)
{
	(void)state;
	try_filters(renames, "task", "task_rename", rename_task);
}

static void filters_of_programs(void **state)
{
	(void)state;
	try_filters(programs, "sched", "sched_process_exec", run_programs);
}

static void filters_of_switches(void **state)
{
	(void)state;
	try_filters(switches, "sched", "sched_switch", take_turns);
}

/* Interrupts free memory, too: missed events are known from Linux 6.7 on. */
static void filters_of_caches(void **state)
{
	struct utsname here;

	(void)state;
	uname(&here);
	if (!kt_kernel_release_is_since(here.release, 6, 7))
		skip();
	try_filters(caches, "kmem", "kmem_cache_free", use_caches);
}

static void filters_of_packets(void **state)
{
	(void)state;
	try_filters(packets, "net", "net_dev_queue", send_packets);
}

static void filters_of_polls(void **state)
{
	(void)state;
	if (!has_kernel_pids())
		skip();
	try_filters(polls, "napi", "napi_poll", poll_network);
}

/* The maximum of patterns, with other tests of text. */
static void most_patterns(void **state)
{
	enum { GLOBS = KT_FILTER_GLOBS_MAX, TESTS = KT_FILTER_TESTS_MAX };
	static char filter[64 * TESTS];
	const struct row rows[] = {{filter, NULL}, {}};
	static const char *const events[][2] = {
		{"sched", "sched_process_exec"},
		{"net", "net_dev_queue"},
	};
	struct trial t;
	char *at;
	int i, j;

	(void)state;
	skip_where_refused();
	for (i = 0; i < 2; i++) {
		at = filter;
		for (j = 0; j < TESTS; j++)
			at += sprintf(at, "%s%s %s '%s%d%s'", j ? j % 2 ? "||" : "&&" : "",
				      i ? "name" : "filename",
				      j < GLOBS ? "~" : "!=", j < GLOBS ? "*" : "", j,
				      j < GLOBS ? "?*" : "");
		begin_trial(&t, rows, events[i][0], events[i][1]);
		kt_session_free(t.session);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_of_renames),  cmocka_unit_test(filters_of_programs),
		cmocka_unit_test(filters_of_switches), cmocka_unit_test(filters_of_caches),
		cmocka_unit_test(filters_of_packets),  cmocka_unit_test(filters_of_polls),
		cmocka_unit_test(most_patterns),
	};

	return cmocka_run_group_tests_name("filter_texts", tests, read_ids, NULL);
}
