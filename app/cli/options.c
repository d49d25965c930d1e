// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/options.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/cli/process_list.h"
#include "base/cpus.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/scan.h"
#include "base/size.h"
#include "bpf/callstacks.h"
#include "events/curated.h"
#include "events/filter.h"
#include "filter/filter_parser.h"

#define RING_MIN (8ull << 10)
#define RING_MAX (1ull << 30)

#define DAY (UINT64_C(86400) * 1000000000)

struct event_option *new_event_options(const char *command, int argc)
{
	struct event_option *event_options = calloc(argc + 1, sizeof(*event_options));

	if (!event_options)
		report_no_memory(command);
	return event_options;
}

int set_flag(const char *command, void *to, char *arg)
{
	(void)command;
	(void)arg;
	*(bool *)to = true;
	return EXIT_OK;
}

int set_text(const char *command, void *to, char *arg)
{
	(void)command;
	*(const char **)to = arg;
	return EXIT_OK;
}

int set_count(const char *command, void *to, char *arg)
{
	uint64_t *n = to;

	errno = 0;
	*n = strtoull(arg, NULL, 10);
	if (*n && !errno && !arg[strspn(arg, "0123456789")])
		return EXIT_OK;
	return report_argument(command, arg, "not a number above 0");
}

int set_time(const char *command, void *to, char *arg)
{
	uint64_t *ns = to;
	struct kt_error err;

	if (kt_duration_parse(arg, ns, &err) < 0)
		return report_error(command, &err);
	return *ns <= DAY ? EXIT_OK : report_argument(command, arg, "the maximum is 24h");
}

int set_duration(const char *command, void *to, char *arg)
{
	bool has_unit = arg[strspn(arg, "0123456789")];
	char *text = NULL;
	int status;

	if (asprintf(&text, "%s%s", arg, has_unit ? "" : "s") < 0)
		return report_no_memory(command);
	status = set_time(command, to, text);
	if (status == EXIT_OK && *(uint64_t *)to == 0)
		status = report_argument(command, arg, "must be more than 0");
	free(text);
	return status;
}

int set_ring_size(const char *command, void *to, char *arg)
{
	uint64_t *ring = to;
	struct kt_error err;

	if (kt_size_parse(arg, ring, &err) < 0)
		return report_error(command, &err);
	return *ring >= RING_MIN && *ring <= RING_MAX
		       ? EXIT_OK
		       : report_argument(command, arg, "the size of a ring is 8K to 1G");
}

int set_string_limit(const char *command, void *to, char *arg)
{
	uint64_t *limit = to;
	struct kt_error err;

	if (kt_size_parse(arg, limit, &err) < 0)
		return report_error(command, &err);
	return *limit <= KT_CURATED_POINTED_MAX
		       ? EXIT_OK
		       : report_argument(command, arg, "the maximum is 4K");
}

int set_cpus(const char *command, void *to, char *arg)
{
	struct kt_error err;

	return kt_cpus_select(to, arg, &err) < 0 ? report_error(command, &err) : EXIT_OK;
}

int set_processes(const char *command, void *to, char *arg)
{
	struct kt_error err;

	return processes_add(to, arg, &err) < 0 ? report_error(command, &err) : EXIT_OK;
}

int set_paths(const char *command, void *to, char *arg)
{
	bool *paths = to;

	(void)arg;
	if (*paths)
		return report_misuse(command, "-yy is not supported: -y has no peers of sockets");
	*paths = true;
	return EXIT_OK;
}

/* Returns the first unused one. */
static struct event_option *get_next(struct event_option *o)
{
	while (o->patterns)
		o++;
	return o;
}

struct event_option *add_event_option(struct event_option *event_options, const char *patterns)
{
	struct event_option *o = get_next(event_options);

	o[1].stacks = o->stacks;
	o->patterns = patterns;
	o->is_exclusion = *patterns == '!';
	return o;
}

int set_event(const char *command, void *to, char *arg)
{
	(void)command;
	add_event_option(*(struct event_option **)to, arg);
	return EXIT_OK;
}

static int parse_filter(struct event_option *o, const char *text, struct kt_error *err)
{
	struct kt_filter *filter = kt_filter_parse(NULL, text, err);

	if (!filter)
		return -err->code;
	kt_filter_free(filter);
	o->filter = text;
	return 0;
}

