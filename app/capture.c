// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/attach.h"
#include "app/command.h"
#include "app/progress.h"
#include "app/signals.h"
#include "app/trace.h"
#include "app/workload.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/layout.h"
#include "hook/program.h"
#include "ring/rings.h"
#include "session/session.h"
#include "session/tasks.h"
#include "trace/balance.h"
#include "trace/directory.h"
#include "trace/recording.h"
#include "trace/sheet.h"

enum { SECOND = 1000000000 }; /* ns */

struct record {
	struct wanted *wanted;
	sigset_t signals; /* that end it */
	bool ended;
	struct workload workload; /* of the command */
	size_t skipped;
	struct kt_session *session;
	struct kt_recording *recording;
	struct kt_balance *balance; /* once it has ended */
};

/* The end of a command, too, is waited for. */
static void take_all_signals(struct record *r)
{
	take_signals(&r->signals);
	if (r->wanted->command)
		sigaddset(&r->signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &r->signals, NULL);
}

/*
 * Whether it has been ended, waiting for that so long. Once a command runs, only its end does; the
 * end of the processes that are recorded does where there is none.
 */
static bool wait_for_end(struct record *r, long us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};
	siginfo_t info;

	if (!r->ended && sigtimedwait(&r->signals, &info, &time) > 0)
		r->ended = r->workload.pid ? workload_ended(&r->workload, &info)
					   : info.si_signo != SIGCHLD;
	if (!r->wanted->command && processes_have_ended(&r->wanted->processes))
		r->ended = true;
	return r->ended;
}

/* Asked between two events. */
static bool is_interrupted(void *r)
{
	return wait_for_end(r, 0);
}

/* Whether the command is what is recorded, and not just as long as that. */
static bool records_command(const struct wanted *w)
{
	return w->command && !w->all && !w->processes.n;
}

static bool records_all(const struct wanted *w)
{
	return !records_command(w) && !w->processes.n;
}

/* on CPU 3; on 2 CPUs */
static void say_cpus(const struct record *r)
{
	const struct kt_rings *rings = kt_session_rings(r->session);
	size_t cpu, last = 0, n = 0;

	for (cpu = 0; cpu < kt_rings_cpus(rings); cpu++) {
		if (!kt_rings_at(rings, cpu))
			continue;
		last = cpu;
		n++;
	}
	if (n == 1)
		fprintf(stderr, " on CPU %zu", last);
	else
		fprintf(stderr, " on %zu CPUs", n);
}

static void say_begin(const struct record *r)
{
	size_t n = kt_session_count(r->session), pids = r->wanted->processes.n;

	fprintf(stderr, "ktrace record: recording %zu event%s", n, n == 1 ? "" : "s");
	if (records_command(r->wanted))
		fprintf(stderr, " of '%s' and its children", *r->wanted->command);
	else if (pids == 1)
		fprintf(stderr, " of process %d and its children", r->wanted->processes.pids[0]);
	else if (pids)
		fprintf(stderr, " of %zu processes and their children", pids);
	else if (!r->wanted->cpus)
		fputs(" on the whole machine", stderr);
	if (r->wanted->cpus)
		say_cpus(r);
	if (r->wanted->command && !records_command(r->wanted))
		fprintf(stderr, " while '%s' runs", *r->wanted->command);
	if (r->skipped)
		fprintf(stderr, ", %zu skipped", r->skipped);
	fputs(r->wanted->command ? "\n" : "; Ctrl-C ends it\n", stderr);
}

static bool filters(const struct wanted *w)
{
	const struct pick *pick = w->picks;

	while (pick->patterns && !pick->filter)
		pick++;
	return pick->patterns;
}

/* Which hits were not to be recorded: NULL where all were. */
static const char *left_out(const struct record *r)
{
	static char which[64];

	snprintf(which, sizeof(which), "%s%s%s", records_all(r->wanted) ? "" : ", other processes",
		 r->wanted->cpus ? ", other CPUs" : "", filters(r->wanted) ? ", -f" : "");
	return which[0] ? which + strlen(", ") : NULL;
}

