// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/strace_signal_line.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "constants/constants.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/number.h"
#include "values/siginfo.h"
#include "values/text.h"

static const struct kt_member *find_member(const struct kt_hit *hit, const char *name)
{
	return kt_record_layout_find_number(&hit->event->fields, name);
}

static int64_t get_number(const struct kt_hit *hit, const char *name)
{
	const struct kt_member *m = find_member(hit, name);

	return m ? (int64_t)kt_value_number(m, &hit->values[m - hit->event->fields.members], 0) : 0;
}

static bool is_event(const struct kt_hit *hit, const char *system, const char *name)
{
	const struct kt_event_class *e = hit->event;

	return e && e->system && strcmp(e->name, name) == 0 && strcmp(e->system, system) == 0;
}

bool kt_strace_signal_line_may_be(const struct kt_event_class *event)
{
	const struct kt_hit hit = {.event = event};

	return is_event(&hit, "signal", "signal_deliver") ||
	       is_event(&hit, "sched", "sched_process_exit");
}

enum kt_strace_signal_line kt_strace_signal_line_of(const struct kt_hit *hit)
{
	if (is_event(hit, "signal", "signal_deliver") && find_member(hit, "sig") &&
	    find_member(hit, "code"))
		return get_number(hit, "sig") == SIGKILL ? KT_SIGNAL_LINE_SILENT
							 : KT_SIGNAL_LINE_SIGNAL;
	if (is_event(hit, "sched", "sched_process_exit") && find_member(hit, "exit_code"))
		return KT_SIGNAL_LINE_EXIT;
	return KT_SIGNAL_LINE_NONE;
}

static void put_signal(struct kt_text *t, int signal)
{
	static const struct kt_member m = {.name = "", .width = sizeof(signal), .is_signed = true};
	struct kt_member named = m;

	named.labels = kt_constants_find("signal");
	kt_number_named(t, &named, &(struct kt_value){(const char *)&signal, 1}, 0);
}

/* Where the members of a siginfo that an event may have are in its bytes. */
static const struct place {
	const char *name;
	unsigned int at, size;
} places[] = {
	{"si_pid", KT_SIGINFO_PID, 4},         {"si_uid", KT_SIGINFO_UID, 4},
	{"si_status", KT_SIGINFO_STATUS, 4},   {"si_utime", KT_SIGINFO_UTIME, 8},
	{"si_stime", KT_SIGINFO_STIME, 8},     {"si_timerid", KT_SIGINFO_TIMERID, 4},
	{"si_overrun", KT_SIGINFO_OVERRUN, 4}, {"si_ptr", KT_SIGINFO_VALUE, 8},
	{"si_addr", KT_SIGINFO_ADDR, 8},       {"si_band", KT_SIGINFO_BAND, 8},
	{"si_fd", KT_SIGINFO_FD, 4},           {"si_call_addr", KT_SIGINFO_CALL_ADDR, 8},
	{"si_syscall", KT_SIGINFO_SYSCALL, 4}, {"si_arch", KT_SIGINFO_ARCH, 4},
};

static void store(char *info, unsigned int at, unsigned int size, uint64_t n)
{
	memcpy(info + at, &n, size);
}

/*
 * Makes the siginfo's bytes, of which some members share. Returns their number: events may lack the
 * cause.
 */
static size_t make_info(const struct kt_hit *hit, char info[KT_SIGINFO_SIZE])
{
	const struct place *p, *end = places + sizeof(places) / sizeof(*places);
	int signal = get_number(hit, "sig"), code = get_number(hit, "code");

	memset(info, 0, KT_SIGINFO_SIZE);
	store(info, KT_SIGINFO_SIGNO, 4, signal);
	store(info, KT_SIGINFO_ERRNO, 4, get_number(hit, "errno"));
	store(info, KT_SIGINFO_CODE, 4, code);
	for (p = places; p < end; p++) {
		if (!find_member(hit, p->name))
			return KT_SIGINFO_HEAD_SIZE;
		if (kt_siginfo_has(signal, code, p->name))
			store(info, p->at, p->size, get_number(hit, p->name));
	}
	return KT_SIGINFO_SIZE;
}

static void print_signal(struct kt_text *t, const struct kt_hit *hit)
{
	char info[KT_SIGINFO_SIZE];
	struct kt_value v = {info, make_info(hit, info)};

	kt_text_string(t, "--- ");
	put_signal(t, get_number(hit, "sig"));
	kt_text_char(t, ' ');
	kt_siginfo_put(t, &v);
	kt_text_string(t, " ---\n");
}

static void print_exit(struct kt_text *t, const struct kt_hit *hit)
{
	int status = get_number(hit, "exit_code");

	if (WIFSIGNALED(status)) {
		kt_text_string(t, "+++ killed by ");
		put_signal(t, WTERMSIG(status));
		if (WCOREDUMP(status))
			kt_text_string(t, " (core dumped)");
	} else {
		kt_text_string(t, "+++ exited with ");
		kt_text_signed(t, WEXITSTATUS(status));
	}
	kt_text_string(t, " +++\n");
}

void kt_strace_signal_line_print(struct kt_text *to, const struct kt_hit *hit)
{
	if (kt_strace_signal_line_of(hit) == KT_SIGNAL_LINE_SIGNAL)
		print_signal(to, hit);
	else
		print_exit(to, hit);
}
