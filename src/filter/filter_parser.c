// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/filter_parser.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "constants/labels.h"
#include "ctypes/recipe_expr.h"
#include "events/glob.h"
#include "filter/filter_path.h"
#include "filter/filter_scope.h"
#include "filter/named_value.h"
#include "filter/suggest.h"

#define NOT_A_NUMBER "not a number (strings need quotes: comm == \"bash\")"

struct parser {
	const struct kt_filter_scope *scope; /* NULL: only the syntax is checked */
	struct kt_scan scan;
	unsigned int depth, tests, globs;
};

/* Names that every event has. */
static const struct {
	const char *name, *always; /* valid unless a field has that name; and always valid */
	enum kt_filter_source source;
} sources[] = {
	{"pid", "PID", KT_FILTER_PID},
	{"tid", "TID", KT_FILTER_TID},
	{"common_pid", "common_pid", KT_FILTER_TID},
	{"comm", "COMM", KT_FILTER_COMM},
	{"cpu", "CPU", KT_FILTER_CPU},
};

/* No operator starts with one before it. */
static const struct {
	const char *text;
	enum kt_filter_op op;
	bool negated;
} operators[] = {
	{"==", KT_FILTER_EQUAL, false},   {"!=", KT_FILTER_EQUAL, true},
	{"<=", KT_FILTER_AT_MOST, false}, {">=", KT_FILTER_LESS, true},
	{"<", KT_FILTER_LESS, false},     {">", KT_FILTER_AT_MOST, true},
	{"&", KT_FILTER_BITS, false},     {"~", KT_FILTER_LIKE, false},
};

/* Units of numbers; those of time are for names that are times, in ns. */
static const struct {
	const char *text;
	uint64_t factor;
	bool is_time;
} units[] = {
	{"", 1, false},           {"K", 1 << 10, false},
	{"M", 1 << 20, false},    {"G", 1 << 30, false},
	{"T", 1ull << 40, false}, {"ns", 1, true},
	{"us", 1000, true},       {"ms", 1000000, true},
	{"s", 1000000000, true},  {"min", 60000000000, true},
};

enum {
	N_SOURCES = sizeof(sources) / sizeof(*sources),
	N_OPERATORS = sizeof(operators) / sizeof(*operators),
	N_UNITS = sizeof(units) / sizeof(*units),
};

/* The values that a source can have. */
struct range {
	unsigned int bits;
	bool is_signed;
};

static bool find_name(struct kt_filter *f, const struct kt_filter_scope *scope, struct kt_word name)
{
	for (f->field = 0; f->field < scope->n; f->field++)
		if (kt_word_is(name, scope->names[f->field].name))
			return true;
	return false;
}

/* Copies as much of a word as is compared for suggestions. */
static void cut_word(struct kt_word word, char text[KT_SUGGESTION_MAX + 2])
{
	snprintf(text, KT_SUGGESTION_MAX + 2, "%.*s", (int)word.len, word.start);
}

static int fail_at_name(const struct parser *p, struct kt_word name)
{
	char word[KT_SUGGESTION_MAX + 2], hint[256];
	struct kt_suggestion near;
	size_t i;

	cut_word(name, word);
	near = kt_suggestion_for(word);
	for (i = 0; i < p->scope->n; i++)
		kt_suggestion_offer(&near, p->scope->names[i].name);
	for (i = 0; i < N_SOURCES; i++)
		kt_suggestion_offer(&near, sources[i].name);
	if (near.name)
		snprintf(hint, sizeof(hint), "did you mean '%s'?", near.name);
	else
		snprintf(hint, sizeof(hint), "see 'ktrace list -v %s:%s'", p->scope->system,
			 p->scope->event);
	return kt_scan_fail(&p->scan, ENOENT, name, "unknown field '%s'; %s", word, hint);
}

/* Finds what a name means. */
static int find_source(const struct parser *p, struct kt_filter *f, struct kt_word name)
{
	bool is_field = !p->scope || find_name(f, p->scope, name);
	size_t i;

	for (i = 0; i < N_SOURCES; i++) {
		if (!kt_word_is(name, sources[i].always) &&
		    (is_field || !kt_word_is(name, sources[i].name)))
			continue;
		f->source = sources[i].source;
		return 0;
	}
	return is_field ? 0 : fail_at_name(p, name);
}

