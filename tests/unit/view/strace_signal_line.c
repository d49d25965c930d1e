// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals and exits as strace prints them, from traces with all fields and from others. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/metadata.h"
#include "tests/unit/parsed.h"
#include "trace/read/stream_reader.h"
#include "values/text.h"
#include "view/strace_signal_line.h"
#include "view/syscall_lines.h"

#define KERNELS "s64 _sig; s64 _errno; s64 _code;"
#define EXTRA                                                                       \
	" s64 _si_pid; u64 _si_uid; s64 _si_status; s64 _si_utime; s64 _si_stime; " \
	"s64 _si_timerid; s64 _si_overrun; pointer64 _si_ptr; pointer64 _si_addr; " \
	"s64 _si_band; s64 _si_fd; pointer64 _si_call_addr; s64 _si_syscall; u64 _si_arch;"

enum { DELIVERED, BARE, EXITED, UNKNOWN, OTHERS, TEXT };

#define EVENTS                                                  \
	ALIAS(INTEGER(64, false), "pointer64")                  \
	EVENT(0, "signal:signal_deliver", KERNELS EXTRA)        \
	EVENT(1, "signal:bare", KERNELS)                        \
	EVENT(2, "sched:sched_process_exit", "u64 _exit_code;") \
	EVENT(3, "sched:unknown", "s64 _pid;")                  \
	EVENT(4, "mine:signal_deliver", KERNELS)                \
	EVENT(5, "signal:text", "s64 _sig[1]; s64 _code;")

enum { N_VALUES = 17 };

static int open_parsed(void **state)
{
	static const char text[] = HEAD ENV("") STREAM EVENTS;
	int ret = parse(text);

	(void)state;
	if (ret == 0) {
		/* A trace has no event twice: these stand for different traces. */
		parsed->events[BARE].name = parsed->events[TEXT].name = "signal_deliver";
		parsed->events[UNKNOWN].name = "sched_process_exit";
	}
	return ret;
}

/* Makes an event whose members have 8 bytes each, in order. */
static struct kt_hit make_event(int event, const int64_t *bytes, struct kt_value *values)
{
	assert_true(kt_record_layout_read(&parsed->events[event].fields, (const char *)bytes,
					  8 * N_VALUES, values) >= 0);
	return (struct kt_hit){
		.event = &parsed->events[event], .values = values, .tid = 7, .time = 1};
}

static void assert_line(int event, const int64_t *bytes, const char *expected)
{
	static const struct kt_strace_form form = {.return_column = 40};
	struct kt_syscall_lines *paired = kt_syscall_lines_new(parsed, &form);
	struct kt_value values[N_VALUES];
	struct kt_hit hit = make_event(event, bytes, values);
	struct kt_text text = {};
	char *written;
	size_t size;

	text.to = open_memstream(&written, &size);
	assert_non_null(text.to);
	assert_int_equal(kt_syscall_lines_print(paired, &text, &hit), 0);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(written, expected);
	free(written);
	kt_syscall_lines_free(paired);
}

/* Members that the signal and its code do not use must not be printed. */
static void assert_signal(int signal, int code, int error, const char *expected)
{
	const int64_t bytes[N_VALUES] = {signal, error,       code, 11, 12, 17,   14, 15,        16,
					 18,     0x1fffffff9, 0x20, 21, 22, 0x23, 39, 0xc000003e};
	char line[256];

	snprintf(line, sizeof(line), "7     --- %s} ---\n", expected);
	assert_line(DELIVERED, bytes, line);
}

