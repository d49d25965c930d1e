// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/expr.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/btf.h"

struct parser {
	const struct kt_btf_tracepoint *tp;
	const char *text; /* all of it */
	const char *at;   /* what is not read yet */
	struct kt_error *err;
};

/* The operators between two values, those that bind less first. */
static const struct {
	const char *text;
	enum kt_expr_op op;
} operators[] = {{"|", KT_EXPR_OR}, {"&", KT_EXPR_AND}, {"==", KT_EXPR_EQUAL}};

enum { N_OPERATORS = sizeof(operators) / sizeof(*operators), OPERANDS = 3 };

void kt_expr_free(struct kt_expr *e)
{
	unsigned int i;

	if (!e)
		return;
	for (i = 0; i < OPERANDS; i++)
		kt_expr_free(e->of[i]);
	free(e->text);
	free(e);
}

bool kt_expr_any(const struct kt_expr *e, bool (*is_so)(const struct kt_expr *part))
{
	unsigned int i;

	for (i = 0; i < OPERANDS && e->of[i]; i++)
		if (kt_expr_any(e->of[i], is_so))
			return true;
	return is_so(e);
}

static struct kt_expr *fail_at(const struct parser *p, int code, const char *at, size_t len,
			       const char *what)
{
	kt_fail_at(p->err, code, p->text, at - p->text, len, "%s", what);
	return NULL;
}

/* What comes next is not what may. */
static struct kt_expr *fail_here(const struct parser *p, const char *what)
{
	return fail_at(p, EINVAL, p->at, *p->at != '\0', what);
}

/* What lies between is at fault, save the spaces at its end. */
static struct kt_expr *fail_between(const struct parser *p, int code, const char *start,
				    const char *end, const char *what)
{
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return fail_at(p, code, start, end - start, what);
}

