// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "filter/event_pattern.h"
#include "tests/unit/fixtures.h"

#define MAX 32

static struct kt_event_names *names;

static int set_up(void **state)
{
	int dir = open_fixture(1);
	struct kt_error err;

	(void)state;
	names = kt_event_names_read(dir, &err);
	close(dir);
	return names && kt_event_names_count(names) <= MAX ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	kt_event_names_free(names);
	return 0;
}

/* Returns the selected names, each with a blank after it. */
static const char *select_names(const char *pattern)
{
	static char text[2048];
	bool selected[MAX] = {};
	struct kt_error err;
	size_t i, n = 0, count = 0;
	int r = kt_event_pattern_select(pattern, names, selected, &err);

	*text = '\0';
	for (i = 0; i < kt_event_names_count(names); i++) {
		if (!selected[i])
			continue;
		n += snprintf(text + n, sizeof(text) - n, "%s:%s ",
			      kt_event_names_at(names, i)->system,
			      kt_event_names_at(names, i)->event);
		count++;
	}
	assert_int_equal(r > 0 ? r : 0, count);
	return text;
}

static void selections(void **state)
{
	(void)state;
	assert_string_equal(select_names("sched:sched_switch"), "sched:sched_switch ");
	assert_string_equal(select_names("sched_switch"), "sched:sched_switch ");
	assert_string_equal(select_names("sched:*"),
			    "sched:sched_process_exec sched:sched_switch ");
	assert_string_equal(select_names("*sys*:*"),
			    "raw_syscalls:sys_enter syscalls:sys_enter_openat ");
	assert_string_equal(select_names("sys_enter*"),
			    "raw_syscalls:sys_enter syscalls:sys_enter_openat ");
	assert_string_equal(select_names("tcp_prob?"), "tcp:tcp_probe ");
	assert_string_equal(select_names("[rt]c[pu]:*"), "rcu:rcu_utilization tcp:tcp_probe ");
	assert_string_equal(select_names("*:c*"), "power:cpu_idle printk:console ");
	assert_string_equal(select_names("syscalls:openat"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("syscalls:open*"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("syscalls:enter_openat"), "");
	assert_string_equal(select_names("*:openat"), "");
	assert_string_equal(select_names("%file"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("syscalls:%desc"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("%clock"), "");
	assert_string_equal(select_names("sched:%file"), "");
	assert_string_equal(select_names("%*"), "");
	assert_string_equal(select_names("openat"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("opena?"), "");
	assert_string_equal(select_names("sched:openat"), "");
	assert_string_equal(select_names("SCHED_SWITCH"), "");
	assert_string_equal(select_names("sched_switch "), "");
	assert_string_equal(select_names("sched:sched_switch:x"), "");
}

/* A regular expression is about names of calls and of other events, not about sys_enter_openat. */
static void regular_expressions(void **state)
{
	(void)state;
	assert_string_equal(select_names("/^sched_(switch|wakeup)$"), "sched:sched_switch ");
	assert_string_equal(select_names("/switch"), "sched:sched_switch ");
	assert_string_equal(select_names("syscalls:/^open"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("/^openat$"), "syscalls:sys_enter_openat ");
	assert_string_equal(select_names("syscalls:/enter"), "");
	assert_string_equal(select_names("sched:/open"), "");
	assert_string_equal(select_names("s*d:/."), "sched:sched_process_exec sched:sched_switch ");
	assert_string_equal(select_names("/:"), "");
}

static void selections_add_up(void **state)
{
	bool selected[MAX] = {};
	struct kt_error err;
	size_t i, count = 0;

	(void)state;
	assert_int_equal(kt_event_pattern_select("sched:*", names, selected, &err), 2);
	assert_int_equal(kt_event_pattern_select("tcp_probe", names, selected, &err), 1);
	assert_int_equal(kt_event_pattern_select("nix", names, selected, &err), -ENOENT);
	for (i = 0; i < kt_event_names_count(names); i++)
		count += selected[i];
	assert_int_equal(count, 3);
}

static void assert_refused(const char *pattern, int code, size_t at, size_t len, const char *text)
{
	bool selected[MAX] = {};
	struct kt_error err;

	assert_int_equal(kt_event_pattern_select(pattern, names, selected, &err), -code);
	assert_string_equal(err.text, text);
	assert_ptr_equal(err.typed, pattern);
	assert_int_equal(err.at, at);
	assert_int_equal(err.len, len);
}

static void errors(void **state)
{
	(void)state;
	assert_refused("", EINVAL, 0, 1, "missing event name");
	assert_refused("sched:", EINVAL, 6, 1, "missing event name");
	assert_refused(":x", EINVAL, 0, 1, "missing system name");
	assert_refused("shced:sched_switch", ENOENT, 0, 5,
		       "no system of events is called 'shced'; did you mean "
		       "'sched:sched_switch'?");
	assert_refused("q*:*", ENOENT, 0, 2, "no system of events matches 'q*'; see 'ktrace list'");
	assert_refused("sched:sched_swtich", ENOENT, 6, 12,
		       "no event of 'sched' is called 'sched_swtich'; did you mean "
		       "'sched:sched_switch'?");
	assert_refused("tcp_porbe", ENOENT, 0, 9,
		       "no event is called 'tcp_porbe'; did you mean 'tcp:tcp_probe'?");
	/* raw_syscalls:sys_enter is listed first and is as near. */
	assert_refused("sys_enter_ope", ENOENT, 0, 13,
		       "no event is called 'sys_enter_ope'; did you mean "
		       "'syscalls:sys_enter_openat'?");
	assert_refused("opneat", ENOENT, 0, 6,
		       "no event is called 'opneat'; did you mean 'syscalls:openat'?");
	assert_refused("sched:openat", ENOENT, 6, 6,
		       "no event of 'sched' is called 'openat'; did you mean "
		       "'syscalls:openat'?");
	assert_refused("syscalls:opneat", ENOENT, 9, 6,
		       "no event of 'syscalls' is called 'opneat'; did you mean "
		       "'syscalls:openat'?");
	assert_refused("irq:tcp_probe", ENOENT, 4, 9,
		       "no event of 'irq' is called 'tcp_probe'; did you mean 'tcp:tcp_probe'?");
	assert_refused("sched", ENOENT, 0, 5,
		       "no event is called 'sched'; the system's events are 'sched:*'");
	assert_refused("%flie", ENOENT, 0, 5,
		       "unknown class of system calls '%flie'; did you mean '%file'?");
	assert_refused("syscalls:%", ENOENT, 9, 1,
		       "unknown class of system calls '%'; expected %file, %desc, "
		       "%process, %network, %memory, %signal, %ipc, %creds, %clock, %stat, %lstat, "
		       "%fstat, %%stat, %statfs, %fstatfs, %%statfs, %pure");
	assert_refused("%clock", ENOENT, 0, 6,
		       "no event is of the class '%clock'; see 'ktrace list'");
	assert_refused("sched:%file", ENOENT, 6, 5,
		       "no event of 'sched' is of the class '%file'; did you mean '%file'?");
	assert_refused("/zzz", ENOENT, 0, 4, "no event matches '/zzz'; see 'ktrace list'");
	assert_refused("sched:/a(b", EINVAL, 6, 4, "not a regular expression: Unmatched ( or \\(");
	assert_refused("sched:sched_[sw", EINVAL, 12, 3, "missing ']'");
	assert_refused("[]:x", EINVAL, 0, 4, "missing ']'");
	assert_refused("a[!]", EINVAL, 1, 3, "missing ']'");
	assert_refused("[a]b[", EINVAL, 4, 1, "missing ']'");
	assert_refused("zzz?", ENOENT, 0, 4, "no event matches 'zzz?'; see 'ktrace list'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(selections),
		cmocka_unit_test(regular_expressions),
		cmocka_unit_test(selections_add_up),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests_name("event_pattern", tests, set_up, tear_down);
}