static void signals(void **state)
{
	(void)state;
	assert_signal(SIGINT, SI_USER, 0,
		      "SIGINT {si_signo=SIGINT, si_code=SI_USER, si_pid=11, si_uid=12, si_int=-7, "
		      "si_ptr=0x1fffffff9");
	assert_signal(34, SI_QUEUE, 0,
		      "SIGRT_2 {si_signo=SIGRT_2, si_code=SI_QUEUE, si_pid=11, si_uid=12, "
		      "si_int=-7, si_ptr=0x1fffffff9");
	assert_signal(SIGALRM, SI_KERNEL, 0, "SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL");
	assert_signal(SIGALRM, SI_TIMER, 0,
		      "SIGALRM {si_signo=SIGALRM, si_code=SI_TIMER, si_timerid=0x10, "
		      "si_overrun=18, si_int=-7, si_ptr=0x1fffffff9");
	assert_signal(SIGCHLD, CLD_EXITED, 0,
		      "SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=11, si_uid=12, "
		      "si_status=17, si_utime=14 /* 0.14 s */, si_stime=15 /* 0.15 s */");
	assert_signal(SIGCHLD, CLD_DUMPED, 0,
		      "SIGCHLD {si_signo=SIGCHLD, si_code=CLD_DUMPED, si_pid=11, si_uid=12, "
		      "si_status=SIGCHLD, si_utime=14 /* 0.14 s */, si_stime=15 /* 0.15 s */");
	assert_signal(SIGCHLD, SI_KERNEL, 0, "SIGCHLD {si_signo=SIGCHLD, si_code=SI_KERNEL");
	assert_signal(SIGSEGV, 77, 0, "SIGSEGV {si_signo=SIGSEGV, si_code=0x4d, si_addr=0x20");
	assert_signal(SIGBUS, SI_KERNEL, 0,
		      "SIGBUS {si_signo=SIGBUS, si_code=SI_KERNEL, si_addr=0x20");
	assert_signal(SIGIO, POLL_HUP, 0,
		      "SIGIO {si_signo=SIGIO, si_code=POLL_HUP, si_band=21, si_fd=22");
	assert_signal(SIGUSR1, SI_SIGIO, 0,
		      "SIGUSR1 {si_signo=SIGUSR1, si_code=SI_SIGIO, si_band=21, si_fd=22");
	assert_signal(SIGUSR1, 9, 0, "SIGUSR1 {si_signo=SIGUSR1, si_code=0x9");
	assert_signal(SIGSYS, 1, 38,
		      "SIGSYS {si_signo=SIGSYS, si_code=SYS_SECCOMP, si_errno=ENOSYS, "
		      "si_call_addr=0x23, si_syscall=39, si_arch=AUDIT_ARCH_X86_64");
	assert_signal(SIGSYS, 1, 7000,
		      "SIGSYS {si_signo=SIGSYS, si_code=SYS_SECCOMP, si_errno=7000, "
		      "si_call_addr=0x23, si_syscall=39, si_arch=AUDIT_ARCH_X86_64");
}

static void signals_from_the_kernel(void **state)
{
	(void)state;
	assert_line(BARE, (int64_t[N_VALUES]){SIGCHLD, 0, CLD_EXITED},
		    "7     --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED} ---\n");
	assert_line(BARE, (int64_t[N_VALUES]){SIGALRM, 0, SI_TIMER},
		    "7     --- SIGALRM {si_signo=SIGALRM, si_code=SI_TIMER} ---\n");
	assert_line(BARE, (int64_t[N_VALUES]){99, 0, SI_USER},
		    "7     --- 99 {si_signo=99, si_code=SI_USER} ---\n");
}

static void exits(void **state)
{
	(void)state;
	assert_line(EXITED, (int64_t[N_VALUES]){0}, "7     +++ exited with 0 +++\n");
	assert_line(EXITED, (int64_t[N_VALUES]){0xff00}, "7     +++ exited with 255 +++\n");
	assert_line(EXITED, (int64_t[N_VALUES]){9}, "7     +++ killed by SIGKILL +++\n");
	assert_line(EXITED, (int64_t[N_VALUES]){11 | 0x80},
		    "7     +++ killed by SIGSEGV (core dumped) +++\n");
	assert_line(EXITED, (int64_t[N_VALUES]){64}, "7     +++ killed by SIGRT_32 +++\n");
}

/* The signal with which the kernel ends other threads; strace does not see it. */
static void unprinted_signals(void **state)
{
	(void)state;
	assert_line(DELIVERED, (int64_t[N_VALUES]){SIGKILL}, "");
	assert_line(BARE, (int64_t[N_VALUES]){SIGKILL}, "");
}

static void other_events(void **state)
{
	(void)state;
	assert_line(UNKNOWN, (int64_t[N_VALUES]){3}, "7     sched_process_exit: pid=3\n");
	assert_line(OTHERS, (int64_t[N_VALUES]){9}, "7     signal_deliver: sig=9 errno=0 code=0\n");
	assert_line(TEXT, (int64_t[N_VALUES]){9}, "7     signal_deliver: sig={9} code=0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals),      cmocka_unit_test(signals_from_the_kernel),
		cmocka_unit_test(exits),        cmocka_unit_test(unprinted_signals),
		cmocka_unit_test(other_events),
	};

	return cmocka_run_group_tests(tests, open_parsed, free_parsed);
}
