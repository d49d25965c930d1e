// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace start: start a flight recorder, which continues when this process ends (doc/flight.md). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "app/cli/signals.h"
#include "app/control/attach_events.h"
#include "base/error.h"
#include "base/size.h"
#include "events/event.h"
#include "ring/rings.h"
#include "session/flight/flight.h"
#include "session/session.h"
#include "values/text.h"
#include "view/flight_status.h"

#define NAME "start"

struct start_flight {
	const char *name;
	char *command; /* command line */
	struct event_option *event_options;
	uint64_t ring;
	uint64_t after; /* ns from a trigger's hit to the freezing */
	bool no_spare;
	uint64_t bytes_max; /* of pointed-to data of system calls */
	bool paths;         /* record the paths of their descriptors */
	sigset_t signals;   /* end it before recording has started */
	size_t skipped;
};

static bool needs_quotes(const char *arg)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_=+,./:@%";

	return !*arg || arg[strspn(arg, plain)];
}

static void put_quoted(FILE *to, const char *arg)
{
	fputc('\'', to);
	for (; *arg; arg++) {
		if (*arg == '\'')
			fputs("'\\''", to);
		else
			fputc(*arg, to);
	}
	fputc('\'', to);
}

/*
 * Returns the command line as a shell would take it, to be freed by the caller; NULL without
 * memory.
 */
static char *command_line(char **argv)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		return NULL;
	fputs("ktrace", to);
	for (; *argv; argv++) {
		fputc(' ', to);
		if (needs_quotes(*argv))
			put_quoted(to, *argv);
		else
			fputs(*argv, to);
	}
	if (fclose(to) == 0)
		return line;
	free(line);
	return NULL;
}

/* Called between two events. */
static bool is_interrupted(void *arg)
{
	const struct start_flight *s = arg;

	return is_ended(&s->signals);
}

static void print_freezing(uint64_t after)
{
	static struct kt_text reported;

	reported.to = stderr;
	kt_text_string(&reported, "  it ");
	kt_flight_status_put_trigger(&reported, after);
	kt_text_char(&reported, '\n');
	kt_text_flush(&reported);
}

/* Prints "6 of them rare, in 1M more per CPU". */
static void print_rare(const struct kt_session *session)
{
	struct kt_geometry g = kt_rings_geometry(kt_session_rings(session), KT_RARE);
	const struct kt_event *const *events = kt_session_events(session);
	size_t i, n = 0;
	char size[32];

	for (i = 0; i < kt_session_count(session); i++)
		n += events[i]->channel == KT_RARE;
	kt_size_format((uint64_t)kt_subbuf_size(g) * g.n_subbufs, size, sizeof(size));
	if (n)
		fprintf(stderr, "  %zu of them rare, in %s more per CPU\n", n, size);
}

static void print_started(const struct start_flight *s, const struct kt_session *session)
{
	size_t cpu, n = kt_session_count(session), cpus = 0;
	const struct kt_rings *rings = kt_session_rings(session);
	struct kt_geometry g = kt_session_geometry(session);
	char size[32];

	for (cpu = 0; cpu < kt_rings_cpus(rings); cpu++)
		cpus += kt_rings_at(rings, cpu) != NULL;
	kt_size_format((uint64_t)kt_subbuf_size(g) * g.n_subbufs, size, sizeof(size));
	fprintf(stderr, "ktrace " NAME ": '%s' records %zu event%s on the whole machine", s->name,
		n, n == 1 ? "" : "s");
	if (s->skipped)
		fprintf(stderr, ", %zu skipped", s->skipped);
	fprintf(stderr, "; it keeps the newest %s of each of %zu CPU%s\n", size, cpus,
		cpus == 1 ? "" : "s");
	print_rare(session);
	if (has_trigger(s->event_options))
		print_freezing(s->after);
}

static int pin_session(struct start_flight *s, struct kt_flight *flight, struct kt_session *session)
{
	struct kt_error err;

	if (is_ended(&s->signals))
		kt_fail(&err, EINTR, "interrupted before '%s' was started", s->name);
	else if (kt_flight_start(flight, session, ktrace_version, s->command, &err) == 0) {
		print_started(s, session);
		return EXIT_OK;
	}
	return report_error(NAME, &err);
}

/* Returns NULL on error. */
static struct kt_session *new_session(const struct start_flight *s, const struct event_selection *c,
				      struct kt_error *err)
{
	struct kt_session *session = NULL;
	size_t n_events = event_selection_count(c);

	if (n_events == 0)
		kt_fail(err, ENOENT, "no event to record");
	else
		session = kt_session_new(kt_geometry_of(s->ring), n_events, NULL, err);
	if (!session)
		return NULL;
	if (has_trigger(s->event_options))
		kt_session_set_freezing(session, s->after);
	if (kt_session_set_overwrite(session, err) == 0 &&
	    kt_session_add_dispatch(session, c->tracefs, c->btf, s->bytes_max, err) == 0 &&
	    add_stacks(session, c, true, err) == 0 &&
	    (!c->has_rare || kt_session_add_rare_rings(session, err) == 0) &&
	    (s->no_spare || kt_session_add_second_set(session, err) == 0))
		return session;
	kt_session_free(session);
	return NULL;
}

/* Fails if no trigger could be attached. */
static int check_freezing(const struct start_flight *s, const struct kt_session *session)
{
	const struct kt_event *const *events = kt_session_events(session);
	struct kt_error err;
	size_t i;

	for (i = 0; i < kt_session_count(session); i++)
		if (events[i]->is_trigger)
			return EXIT_OK;
	if (!has_trigger(s->event_options))
		return EXIT_OK;
	kt_fail(&err, ENOENT, "no trigger left to freeze '%s'", s->name);
	return report_error(NAME, &err);
}

