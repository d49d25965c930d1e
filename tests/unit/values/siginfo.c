// SPDX-License-Identifier: GPL-2.0-or-later
/* Causes of signals, without reading beyond their bytes. */
#include <signal.h>

#include "tests/unit/edge.h"
#include "values/siginfo.h"

static siginfo_t make(int signal, int code)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = signal;
	info.si_code = code;
	return info;
}

static void assert_shown(const siginfo_t *info, size_t n, const char *text, const char *json)
{
	assert_string_equal(written_by(kt_siginfo_put, info, n), text);
	assert_string_equal(made_by(kt_siginfo_object, info, n), json);
}

static void causes(void **state)
{
	siginfo_t info = make(SIGCHLD, CLD_EXITED);

	(void)state;
	info.si_pid = 7;
	info.si_uid = -1;
	info.si_status = 3;
	info.si_utime = 12;
	assert_shown(&info, KT_SIGINFO_SIZE,
		     "{si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=7, si_uid=-1, si_status=3, "
		     "si_utime=12 /* 0.12 s */, si_stime=0}",
		     "{\"si_signo\":\"SIGCHLD\",\"si_code\":\"CLD_EXITED\",\"si_pid\":7,"
		     "\"si_uid\":\"-1\",\"si_status\":3,\"si_utime\":12,\"si_stime\":0}");
	info = make(SIGSEGV, SEGV_MAPERR);
	assert_shown(&info, KT_SIGINFO_SIZE,
		     "{si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=NULL}",
		     "{\"si_signo\":\"SIGSEGV\",\"si_code\":\"SEGV_MAPERR\",\"si_addr\":0}");
	info = make(SIGUSR1, SI_QUEUE);
	info.si_errno = 5;
	info.si_ptr = (void *)0x1fffffff9;
	assert_shown(&info, KT_SIGINFO_SIZE,
		     "{si_signo=SIGUSR1, si_code=SI_QUEUE, si_errno=EIO, si_pid=0, si_uid=0, "
		     "si_int=-7, si_ptr=0x1fffffff9}",
		     "{\"si_signo\":\"SIGUSR1\",\"si_code\":\"SI_QUEUE\",\"si_errno\":5,"
		     "\"si_pid\":0,\"si_uid\":0,\"si_int\":-7,\"si_ptr\":8589934585}");
	info.si_errno = 7000;
	assert_shown(&info, KT_SIGINFO_HEAD_SIZE,
		     "{si_signo=SIGUSR1, si_code=SI_QUEUE, si_errno=7000}",
		     "{\"si_signo\":\"SIGUSR1\",\"si_code\":\"SI_QUEUE\",\"si_errno\":7000}");
	assert_shown(&info, KT_SIGINFO_HEAD_SIZE - 1, "{}", "{}");
	info = make(0, 0);
	assert_shown(&info, KT_SIGINFO_SIZE, "{}", "{}");
}

static void members(void **state)
{
	(void)state;
	assert_true(kt_siginfo_has(SIGCHLD, CLD_EXITED, "si_status"));
	assert_false(kt_siginfo_has(SIGCHLD, SI_KERNEL, "si_status"));
	assert_true(kt_siginfo_has(SIGUSR1, SI_USER, "si_ptr"));
	assert_true(kt_siginfo_has(SIGALRM, SI_TIMER, "si_timerid"));
	assert_false(kt_siginfo_has(SIGALRM, SI_TIMER, "si_pid"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes),
		cmocka_unit_test(members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