/* Returns what is known of a field; NULL for other sources, and without a scope. */
static const struct kt_filter_name *get_name(const struct parser *p, const struct kt_filter *f)
{
	return p->scope && f->source == KT_FILTER_FIELD ? &p->scope->names[f->field] : NULL;
}

/* Returns whether the source is text. Without a scope a field's type is unknown: false. */
static bool is_text_source(const struct parser *p, const struct kt_filter *f)
{
	const struct kt_filter_name *n = get_name(p, f);

	if (f->expr)
		return f->expr->path.is_text;
	return n ? !n->bits : f->source == KT_FILTER_COMM;
}

/* Checks that a name can be tested. */
static int check_name(const struct parser *p, const struct kt_filter *f, struct kt_word where)
{
	const struct kt_filter_name *n = get_name(p, f);

	if (!n || !n->why_not)
		return 0;
	return kt_scan_fail(&p->scan, EOPNOTSUPP, where, "'%s' %s", n->name, n->why_not);
}

static struct range get_range(const struct parser *p, const struct kt_filter *f)
{
	const struct kt_filter_name *n = get_name(p, f);

	if (f->expr)
		return (struct range){kt_filter_path_bits(f->expr), f->expr->path.is_signed};
	if (n)
		return (struct range){n->bits ? n->bits : 64, n->is_signed};
	return f->source == KT_FILTER_FIELD || f->source == KT_FILTER_EXPR
		       ? (struct range){64, true}
		       : (struct range){32, false};
}

static int fail_at_range(const struct parser *p, struct range r, struct kt_word where)
{
	uint64_t max = UINT64_MAX >> (64 - r.bits + r.is_signed);

	if (r.is_signed)
		return kt_scan_fail(&p->scan, ERANGE, where,
				    "out of range: -%" PRIu64 " to %" PRIu64, max + 1, max);
	return kt_scan_fail(&p->scan, ERANGE, where, "out of range: 0 to %" PRIu64, max);
}

static const struct kt_labels *get_labels(const struct parser *p, const struct kt_filter *f)
{
	const struct kt_filter_name *n = get_name(p, f);

	return n ? n->labels : NULL;
}

/* Returns the index of a unit, or N_UNITS. */
static size_t find_unit(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < N_UNITS; i++)
		if (strlen(units[i].text) == len && strncasecmp(units[i].text, text, len) == 0)
			break;
	return i;
}

/* Parses digits with a unit; `all` includes the sign. Returns 0 or -errno. */
static int parse_digits(const struct parser *p, const struct kt_filter *f, struct kt_word digits,
			struct kt_word all, uint64_t *n)
{
	const struct kt_filter_name *name = get_name(p, f);
	bool is_digit = digits.len && isdigit((unsigned char)*digits.start);
	size_t unit = N_UNITS;
	char *end;

	errno = 0;
	*n = strtoull(digits.start, &end, 0);
	if (is_digit)
		unit = find_unit(end, digits.start + digits.len - end);
	if (unit == N_UNITS)
		return kt_scan_fail(&p->scan, EINVAL, all, NOT_A_NUMBER);
	if (p->scope && units[unit].is_time && !(name && name->is_time))
		return kt_scan_fail(&p->scan, EOPNOTSUPP, all, "the field is not a time");
	if (errno || __builtin_mul_overflow(*n, units[unit].factor, n))
		return kt_scan_fail(&p->scan, EINVAL, all, "number of more than 64 bits");
	return 0;
}

/* Returns a number as a field of that range has it. */
static uint64_t wrap_number(struct range r, uint64_t n)
{
	return r.is_signed && r.bits < 64
		       ? (uint64_t)((int64_t)(n << (64 - r.bits)) >> (64 - r.bits))
		       : n;
}

