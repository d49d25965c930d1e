// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/recipe_parser.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/btf.h"
#include "ctypes/kernel_constants.h"

struct parser {
	const struct kt_btf_target *tp;
	struct kt_scan scan;
	bool joins; /* a ',' ends each branch of a choice */
};

/*
 * Binary operators, the loosest first. 'a - b + c' and 'a + b - c' mean what they do in C,
 * whichever is computed first.
 */
static const struct {
	const char *text;
	enum kt_expr_op op;
} operators[] = {{"|", KT_EXPR_OR},   {"&", KT_EXPR_AND},    {"==", KT_EXPR_EQUAL},
		 {">", KT_EXPR_MORE}, {">>", KT_EXPR_SHIFT}, {"+", KT_EXPR_PLUS},
		 {"-", KT_EXPR_MINUS}};

enum { N_OPERATORS = sizeof(operators) / sizeof(*operators) };

static struct kt_expr *report_error(const struct parser *p, int code, struct kt_word where,
				    const char *what)
{
	kt_scan_fail(&p->scan, code, where, "%s", what);
	return NULL;
}

/* Reports that something else was expected here. */
static struct kt_expr *report_unexpected(const struct parser *p, const char *what)
{
	kt_scan_fail_here(&p->scan, what);
	return NULL;
}

/* Reports an error in the text since `start`. */
static struct kt_expr *report_error_since(const struct parser *p, int code, const char *start,
					  const char *what)
{
	return report_error(p, code, kt_scan_since(&p->scan, start), what);
}

static struct kt_expr *make_node(const struct parser *p, enum kt_expr_op op)
{
	struct kt_expr *e = calloc(1, sizeof(*e));

	if (!e)
		kt_fail(p->scan.err, ENOMEM, "%s", strerror(ENOMEM));
	else
		*e = (struct kt_expr){.op = op, .held = 1};
	return e;
}

/* Makes a node of one to three operands. On error (one is NULL, no memory) frees them. */
static struct kt_expr *make_parent(const struct parser *p, enum kt_expr_op op, struct kt_expr *of[],
				   unsigned int n)
{
	struct kt_expr *e = NULL;
	unsigned int i;

	for (i = 0; i < n && of[i]; i++)
		;
	if (i == n)
		e = make_node(p, op);
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
	return e->op < KT_EXPR_EQUAL &&
	       !(e->op == KT_EXPR_PATH && (e->path.is_array || e->path.as));
}

static bool is_comparison(const struct kt_expr *e)
{
	return e && (e->op == KT_EXPR_EQUAL || e->op == KT_EXPR_MORE);
}

static struct kt_expr *make_number(const struct parser *p, int32_t n)
{
	struct kt_expr *e = make_node(p, KT_EXPR_NUMBER);

	if (e)
		e->number = n;
	return e;
}

static bool starts_number(const char *at)
{
	return isdigit((unsigned char)at[*at == '-']);
}

static struct kt_expr *parse_number(struct parser *p)
{
	const char *start = p->scan.at;
	long long n;

	errno = 0;
	n = strtoll(start, (char **)&p->scan.at, 0);
	if (errno || n > INT32_MAX || n < INT32_MIN)
		return report_error_since(p, ERANGE, start, "more than 32 bits");
	return make_number(p, n);
}

static struct kt_expr *make_path(const struct parser *p, enum kt_expr_op op,
				 const struct kt_member_path *path)
{
	struct kt_expr *e = make_node(p, op);

	if (e)
		e->path = *path;
	return e;
}

static struct kt_expr *parse_path(struct parser *p)
{
	const char *start = p->scan.at;
	struct kt_member_path found;

	if (kt_member_path_find(&found, p->tp, &p->scan) < 0)
		return NULL;
	if (found.is_guarded)
		return report_error_since(p, EINVAL, start, "only probe() may follow this pointer");
	return make_path(p, KT_EXPR_PATH, &found);
}

/* Expects the ')' that ends e; frees e otherwise. */
static struct kt_expr *expect_close(struct parser *p, struct kt_expr *e, const char *what)
{
	if (!e || kt_scan_next(&p->scan, ")"))
		return e;
	kt_expr_free(e);
	return report_unexpected(p, what);
}

/* Parses the rest of 'probe('. */
static struct kt_expr *parse_probe(struct parser *p)
{
	struct kt_member_path found;
	const char *start;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	if (kt_member_path_find(&found, p->tp, &p->scan) < 0)
		return NULL;
	if (found.is_array)
		return report_error_since(p, EINVAL, start, "not a number");
	if (!found.n)
		return report_error_since(p, EINVAL, start, "not a pointer");
	return expect_close(p, make_path(p, KT_EXPR_PROBE, &found), "expected ')' here");
}

