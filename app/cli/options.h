/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of options that several subcommands have, for their tables (app/cli/command.h), and the
 * functions that store arguments:
 *
 *	static const struct command_option options[] = {
 *		OPTION_EVENT(struct record, event_options),
 *		OPTION_FILTER(struct record, event_options),
 *		OPTION_BUFFER_SIZE(struct record, ring),
 *		{.letter = 'a', .name = "all", .help = "trace the whole machine",
 *		 .set = set_flag, .offset = offsetof(struct record, all)},
 *		{},
 *	};
 */
#ifndef KT_APP_CLI_OPTIONS_H
#define KT_APP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/cli/event_selection.h"

#define FLIGHT_RING_SIZE (4ull << 20) /* default bytes of each CPU's ring */
#define BYTES_MAX        32           /* default limit of pointed-to data of system calls */
#define BYTES_UNSET      UINT64_MAX   /* it was not given */

/* clang-format off */
#define OPTION_BUFFER_SIZE(settings, member) \
	OPTION_RING_SIZE(settings, member, "16M", "; all take at most 1/64 of memory by default")

#define OPTION_FLIGHT_BUFFER_SIZE(settings, member) OPTION_RING_SIZE(settings, member, "4M", "")

#define OPTION_RING_SIZE(settings, member, size, more) \
	{.letter = 'b', .name = "buffer-size", .arg = "SIZE", \
	 .help = "ring size per CPU, 8K to 1G, rounded up to a power of two" more, \
	 .initial = size, \
	 .set = set_ring_size, .offset = offsetof(settings, member)}

#define OPTION_DECODE_FDS(settings, member) \
	{.letter = 'y', .name = "decode-fds", \
	 .help = "record the path of each file descriptor that a call gets or returns", \
	 .set = set_paths, .offset = offsetof(settings, member)}

#define OPTION_EVENT(settings, member) \
	{.letter = 'e', .name = "event", .arg = "PATTERN", \
	 .help = "select events: SYSTEM:EVENT, globs, %CLASS, separated by commas; '!' excludes", \
	 .initial = "list --default", \
	 .set = set_event, .offset = offsetof(settings, member), .repeats = true}

#define OPTION_FILTER(settings, member) \
	{.letter = 'f', .name = "filter", .arg = "FILTER", \
	 .help = "record only events that match; applies to the preceding -e", \
	 .set = set_filter, .offset = offsetof(settings, member), .repeats = true}

#define OPTION_STACK(settings, member) \
	{.letter = 'k', .name = "stack", .arg = "KIND", \
	 .help = "record stacks: kernel, user, both; for the preceding -e, or all [both]", \
	 .set = set_stack, .offset = offsetof(settings, member), .repeats = true, \
	 .arg_is_optional = true, .words = stack_words}

#define OPTION_JSON(settings, member, text) \
	{.name = "json", \
	 .help = text, \
	 .set = set_flag, .offset = offsetof(settings, member)}

#define OPTION_PID(settings, member) \
	{.letter = 'p', .name = "pid", .arg = "PID", \
	 .help = "trace these processes, separated by commas, and their future children", \
	 .set = set_processes, .offset = offsetof(settings, member), .repeats = true}

#define OPTION_ALL(settings, member) \
	{.letter = 'a', .name = "all", \
	 .help = "trace the whole machine, even with CMD, which then only ends it", \
	 .set = set_flag, .offset = offsetof(settings, member)}

#define OPTION_CPUS(settings, member) \
	{.letter = 'C', .name = "cpu", .arg = "CPUS", \
	 .help = "trace only these CPUs: 0,2-3; others have no ring", \
	 .set = set_cpus, .offset = offsetof(settings, member)}

#define OPTION_DURATION(settings, member) \
	{.letter = 'd', .name = "duration", .arg = "TIME", \
	 .help = "end after a time: 500ms, 10s, 5m; CMD continues", \
	 .set = set_duration, .offset = offsetof(settings, member)}

#define OPTION_SELF(settings, member) \
	{.name = "self", \
	 .help = "of the whole machine: also ktrace's own system calls", \
	 .set = set_flag, .offset = offsetof(settings, member)}

#define OPTION_STRING_LIMIT(settings, member, limit) \
	{.letter = 's', .name = "string-limit", .arg = "SIZE", \
	 .help = "maximum bytes of data, array elements or arguments per call; paths are never cut", \
	 .initial = limit, \
	 .set = set_string_limit, .offset = offsetof(settings, member)}
/* clang-format on */

/* Returns room for the options of argc arguments, which the caller frees; NULL without memory. */
struct event_option *new_event_options(const char *command, int argc);

/* Adds events to the options, which must have room. */
struct event_option *add_event_option(struct event_option *event_options, const char *patterns);

/*
 * Adds the default events if no option selects events to record, without data of system calls if
 * *bytes_max is BYTES_UNSET. This then becomes the default.
 */
void add_default_events(struct event_option *event_options, uint64_t *bytes_max);

/* Adds a filter to the last event option, and checks its syntax. Returns the exit status. */
int add_event_filter(const char *command, struct event_option *event_options, const char *filter);

/* Each stores an argument at `to`. Returns the exit status; errors are reported. */
int set_flag(const char *command, void *to, char *arg);         /* bool */
int set_text(const char *command, void *to, char *arg);         /* const char * */
int set_count(const char *command, void *to, char *arg);        /* uint64_t, from 1 on */
int set_time(const char *command, void *to, char *arg);         /* uint64_t ns, up to a day */
int set_duration(const char *command, void *to, char *arg);     /* the same, not 0; "10" is 10s */
int set_ring_size(const char *command, void *to, char *arg);    /* uint64_t bytes */
int set_string_limit(const char *command, void *to, char *arg); /* uint64_t bytes */
int set_processes(const char *command, void *to, char *arg);    /* struct processes */
int set_cpus(const char *command, void *to, char *arg);         /* bool *, by CPU */
int set_paths(const char *command, void *to, char *arg);        /* bool; refuses a second -y */

/*
 * Each adds to the struct event_option * at `to`, which has room (new_event_options). A filter and
 * a rare event apply to the preceding -e; a filter's syntax is checked, its fields are not. A
 * trigger is 'EVENT if FILTER', or events, and is cut after the events.
 */
int set_event(const char *command, void *to, char *arg);
int set_filter(const char *command, void *to, char *arg);
int set_rare(const char *command, void *to, char *arg);
int set_trigger(const char *command, void *to, char *arg);

/* Adds a kind of stack to the preceding -e, or if there is none, to all that follow. */
int set_stack(const char *command, void *to, char *arg);
extern const char *const stack_words[];

bool has_trigger(const struct event_option *event_options);

#endif