/* Parses a name of a number, with an optional '-'. Without a scope, its number is unknown. */
static int parse_name(struct parser *p, const struct kt_filter *f, struct range r,
		      struct kt_word name, uint64_t *number)
{
	if (!p->scope)
		return 1;
	if (f->source != KT_FILTER_FIELD || is_text_source(p, f) || get_name(p, f)->is_address)
		return kt_scan_fail(&p->scan, EOPNOTSUPP, name, NOT_A_NUMBER);
	if (kt_named_value_find(&p->scan, get_labels(p, f), name, number) < 0)
		return -p->scan.err->code;
	if (*number > UINT64_MAX >> (64 - r.bits) &&
	    !(r.is_signed && wrap_number(r, *number) == *number))
		return fail_at_range(p, r, name);
	*number = wrap_number(r, *number);
	return 1;
}

/* Parses a number, with an optional '-', or a name of one. Returns 1 for a name, 0, or -errno. */
static int parse_number(struct parser *p, struct kt_filter *f, struct range r, uint64_t *number)
{
	uint64_t most = UINT64_MAX >> (64 - r.bits + r.is_signed), n;
	struct kt_word digits, all;
	bool negative, is_hex;
	const char *start;

	kt_scan_spaces(&p->scan);
	start = p->scan.at;
	negative = kt_scan_next(&p->scan, "-");
	digits = kt_scan_word(&p->scan);
	all = kt_scan_since(&p->scan, start);
	if (!all.len)
		return kt_scan_fail_here(&p->scan, "expected a number here, or text in quotes");
	if (digits.len && !isdigit((unsigned char)*digits.start))
		return parse_name(p, f, r, all, number);
	if (parse_digits(p, f, digits, all, &n) < 0)
		return -p->scan.err->code;
	is_hex = digits.len > 1 && tolower((unsigned char)digits.start[1]) == 'x';
	if (is_hex && !negative)
		most = UINT64_MAX >> (64 - r.bits);
	else if (negative)
		most = r.is_signed ? most + 1 : 0;
	if (p->scope && is_text_source(p, f))
		return kt_scan_fail(&p->scan, EOPNOTSUPP, all,
				    "the field is text, which needs quotes");
	if (p->scope && n > most)
		return fail_at_range(p, r, all);
	*number = negative ? -n : wrap_number(r, n);
	return 0;
}

/* Parses a number, or several flags: "O_WRONLY|O_CREAT". */
static int parse_numbers(struct parser *p, struct kt_filter *f)
{
	const struct kt_labels *labels = get_labels(p, f);
	uint64_t number = 0;
	bool can_combine;
	int ret;

	do {
		ret = parse_number(p, f, get_range(p, f), &number);
		f->number |= number;
		can_combine = !p->scope || (labels ? labels->are_flags : ret > 0);
		kt_scan_spaces(&p->scan);
	} while (ret >= 0 && can_combine && strncmp(p->scan.at, "||", 2) != 0 &&
		 kt_scan_next(&p->scan, "|"));
	return ret < 0 ? ret : 0;
}

/* Returns the maximum bytes of the source's text. */
static size_t get_text_max(const struct parser *p, const struct kt_filter *f)
{
	const struct kt_filter_name *n = get_name(p, f);

	if (f->expr)
		return kt_filter_path_text_max(f->expr);
	return n ? n->text_max : KT_FILTER_COMM_MAX;
}

/* Makes a glob; one without wildcards, or with only a '*' at its end, becomes a simpler test. */
static int set_glob(struct parser *p, struct kt_filter *f, struct kt_word pattern)
{
	struct kt_word unclosed = {0};

	for (f->len = 0; f->len < pattern.len; f->len++)
		if (strchr("*?[\\", pattern.start[f->len]))
			break;
	if (f->len == pattern.len)
		f->op = KT_FILTER_IS;
	else if (f->len && f->len == pattern.len - 1 && pattern.start[f->len] == '*')
		f->op = KT_FILTER_BEGINS;
	if (f->op != KT_FILTER_LIKE)
		return 0;
	unclosed.start = kt_glob_unclosed(pattern.start, pattern.len);
	if (unclosed.start) {
		unclosed.len = pattern.start + pattern.len - unclosed.start;
		return kt_scan_fail(&p->scan, EINVAL, unclosed, "missing ']'; '\\[' matches a '['");
	}
	f->glob = malloc(sizeof(*f->glob));
	if (!f->glob)
		return kt_fail(p->scan.err, ENOMEM, "%s", strerror(ENOMEM));
	if (!kt_glob_parse(f->glob, pattern.start, pattern.len))
		return kt_scan_fail(&p->scan, EINVAL, pattern,
				    "pattern too long: maximum %d bytes besides '*'", KT_GLOB_MAX);
	if (++p->globs > KT_FILTER_GLOBS_MAX)
		return kt_scan_fail(&p->scan, EINVAL, pattern, "too many patterns in one filter");
	return 0;
}