/* Returns the preceding -e, to which an option applies; reports others, and returns NULL. */
static struct event_option *get_preceding(const char *command, struct event_option *first,
					  const char *option, const char *of_trigger)
{
	struct event_option *o = get_next(first);

	if (o == first)
		fprintf(stderr, "ktrace %s: %s needs an -e before it\n", command, option);
	else if (o[-1].is_trigger)
		fprintf(stderr, "ktrace %s: %s applies to -e; %s\n", command, option, of_trigger);
	else if (o[-1].is_exclusion)
		fprintf(stderr, "ktrace %s: %s cannot apply to excluded events ('!')\n", command,
			option);
	else
		return o - 1;
	return NULL;
}

void add_default_events(struct event_option *event_options, uint64_t *bytes_max)
{
	struct event_option usual = default_events;

	usual.no_data = *bytes_max == BYTES_UNSET;
	event_options_set_default(event_options, &usual);
	if (*bytes_max == BYTES_UNSET)
		*bytes_max = BYTES_MAX;
}

int add_event_filter(const char *command, struct event_option *event_options, const char *filter)
{
	struct event_option *o = get_preceding(command, event_options, "--filter",
					       "a trigger's filter is 'EVENT if FILTER'");
	struct kt_error err;

	if (!o)
		return EXIT_USAGE;
	if (o->filter)
		return report_misuse(command, "two --filter for one -e: join them with '&&'");
	return parse_filter(o, filter, &err) < 0 ? report_error(command, &err) : EXIT_OK;
}

int set_filter(const char *command, void *to, char *arg)
{
	return add_event_filter(command, *(struct event_option **)to, arg);
}

int set_rare(const char *command, void *to, char *arg)
{
	struct event_option *o = get_preceding(command, *(struct event_option **)to, "--keep",
					       "select the trigger's events there, too");

	(void)arg;
	if (!o)
		return EXIT_USAGE;
	o->is_rare = true;
	return EXIT_OK;
}

const char *const stack_words[] = {"kernel", "user", "both", NULL};

/* Returns the kinds that a word of stack_words means; 0 for another one. Without a word: both. */
static unsigned int parse_stacks(const char *word)
{
	enum {
		KERNEL = KT_CALLSTACK_BIT(KT_CALLSTACK_KERNEL),
		USER = KT_CALLSTACK_BIT(KT_CALLSTACK_USER)
	};
	static const unsigned int kinds[] = {KERNEL, USER, KERNEL | USER, 0};
	size_t i = 0;

	if (!word)
		return KERNEL | USER;
	while (stack_words[i] && strcmp(stack_words[i], word) != 0)
		i++;
	return kinds[i];
}

int set_stack(const char *command, void *to, char *arg)
{
	struct event_option *first = *(struct event_option **)to, *o = first;

	if (!parse_stacks(arg))
		return report_misuse(command, "--stack is 'kernel', 'user' or 'both'");
	if (first->patterns)
		o = get_preceding(command, first, "--stack", "a trigger has no stack");
	if (!o)
		return EXIT_USAGE;
	o->stacks |= parse_stacks(arg);
	return EXIT_OK;
}

/* Reads 'if FILTER' after the events, or nothing. */
static int read_condition(struct event_option *o, struct kt_scan *s)
{
	struct kt_word word;

	kt_scan_spaces(s);
	if (!*s->at)
		return 0;
	word = kt_scan_word(s);
	if (!kt_word_is(word, "if"))
		return kt_scan_fail(s, EINVAL, word, "expected 'if' and a filter after the events");
	kt_scan_spaces(s);
	if (parse_filter(o, s->at, s->err) == 0)
		return 0;
	if (s->err->typed) {
		s->err->typed = s->text;
		s->err->at += s->at - s->text;
	}
	return -s->err->code;
}

/* Events have no blanks in their names. */
static int parse_trigger(struct event_option *o, char *text, struct kt_error *err)
{
	struct kt_scan s = kt_scan_of(text, err);
	size_t end;

	kt_scan_spaces(&s);
	o->patterns = s.at;
	o->is_trigger = true;
	s.at += strcspn(s.at, " \t\n");
	end = s.at - text;
	if (read_condition(o, &s) < 0)
		return -err->code;
	text[end] = '\0';
	return 0;
}

int set_trigger(const char *command, void *to, char *arg)
{
	struct kt_error err;

	return parse_trigger(get_next(*(struct event_option **)to), arg, &err) < 0
		       ? report_error(command, &err)
		       : EXIT_OK;
}

bool has_trigger(const struct event_option *event_options)
{
	while (event_options->patterns && !event_options->is_trigger)
		event_options++;
	return event_options->patterns;
}
