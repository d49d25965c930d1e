// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/signals.h"
#include "app/control/attach_events.h"
#include "app/control/progress.h"
#include "app/control/release.h"
#include "base/clock.h"
#include "base/error.h"
#include "bpf/ring_layout.h"
#include "hook/program.h"
#include "ring/ring_size.h"
#include "session/session.h"
#include "session/signal_log.h"
#include "session/task_names.h"
#include "trace/trace_directory.h"

#define SECOND UINT64_C(1000000000)

/* SIGCHLD is waited for, too. */
static void block_signals(struct capture *c)
{
	take_signals(&c->signals);
	if (c->request->command)
		sigaddset(&c->signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &c->signals, NULL);
}

/* Returns how long to wait at most: up to the end of the duration. */
static struct timespec get_wait(const struct capture *c, long us)
{
	uint64_t ns = (uint64_t)us * 1000, now = c->until ? kt_clock_now() : 0;

	if (c->until && now + ns > c->until)
		ns = now < c->until ? c->until - now : 0;
	return (struct timespec){ns / SECOND, ns % SECOND};
}

/* While a command runs, only its end counts, or else that of the processes. */
bool capture_has_ended(struct capture *c, long us)
{
	struct timespec time = get_wait(c, us);
	siginfo_t info;

	if (!c->ended && sigtimedwait(&c->signals, &info, &time) > 0)
		c->ended = c->workload.pid ? workload_has_ended(&c->workload, &info)
					   : info.si_signo != SIGCHLD;
	if (!c->request->command && processes_have_all_ended(&c->request->processes))
		c->ended = true;
	if (c->until && kt_clock_now() >= c->until)
		c->ended = true;
	return c->ended;
}

/* Called between two events. */
static bool is_interrupted(void *c)
{
	return capture_has_ended(c, 0);
}

bool capture_is_of_command(const struct capture_request *w)
{
	return w->command && !w->all && !w->processes.n;
}

bool capture_is_of_all(const struct capture_request *w)
{
	return !capture_is_of_command(w) && !w->processes.n;
}

int capture_request_end(struct capture_request *w, char **argv)
{
	if (*argv)
		w->command = argv;
	if (w->all && w->processes.n)
		return report_misuse(w->by, "-a and -p exclude each other");
	add_default_events(w->event_options, &w->bytes_max);
	return EXIT_OK;
}

void capture_request_free(struct capture_request *w)
{
	processes_free(&w->processes);
	free(w->cpus);
	free(w->event_options);
}

/* Loops of one call write up to 200 MB/s; the rest of the time allows for being late. */
long capture_interval(const struct capture *c)
{
	enum { MB_PER_SECOND = 200, PART = 4, LEAST = 1000, MOST = 100000 };
	struct kt_geometry g = kt_session_geometry(c->session);
	long us = kt_subbuf_size(g) * g.n_subbufs / MB_PER_SECOND / PART;

	return us < LEAST ? LEAST : us > MOST ? MOST : us;
}

/* Started last: what it did before everything is ready would not be recorded. */
int capture_begin(struct capture *c)
{
	struct kt_error err;

	if (c->request->duration)
		c->until = kt_clock_now() + c->request->duration;
	if (!c->request->command)
		return EXIT_OK;
	if (!capture_has_ended(c, 0))
		return workload_begin(&c->workload, c->request->by,
				      capture_is_of_command(c->request) ? c->session : NULL);
	kt_fail(&err, EINTR, "interrupted before '%s' was started", *c->request->command);
	return report_error(c->request->by, &err);
}

int capture_end(struct capture *c)
{
	c->ended = false;
	c->until = 0;
	if (c->workload.pid)
		release_probes(c->session, c->request->by);
	while (c->workload.pid)
		capture_has_ended(c, 1000000);
	return c->workload.status;
}

/* Restricts the session to some processes and their children, if wanted. */
static int follow_processes(struct capture *c, const struct event_selection *choice)
{
	const struct processes *p = &c->request->processes;
	struct kt_error err;

	kt_session_probe_in(c->session, p->pids, p->n);
	if (capture_is_of_all(c->request) ||
	    kt_session_follow(c->session, choice->tracefs, choice->btf, &err) == 0)
		return EXIT_OK;
	return report_error(c->request->by, &err);
}

/* Whatever ktrace does to record the whole machine is not what the machine does. */
static int exclude_self(struct capture *c)
{
	struct kt_error err;

	if (!capture_is_of_all(c->request) || c->request->self ||
	    kt_session_exclude_self(c->session, &err) == 0)
		return EXIT_OK;
	return report_error(c->request->by, &err);
}