static struct kt_expr *parse_text(struct parser *p)
{
	struct kt_word between;
	struct kt_expr *e;

	if (kt_scan_quoted(&p->scan, "\"", &between) < 0)
		return NULL;
	e = make_node(p, KT_EXPR_TEXT);
	if (!e)
		return NULL;
	e->text = strndup(between.start, between.len);
	if (e->text)
		return e;
	kt_expr_free(e);
	kt_fail(p->scan.err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

static struct kt_expr *parse_operand(struct parser *p);
static struct kt_expr *parse_operation(struct parser *p, unsigned int level);
static struct kt_expr *parse_list(struct parser *p);

/* Returns e; or reports that it is not a value, frees it and returns NULL. */
static struct kt_expr *require_value(const struct parser *p, struct kt_expr *e,
				     struct kt_word where)
{
	if (!e || is_value(e))
		return e;
	kt_expr_free(e);
	return report_error(p, EINVAL, where, "not a number");
}

/*
 * Returns e if it may stand before the operator. A probe may, before a comparison: it holds no
 * register.
 */
static struct kt_expr *require_first(const struct parser *p, enum kt_expr_op op, struct kt_expr *e,
				     struct kt_word where)
{
	bool compares = op == KT_EXPR_EQUAL || op == KT_EXPR_MORE;

	return compares && e->op == KT_EXPR_PROBE ? e : require_value(p, e, where);
}

/* Parses the rest of '(int)'. */
static struct kt_expr *parse_cast(struct parser *p)
{
	const char *start;
	struct kt_expr *e;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	e = parse_operand(p);
	e = require_value(p, e, kt_scan_since(&p->scan, start));
	e = make_parent(p, KT_EXPR_CAST, &e, 1);
	if (e) {
		e->path = (struct kt_member_path){.size = sizeof(int), .is_signed = true};
		e->held = e->of[0]->held;
	}
	return e;
}

/* Parses a value in parentheses. */
static struct kt_expr *parse_value(struct parser *p)
{
	const char *start;
	struct kt_expr *e;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	e = parse_operation(p, 0);
	return require_value(p, e, kt_scan_since(&p->scan, start));
}

/* Parses the rest of a function with one value. */
static struct kt_expr *parse_unary(struct parser *p, enum kt_expr_op op)
{
	struct kt_expr *e = parse_value(p);

	e = make_parent(p, op, &e, 1);
	if (e)
		e->held = e->of[0]->held;
	return expect_close(p, e, "expected an operator or ')' here");
}

/*
 * Parses the rest of a function of address, number, and optional limit. All of them are held at
 * once.
 */
static struct kt_expr *parse_elements(struct parser *p, enum kt_expr_op op, int32_t size)
{
	struct kt_expr *of[3], *e;
	unsigned int n = 0, i, most = op == KT_EXPR_BYTES ? 3 : 2;
	const char *start;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	do
		of[n] = parse_value(p);
	while (of[n++] && n < most && kt_scan_next(&p->scan, ","));
	e = make_parent(p, op, of, n);
	if (e)
		e->number = size;
	for (i = 0; e && i < n; i++)
		if (of[i]->held + i > e->held)
			e->held = of[i]->held + i;
	e = expect_close(p, e, n < most ? "expected ',' or ')' here" : "expected ')' here");
	if (!e || (n > 1 && e->held <= KT_EXPR_HELD_MAX))
		return e;
	kt_expr_free(e);
	return n > 1 ? report_error_since(p, ERANGE, start, "too many values at once")
		     : report_error_since(p, EINVAL, start, "missing count");
}

/* Parses a number from least to most. Returns -1 on error. */
static int32_t parse_bounded(struct parser *p, int32_t least, int32_t most, const char *what)
{
	struct kt_expr *e;
	const char *start;
	int32_t n;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	e = starts_number(start) ? parse_number(p) : report_unexpected(p, what);
	if (!e)
		return -1;
	n = e->number;
	kt_expr_free(e);
	if (n >= least && n <= most)
		return n;
	report_error_since(p, EINVAL, start, "there is no such size or place");
	return -1;
}

/* Parses the rest of a function with the size in front. */
static struct kt_expr *parse_sized(struct parser *p, enum kt_expr_op op)
{
	int32_t n = parse_bounded(p, 1, INT32_MAX, "expected a size here");

	if (n < 0)
		return NULL;
	if (!kt_scan_next(&p->scan, ","))
		return report_unexpected(p, "expected ',' here");
	return parse_elements(p, op, n);
}

/* Parses the rest of 'member(': offset and size. */
static struct kt_expr *parse_member(struct parser *p)
{
	int32_t at = parse_bounded(p, 0, KT_EXPR_STRUCT_SIZE - 4, "expected a place here"), size;
	const char *start = p->scan.at;
	struct kt_expr *e;

	if (at < 0)
		return NULL;
	if (!kt_scan_next(&p->scan, ","))
		return report_unexpected(p, "expected ',' here");
	size = parse_bounded(p, 4, 8, "expected a size here");
	if (size < 0)
		return NULL;
	if (size % 4 || at % size || at + size > KT_EXPR_STRUCT_SIZE)
		return report_error_since(p, EINVAL, start, "there is no such member");
	e = make_node(p, KT_EXPR_MEMBER);
	if (e) {
		e->number = at;
		e->path.size = size;
	}
	return expect_close(p, e, "expected ')' here");
}

/* Returns the maximum number of letters; too many for what is not text. */
static size_t count_letters(const struct kt_expr *e)
{
	size_t a, b;

	if (e->op == KT_EXPR_TEXT)
		return strlen(e->text);
	if (e->op != KT_EXPR_LIST && e->op != KT_EXPR_CHOICE)
		return KT_EXPR_LETTERS + 1;
	a = count_letters(e->of[e->op == KT_EXPR_LIST ? 0 : 2]);
	b = count_letters(e->of[1]);
	return e->op == KT_EXPR_LIST ? a + b : a > b ? a : b;
}

/*
 * Returns whether an operand needs more registers than are left: joining letters holds two values.
 */
static bool needs_registers(const struct kt_expr *e)
{
	return e->held > KT_EXPR_HELD_MAX - 2;
}

/* Parses the rest of 'join('. */
static struct kt_expr *parse_join(struct parser *p)
{
	const char *start;
	struct kt_expr *e;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	p->joins = true;
	e = parse_list(p);
	p->joins = false;
	if (e && (count_letters(e) > KT_EXPR_LETTERS || kt_expr_any(e, needs_registers))) {
		kt_expr_free(e);
		return report_error_since(p, EINVAL, start, "too many letters");
	}
	return expect_close(p, make_parent(p, KT_EXPR_JOIN, &e, 1), "expected ',' or ')' here");
}

/* Parses the rest of a parenthesis. */
static struct kt_expr *parse_group(struct parser *p)
{
	return expect_close(p, parse_operation(p, 0), "expected an operator or ')' here");
}

/* Kinds of functions, by their parameters. */
enum form { OF_ONE, OF_SOME, OF_SIZE, OF_PLACE };

static const struct {
	const char *opens;
	enum kt_expr_op op;
	enum form form;
} functions[] = {
	{"array(", KT_EXPR_BYTES, OF_SIZE},     {"buffers(", KT_EXPR_BUFFERS, OF_ONE},
	{"bytes(", KT_EXPR_BYTES, OF_SOME},     {"count(", KT_EXPR_COUNT, OF_ONE},
	{"entries(", KT_EXPR_ENTRIES, OF_SOME}, {"file(", KT_EXPR_FILE, OF_ONE},
	{"member(", KT_EXPR_MEMBER, OF_PLACE},  {"ntohs(", KT_EXPR_NTOHS, OF_ONE},
	{"padded(", KT_EXPR_PADDED, OF_SIZE},   {"socket(", KT_EXPR_SOCKET, OF_ONE},
	{"start(", KT_EXPR_START, OF_ONE},      {"string(", KT_EXPR_STRING, OF_ONE},
	{"strings(", KT_EXPR_STRINGS, OF_ONE},  {"upto_at(", KT_EXPR_UPTO_AT, OF_SIZE},
	{"upto(", KT_EXPR_UPTO, OF_SIZE},
};

enum { N_FUNCTIONS = sizeof(functions) / sizeof(*functions) };

static struct kt_expr *parse_function(struct parser *p, enum kt_expr_op op, enum form form)
{
	if (form == OF_ONE)
		return parse_unary(p, op);
	if (form == OF_PLACE)
		return parse_member(p);
	return form == OF_SIZE ? parse_sized(p, op) : parse_elements(p, op, 1);
}

static struct kt_expr *parse_operand(struct parser *p)
{
	int32_t n;
	size_t i;
	int built;

	if (kt_scan_next(&p->scan, "(int)"))
		return parse_cast(p);
	if (kt_scan_next(&p->scan, "("))
		return parse_group(p);
	if (*p->scan.at == '"')
		return parse_text(p);
	if (kt_scan_next(&p->scan, "join("))
		return parse_join(p);
	if (kt_scan_next(&p->scan, "probe("))
		return parse_probe(p);
	built = kt_kernel_constant_scan(p->tp, &p->scan, &n);
	if (built)
		return built < 0 ? NULL : make_number(p, n);
	for (i = 0; i < N_FUNCTIONS; i++)
		if (kt_scan_next(&p->scan, functions[i].opens))
			return parse_function(p, functions[i].op, functions[i].form);
	return starts_number(p->scan.at) ? parse_number(p) : parse_path(p);
}

/* Makes a difference of pointers a number of elements: shifts it by the size of one. */
static int set_element_shift(const struct parser *p, const char *start, struct kt_expr *minus)
{
	uint32_t to = minus->of[0]->op == KT_EXPR_PATH ? minus->of[0]->path.to : 0;
	unsigned long long size = btf__resolve_size(p->tp->btf, to);
	struct kt_word all = kt_scan_since(&p->scan, start);

	if (!to || minus->of[1]->op != KT_EXPR_PATH || minus->of[1]->path.to != to)
		return kt_scan_fail(&p->scan, EINVAL, all,
				    "these are not two pointers to one type");
	if (!size || size & (size - 1))
		return kt_scan_fail(&p->scan, EOPNOTSUPP, all,
				    "the type's size is no power of two");
	minus->number = __builtin_ctzll(size);
	return 0;
}

/*
 * Makes a binary node. The second operand is computed while the first is held, unless it is a
 * constant.
 */
static struct kt_expr *make_pair(const struct parser *p, enum kt_expr_op op, const char *start,
				 struct kt_expr *a, struct kt_expr *b)
{
	struct kt_expr *of[] = {a, b}, *e = make_parent(p, op, of, 2);

	if (!e)
		return NULL;
	e->held = of[0]->held;
	if (of[1]->op != KT_EXPR_NUMBER && of[1]->held >= e->held)
		e->held = of[1]->held + 1;
	if (e->held > KT_EXPR_HELD_MAX)
		report_error_since(p, ERANGE, start, "too many values at once");
	else if (op != KT_EXPR_MINUS || set_element_shift(p, start, e) == 0)
		return e;
	kt_expr_free(e);
	return NULL;
}

static struct kt_expr *parse_operation(struct parser *p, unsigned int level)
{
	const char *start, *second;
	struct kt_expr *a, *b;
	struct kt_word first;

	if (level == N_OPERATORS)
		return parse_operand(p);
	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	a = parse_operation(p, level + 1);
	first = kt_scan_since(&p->scan, start);
	while (a && kt_scan_next(&p->scan, operators[level].text)) {
		a = require_first(p, operators[level].op, a, first);
		kt_scan_spaces(&p->scan);
		second = p->scan.at;
		b = a ? parse_operation(p, level + 1) : NULL;
		b = require_value(p, b, kt_scan_since(&p->scan, second));
		a = make_pair(p, operators[level].op, start, a, b);
		first = kt_scan_since(&p->scan, start);
	}
	return a;
}

/* Replaces a choice by its branch if the condition is a constant. */
static struct kt_expr *fold_choice(struct kt_expr *e)
{
	struct kt_expr *operand;
	int i;

	if (!e || e->of[0]->op != KT_EXPR_NUMBER)
		return e;
	i = e->of[0]->number ? 1 : 2;
	operand = e->of[i];
	e->of[i] = NULL;
	kt_expr_free(e);
	return operand;
}

static struct kt_expr *parse_branch(struct parser *p);

static struct kt_expr *parse_choice(struct parser *p)
{
	struct kt_expr *of[3] = {};
	struct kt_word first;
	const char *start;
	bool is_choice;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	of[0] = parse_operation(p, 0);
	first = kt_scan_since(&p->scan, start);
	is_choice = of[0] && kt_scan_next(&p->scan, "?");
	if (is_comparison(of[0]) != is_choice)
		of[0] = require_value(p, of[0], first);
	if (!of[0] || !is_choice)
		return of[0];
	of[1] = parse_branch(p);
	if (of[1] && kt_scan_next(&p->scan, ":"))
		of[2] = parse_branch(p);
	else if (of[1])
		report_unexpected(p, "expected an operator or ':' here");
	return fold_choice(make_parent(p, KT_EXPR_CHOICE, of, 3));
}

static struct kt_expr *parse_branch(struct parser *p)
{
	return p->joins ? parse_choice(p) : parse_list(p);
}

static struct kt_expr *parse_list(struct parser *p)
{
	struct kt_expr *of[2];

	of[0] = parse_choice(p);
	if (!of[0] || !kt_scan_next(&p->scan, ","))
		return of[0];
	of[1] = parse_list(p);
	return make_parent(p, KT_EXPR_LIST, of, 2);
}

struct kt_expr *kt_expr_parse(const struct kt_btf_target *tp, const char *text,
			      struct kt_error *err)
{
	struct parser p = {tp, kt_scan_of(text, err), false};
	struct kt_expr *e = parse_list(&p);

	kt_scan_spaces(&p.scan);
	if (e && *p.scan.at) {
		kt_expr_free(e);
		return report_unexpected(&p, "expected an operator here");
	}
	return e;
}
