// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/env_filters.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/print/print_format.h"
#include "trace/read/metadata_reader.h"
#include "trace/tsdl_lexer.h"

enum kind { FILTER, COMPLETE_FROM, COMPLETE_UNTIL, PRINT, N_KINDS };

/* What an entry's name begins with, before the event's id. */
static const struct {
	const char *prefix;
	bool is_number;
} kinds[N_KINDS] = {
	[FILTER] = {"filter_", false},
	[COMPLETE_FROM] = {"complete_from_", true},
	[COMPLETE_UNTIL] = {"complete_until_", true},
	[PRINT] = {"print_", false},
};

struct kt_env_filter {
	enum kind kind;
	uint64_t id;
	struct kt_tsdl_value to;
};

static bool read_name(struct kt_env_filter *l, const char *name)
{
	size_t n;
	char *end;

	for (l->kind = 0; l->kind < N_KINDS; l->kind++) {
		n = strlen(kinds[l->kind].prefix);
		if (kinds[l->kind].is_number != l->to.is_number ||
		    strncmp(name, kinds[l->kind].prefix, n) != 0)
			continue;
		l->id = strtoull(name + n, &end, 10);
		return end > name + n && *end == '\0';
	}
	return false;
}

int kt_env_filters_add(struct kt_env_filters *l, const char *name,
		       const struct kt_tsdl_value *value)
{
	struct kt_env_filter limit = {.to = *value}, *of;

	if (!read_name(&limit, name))
		return 0;
	of = kt_grow(l->of, l->n, sizeof(*of));
	if (!of)
		return -ENOMEM;
	l->of = of;
	of[l->n++] = limit;
	return 1;
}

static void set_entry(const struct kt_env_filter *l, struct kt_event_class *e)
{
	if (l->kind == FILTER)
		e->filter = l->to.text;
	else if (l->kind == COMPLETE_FROM)
		e->complete.from = l->to.number;
	else if (l->kind == PRINT)
		e->print = kt_print_format_parse(l->to.text, &e->fields);
	else
		e->complete.until = l->to.number;
}

void kt_env_filters_set(const struct kt_env_filters *l, struct kt_event_class *events, size_t n)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->of[i].id < n)
			set_entry(&l->of[i], &events[l->of[i].id]);
}

void kt_env_filters_clear(struct kt_env_filters *l)
{
	free(l->of);
	*l = (struct kt_env_filters){0};
}
