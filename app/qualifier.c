// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/qualifier.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/choice.h"
#include "app/command.h"
#include "app/options.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/labels.h"
#include "catalog/class.h"
#include "catalog/constants.h"

static int fail_at(const struct qualifiers *q, const char *text, size_t at, size_t len,
		   const char *why)
{
	struct kt_error err;

	kt_fail_at(&err, EINVAL, text, at, len, "%s", why);
	return say_error(q->command, &err);
}

/* One name or pattern: a call's, or a class's with or without '%', or ktrace's own SYSTEM:EVENT. */
static void put_pattern(FILE *to, const char *item, size_t len)
{
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)len, item);
	if (len == strlen("all") && !strcmp(name, "all"))
		fputs("syscalls:*", to);
	else if (memchr(item, ':', len))
		fprintf(to, "%.*s", (int)len, item);
	else
		fprintf(to, "syscalls:%s%.*s", kt_class_find(name) ? "%" : "", (int)len, item);
}

/* Names with commas between them, as ktrace's patterns: to be freed. */
static char *patterns_of(const char *list)
{
	char *patterns = NULL;
	const char *item;
	size_t size, len;
	FILE *to;

	to = open_memstream(&patterns, &size);
	if (!to)
		return NULL;
	for (item = list;; item += len + 1) {
		len = strcspn(item, ",");
		put_pattern(to, item, len);
		if (!item[len])
			break;
		fputc(',', to);
	}
	if (fclose(to) == 0)
		return patterns;
	free(patterns);
	return NULL;
}

static int add_calls(struct qualifiers *q, const char *list)
{
	char **patterns = kt_grow(q->patterns, q->n, sizeof(*patterns));

	if (!patterns)
		return say_no_memory(q->command);
	q->patterns = patterns;
	patterns[q->n] = patterns_of(list);
	if (!patterns[q->n])
		return say_no_memory(q->command);
	q->of_signals = false;
	return option_event(q->picks, patterns[q->n++]);
}

/* By its name, with or without SIG, or its number; 0: it is none. */
static uint64_t signal_of(const char *item, size_t len)
{
	const struct kt_labels *all = kt_constants_find("signal");
	const char *name;
	uint64_t number;
	size_t i, skip;
	char *end;

	number = strtoull(item, &end, 10);
	for (i = 0; i < all->n; i++) {
		name = all->of[i].text;
		skip = len < 3 || strncmp(item, "SIG", 3) != 0 ? 3 : 0;
		if (strncmp(name + skip, item, len) == 0 && !name[skip + len])
			return all->of[i].value;
		if (end == item + len && all->of[i].value == number)
			return number;
	}
	return 0;
}

/* A filter of signal:signal_deliver. */
static int add_signals(struct qualifiers *q, const char *text, size_t at)
{
	const char *item = text + at;
	uint64_t signal;
	size_t size, len;
	FILE *to;

	q->of_signals = true;
	free(q->signals);
	q->signals = NULL;
	if (strcmp(item, "all") == 0)
		return EXIT_OK;
	to = open_memstream(&q->signals, &size);
	if (!to)
		return say_no_memory(q->command);
	for (; strcmp(item, "none") != 0; item += len + 1) {
		len = strcspn(item, ",");
		signal = signal_of(item, len);
		if (!signal)
			break;
		fprintf(to, "%ssig == %" PRIu64, item > text + at ? " || " : "", signal);
		if (!item[len])
			break;
	}
	if (fclose(to) != 0)
		return say_no_memory(q->command);
	if (strcmp(item, "none") == 0 || signal)
		return EXIT_OK;
	return fail_at(q, text, item - text, len,
		       "there is no such signal: as INT,TERM or all, none");
}

static bool is_before(const char *text, size_t len, const char *const *words)
{
	while (*words && (strlen(*words) != len || strncmp(*words, text, len) != 0))
		words++;
	return *words;
}

int qualifier_add(struct qualifiers *q, const char *text)
{
	static const char *const calls[] = {"trace", "t", NULL};
	static const char *const signals[] = {"signal", "signals", "s", NULL};
	size_t len = strcspn(text, "="), at = text[len] ? len + 1 : 0;

	if (at && !is_before(text, len, calls) && !is_before(text, len, signals))
		return fail_at(q, text, 0, at, "of strace's -e there are trace= and signal= alone");
	if (text[at] == '!' || text[at] == '/')
		return fail_at(q, text, at, 1,
			       "what is wanted is named, calls by globs, too, as in 'open*'");
	if (at && is_before(text, len, signals))
		return add_signals(q, text, at);
	if (q->of_all)
		return misused(q->command, "--filter before any -e is of all calls: put it behind");
	return add_calls(q, text + at);
}

int qualifier_filter(struct qualifiers *q, const char *text)
{
	if (q->of_signals)
		return misused(q->command, "--filter is of the calls of an -e, not of signals");
	q->of_all = !q->n;
	if (q->of_all && add_calls(q, "all") != EXIT_OK)
		return EXIT_FAILED;
	return option_filter(q->command, q->picks, text);
}

int qualifiers_end(struct qualifiers *q, bool signals, bool ends)
{
	int status = EXIT_OK;

	if (!q->n)
		status = option_event(q->picks, "syscalls:*");
	if (status == EXIT_OK && ends)
		status = option_event(q->picks, "sched:sched_process_exit");
	if (status != EXIT_OK || !signals || (q->signals && !*q->signals))
		return status;
	status = option_event(q->picks, "signal:signal_deliver");
	return status == EXIT_OK && q->signals ? option_filter(q->command, q->picks, q->signals)
					       : status;
}

void qualifiers_free(struct qualifiers *q)
{
	while (q->n > 0)
		free(q->patterns[--q->n]);
	free(q->patterns);
	free(q->signals);
}
