// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace start: start a flight recorder, which continues when this process ends (doc/flight.md). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/cli/command.h"
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
	bool is_after_said;
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

/* Prints "6 of them are kept apart, in 1M more of each". */
static void print_kept(const struct kt_session *session)
{
	struct kt_geometry g = kt_rings_geometry(kt_session_rings(session), KT_RARE);
	const struct kt_event *const *events = kt_session_events(session);
	size_t i, n = 0;
	char size[32];

	for (i = 0; i < kt_session_count(session); i++)
		n += events[i]->channel == KT_RARE;
	kt_size_format((uint64_t)kt_subbuf_size(g) * g.n_subbufs, size, sizeof(size));
	if (n)
		fprintf(stderr, "  %zu of them %s kept apart, in %s more of each\n", n,
			n == 1 ? "is" : "are", size);
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
	fprintf(stderr, "; it keeps the last %s of each of %zu CPU%s\n", size, cpus,
		cpus == 1 ? "" : "s");
	print_kept(session);
	if (has_trigger(s->event_options))
		print_freezing(s->after);
}

static int pin_session(struct start_flight *s, struct kt_flight *flight, struct kt_session *session)
{
	struct kt_error err;

	if (is_ended(&s->signals))
		kt_fail(&err, EINTR, "ended before '%s' was started", s->name);
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
		kt_fail(err, ENOENT, "nothing is left to record");
	else
		session = kt_session_new(kt_geometry_of(s->ring), n_events, NULL, err);
	if (!session)
		return NULL;
	if (has_trigger(s->event_options))
		kt_session_set_freezing(session, s->after);
	if (kt_session_set_overwrite(session, err) == 0 &&
	    kt_session_add_dispatch(session, c->tracefs, c->btf, s->bytes_max, err) == 0 &&
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
	kt_fail(&err, ENOENT, "nothing is left that would freeze '%s'", s->name);
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
			fprintf(stderr, "  'ktrace stop %s' ends it; or name another one\n",
				s->name);
	}
	kt_flight_free(flight);
	event_selection_end(&c);
	return status;
}

static int option_after(struct start_flight *s, const char *text)
{
	s->is_after_said = true;
	return option_time(NAME, &s->after, text);
}