static void skip_spaces(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

/* Takes the text, where it is what comes next. */
static bool next_is(struct parser *p, const char *text)
{
	skip_spaces(p);
	if (strncmp(p->at, text, strlen(text)) != 0)
		return false;
	p->at += strlen(text);
	return true;
}

static struct kt_expr *make(const struct parser *p, enum kt_expr_op op)
{
	struct kt_expr *e = calloc(1, sizeof(*e));

	if (!e)
		kt_fail(p->err, ENOMEM, "%s", strerror(ENOMEM));
	else
		*e = (struct kt_expr){.op = op, .held = 1};
	return e;
}

/* Of one to three, which are freed where it or one of them cannot be had. */
static struct kt_expr *make_of(const struct parser *p, enum kt_expr_op op, struct kt_expr *of[],
			       unsigned int n)
{
	struct kt_expr *e = NULL;
	unsigned int i;

	for (i = 0; i < n && of[i]; i++)
		;
	if (i == n)
		e = make(p, op);
	for (i = 0; i < n; i++) {
		if (e)
			e->of[i] = of[i];
		else
			kt_expr_free(of[i]);
	}
	return e;
}

static bool is_value(const struct kt_expr *e)
{
	return e->op < KT_EXPR_EQUAL && !(e->op == KT_EXPR_PATH && e->path.is_array);
}

static bool is_comparison(const struct kt_expr *e)
{
	return e && e->op == KT_EXPR_EQUAL;
}

static struct kt_expr *make_number(const struct parser *p, int32_t n)
{
	struct kt_expr *e = make(p, KT_EXPR_NUMBER);

	if (e)
		e->number = n;
	return e;
}

static bool is_number(const char *at)
{
	return isdigit((unsigned char)at[*at == '-']);
}

static struct kt_expr *number(struct parser *p)
{
	const char *start = p->at;
	long long n;
	char *end;

	errno = 0;
	n = strtoll(p->at, &end, 0);
	if (errno || n > INT32_MAX || n < INT32_MIN)
		return fail_at(p, ERANGE, start, end - start, "it has more than 32 bits");
	p->at = end;
	return make_number(p, n);
}

static struct kt_expr *path(struct parser *p)
{
	struct kt_path found;
	struct kt_expr *e;

	if (kt_path_find(&found, p->tp, p->text, &p->at, p->err) < 0)
		return NULL;
	e = make(p, KT_EXPR_PATH);
	if (e)
		e->path = found;
	return e;
}

/* The same, where what has been opened ends here. */
static struct kt_expr *closed(struct parser *p, struct kt_expr *e, const char *what)
{
	if (!e || next_is(p, ")"))
		return e;
	kt_expr_free(e);
	return fail_here(p, what);
}

/* Behind the "has(". */
static struct kt_expr *has(struct parser *p)
{
	struct kt_path found;
	int ret;

	skip_spaces(p);
	ret = kt_path_find(&found, p->tp, p->text, &p->at, p->err);
	if (ret == -ENOENT)
		p->at += strcspn(p->at, ")");
	else if (ret < 0)
		return NULL;
	return closed(p, make_number(p, ret == 0), "expected ')' here");
}

/* Behind the "bit(". */
static struct kt_expr *bit(struct parser *p)
{
	const char *start;
	int64_t n;

	skip_spaces(p);
	start = p->at;
	while (isalnum((unsigned char)*p->at) || *p->at == '_')
		p->at++;
	if (kt_btf_enumerator(p->tp->btf, start, p->at - start, &n) < 0)
		return fail_between(p, ENOENT, start, p->at, "the kernel has no such enumerator");
	if (n < 0 || n > 30)
		return fail_between(p, ERANGE, start, p->at, "it is no number from 0 to 30");
	return closed(p, make_number(p, 1 << n), "expected ')' here");
}

/* Behind the first '"'. It has no escapes. */
static struct kt_expr *text(struct parser *p)
{
	size_t len = strcspn(p->at, "\"");
	struct kt_expr *e;

	if (!p->at[len])
		return fail_at(p, EINVAL, p->at - 1, len + 1, "a '\"' at its end is missing");
	e = make(p, KT_EXPR_TEXT);
	if (!e)
		return NULL;
	e->text = strndup(p->at, len);
	p->at += len + 1;
	if (e->text)
		return e;
	kt_expr_free(e);
	kt_fail(p->err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

static struct kt_expr *operand(struct parser *p);
static struct kt_expr *operation(struct parser *p, unsigned int level);

/* The same, which has been read from there to there; or, where it is no value, NULL. */
static struct kt_expr *need_value(const struct parser *p, struct kt_expr *e, const char *start,
				  const char *end)
{
	if (!e || is_value(e))
		return e;
	kt_expr_free(e);
	return fail_between(p, EINVAL, start, end, "it is no number");
}

/* Behind the "(int)". */
static struct kt_expr *cast(struct parser *p)
{
	const char *start;
	struct kt_expr *e;

	skip_spaces(p);
	start = p->at;
	e = operand(p);
	e = need_value(p, e, start, p->at);
	e = make_of(p, KT_EXPR_CAST, &e, 1);
	if (e) {
		e->path = (struct kt_path){.size = sizeof(int), .is_signed = true};
		e->held = e->of[0]->held;
	}
	return e;
}

/* Behind the "(". */
static struct kt_expr *grouped(struct parser *p)
{
	return closed(p, operation(p, 0), "expected an operator or ')' here");
}

static struct kt_expr *operand(struct parser *p)
{
	if (next_is(p, "(int)"))
		return cast(p);
	if (next_is(p, "("))
		return grouped(p);
	if (next_is(p, "\""))
		return text(p);
	if (next_is(p, "has("))
		return has(p);
	if (next_is(p, "bit("))
		return bit(p);
	return is_number(p->at) ? number(p) : path(p);
}

/* The second of two is computed while the first is held, unless it is known beforehand. */
static struct kt_expr *pair(const struct parser *p, enum kt_expr_op op, const char *start,
			    struct kt_expr *a, struct kt_expr *b)
{
	struct kt_expr *of[] = {a, b}, *e = make_of(p, op, of, 2);

	if (!e)
		return NULL;
	e->held = of[0]->held;
	if (of[1]->op != KT_EXPR_NUMBER && of[1]->held >= e->held)
		e->held = of[1]->held + 1;
	if (e->held <= KT_EXPR_HELD_MAX)
		return e;
	kt_expr_free(e);
	return fail_between(p, ERANGE, start, p->at, "too many values at once");
}

static struct kt_expr *operation(struct parser *p, unsigned int level)
{
	const char *start, *second, *end;
	struct kt_expr *a, *b;

	if (level == N_OPERATORS)
		return operand(p);
	skip_spaces(p);
	start = p->at;
	a = operation(p, level + 1);
	for (end = p->at; a && next_is(p, operators[level].text); end = p->at) {
		a = need_value(p, a, start, end);
		skip_spaces(p);
		second = p->at;
		b = a ? operation(p, level + 1) : NULL;
		b = need_value(p, b, second, p->at);
		a = pair(p, operators[level].op, start, a, b);
	}
	return a;
}

static struct kt_expr *list(struct parser *p);

/* The branch that is taken, where that is known. */
static struct kt_expr *decide(struct kt_expr *e)
{
	struct kt_expr *taken;
	int i;

	if (!e || e->of[0]->op != KT_EXPR_NUMBER)
		return e;
	i = e->of[0]->number ? 1 : 2;
	taken = e->of[i];
	e->of[i] = NULL;
	kt_expr_free(e);
	return taken;
}

static struct kt_expr *choice(struct parser *p)
{
	struct kt_expr *of[3] = {};
	const char *start, *end;
	bool is_choice;

	skip_spaces(p);
	start = p->at;
	of[0] = operation(p, 0);
	end = p->at;
	is_choice = of[0] && next_is(p, "?");
	if (is_comparison(of[0]) != is_choice)
		of[0] = need_value(p, of[0], start, end);
	if (!of[0] || !is_choice)
		return of[0];
	of[1] = list(p);
	if (of[1] && next_is(p, ":"))
		of[2] = list(p);
	else if (of[1])
		fail_here(p, "expected an operator or ':' here");
	return decide(make_of(p, KT_EXPR_CHOICE, of, 3));
}

static struct kt_expr *list(struct parser *p)
{
	struct kt_expr *of[2];

	of[0] = choice(p);
	if (!of[0] || !next_is(p, ","))
		return of[0];
	of[1] = list(p);
	return make_of(p, KT_EXPR_LIST, of, 2);
}

struct kt_expr *kt_expr_parse(const struct kt_btf_tracepoint *tp, const char *text,
			      struct kt_error *err)
{
	struct parser p = {.tp = tp, .text = text, .at = text, .err = err};
	struct kt_expr *e = list(&p);

	skip_spaces(&p);
	if (e && *p.at) {
		kt_expr_free(e);
		return fail_here(&p, "expected an operator here");
	}
	return e;
}
