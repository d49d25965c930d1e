// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/scan.h"
#include "base/size.h"
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

static struct event_option *next_pick(struct event_option *event_option)
{
	while (event_option->patterns)
		event_option++;
	return event_option;
}

int option_event(struct event_option *event_options, const char *text)
{
	struct event_option *event_option = next_pick(event_options);

	event_option->patterns = text;
	event_option->is_exclusion = *text == '!';
	return EXIT_OK;
}

static int set_filter(struct event_option *event_option, const char *text, struct kt_error *err)
{
	struct kt_filter *filter = kt_filter_parse(NULL, text, err);

	if (!filter)
		return -err->code;
	kt_filter_free(filter);
	event_option->filter = text;
	return 0;
}

/* That of the '-e' before an option, or NULL, which is said. */
static struct event_option *last_pick(const char *command, struct event_option *event_options,
				      const char *none, const char *trigger, const char *exclusion)
{
	struct event_option *event_option = next_pick(event_options);

	if (event_option == event_options)
		report_misuse(command, none);
	else if (event_option[-1].is_trigger || event_option[-1].is_exclusion)
		report_misuse(command, event_option[-1].is_trigger ? trigger : exclusion);
	else
		return event_option - 1;
	return NULL;
}

int option_filter(const char *command, struct event_option *event_options, const char *text)
{
	struct event_option *event_option = last_pick(
		command, event_options,
		"'--filter' says which hits of the '-e' before it: there is none",
		"'--filter' belongs to an '-e'; '--freeze-on' takes its filter behind 'if'",
		"'--filter' says which hits are recorded, and '!' that none is");
	struct kt_error err;

	if (!event_option)
		return EXIT_USAGE;
	if (event_option->filter)
		return report_misuse(command,
				     "two '--filter' behind one '-e': join them with '&&'");
	return set_filter(event_option, text, &err) < 0 ? report_error(command, &err) : EXIT_OK;
}

int option_keep(const char *command, struct event_option *event_options)
{
	struct event_option *event_option = last_pick(
		command, event_options, "'--keep' is of the '-e' before it: there is none",
		"'--keep' is of an '-e'; what '--freeze-on' names is to be named there, "
		"too",
		"'--keep' is of what is recorded, and '!' says what is not");

	if (!event_option)
		return EXIT_USAGE;
	event_option->is_rare = true;
	return EXIT_OK;
}

/* Behind the events: 'if FILTER', or nothing. */
static int read_condition(struct event_option *event_option, struct kt_scan *s)
{
	struct kt_word word;

	kt_scan_spaces(s);
	if (!*s->at)
		return 0;
	word = kt_scan_word(s);
	if (!kt_word_is(word, "if"))
		return kt_scan_fail(s, EINVAL, word, "behind the events comes 'if' and a filter");
	kt_scan_spaces(s);
	if (set_filter(event_option, s->at, s->err) == 0)
		return 0;
	if (s->err->typed) {
		s->err->typed = s->text;
		s->err->at += s->at - s->text;
	}
	return -s->err->code;
}

/* Events have no blanks in their names. */
static int set_freezing(struct event_option *event_option, char *text, struct kt_error *err)
{
	struct kt_scan s = kt_scan_of(text, err);
	size_t end;

	kt_scan_spaces(&s);
	event_option->patterns = s.at;
	event_option->is_trigger = true;
	s.at += strcspn(s.at, " \t\n");
	end = s.at - text;
	if (read_condition(event_option, &s) < 0)
		return -err->code;
	text[end] = '\0';
	return 0;
}

int option_freeze(const char *command, struct event_option *event_options, char *text)
{
	struct kt_error err;
	int ret = set_freezing(next_pick(event_options), text, &err);

	return ret < 0 ? report_error(command, &err) : EXIT_OK;
}

bool has_trigger(const struct event_option *event_options)
{
	while (event_options->patterns && !event_options->is_trigger)
		event_options++;
	return event_options->patterns;
}

int option_time(const char *command, uint64_t *ns, const char *text)
{
	struct kt_error err;
	int ret = kt_duration_parse(text, ns, &err);

	if (ret == 0 && *ns > DAY)
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "the longest time is 24h");
	return ret < 0 ? report_error(command, &err) : EXIT_OK;
}

int option_processes(const char *command, struct processes *p, const char *text)
{
	struct kt_error err;

	return processes_add(p, text, &err) < 0 ? report_error(command, &err) : EXIT_OK;
}

int option_count(const char *command, uint64_t *n, const char *text)
{
	struct kt_error err;

	errno = 0;
	*n = strtoull(text, NULL, 10);
	if (*n && !errno && !text[strspn(text, "0123456789")])
		return EXIT_OK;
	kt_fail_at(&err, EINVAL, text, 0, strlen(text), "how many is a number from 1 on");
	return report_error(command, &err);
}

int option_ring(const char *command, uint64_t *ring, const char *text)
{
	struct kt_error err;
	int ret = kt_size_parse(text, ring, &err);

	if (ret == 0 && (*ring < RING_MIN || *ring > RING_MAX))
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "a ring has 8K to 1G");
	return ret < 0 ? report_error(command, &err) : EXIT_OK;
}

int option_bytes(const char *command, uint64_t *max, const char *text)
{
	struct kt_error err;
	int ret = kt_size_parse(text, max, &err);

	if (ret == 0 && *max > KT_CURATED_POINTED_MAX)
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "at most 4K are kept");
	return ret < 0 ? report_error(command, &err) : EXIT_OK;
}

int option_paths(const char *command, bool *paths)
{
	if (*paths)
		return report_misuse(command,
				     "-yy is not supported: -y shows paths, and no sockets' "
				     "peers");
	*paths = true;
	return EXIT_OK;
}