static int start_session(struct start_flight *s, struct kt_flight *flight,
			 const struct event_selection *c)
{
	struct kt_error err;
	struct kt_session *session = new_session(s, c, &err);
	int status;

	if (!session)
		return report_error(NAME, &err);
	status = attach_events(session, c, NAME, is_interrupted, s, &s->skipped);
	if (status == EXIT_OK)
		status = check_freezing(s, session);
	/* Without BTF tasks have no names, which is no reason not to record. */
	if (status == EXIT_OK && kt_session_log_task_names(session, c->btf, &err) < 0)
		report_error(NAME, &err);
	if (status == EXIT_OK)
		status = pin_session(s, flight, session);
	kt_session_free(session);
	return status;
}

static int start_flight(struct start_flight *s)
{
	struct kt_flight *flight = NULL;
	struct kt_error err;
	struct event_selection c;
	int status = event_selection_make(&c, NAME, s->event_options);

	if (status == EXIT_OK && s->paths)
		status = event_selection_add_paths(&c, NAME);
	take_signals(&s->signals);
	if (status == EXIT_OK) {
		event_selection_fit_triggers(&c, NAME);
		event_selection_set_rare(&c);
		flight = kt_flight_new(s->name, &err);
		status = flight ? start_session(s, flight, &c) : report_error(NAME, &err);
		if (!flight && err.code == EEXIST)
			fprintf(stderr, "  stop it with 'ktrace stop %s', or choose another name\n",
				s->name);
	}
	kt_flight_free(flight);
	event_selection_end(&c);
	return status;
}

static int parse(struct start_flight *s, int argc, char **argv)
{
	struct kt_error err;
	int status = parse_command_line(&start_command, s, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (argv[optind])
		s->name = argv[optind];
	if (kt_flight_check_name(s->name, &err) < 0)
		return report_error(NAME, &err);
	add_default_events(s->event_options, &s->bytes_max);
	return EXIT_OK;
}

static int run_start(int argc, char **argv)
{
	struct start_flight s = {
		.name = FLIGHT_NAME, .ring = FLIGHT_RING_SIZE, .bytes_max = BYTES_UNSET};
	int status = EXIT_FAILED;

	s.command = command_line(argv);
	s.event_options = new_event_options(NAME, argc);
	if (!s.command)
		report_no_memory(NAME);
	else if (s.event_options)
		status = parse(&s, argc, argv);
	if (status == EXIT_OK)
		status = start_flight(&s);
	free(s.event_options);
	free(s.command);
	return status;
}

static const struct command_option options[] = {
	OPTION_EVENT(struct start_flight, event_options),
	OPTION_FILTER(struct start_flight, event_options),
	OPTION_STACK(struct start_flight, event_options),
	{.name = "keep",
	 .help = "record the preceding -e into rare-event buffers, a quarter of the size",
	 .set = set_rare,
	 .offset = offsetof(struct start_flight, event_options),
	 .repeats = true},
	{.name = "freeze-on",
	 .arg = "TRIGGER",
	 .help = "record 'EVENT if FILTER', and freeze the buffers at its first hit until a "
		 "snapshot",
	 .set = set_trigger,
	 .offset = offsetof(struct start_flight, event_options),
	 .repeats = true},
	{.name = "after",
	 .arg = "TIME",
	 .help = "freeze this much later: 200ms, 10s",
	 .initial = "0",
	 .set = set_time,
	 .offset = offsetof(struct start_flight, after),
	 .needs = "freeze-on"},
	OPTION_FLIGHT_BUFFER_SIZE(struct start_flight, ring),
	OPTION_STRING_LIMIT(struct start_flight, bytes_max, "32"),
	OPTION_DECODE_FDS(struct start_flight, paths),
	{.name = "no-spare",
	 .help = "half the memory: allocate the second buffer set only for a snapshot, which may "
		 "fail",
	 .set = set_flag,
	 .offset = offsetof(struct start_flight, no_spare)},
	{},
};

static const struct command_example examples[] = {
	{"ktrace start", "Record the default events of the whole machine"},
	{"ktrace start -e 'sched:*,irq:*' -b 64M", "Record other events, with larger buffers"},
	{"ktrace start -e sched_process_exec -f 'comm != \"make\"' execs",
	 "Start another flight recorder of the name execs"},
	{"ktrace start -e 'sched:*' -e printk:console --keep",
	 "Record kernel messages into rare-event buffers"},
	{"ktrace start -e 'syscalls:*' -b 64M calls", "Record all system calls"},
	{"ktrace start --freeze-on oom:mark_victim --after 200ms",
	 "Keep what led to a process being killed for lack of memory"},
	{"ktrace start -e block_rq_issue -k -e sched_switch",
	 "Record the stacks of block requests, too"},
	{"ktrace start -e 'block:*' --freeze-on 'block_rq_complete if error != 0' disks",
	 "Keep what led to an error of a disk"},
	{},
};

const struct command start_command = {
	.name = NAME,
	.operands = "[NAME]",
	.summary = "start a flight recorder",
	.about = "Starts recording events of the whole machine into buffers in memory, which keep "
		 "the newest events, and exits: the kernel records until 'ktrace stop' or the "
		 "next boot, without any process. Nothing is written to disk before 'ktrace "
		 "snapshot'.\n\n"
		 "NAME defaults to 'flight'; several flight recorders can run. They are visible "
		 "below /sys/fs/bpf/ktrace and to bpftool.",
	.options = options,
	.examples = examples,
	.run = run_start,
};
