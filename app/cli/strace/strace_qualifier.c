// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/strace/strace_qualifier.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cli/command.h"
#include "app/cli/event_selection.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "base/grow.h"
#include "constants/constants.h"
#include "constants/labels.h"
#include "filter/other_calls.h"
#include "filter/syscall_class.h"

static int fail_at(const struct strace_qualifiers *q, const char *text, size_t at, size_t len,
		   const char *why)
{
	struct kt_error err;

	kt_fail_at(&err, EINVAL, text, at, len, "%s", why);
	return report_error(q->command, &err);
}

/* Returns a copy of one name of a list, to be freed; a number as the name of that call. */
static char *copy_name(const char *item, size_t len)
{
	const struct kt_labels *calls = kt_constants_find("call");
	struct kt_labelled found = {0};
	char *end, *name;
	uint64_t number = strtoull(item, &end, 10);

	if (end > item && (end == item + len || *end == '@'))
		kt_labels_of(calls, number, &found);
	if (!found.n)
		return strndup(item, len);
	return asprintf(&name, "%s%.*s", found.text[0], (int)(item + len - end), end) < 0 ? NULL
											  : name;
}

/* Returns whether a name means a class, which strace also takes without '%' if no call has it. */
static bool is_class(const char *name)
{
	return kt_syscall_class_find(name) && !kt_other_calls_has(name);
}

/*
 * Writes one name as a pattern: a call, a class with '%' or without, a regular expression after a
 * slash, or ktrace's own SYSTEM:EVENT.
 */
static void put_pattern(FILE *to, const char *name)
{
	bool is_event = strchr(name, ':') && *name != '/';

	if (strcmp(name, "all") == 0)
		fputs("syscalls:*", to);
	else
		fprintf(to, "%s%s%s", is_event ? "" : "syscalls:", is_class(name) ? "%" : "", name);
}

/*
 * Takes the word size from a name, as in getcwd@64. Returns whether it is another than 64 bits:
 * such calls have no names.
 */
static bool take_word_size(char *name)
{
	char *size = strrchr(name, '@');

	if (!size)
		return false;
	if (strcmp(size, "@32") == 0 || strcmp(size, "@x32") == 0)
		return true;
	if (strcmp(size, "@64") == 0)
		*size = '\0';
	return false;
}

/* Writes one name of a list as a pattern; after a '?' if this kernel need not have it. */
static void put_name(FILE *to, char *name)
{
	bool is_optional = *name == '?' || kt_other_calls_has(name);

	if (is_optional)
		fputc('?', to);
	put_pattern(to, name + (*name == '?'));
}

/* Returns names separated by commas, or such after a '!', as ktrace's patterns, to be freed. */
static char *make_patterns(const char *list)
{
	const char *between = *list == '!' ? "!" : "";
	char *patterns = NULL, *name;
	const char *item;
	size_t size, len;
	FILE *to;

	to = open_memstream(&patterns, &size);
	if (!to)
		return NULL;
	for (item = list + (*list == '!');; item += len + 1) {
		len = strcspn(item, ",");
		name = copy_name(item, len);
		if (name && !take_word_size(name)) {
			fputs(between, to);
			put_name(to, name);
			between = ",";
		}
		free(name);
		if (!item[len])
			break;
	}
	if (fclose(to) == 0)
		return patterns;
	free(patterns);
	return NULL;
}

static int add_names(struct strace_qualifiers *q, const char *list)
{
	char **patterns = kt_grow(q->patterns, q->n, sizeof(*patterns));

	if (!patterns)
		return report_no_memory(q->command);
	q->patterns = patterns;
	patterns[q->n] = make_patterns(list);
	if (!patterns[q->n])
		return report_no_memory(q->command);
	if (*patterns[q->n++])
		add_event_option(q->event_options, patterns[q->n - 1])->has_optional = true;
	return EXIT_OK;
}

int strace_qualifiers_add_calls(struct strace_qualifiers *q, const char *list)
{
	if (q->of_all && *list != '!')
		return report_misuse(q->command, "--filter without an -e before it applies to all "
						 "calls: put it after the -e");
	q->of_signals = false;
	q->has_calls |= *list != '!';
	if (strcmp(list, "none") == 0 || strcmp(list, "!all") == 0) {
		q->has_calls = q->none = true;
		return EXIT_OK;
	}
	return add_names(q, list);
}

/* Returns a signal by its name in any case, with SIG or without, or by its number; 0 if there is
 * none. */