static int set_text(struct parser *p, struct kt_filter *f, struct kt_word text)
{
	f->len = text.len;
	if (f->op == KT_FILTER_EQUAL)
		f->op = KT_FILTER_IS;
	else if (set_glob(p, f, text) < 0)
		return -p->scan.err->code;
	if (f->op == KT_FILTER_LIKE)
		return 0;
	if (f->len > KT_FILTER_TEXT_MAX)
		return kt_scan_fail(&p->scan, EINVAL, text, "text too long: maximum %d bytes",
				    KT_FILTER_TEXT_MAX);
	if (p->scope && f->len > get_text_max(p, f))
		return kt_scan_fail(&p->scan, ERANGE, text,
				    "text too long: the field has at most %zu bytes",
				    get_text_max(p, f));
	f->text = strndup(text.start, f->len);
	return f->text ? 0 : kt_fail(p->scan.err, ENOMEM, "%s", strerror(ENOMEM));
}

/*
 * An argument compared with text means the text it points to, if that is recorded. Bytes are not
 * text.
 */
static void follow_pointer(const struct parser *p, struct kt_filter *f)
{
	const struct kt_filter_name *n = get_name(p, f);

	if (n && n->text)
		f->field = n->text - 1;
}

/* Parses the operand of a test. */
static int parse_value(struct parser *p, struct kt_filter *f, struct kt_word operator)
{
	struct kt_word text;
	int ret = kt_scan_quoted(&p->scan, "\"'", &text);

	if (ret < 0)
		return ret;
	if (ret == 0 && f->op == KT_FILTER_LIKE)
		return kt_scan_fail_here(&p->scan, "expected a pattern in quotes here");
	if (ret == 0)
		return parse_numbers(p, f);
	if (f->op != KT_FILTER_EQUAL && f->op != KT_FILTER_LIKE)
		return kt_scan_fail(&p->scan, EINVAL, operator, "text is compared with == != or ~");
	follow_pointer(p, f);
	if (check_name(p, f, text) < 0)
		return -p->scan.err->code;
	if (p->scope && !is_text_source(p, f))
		return kt_scan_fail(&p->scan, EOPNOTSUPP, text, "the field is a number, not text");
	return set_text(p, f, text);
}

/* Consumes the operator that comes next and returns its index; N_OPERATORS if there is none. */
static size_t next_operator(struct parser *p)
{
	size_t i;

	kt_scan_spaces(&p->scan);
	if (strncmp(p->scan.at, "&&", 2) == 0)
		return N_OPERATORS;
	for (i = 0; i < N_OPERATORS && !kt_scan_next(&p->scan, operators[i].text); i++)
		;
	return i;
}

/* Parses the name of a field, or a path, and finds what it means. */
static int parse_source(struct parser *p, struct kt_filter *f)
{
	struct kt_word name;

	kt_scan_spaces(&p->scan);
	if (kt_filter_path_is_next(&p->scan)) {
		f->source = KT_FILTER_EXPR;
		return kt_filter_path_parse(&f->expr, p->scope ? p->scope->of : NULL, !p->scope,
					    &p->scan);
	}
	name = kt_scan_word(&p->scan);
	if (!name.len)
		return kt_scan_fail_here(&p->scan, "expected the name of a field here");
	if (isdigit((unsigned char)*name.start))
		return kt_scan_fail(&p->scan, EINVAL, name, "the field's name comes first");
	return find_source(p, f, name) < 0 || check_name(p, f, name) < 0 ? -p->scan.err->code : 0;
}

