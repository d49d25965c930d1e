// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "base/error.h"
#include "base/size.h"
#include "catalog/filter.h"

#define RING_MIN (8ull << 10)
#define RING_MAX (1ull << 30)

struct pick *new_picks(const char *command, int argc)
{
	struct pick *picks = calloc(argc + 1, sizeof(*picks));

	if (!picks)
		fprintf(stderr, "ktrace %s: %s\n", command, strerror(ENOMEM));
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
	next_pick(picks)->patterns = text;
	return EXIT_OK;
}

int option_filter(const char *command, struct pick *picks, const char *text)
{
	struct kt_filter *filter;
	struct kt_error err;
	struct pick *pick = next_pick(picks);

	if (pick == picks)
		return misused(command,
			       "'-f' says which hits of the '-e' before it: there is none");
	pick--;
	if (pick->filter)
		return misused(command, "two '-f' behind one '-e': join them with '&&'");
	filter = kt_filter_parse(NULL, text, &err);
	if (!filter)
		return say_error(command, &err);
	kt_filter_free(filter);
	pick->filter = text;
	return EXIT_OK;
}

int option_ring(const char *command, uint64_t *ring, const char *text)
{
	struct kt_error err;
	int ret = kt_size_parse(text, ring, &err);

	if (ret == 0 && (*ring < RING_MIN || *ring > RING_MAX))
		ret = kt_fail_at(&err, EINVAL, text, 0, strlen(text), "a ring has 8K to 1G");
	return ret < 0 ? say_error(command, &err) : EXIT_OK;
}