/* How long a ring lasts when 200 MB/s fill it: so long we sleep (doc/trace.md). */
static long ring_lasts_us(const struct record *r)
{
	struct kt_geometry g = kt_session_geometry(r->session);
	long us = kt_subbuf_size(g) * g.n_subbufs / 200;

	return us < 1000 ? 1000 : us > 100000 ? 100000 : us;
}

/* That something cannot be copied is told at the end. */
static void copy_until_end(struct record *r)
{
	struct kt_error err;
	bool terminal = !r->wanted->command && isatty(STDERR_FILENO);
	uint64_t said = kt_clock_now();
	int n = 0;

	while (!wait_for_end(r, n ? 0 : ring_lasts_us(r))) {
		n = kt_recording_copy(r->recording, &err);
		if (n < 0)
			break;
		if (!terminal || kt_clock_now() - said < SECOND)
			continue;
		said = kt_clock_now();
		say_progress(r->session, r->recording);
	}
	if (terminal)
		fputs("\r\033[K", stderr);
}

/* At the last moment: what a command does while we get ready would not be recorded. */
static int begin_workload(struct record *r)
{
	struct kt_error err;

	if (!wait_for_end(r, 0))
		return workload_begin(&r->workload, record_command.name,
				      records_command(r->wanted) ? r->session : NULL);
	kt_fail(&err, EINTR, "ended before '%s' was begun", *r->wanted->command);
	return say_error(record_command.name, &err);
}

/* What it has come to, which is part of the trace. */
static int balance(struct record *r, int dir)
{
	struct kt_error err;
	int ret;

	r->balance = kt_balance_of(r->recording, kt_session_missed_all(r->session), &err);
	ret = r->balance
		      ? kt_sheet_write(r->balance, kt_recording_metadata(r->recording), dir, &err)
		      : -err.code;
	if (ret == 0)
		return EXIT_OK;
	kt_fail_because(&err, "cannot write to %s", r->wanted->dir);
	return say_error(record_command.name, &err);
}

/* Says what it waits for where that is long: the kernel takes its time for each probe. */
static void detach(struct kt_session *s)
{
	uint64_t began = kt_clock_now(), said = began, now, rest;
	bool terminal = isatty(STDERR_FILENO);
	size_t left, done;

	for (done = 1; (left = kt_session_detach_one(s)) > 0; done++) {
		now = kt_clock_now();
		rest = (now - began) / done * left;
		if (now - said < SECOND || (!terminal && (said > began || rest < SECOND)))
			continue;
		said = now;
		say_detaching(left, rest, terminal);
	}
	if (terminal && said > began)
		fputs("\r\033[K", stderr);
}

/* From the first packet to the last. */
static int copy(struct record *r, int dir)
{
	struct kt_error err;
	int status = EXIT_OK;

	say_begin(r);
	if (r->wanted->command)
		status = begin_workload(r);
	if (status == EXIT_OK)
		copy_until_end(r);
	kt_session_stop(r->session);
	kt_recording_stop(r->recording, kt_session_ended(r->session));
	if (kt_recording_end(r->recording, &err) < 0) {
		kt_fail_because(&err, "cannot write to %s", r->wanted->dir);
		status = say_error(record_command.name, &err);
		if (r->workload.pid)
			fprintf(stderr, "ktrace record: nothing more is recorded; '%s' goes on\n",
				*r->wanted->command);
	}
	if (balance(r, dir) != EXIT_OK)
		status = EXIT_FAILED;
	name_addresses(record_command.name, r->recording, dir);
	/* A command does not end because we cannot go on, and is to pay for no probes then. */
	if (r->workload.pid)
		detach(r->session);
	while (r->workload.pid)
		wait_for_end(r, 1000000);
	if (r->balance)
		say_outcome(record_command.name, r->recording, r->balance,
			    kt_session_ended(r->session) - kt_session_began(r->session),
			    r->wanted->dir, left_out(r));
	return status;
}

/* Of what went well: the command's own one first. */
static int status_of(const struct record *r)
{
	if (r->workload.status)
		return r->workload.status;
	return r->wanted->strict && !kt_balance_is_complete(r->balance) ? EXIT_LOST : EXIT_OK;
}