static int parse(struct start_flight *s, int argc, char **argv)
{
	enum { AFTER = 256, FREEZE_ON, KEEP, NO_SPARE };
	static const struct option options[] = {
		{"after", required_argument, NULL, AFTER},
		{"buffer-size", required_argument, NULL, 'b'},
		{"decode-fds", no_argument, NULL, 'y'},
		{"event", required_argument, NULL, 'e'},
		{"filter", required_argument, NULL, 'f'},
		{"freeze-on", required_argument, NULL, FREEZE_ON},
		{"keep", no_argument, NULL, KEEP},
		{"no-spare", no_argument, NULL, NO_SPARE},
		{"string-limit", required_argument, NULL, 's'},
		{},
	};
	struct kt_error err;
	int c, status = EXIT_OK;

	while (status == EXIT_OK && (c = next_option(argc, argv, "b:e:f:s:y", options)) != -1) {
		if (c == 'b')
			status = option_ring(NAME, &s->ring, optarg);
		else if (c == 'e')
			status = option_event(s->event_options, optarg);
		else if (c == 'f')
			status = option_filter(NAME, s->event_options, optarg);
		else if (c == 's')
			status = option_bytes(NAME, &s->bytes_max, optarg);
		else if (c == 'y')
			status = option_paths(NAME, &s->paths);
		else if (c == FREEZE_ON)
			status = option_freeze(NAME, s->event_options, optarg);
		else if (c == KEEP)
			status = option_keep(NAME, s->event_options);
		else if (c == AFTER)
			status = option_after(s, optarg);
		else if (c == NO_SPARE)
			s->no_spare = true;
		else
			status = EXIT_USAGE;
	}
	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (argv[optind])
		s->name = argv[optind];
	if (kt_flight_check_name(s->name, &err) < 0)
		return report_error(NAME, &err);
	if (s->is_after_said && !has_trigger(s->event_options))
		return report_misuse(NAME,
				     "'--after' says how long '--freeze-on' waits: there is none");
	event_options_set_default(s->event_options, &default_events);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct start_flight s = {.name = FLIGHT_NAME, .ring = RING_SIZE, .bytes_max = BYTES_MAX};
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

const struct command start_command = {
	.name = NAME,
	.args = " [-e PATTERN [-f FILTER] [--keep]]...\n"
		"                    [--freeze-on TRIGGER]... [--after TIME] [-b SIZE]\n"
		"                    [-s SIZE] [-y] [--no-spare] [NAME]",
	.summary = "a flight recorder, which goes on by itself and keeps what came last",
	.help = "Begins to record every hit of the events on the whole machine, and ends: the\n"
		"kernel goes on recording with no process of ktrace's alive, until 'ktrace stop'\n"
		"or the next boot. Each CPU has a ring in memory; when it is full the newest\n"
		"takes the place of the oldest. Nothing is written to a disk.\n"
		"\n"
		"The session is called NAME, or 'flight'; several can run side by side. It is to\n"
		"be seen under /sys/fs/bpf/ktrace, and by bpftool.\n"
		"\n"
		"  -e, --event PATTERN     which events, as 'ktrace list' takes it: SYSTEM:EVENT,\n"
		"                          globs, several with commas; can be repeated.\n"
		"                          '!irq:*': not these. Without others those that\n"
		"                          'ktrace list --default' names\n"
		"  -f, --filter FILTER     of the events before it only the hits that it is true\n"
		"                          of, as 'ktrace record' takes it\n"
		"  --keep                  the events before it have rings of their own, of a\n"
		"                          quarter of the others' size, so that what comes often\n"
		"                          does not overwrite them. Those that begin, end and\n"
		"                          name tasks, modules and cgroups have these anyway\n"
		"  --freeze-on TRIGGER     'EVENT if FILTER', or events alone: the first such hit\n"
		"                          is recorded and freezes the rings. What they hold is\n"
		"                          kept until 'ktrace snapshot' takes it or 'ktrace\n"
		"                          reset' drops it, and then the next one does. Can be\n"
		"                          repeated: any of them\n"
		"  --after TIME            how long it goes on behind that hit, with us, ms, s,\n"
		"                          min or h (0)\n"
		"  -b, --buffer-size SIZE  of the ring of each CPU, rounded up to a power of two,\n"
		"                          with K, M or G behind it (4M)\n"
		"  -s, --string-limit SIZE\n"
		"                          of the data that a system call reads or writes keep so\n"
		"                          many bytes at most, or elements of an array, or\n"
		"                          arguments of a program (32); paths are kept in full\n"
		"  -y, --decode-fds        of each descriptor that a system call is given or\n"
		"                          returns keep the path of its file, too\n"
		"  --no-spare              half the memory: the second ring of each CPU, which is\n"
		"                          written to while 'ktrace snapshot' reads the first, is\n"
		"                          made then, and freed behind it. Where there is no\n"
		"                          memory for it that fails, and nothing is lost\n"
		"\n"
		"examples:\n"
		"  ktrace start\n"
		"  ktrace start -e 'sched:*,irq:*' -b 64M\n"
		"  ktrace start -e sched_process_exec -f 'comm != \"make\"' execs\n"
		"  ktrace start -e 'sched:*' -e printk:console --keep\n"
		"  ktrace start -e 'syscalls:*' -b 64M calls\n"
		"  ktrace start --freeze-on oom:mark_victim --after 200ms\n"
		"  ktrace start -e 'block:*' --freeze-on 'block_rq_complete if error != 0' disks\n",
	.run = run,
};