static int catch_nested(struct capture *c)
{
	struct kt_error err;

	if (!c->request->nested || kt_session_catch_nested(c->session, &err) == 0)
		return EXIT_OK;
	return report_error(c->request->by, &err);
}

static int take_stacks(struct capture *c, const struct event_selection *choice)
{
	struct kt_error err;

	if (add_stacks(c->session, choice, false, &err) == 0)
		return EXIT_OK;
	return report_error(c->request->by, &err);
}

/* Counting untraced calls would include other CPUs than the chosen ones. */
static int count_untraced(struct capture *c, const struct event_selection *choice)
{
	struct kt_error err;

	if (c->request->cpus ||
	    kt_session_count_untraced(c->session, event_selection_has_all_calls(choice), &err) == 0)
		return EXIT_OK;
	return report_error(c->request->by, &err);
}

/*
 * Follows the processes and finds the names of tasks: children forked from here on have names. A
 * command is started later.
 */
static int find_tasks(struct capture *c, const struct event_selection *choice)
{
	struct processes *p = &c->request->processes;
	struct kt_error err;
	int ret;

	/* Without BTF there are no names, which is no reason not to record. */
	if (c->request->named && kt_session_log_task_names(c->session, choice->btf, &err) < 0)
		report_error(c->request->by, &err);
	ret = processes_follow(p, c->session, &err);
	if (ret == 0 && kt_session_task_names(c->session))
		ret = kt_session_sees_all(c->session)
			      ? kt_task_names_find(kt_session_task_names(c->session), 0, &err)
			      : processes_name(p, c->session, &err);
	return ret < 0 ? report_error(c->request->by, &err) : EXIT_OK;
}

/* All programs are printed by now. */
static int get_dump_status(const struct capture *c)
{
	return c->skipped ? EXIT_FAILED : EXIT_OK;
}

static int capture_selected(struct capture *c, const struct event_selection *choice,
			    int use(struct capture *c, void *arg), void *arg)
{
	size_t n = event_selection_count(choice);
	struct kt_error err;
	int status;

	/* Checked first, as it is the most frequent error. */
	if (c->request->dir && !c->request->dump &&
	    kt_trace_directory_check(c->request->dir, &err) < 0)
		return report_error(c->request->by, &err);
	if (n == 0) {
		kt_fail(&err, ENOENT, "no event to record");
		return report_error(c->request->by, &err);
	}
	c->session = kt_session_new(kt_geometry_of(c->request->ring), n, c->request->cpus, &err);
	if (!c->session)
		return report_error(c->request->by, &err);
	if (kt_session_add_dispatch(c->session, choice->tracefs, choice->btf, c->request->bytes_max,
				    &err) < 0)
		status = report_error(c->request->by, &err);
	else
		status = follow_processes(c, choice);
	if (status == EXIT_OK)
		status = exclude_self(c);
	if (status == EXIT_OK)
		status = count_untraced(c, choice);
	if (status == EXIT_OK)
		status = catch_nested(c);
	if (status == EXIT_OK)
		status = take_stacks(c, choice);
	if (status == EXIT_OK)
		status = attach_events(c->session, choice, c->request->by, is_interrupted, c,
				       &c->skipped);
	if (status == EXIT_OK)
		status = find_tasks(c, choice);
	if (status == EXIT_OK && c->request->command && !c->request->dump)
		c->workload.signal_log = kt_signal_log_new(choice->btf, &err);
	if (status == EXIT_OK)
		status = c->request->dump ? get_dump_status(c) : use(c, arg);
	kt_signal_log_free(c->workload.signal_log);
	release_probes(c->session, c->request->by);
	kt_session_free(c->session);
	return status;
}

int capture(struct capture_request *w, int use(struct capture *c, void *arg), void *arg)
{
	struct capture c = {.request = w};
	struct event_selection choice;
	int status;

	if (!w->ring)
		w->ring = kt_ring_size_default();
	if (w->dump)
		kt_program_show(stdout);
	if (w->command && !w->dump) {
		status = workload_find(&c.workload, w->by, w->command);
		if (status != EXIT_OK)
			return status;
	}
	if (!w->dump)
		block_signals(&c);
	status = event_selection_make(&choice, w->by, w->event_options);
	if (status == EXIT_OK && w->paths)
		status = event_selection_add_paths(&choice, w->by);
	if (status == EXIT_OK)
		status = capture_selected(&c, &choice, use, arg);
	event_selection_end(&choice);
	workload_free(&c.workload);
	kt_program_show(NULL);
	return status;
}