static uint64_t parse_signal(const char *item, size_t len)
{
	const struct kt_labels *all = kt_constants_find("signal");
	const char *name;
	uint64_t number;
	size_t i, skip;
	char *end;

	number = strtoull(item, &end, 10);
	for (i = 0; i < all->n; i++) {
		name = all->of[i].text;
		skip = len < 3 || strncasecmp(item, "SIG", 3) != 0 ? 3 : 0;
		if (strncasecmp(name + skip, item, len) == 0 && !name[skip + len])
			return all->of[i].value;
		if (end == item + len && all->of[i].value == number)
			return number;
	}
	return 0;
}

/*
 * Writes a filter of signals separated by commas: "sig == 2 || sig == 15". Reports an unknown one.
 */
static int put_signals(const struct strace_qualifiers *q, FILE *to, const char *text,
		       const char *list)
{
	const char *item;
	uint64_t signal;
	size_t len;

	for (item = list;; item += len + 1) {
		len = strcspn(item, ",");
		signal = parse_signal(item, len);
		if (!signal)
			return fail_at(q, text, item - text, len,
				       "unknown signal; expected INT,TERM or all or none");
		fprintf(to, "%ssig == %" PRIu64, item > list ? " || " : "", signal);
		if (!item[len])
			return EXIT_OK;
	}
}

/* Sets the filter of signal:signal_deliver from a list within text. */
static int filter_signals(struct strace_qualifiers *q, const char *text, const char *list, bool but)
{
	size_t size;
	FILE *to = open_memstream(&q->signals, &size);
	int status;

	if (!to)
		return report_no_memory(q->command);
	if (but)
		fputs("!(", to);
	status = put_signals(q, to, text, list);
	if (but)
		fputc(')', to);
	return fclose(to) == 0 ? status : report_no_memory(q->command);
}

int strace_qualifiers_add_signals(struct strace_qualifiers *q, const char *text)
{
	bool but = *text == '!';
	const char *list = text + but;
	bool all = strcmp(list, "all") == 0, none = strcmp(list, "none") == 0;

	q->of_signals = true;
	free(q->signals);
	q->signals = NULL;
	if (!all && !none)
		return filter_signals(q, text, list, but);
	if (all != but)
		return EXIT_OK;
	q->signals = strdup("");
	return q->signals ? EXIT_OK : report_no_memory(q->command);
}

static bool begins_with(const char *text, size_t len, const char *const *words)
{
	while (*words && (strlen(*words) != len || strncmp(*words, text, len) != 0))
		words++;
	return *words;
}

int strace_qualifiers_add(struct strace_qualifiers *q, const char *text)
{
	static const char *const calls[] = {"trace", "t", NULL};
	static const char *const signals[] = {"signal", "signals", "s", NULL};
	size_t len = strcspn(text, "=/"), at = text[len] == '=' ? len + 1 : 0;

	if (at && begins_with(text, len, signals))
		return strace_qualifiers_add_signals(q, text + at);
	if (at && !begins_with(text, len, calls))
		return fail_at(q, text, 0, at,
			       "unsupported qualifier; expected trace=, signal=, status=, quiet=, "
			       "decode-fds=, decode-pids=, read=, write= or abbrev=none");
	return strace_qualifiers_add_calls(q, text + at);
}

int strace_qualifiers_add_filter(struct strace_qualifiers *q, const char *text)
{
	if (q->of_signals)
		return report_misuse(q->command, "--filter applies to calls, not to signals");
	q->of_all = !q->has_calls;
	if (q->of_all && add_names(q, "all") != EXIT_OK)
		return EXIT_FAILED;
	q->has_calls = true;
	return add_event_filter(q->command, q->event_options, text);
}

int strace_qualifiers_end(struct strace_qualifiers *q, bool signals, bool ends)
{
	static const struct event_option all_calls = {.patterns = "syscalls:*"};
	struct event_option *o;

	if (!q->has_calls)
		event_options_set_default(q->event_options, &all_calls);
	for (o = q->event_options; o->patterns; o++)
		o->stacks = q->stacks;
	if (ends)
		add_event_option(q->event_options, "sched:sched_process_exit");
	if (!signals || (q->signals && !*q->signals))
		return EXIT_OK;
	add_event_option(q->event_options, "signal:signal_deliver");
	return q->signals ? add_event_filter(q->command, q->event_options, q->signals) : EXIT_OK;
}

void strace_qualifiers_free(struct strace_qualifiers *q)
{
	while (q->n > 0)
		free(q->patterns[--q->n]);
	free(q->patterns);
	free(q->signals);
}