/* Parses a test into f, which remains the caller's; sets whether it must be negated. */
static int parse_test(struct parser *p, struct kt_filter *f, bool *negated)
{
	struct kt_word operator;
	size_t i;

	if (parse_source(p, f) < 0)
		return -p->scan.err->code;
	i = next_operator(p);
	if (i == N_OPERATORS)
		return kt_scan_fail_here(&p->scan, "expected == != < <= > >= & or ~ here");
	operator.len = strlen(operators[i].text);
	operator.start = p->scan.at - operator.len;
	f->op = operators[i].op;
	*negated = operators[i].negated;
	return parse_value(p, f, operator);
}

/* Returns f, or reports that memory lacks. */
static struct kt_filter *check_memory(const struct parser *p, struct kt_filter *f)
{
	if (!f)
		kt_fail(p->scan.err, ENOMEM, "%s", strerror(ENOMEM));
	return f;
}

static struct kt_filter *make_test(struct parser *p)
{
	bool negated = false;
	struct kt_filter *f;

	if (++p->tests > KT_FILTER_TESTS_MAX) {
		kt_scan_fail_here(&p->scan, "too many tests in one filter");
		return NULL;
	}
	f = check_memory(p, calloc(1, sizeof(*f)));
	if (f && parse_test(p, f, &negated) < 0) {
		kt_filter_free(f);
		return NULL;
	}
	return negated ? check_memory(p, kt_filter_new(KT_FILTER_NOT, f, NULL)) : f;
}

static struct kt_filter *parse_or(struct parser *p);

/* Parses the rest of a parenthesis. */
static struct kt_filter *parse_group(struct parser *p)
{
	struct kt_filter *f = parse_or(p);

	if (!f || kt_scan_next(&p->scan, ")"))
		return f;
	kt_filter_free(f);
	kt_scan_fail_here(&p->scan, "expected '&&', '||' or ')' here");
	return NULL;
}

static struct kt_filter *parse_operand(struct parser *p)
{
	struct kt_filter *f;

	if (p->depth++ == KT_FILTER_DEPTH_MAX) {
		kt_scan_fail_here(&p->scan, "too many parentheses and '!' around this");
		return NULL;
	}
	if (kt_scan_next(&p->scan, "!")) {
		f = parse_operand(p);
		if (f)
			f = check_memory(p, kt_filter_new(KT_FILTER_NOT, f, NULL));
	} else if (kt_scan_next(&p->scan, "(")) {
		f = parse_group(p);
	} else {
		f = make_test(p);
	}
	p->depth--;
	return f;
}

/* Parses operands, each by `read`, that are joined by `sign`. */
static struct kt_filter *parse_joined(struct parser *p, const char *sign, enum kt_filter_op op,
				      struct kt_filter *(*read)(struct parser *p))
{
	struct kt_filter *f = read(p), *next;

	while (f && kt_scan_next(&p->scan, sign)) {
		next = read(p);
		if (!next) {
			kt_filter_free(f);
			return NULL;
		}
		f = check_memory(p, kt_filter_new(op, f, next));
	}
	return f;
}

static struct kt_filter *parse_and(struct parser *p)
{
	return parse_joined(p, "&&", KT_FILTER_AND, parse_operand);
}

static struct kt_filter *parse_or(struct parser *p)
{
	return parse_joined(p, "||", KT_FILTER_OR, parse_and);
}

struct kt_filter *kt_filter_parse_in(const struct kt_filter_scope *scope, const char *text,
				     struct kt_error *err)
{
	struct parser p = {.scope = scope, .scan = kt_scan_of(text, err)};
	struct kt_filter *f = parse_or(&p);

	if (!f)
		return NULL;
	kt_scan_spaces(&p.scan);
	f->written = strdup(text);
	if (f->written && !*p.scan.at)
		return f;
	if (f->written)
		kt_scan_fail_here(&p.scan, "expected '&&' or '||' here");
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_filter_free(f);
	return NULL;
}

struct kt_filter *kt_filter_parse(const struct kt_event *event, const char *text,
				  struct kt_error *err)
{
	struct kt_filter_scope scope;
	struct kt_filter *f;

	if (!event)
		return kt_filter_parse_in(NULL, text, err);
	if (kt_filter_scope_of_event(&scope, event) < 0) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	f = kt_filter_parse_in(&scope, text, err);
	kt_filter_scope_clear(&scope);
	return f;
}
