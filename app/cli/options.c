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

struct pick *new_picks(const char *command, int argc)
{
	struct pick *picks = calloc(argc + 1, sizeof(*picks));

	if (!picks)
		say_no_memory(command);
	return picks;
}

static struct pick *next_pick(struct pick *pick)
{
	while (pick->patterns)
		pick++;
	return pick;
}

int option_event(struct pick *picks, const char *text)
{
	struct pick *pick = next_pick(picks);

	pick->patterns = text;
	pick->excludes = *text == '!';
	return EXIT_OK;
}

static int set_filter(struct pick *pick, const char *text, struct kt_error *err)
{
	struct kt_filter *filter = kt_filter_parse(NULL, text, err);

	if (!filter)
		return -err->code;
	kt_filter_free(filter);
	pick->filter = text;
	return 0;
}

/* That of the '-e' before an option, or NULL, which is said. */
static struct pick *last_pick(const char *command, struct pick *picks, const char *none,
			      const char *freezes, const char *excludes)
{
	struct pick *pick = next_pick(picks);

	if (pick == picks)
		misused(command, none);
	else if (pick[-1].freezes || pick[-1].excludes)
		misused(command, pick[-1].freezes ? freezes : excludes);
	else
		return pick - 1;
	return NULL;
}

int option_filter(const char *command, struct pick *picks, const char *text)
{
	struct pick *pick = last_pick(
		command, picks, "'--filter' says which hits of the '-e' before it: there is none",
		"'--filter' belongs to an '-e'; '--freeze-on' takes its filter behind 'if'",
		"'--filter' says which hits are recorded, and '!' that none is");
	struct kt_error err;

	if (!pick)
		return EXIT_USAGE;
	if (pick->filter)
		return misused(command, "two '--filter' behind one '-e': join them with '&&'");
	return set_filter(pick, text, &err) < 0 ? say_error(command, &err) : EXIT_OK;
}

int option_keep(const char *command, struct pick *picks)
{
	struct pick *pick =
		last_pick(command, picks, "'--keep' is of the '-e' before it: there is none",
			  "'--keep' is of an '-e'; what '--freeze-on' names is to be named there, "
			  "too",
			  "'--keep' is of what is recorded, and '!' says what is not");

	if (!pick)
		return EXIT_USAGE;
	pick->keeps = true;
	return EXIT_OK;
}

/* Behind the events: 'if FILTER', or nothing. */
static int read_condition(struct pick *pick, struct kt_scan *s)
{
	struct kt_word word;

	kt_scan_spaces(s);
	if (!*s->at)
		return 0;
	word = kt_scan_word(s);
	if (!kt_word_is(word, "if"))
		return kt_scan_fail(s, EINVAL, word, "behind the events comes 'if' and a filter");
	kt_scan_spaces(s);
	if (set_filter(pick, s->at, s->err) == 0)
		return 0;
	if (s->err->typed) {
		s->err->typed = s->text;
		s->err->at += s->at - s->text;
	}
	return -s->err->code;
}

/* Events have no blanks in their names. */
static int set_freezing(struct pick *pick, char *text, struct kt_error *err)
{
	struct kt_scan s = kt_scan_of(text, err);
	size_t end;

	kt_scan_spaces(&s);
	pick->patterns = s.at;
	pick->freezes = true;
	s.at += strcspn(s.at, " \t\n");
	end = s.at - text;
	if (read_condition(pick, &s) < 0)
		return -err->code;
	text[end] = '\0';
	return 0;
}

int option_freeze(const char *command, struct pick *picks, char *text)
{
	struct kt_error err;
	int ret = set_freezing(next_pick(picks), text, &err);

	return ret < 0 ? say_error(command, &err) : EXIT_OK;
}

bool has_freezing(const struct pick *picks)
{
	while (picks->patterns && !picks->freezes)
		picks++;
	return picks->patterns;
}

int option_time(const char *command, uint64_t *ns, const char *text)
{
	struct kt_error err;
	int ret = kt_duration_parse(text, ns, &err);

	if (ret == 0 && *ns > DAY)
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "the longest time is 24h");
	return ret < 0 ? say_error(command, &err) : EXIT_OK;
}

int option_processes(const char *command, struct processes *p, const char *text)
{
	struct kt_error err;

	return processes_add(p, text, &err) < 0 ? say_error(command, &err) : EXIT_OK;
}

int option_count(const char *command, uint64_t *n, const char *text)
{
	struct kt_error err;

	errno = 0;
	*n = strtoull(text, NULL, 10);
	if (*n && !errno && !text[strspn(text, "0123456789")])
		return EXIT_OK;
	kt_fail_at(&err, EINVAL, text, 0, strlen(text), "how many is a number from 1 on");
	return say_error(command, &err);
}

int option_ring(const char *command, uint64_t *ring, const char *text)
{
	struct kt_error err;
	int ret = kt_size_parse(text, ring, &err);

	if (ret == 0 && (*ring < RING_MIN || *ring > RING_MAX))
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "a ring has 8K to 1G");
	return ret < 0 ? say_error(command, &err) : EXIT_OK;
}

int option_bytes(const char *command, uint64_t *max, const char *text)
{
	struct kt_error err;
	int ret = kt_size_parse(text, max, &err);

	if (ret == 0 && *max > KT_CURATED_POINTED_MAX)
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "at most 4K are kept");
	return ret < 0 ? say_error(command, &err) : EXIT_OK;
}

int option_paths(const char *command, bool *paths)
{
	if (*paths)
		return misused(command, "-yy is not supported: -y shows paths, and no sockets' "
					"peers");
	*paths = true;
	return EXIT_OK;
}
