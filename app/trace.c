// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace trace: print events while they happen. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/cli/color.h"
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/control/capture.h"
#include "app/control/live_output.h"
#include "session/session.h"

#define NAME "trace"

struct trace {
	struct capture_request request;
	struct live_output output;
	enum color color;
};

/* Standard output has only events. */
static void print_begin(const struct capture *c)
{
	const struct capture_request *w = c->request;

	if (!w->command && !w->duration)
		fputs("ktrace trace: Ctrl-C ends it\n", stderr);
}

static int trace_events(struct capture *c, void *arg)
{
	struct live_output *o = arg;
	int status;

	kt_session_start(c->session);
	status = live_output_open(o, c, NULL);
	if (status == EXIT_OK) {
		print_begin(c);
		status = capture_begin(c);
	}
	if (status == EXIT_OK)
		status = live_output_run(o);
	kt_session_stop(c->session);
	return live_output_end(o, status);
}

static int parse(struct trace *t, int argc, char **argv)
{
	int status = parse_command_line(&trace_command, t, argc, argv);

	return status == EXIT_OK ? capture_request_end(&t->request, argv + optind) : status;
}

static int run_trace(int argc, char **argv)
{
	static struct trace t = {
		.request = {.by = NAME, .bytes_max = BYTES_UNSET, .named = true},
		.output = {.by = NAME, .to_name = "standard output"},
	};
	int status = EXIT_FAILED;

	t.output.to = stdout;
	t.request.event_options = new_event_options(NAME, argc);
	if (t.request.event_options)
		status = parse(&t, argc, argv);
	t.output.text.colors = color_is_wanted(t.color, STDOUT_FILENO);
	if (status == EXIT_OK)
		status = capture(&t.request, trace_events, &t.output);
	capture_request_free(&t.request);
	return status;
}

static const struct command_option options[] = {
	CAPTURE_OPTIONS(struct trace, request),
	{.name = "events",
	 .help = "print one line or object per event, for system calls, too",
	 .set = set_flag,
	 .offset = offsetof(struct trace, output.events)},
	OPTION_STACK(struct trace, request.event_options),
	OPTION_JSON(struct trace, output.json,
		    "print one JSON object per event, as 'ktrace print'"),
	OPTION_BUFFER_SIZE(struct trace, request.ring),
	OPTION_STRING_LIMIT(struct trace, request.bytes_max, "32"),
	OPTION_DECODE_FDS(struct trace, request.paths),
	OPTION_COLOR(struct trace, color),
	{},
};

static const struct command_example examples[] = {
	{"ktrace trace -e execve", "Show which programs are started, on the whole machine"},
	{"ktrace trace -e openat,open", "Show which files are opened, and which are missing"},
	{"ktrace trace -e openat -f 'filename ~ \"/etc/*\"'", "Show who opens files below /etc"},
	{"ktrace trace -e sched_process_exit,signal_deliver", "Show which tasks end, and by what"},
	{"ktrace trace -e block_rq_issue,block_rq_complete -d 1s",
	 "Show the disk requests of a second"},
	{"ktrace trace -e tcp:*,sock:* --json | jq -c '[.comm, .event, .fields.daddr]'",
	 "Show network connections as JSON"},
	{"ktrace trace -e connect,accept4 -p $(pidof -s nginx)",
	 "Show the connections of a process"},
	{"ktrace trace -e sched_switch,%file make", "Show what a command does, and when it runs"},
	{},
};

const struct command trace_command = {
	.name = NAME,
	.operands = "[[--] CMD [ARG...]]",
	.summary = "print events as they happen",
	.about =
		"Prints events of the whole machine until Ctrl-C, of running processes (-p), or of "
		"CMD until it exits, to standard output, as 'ktrace print' prints them: a line "
		"appears some 50 ms after its event. If events come faster than lines can be "
		"written, some are lost; their number is printed in their place.\n\n"
		"With CMD the exit status is that of CMD, 128 + the signal that killed it, or 126 "
		"or 127 if it cannot be run. Signals sent to ktrace are forwarded to CMD.",
	.options = options,
	.examples = examples,
	.run = run_trace,
};
