// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/strace_signal_line.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "constants/constants.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/number.h"
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

/* Prints a member, by its label if a table of constants is given. */
static void put_value(struct kt_text *t, const struct kt_hit *hit, const char *name,
		      const char *table)
{
	const struct kt_member *found = find_member(hit, name);
	struct kt_member m = *found;

	if (table)
		m.labels = kt_constants_find(table);
	kt_number_show(t, &m, &hit->values[found - hit->event->fields.members], 0);
}

static void put_signal(struct kt_text *t, int signal)
{
	static const struct kt_member m = {.name = "", .width = sizeof(signal), .is_signed = true};
	struct kt_member named = m;

	named.labels = kt_constants_find("signal");
	kt_number_named(t, &named, &(struct kt_value){(const char *)&signal, 1}, 0);
}

/* Returns the table of codes for a signal that the kernel sent. */
static const char *get_code_table(int signal)
{
	switch (signal) {
	case SIGILL:
		return "signal_code_ill";
	case SIGTRAP:
		return "signal_code_trap";
	case SIGBUS:
		return "signal_code_bus";
	case SIGFPE:
		return "signal_code_fpe";
	case SIGSEGV:
		return "signal_code_segv";
	case SIGCHLD:
		return "signal_code_child";
	case SIGSYS:
		return "signal_code_sys";
	default:
		return "signal_code_poll";
	}
}

/* Prints a member that strace prints, if the trace has it. */
static void put_member(struct kt_text *t, const struct kt_hit *hit, const char *name,
		       const char *table)
{
	if (!find_member(hit, name))
		return;
	kt_text_string(t, ", ");
	kt_text_string(t, name);
	kt_text_char(t, '=');
	put_value(t, hit, name, table);
}

/* Prints both members of a union that the sender filled. */
static void put_sigval(struct kt_text *t, const struct kt_hit *hit)
{
	kt_text_string(t, ", si_int=");
	kt_text_signed(t, (int32_t)get_number(hit, "si_ptr"));
	put_member(t, hit, "si_ptr", NULL);
}

static void put_sender(struct kt_text *t, const struct kt_hit *hit)
{
	put_member(t, hit, "si_pid", NULL);
	put_member(t, hit, "si_uid", NULL);
}

static void put_child(struct kt_text *t, const struct kt_hit *hit)
{
	put_sender(t, hit);
	put_member(t, hit, "si_status", get_number(hit, "code") == CLD_EXITED ? NULL : "signal");
	put_member(t, hit, "si_utime", NULL);
	put_member(t, hit, "si_stime", NULL);
}

static void put_timer(struct kt_text *t, const struct kt_hit *hit)
{
	put_member(t, hit, "si_timerid", NULL);
	put_member(t, hit, "si_overrun", NULL);
	if (find_member(hit, "si_ptr"))
		put_sigval(t, hit);
}

static void put_file(struct kt_text *t, const struct kt_hit *hit)
{
	put_member(t, hit, "si_band", NULL);
	put_member(t, hit, "si_fd", NULL);
}

static void put_call(struct kt_text *t, const struct kt_hit *hit)
{
	put_member(t, hit, "si_call_addr", NULL);
	put_member(t, hit, "si_syscall", NULL);
	put_member(t, hit, "si_arch", "audit_arch");
}

/* Prints the cause of a signal that the kernel sent, by the signal; SI_KERNEL has none. */
static void put_cause(struct kt_text *t, const struct kt_hit *hit, int signal, int code)
{
	switch (signal) {
	case SIGILL:
	case SIGTRAP:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
		put_member(t, hit, "si_addr", NULL);
		break;
	case SIGCHLD:
		if (code != SI_KERNEL)
			put_child(t, hit);
		break;
	case SIGSYS:
		if (code != SI_KERNEL)
			put_call(t, hit);
		break;
	default:
		if (code <= POLL_HUP)
			put_file(t, hit);
	}
}

static void put_info(struct kt_text *t, const struct kt_hit *hit, int signal, int code)
{
	if (code == SI_TIMER) {
		put_timer(t, hit);
	} else if (code == SI_SIGIO) {
		put_file(t, hit);
	} else if (code > 0) {
		put_cause(t, hit, signal, code);
	} else {
		put_sender(t, hit);
		if (get_number(hit, "si_ptr"))
			put_sigval(t, hit);
	}
}

static void put_errno(struct kt_text *t, const struct kt_hit *hit)
{
	int64_t n = get_number(hit, "errno");
	const char *name = strerrorname_np(n);

	if (!n)
		return;
	kt_text_string(t, ", si_errno=");
	if (name)
		kt_text_string(t, name);
	else
		kt_text_signed(t, n);
}

static void print_signal(struct kt_text *t, const struct kt_hit *hit)
{
	int signal = get_number(hit, "sig"), code = get_number(hit, "code");
	bool by_kernel = code > 0 && code != SI_KERNEL;

	kt_text_string(t, "--- ");
	put_signal(t, signal);
	kt_text_string(t, " {si_signo=");
	put_value(t, hit, "sig", "signal");
	kt_text_string(t, ", si_code=");
	put_value(t, hit, "code", by_kernel ? get_code_table(signal) : "signal_code");
	put_errno(t, hit);
	put_info(t, hit, signal, code);
	kt_text_string(t, "} ---\n");
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
