// SPDX-License-Identifier: GPL-2.0-or-later
/* What reports print of waits, system calls, and spans, of traces made by tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "tests/ctf/report.h"
#include "tests/ctf/sched_events.h"
#include "tests/ctf/task_names.h"
#include "trace/event_counts.h"

enum { ENTER = VARYING, EXIT = LABELLED };

#define FD  "\tfield:unsigned long fd;\toffset:16;\tsize:8;\tsigned:0;\n"
#define RET "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n"

static void put_call(struct made *m, uint32_t tid, uint64_t from, uint64_t until, int64_t ret)
{
	record_of_task(m, ENTER, from, tid, &(uint64_t){3}, 8);
	if (until)
		record_of_task(m, EXIT, until, tid, &ret, sizeof(ret));
}

/* Reads the times of the trace. Returns the reader, which the report needs. */
static struct kt_trace_reader *read_times(struct made *m, struct kt_trace_report *report)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	struct kt_hit hit;

	assert_non_null(r);
	assert_true(kt_report_times_begin(&report->times, r));
	while (kt_trace_reader_next(r, &hit, &m->err) > 0)
		assert_true(kt_report_times_add(&report->times, r, &hit));
	assert_true(kt_report_times_end(&report->times, r));
	return r;
}

static int set_up_events(void **state)
{
	struct made *m;

	set_up(state);
	m = *state;
	put_sched_events(m);
	put_event(m, ENTER, "syscalls", FORMAT("sys_enter_close", FD));
	put_event(m, EXIT, "syscalls", FORMAT("sys_exit_close", RET));
	rewrite_metadata(m);
	begin_cpu(m, 0, MS(1000));
	return 0;
}

#define HEAD_LINES                                                 \
	"t: 1.000 s from 1970-01-01 00:00:01 on here, Linux 6.1\n" \
	"12 events, 12.0/s, none lost\n"                           \
	"\n"                                                       \
	"       count      rate/s  event\n"                        \
	"           5         5.0  sched:sched_switch\n"           \
	"           2         2.0  sched:sched_waking\n"           \
	"  1 more event without a hit\n"                           \
	"\n"

#define CALL_LINES                                                        \
	"       calls      errors       total     longest  system call\n" \
	"           2           1     7.00 ms     5.00 ms  close\n"       \
	"  1 call had not returned\n"                                     \
	"\n"

#define CPU_LINES                                                 \
	"\n"                                                      \
	"       count      rate/s        busy     unknown  CPU\n" \
	"          12        12.0     100.0 %       0.0 %  0\n"

static const char waits_json[] =
	"\"wakeups_known\":true,\"waits\":["
	"{\"tid\":7,\"comm\":\"waits\",\"running\":150000000,\"running_longest\":100000000,"
	"\"runnable\":100000000,\"runnable_longest\":100000000,"
	"\"blocked\":750000000,\"blocked_longest\":550000000,\"unknown\":0,"
	"\"wakers\":[{\"tid\":9,\"comm\":\"works\",\"blocked\":200000000}]},"
	"{\"tid\":8,\"comm\":\"waits\",\"running\":150000000,\"running_longest\":100000000,"
	"\"runnable\":100000000,\"runnable_longest\":100000000,"
	"\"blocked\":650000000,\"blocked_longest\":500000000,\"unknown\":0,"
	"\"wakers\":[{\"tid\":9,\"comm\":\"works\",\"blocked\":150000000}]},"
	"{\"tid\":9,\"comm\":\"works\",\"running\":700000000,\"running_longest\":500000000,"
	"\"runnable\":100000000,\"runnable_longest\":100000000,"
	"\"blocked\":0,\"blocked_longest\":0,\"unknown\":0,\"wakers\":[]}],"
	"\"calls\":[{\"call\":\"close\",\"calls\":2,\"errors\":1,\"timed\":2,"
	"\"total\":7000000,\"longest\":5000000}],\"cpus\":[";

/* Two tasks of one name wait for a third, in a call; and one call has not returned. */
static void waits(void **state)
{
	struct kt_event_counts no_losses = {0};
	struct kt_trace_report report = {.path = "t", .counts = &no_losses};
	struct made *m = *state;
	struct kt_trace_reader *r;

	write_task_names(m, HEAD ROW(1, 7, "waits") ROW(1, 8, "waits") ROW(1, 9, "works"));
	put_call(m, 7, MS(1001), MS(1003), 0);
	put_call(m, 7, MS(1010), MS(1015), -9);
	put_switch(m, MS(1100), 7, 1, 8);
	put_switch(m, MS(1200), 8, 2, 9);
	put_waking(m, MS(1300), 9, 7);
	put_waking(m, MS(1350), 9, 8);
	put_switch(m, MS(1400), 9, 0x100, 7);
	put_switch(m, MS(1450), 7, 1, 8);
	put_call(m, 8, MS(1460), 0, 0);
	put_switch(m, MS(1500), 8, 1, 9);
	assert_int_equal(end(m, MS(2000)), 0);
	r = read_times(m, &report);
	assert_report(
		m, &report,
		HEAD_LINES CALL_LINES
		"   running  of 1 CPU   longest  runnable   longest   blocked   longest  task\n"
		"    700 ms    70.0 %    500 ms    100 ms    100 ms         -         -  works-9\n"
		"    300 ms    30.0 %    100 ms    200 ms    100 ms    1.40 s    550 ms  "
		"waits, 2 tasks; woken by works-9 (25 %)\n" CPU_LINES,
		waits_json);
	report.times.waits.has_wakeups = false;
	assert_report(m, &report,
		      HEAD_LINES CALL_LINES
		      "   running  of 1 CPU   longest   off CPU   longest  task\n"
		      "    700 ms    70.0 %    500 ms    100 ms    100 ms  works-9\n"
		      "    300 ms    30.0 %    100 ms    1.60 s    550 ms  waits, 2 tasks; woken "
		      "by works-9 (25 %)\n" CPU_LINES,
		      "\"wakeups_known\":false,");
	kt_report_times_free(&report.times);
	kt_trace_reader_free(r);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up_events, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {TEST(waits)};

	setenv("TZ", "UTC0", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
