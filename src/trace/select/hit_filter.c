// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/select/hit_filter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "filter/filter_parser.h"
#include "trace/read/stream_reader.h"
#include "trace/select/hit_names.h"

struct kt_hit_filter {
	struct kt_hit_names names;
	struct kt_filter *root;
};

/* What a filter is evaluated on. */
struct subject {
	const struct kt_hit_names *names;
	const struct kt_hit *entry, *exit;
};

static struct kt_hit_filter *fail_without_memory(struct kt_hit_filter *f, struct kt_error *err)
{
	free(f);
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

/* Parses the text with the names that f has. */
static struct kt_hit_filter *parse(struct kt_hit_filter *f, const char *text, struct kt_error *err)
{
	f->root = kt_filter_parse_in(&f->names.scope, text, err);
	if (f->root)
		return f;
	kt_hit_filter_free(f);
	return NULL;
}

struct kt_hit_filter *kt_hit_filter_of_event(const struct kt_event_class *event, const char *text,
					     struct kt_error *err)
{
	struct kt_hit_filter *f = calloc(1, sizeof(*f));

	if (!f || kt_hit_names_of_event(&f->names, event) < 0)
		return fail_without_memory(f, err);
	return parse(f, text, err);
}

struct kt_hit_filter *kt_hit_filter_of_call(const struct kt_call_kind *call, const char *text,
					    struct kt_error *err)
{
	struct kt_hit_filter *f = calloc(1, sizeof(*f));

	if (!f || kt_hit_names_of_call(&f->names, call) < 0)
		return fail_without_memory(f, err);
	return parse(f, text, err);
}

void kt_hit_filter_free(struct kt_hit_filter *f)
{
	if (!f)
		return;
	kt_filter_free(f->root);
	kt_hit_names_clear(&f->names);
	free(f);
}

static bool get_number(const struct subject *s, const struct kt_filter *f, uint64_t *number)
{
	const struct kt_hit *hit = s->entry ? s->entry : s->exit;

	switch (f->source) {
	case KT_FILTER_PID:
		*number = hit->pid;
		return hit->pid >= 0;
	case KT_FILTER_TID:
		*number = (uint32_t)hit->tid;
		return true;
	case KT_FILTER_CPU:
		*number = hit->cpu;
		return true;
	default:
		return kt_hit_names_number(s->names, f->field, s->entry, s->exit, number);
	}
}

static bool is_less(const struct subject *s, const struct kt_filter *f, uint64_t a, uint64_t b)
{
	bool is_signed = f->source == KT_FILTER_FIELD && s->names->scope.names[f->field].is_signed;

	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static enum kt_truth test_number(const struct subject *s, const struct kt_filter *f)
{
	uint64_t number;

	if (!get_number(s, f, &number))
		return KT_UNKNOWN;
	switch (f->op) {
	case KT_FILTER_EQUAL:
		return number == f->number ? KT_TRUE : KT_FALSE;
	case KT_FILTER_LESS:
		return is_less(s, f, number, f->number) ? KT_TRUE : KT_FALSE;
	case KT_FILTER_AT_MOST:
		return is_less(s, f, f->number, number) ? KT_FALSE : KT_TRUE;
	default:
		return number & f->number ? KT_TRUE : KT_FALSE;
	}
}

static bool get_text(const struct subject *s, const struct kt_filter *f, const char **text,
		     size_t *len)
{
	const struct kt_hit *hit = s->entry ? s->entry : s->exit;

	if (f->source == KT_FILTER_FIELD)
		return kt_hit_names_text(s->names, f->field, s->entry, s->exit, text, len);
	*text = hit->comm;
	*len = hit->comm ? strlen(hit->comm) : 0;
	return hit->comm;
}

static enum kt_truth test_text(const struct subject *s, const struct kt_filter *f)
{
	const char *text;
	size_t len;

	if (!get_text(s, f, &text, &len))
		return KT_UNKNOWN;
	if (f->op == KT_FILTER_LIKE)
		return kt_glob_matches(f->glob, text, len) ? KT_TRUE : KT_FALSE;
	if (f->op == KT_FILTER_IS && len != f->len)
		return KT_FALSE;
	return len >= f->len && memcmp(text, f->text, f->len) == 0 ? KT_TRUE : KT_FALSE;
}

static enum kt_truth evaluate(const struct subject *s, const struct kt_filter *f)
{
	enum kt_truth a, b;

	if (f->op >= KT_FILTER_IS)
		return test_text(s, f);
	if (f->op >= KT_FILTER_EQUAL)
		return test_number(s, f);
	a = evaluate(s, f->of[0]);
	if (f->op == KT_FILTER_NOT)
		return KT_TRUE - a;
	if (a == (f->op == KT_FILTER_AND ? KT_FALSE : KT_TRUE))
		return a;
	b = evaluate(s, f->of[1]);
	if (f->op == KT_FILTER_AND)
		return a < b ? a : b;
	return a > b ? a : b;
}

enum kt_truth kt_hit_filter_test(const struct kt_hit_filter *f, const struct kt_hit *entry,
				 const struct kt_hit *exit)
{
	return evaluate(&(struct subject){&f->names, entry, exit}, f->root);
}