/* All its files. */
static int make_trace(struct record *r, int dir, struct kt_error *err)
{
	struct kt_origin origin = kt_session_origin(r->session);

	r->recording = kt_recording_new(&origin, ktrace_version, dir, err);
	if (!r->recording)
		return -err->code;
	return kt_sheet_make(dir, kt_recording_rows(r->recording), err);
}

static int record_session(struct record *r)
{
	int status, dir;
	bool is_new;
	struct kt_error err;

	dir = kt_directory_make(r->wanted->dir, &is_new, &err);
	if (dir < 0)
		return say_error(record_command.name, &err);
	kt_session_start(r->session);
	if (make_trace(r, dir, &err) == 0) {
		status = copy(r, dir);
		if (status == EXIT_OK)
			status = status_of(r);
	} else {
		kt_directory_remove(r->wanted->dir, dir, is_new);
		kt_fail_because(&err, "cannot write to %s", r->wanted->dir);
		status = say_error(record_command.name, &err);
	}
	kt_balance_free(r->balance);
	kt_recording_free(r->recording);
	close(dir);
	return status;
}

/* Whether the session is to look at some processes alone, and all that they fork. */
static int follow(struct record *r, const struct choice *c)
{
	struct kt_error err;

	if (records_all(r->wanted) || kt_session_follow(r->session, c->tracefs, c->btf, &err) == 0)
		return EXIT_OK;
	return say_error(record_command.name, &err);
}

/*
 * Whom it looks at, and how they are called: from the moment on in which it does, what they fork
 * has names. A command is still to come.
 */
static int find_tasks(struct record *r, const struct choice *c)
{
	struct processes *p = &r->wanted->processes;
	struct kt_error err;
	int ret;

	/* Where the kernel does not tell its types they are not: no reason not to record. */
	if (kt_session_name_tasks(r->session, c->btf, &err) < 0)
		say_error(record_command.name, &err);
	ret = processes_follow(p, r->session, &err);
	if (ret == 0 && kt_session_tasks(r->session))
		ret = kt_session_sees_all(r->session)
			      ? kt_tasks_find(kt_session_tasks(r->session), 0, &err)
			      : processes_name(p, r->session, &err);
	return ret < 0 ? say_error(record_command.name, &err) : EXIT_OK;
}

/* By now all programs have been written. */
static int dump_status(const struct record *r)
{
	return r->skipped ? EXIT_FAILED : EXIT_OK;
}

static int record_chosen(struct record *r, const struct choice *c)
{
	size_t n = count_choice(c);
	struct kt_error err;
	int status;

	/* Before anything is attached, as this is what goes wrong most. */
	if (!r->wanted->dump && kt_directory_check(r->wanted->dir, &err) < 0)
		return say_error(record_command.name, &err);
	if (n == 0) {
		kt_fail(&err, ENOENT, "nothing is left to record");
		return say_error(record_command.name, &err);
	}
	r->session = kt_session_new(kt_geometry_of(r->wanted->ring), n, r->wanted->cpus, &err);
	if (!r->session)
		return say_error(record_command.name, &err);
	if (kt_session_dispatch_calls(r->session, c->tracefs, c->btf, r->wanted->bytes_max, &err) <
	    0)
		status = say_error(record_command.name, &err);
	else
		status = follow(r, c);
	if (status == EXIT_OK)
		status = attach(r->session, c, record_command.name, is_interrupted, r, &r->skipped);
	if (status == EXIT_OK)
		status = find_tasks(r, c);
	if (status == EXIT_OK)
		status = r->wanted->dump ? dump_status(r) : record_session(r);
	detach(r->session);
	kt_session_free(r->session);
	return status;
}

int capture(struct wanted *w)
{
	struct record r = {.wanted = w};
	struct choice c;
	int status;

	if (w->dump)
		kt_program_show(stdout);
	if (w->command && !w->dump) {
		status = workload_find(&r.workload, record_command.name, w->command);
		if (status != EXIT_OK)
			return status;
	}
	if (!w->dump)
		take_all_signals(&r);
	raise_files();
	status = choose(&c, record_command.name, w->picks);
	if (status == EXIT_OK)
		status = record_chosen(&r, &c);
	end_choice(&c);
	workload_free(&r.workload);
	kt_program_show(NULL);
	return status;
}
