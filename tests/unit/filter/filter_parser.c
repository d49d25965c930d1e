// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of a made-up event. tests/live/session/filter_check.c tests their meaning. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "events/event.h"
#include "events/filter.h"
#include "filter/filter_parser.h"
#include "filter/filter_scope.h"

static const struct kt_field fields[] = {
	{"comm", "char[16]", 8, 16, 1, KT_FIELD_ARRAY, KT_DECIMAL, NULL, NULL},
	{"pid", "pid_t", 24, 4, 4, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
	{"small", "u8", 28, 1, 1, 0, KT_DECIMAL, NULL, NULL},
	{"state", "long", 32, 8, 8, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
	{"flags", "u64", 40, 8, 8, 0, KT_DECIMAL, NULL, NULL},
	{"args", "unsigned long[2]", 48, 16, 8, KT_FIELD_ARRAY, KT_DECIMAL, NULL, NULL},
	{"name", "__data_loc char[]", 64, 4, 1, KT_FIELD_DATA_LOC, KT_DECIMAL, NULL, NULL},
	{"mask", "__rel_loc u32[]", 68, 4, 4, KT_FIELD_REL_LOC, KT_DECIMAL, NULL, NULL},
	{"odd", "u32", 73, 4, 4, 0, KT_DECIMAL, NULL, NULL},
	{"TID", "int", 80, 4, 4, 0, KT_DECIMAL, NULL, NULL},
	{"tid", "short", 84, 2, 2, KT_FIELD_SIGNED, KT_DECIMAL, NULL, NULL},
};
static const struct kt_event event = {.system = "test",
				      .name = "test",
				      .id = 1,
				      .n_fields = sizeof(fields) / sizeof(*fields),
				      .fields = fields};

/* Writes a filter as "(&& (== pid 1) (! (is comm 'sh')))". */
static void write_to(char *text, const struct kt_filter *f)
{
	static const char *const ops[] = {
		"&&", "||", "!", "mark", "marked", "==", "<", "<=", "&", "is", "begins", "like"};
	static const char *const names[] = {NULL, "PID", "TID", "CPU", "COMM"};
	const char *name = f->source ? names[f->source] : fields[f->field].name;
	char *end = text + sprintf(text, "(%s ", ops[f->op]);

	if (f->op == KT_FILTER_LIKE) {
		sprintf(end, "%s %u %lx)", name, f->glob->n, (long)f->glob->stars);
		return;
	}
	if (f->op >= KT_FILTER_IS) {
		assert_int_equal(strlen(f->text), f->len);
		sprintf(end, "%s '%s')", name, f->text);
		return;
	}
	if (f->op >= KT_FILTER_EQUAL) {
		sprintf(end, "%s %ld)", name, (long)f->number);
		return;
	}
	if (f->op == KT_FILTER_MARK_TEST) {
		strcpy(text, "(marked)");
		return;
	}
	write_to(end, f->of[0]);
	if (f->of[1]) {
		strcat(end, " ");
		write_to(end + strlen(end), f->of[1]);
	}
	strcat(end, ")");
}

static struct kt_filter *parse_to_text(const char *text)
{
	struct kt_error err;
	struct kt_filter *f = kt_filter_parse(&event, text, &err);

	if (!f)
		fail_msg("%s: %s", text, err.text);
	return f;
}

static void valid_filters(void **state)
{
	static const struct {
		const char *text, *means;
	} rows[] = {
		{"pid==1", "(== pid 1)"},
		{" pid != -0x10 ", "(! (== pid -16))"},
		{"state < 010", "(< state 8)"},
		{"state > 5", "(! (<= state 5))"},
		{"state <= 5", "(<= state 5)"},
		{"state >= 5", "(! (< state 5))"},
		{"flags&4", "(& flags 4)"},

		/* names known everywhere, unless a field has that name */
		{"PID == 1 && pid == 2", "(&& (== PID 1) (== pid 2))"},
		{"TID == 1 && tid == 2", "(&& (== TID 1) (== tid 2))"},
		{"common_pid == 3", "(== TID 3)"},
		{"CPU == 1 || cpu == 2", "(|| (== CPU 1) (== CPU 2))"},

		/* texts, and patterns without special characters */
		{"comm == \"a'b\"", "(is comm 'a'b')"},
		{"name!='a\"b'", "(! (is name 'a\"b'))"},
		{"name == '' && COMM == 'x*'", "(&& (is name '') (is COMM 'x*'))"},
		{"comm == '0123456789abcdef'", "(is comm '0123456789abcdef')"},
		{"comm ~ \"0123456789abcdef*\"", "(begins comm '0123456789abcdef')"},
		{"COMM ~ '0123456789abcde'", "(is COMM '0123456789abcde')"},
		{"name ~ ' a b '", "(is name ' a b ')"},
		{"name ~ ''", "(is name '')"},
		{"name ~ '*'", "(like name 0 1)"},
		{"name ~ '**' && name ~ 'a**'", "(&& (like name 0 1) (like name 1 2))"},
		{"name ~ '*a*b'", "(like name 2 3)"},
		{"name ~ 'a?' || name ~ '[a-z]*'", "(|| (like name 2 0) (like name 1 2))"},
		{"name ~ 'a\\\\*'", "(like name 2 4)"},

		/* precedence, and left to right */
		{"pid==1||pid==2&&pid==3", "(|| (== pid 1) (&& (== pid 2) (== pid 3)))"},
		{"pid==1&&pid==2||pid==3", "(|| (&& (== pid 1) (== pid 2)) (== pid 3))"},
		{"pid==1||pid==2||pid==3", "(|| (|| (== pid 1) (== pid 2)) (== pid 3))"},
		{"pid==1&&(pid==2||pid==3)", "(&& (== pid 1) (|| (== pid 2) (== pid 3)))"},
		{"!pid==1&&pid==2", "(&& (! (== pid 1)) (== pid 2))"},
		{"!(pid==1&&pid==2)", "(! (&& (== pid 1) (== pid 2)))"},
		{"! ! ( ( pid & 1 ) )", "(! (! (& pid 1)))"},
		{"pid&1&&pid&2", "(&& (& pid 1) (& pid 2))"},

		/* units */
		{"flags > 4K || pid == -1m", "(|| (! (<= flags 4096)) (== pid -1048576))"},
		{"state < 2G && flags < 0x10T",
		 "(&& (< state 2147483648) (< flags 17592186044416))"},

		/* names of constants, where the field has none of its own */
		{"small == SIGSEGV && small & SIGKILL|SIGTERM", "(&& (== small 11) (& small 15))"},
		{"pid == -EIO || pid == EIO", "(|| (== pid -5) (== pid 5))"},
		{"state == AT_FDCWD || state == -SIGKILL", "(|| (== state -100) (== state -9))"},
		{"pid & EPOLLET", "(& pid -2147483648)"},

		/* the extremes of every size, and all bits of signed numbers */
		{"small == 255", "(== small 255)"},
		{"pid == -2147483648 || pid == 2147483647",
		 "(|| (== pid -2147483648) (== pid 2147483647))"},
		{"pid == 0xffffffff", "(== pid -1)"},
		{"pid & 0x80000000", "(& pid -2147483648)"},
		{"pid == 0x7fffffff", "(== pid 2147483647)"},
		{"state == -9223372036854775808", "(== state -9223372036854775808)"},
		{"state == 0XffffffffffffffFE", "(== state -2)"},
		{"flags == 18446744073709551615", "(== flags -1)"},
		{"CPU == 4294967295", "(== CPU 4294967295)"},
	};
	struct kt_filter *f;
	struct kt_error err;
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		f = parse_to_text(rows[i].text);
		write_to(text, f);
		assert_string_equal(text, rows[i].means);
		kt_filter_free(f);
		f = kt_filter_parse(NULL, rows[i].text, &err);
		assert_non_null(f);
		kt_filter_free(f);
	}
}

/* Asserts the error, with the event and, if it is EINVAL, without one. */
static void assert_refused(const char *text, int code, size_t at, size_t len, const char *what)
{
	struct kt_error err;
	struct kt_filter *f = kt_filter_parse(&event, text, &err);

	if (f)
		fail_msg("%s: it is a filter", text);
	assert_string_equal(err.text, what);
	assert_int_equal(err.code, code);
	assert_ptr_equal(err.typed, text);
	assert_int_equal(err.at, at);
	assert_int_equal(err.len, len);
	f = kt_filter_parse(NULL, text, &err);
	assert_int_equal(!f, code == EINVAL);
	kt_filter_free(f);
}

/* A time may have a unit; without a scope anything may be a time. */
static void times(void **state)
{
	struct kt_filter_name names[] = {
		{.name = "duration", .bits = 64, .is_time = true},
	};
	struct kt_filter_scope scope = {.names = names, .n = 1, .system = "test", .event = "test"};
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {{"duration < 7", 7},           {"duration < 7ns", 7},
		    {"duration < 5us", 5000},      {"duration < 3MS", 3000000},
		    {"duration < 2s", 2000000000}, {"duration < 2min", 120000000000}};
	struct kt_filter *f;
	struct kt_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		f = kt_filter_parse_in(&scope, rows[i].text, &err);
		assert_non_null(f);
		assert_int_equal(f->op, KT_FILTER_LESS);
		assert_int_equal(f->field, 0);
		assert_int_equal(f->number, rows[i].ns);
		kt_filter_free(f);
		f = kt_filter_parse(NULL, rows[i].text, &err);
		assert_non_null(f);
		kt_filter_free(f);
	}
}

static void errors(void **state)
{
	static const struct {
		const char *text;
		int code;
		size_t at, len;
		const char *what;
	} rows[] = {
		{"", EINVAL, 0, 0, "expected the name of a field here"},
		{"  ", EINVAL, 2, 0, "expected the name of a field here"},
		{"== 1", EINVAL, 0, 1, "expected the name of a field here"},
		{"1 == pid", EINVAL, 0, 1, "the field's name comes first"},
		{"pid", EINVAL, 3, 0, "expected == != < <= > >= & or ~ here"},
		{"pid = 1", EINVAL, 4, 1, "expected == != < <= > >= & or ~ here"},
		{"pid && small == 1", EINVAL, 4, 1, "expected == != < <= > >= & or ~ here"},
		{"pid ==", EINVAL, 6, 0, "expected a number here, or text in quotes"},
		{"pid == small", ENOENT, 7, 5,
		 "neither a number nor a known constant (strings need quotes)"},
		{"pid == SIGSEVG", ENOENT, 7, 7,
		 "unknown value 'SIGSEVG'; did you mean 'SIGSEGV'?"},
		{"small == -EIO", ERANGE, 9, 4, "out of range: 0 to 255"},
		{"small == O_CREAT|O_NONBLOCK", ERANGE, 17, 10, "out of range: 0 to 255"},
		{"CPU == SIGSEGV", EOPNOTSUPP, 7, 7,
		 "not a number (strings need quotes: comm == \"bash\")"},
		{"pid == 12ab && small == 1", EINVAL, 7, 4,
		 "not a number (strings need quotes: comm == \"bash\")"},
		{"pid == - 1", EINVAL, 7, 1,
		 "not a number (strings need quotes: comm == \"bash\")"},
		{"pid == 0x", EINVAL, 7, 2, "not a number (strings need quotes: comm == \"bash\")"},
		{"pid == 18446744073709551616", EINVAL, 7, 20, "number of more than 64 bits"},
		{"pid < 20000000T", EINVAL, 6, 9, "number of more than 64 bits"},
		{"pid == 4Kb", EINVAL, 7, 3,
		 "not a number (strings need quotes: comm == \"bash\")"},
		{"pid < -1Q", EINVAL, 6, 3, "not a number (strings need quotes: comm == \"bash\")"},
		{"pid < 1ms", EOPNOTSUPP, 6, 3, "the field is not a time"},
		{"pid == 1 small == 2", EINVAL, 9, 1, "expected '&&' or '||' here"},
		{"pid == 1)", EINVAL, 8, 1, "expected '&&' or '||' here"},
		{"(pid == 1", EINVAL, 9, 0, "expected '&&', '||' or ')' here"},
		{"(pid == 1 | small == 1)", EINVAL, 10, 1, "expected '&&', '||' or ')' here"},
		{"pid == 1 &&", EINVAL, 11, 0, "expected the name of a field here"},
		{"pid == 1 || )", EINVAL, 12, 1, "expected the name of a field here"},
		{"()", EINVAL, 1, 1, "expected the name of a field here"},

		{"smal == 1", ENOENT, 0, 4, "unknown field 'smal'; did you mean 'small'?"},
		{"small == 1 && cpus == 1", ENOENT, 14, 4,
		 "unknown field 'cpus'; did you mean 'cpu'?"},
		{"what_else == 1", ENOENT, 0, 9,
		 "unknown field 'what_else'; see 'ktrace list -v test:test'"},

		{"comm == \"a && pid == 1", EINVAL, 8, 14, "missing \" at the end"},
		{"comm == 'a\"", EINVAL, 8, 3, "missing ' at the end"},
		{"comm == sh", EOPNOTSUPP, 8, 2,
		 "not a number (strings need quotes: comm == \"bash\")"},
		{"comm ~ sh", EINVAL, 7, 1, "expected a pattern in quotes here"},
		{"pid ~ 1", EINVAL, 6, 1, "expected a pattern in quotes here"},
		{"comm <= 'a'", EINVAL, 5, 2, "text is compared with == != or ~"},
		{"comm & 'a'", EINVAL, 5, 1, "text is compared with == != or ~"},
		{"comm == 'a' 'b'", EINVAL, 12, 1, "expected '&&' or '||' here"},

		{"comm == 1", EOPNOTSUPP, 8, 1, "the field is text, which needs quotes"},
		{"name & 1", EOPNOTSUPP, 7, 1, "the field is text, which needs quotes"},
		{"COMM != 1", EOPNOTSUPP, 8, 1, "the field is text, which needs quotes"},
		{"pid == \"1\"", EOPNOTSUPP, 8, 1, "the field is a number, not text"},
		{"CPU ~ '1'", EOPNOTSUPP, 7, 1, "the field is a number, not text"},
		{"comm == '0123456789abcdefg'", ERANGE, 9, 17,
		 "text too long: the field has at most 16 bytes"},
		{"comm ~ '0123456789abcdefg*'", ERANGE, 8, 18,
		 "text too long: the field has at most 16 bytes"},
		{"COMM != '0123456789abcdef'", ERANGE, 9, 16,
		 "text too long: the field has at most 15 bytes"},
		{"args == 1", EOPNOTSUPP, 0, 4,
		 "'args' is an array; filters test numbers and text"},
		{"mask == 1", EOPNOTSUPP, 0, 4,
		 "'mask' is an array; filters test numbers and text"},
		{"odd == 1", EOPNOTSUPP, 0, 3,
		 "'odd' has no place of its own; filters test numbers and text"},

		{"small == 256", ERANGE, 9, 3, "out of range: 0 to 255"},
		{"small == -1", ERANGE, 9, 2, "out of range: 0 to 255"},
		{"small == 0x100", ERANGE, 9, 5, "out of range: 0 to 255"},
		{"pid < 2147483648", ERANGE, 6, 10, "out of range: -2147483648 to 2147483647"},
		{"pid < -2147483649", ERANGE, 6, 11, "out of range: -2147483648 to 2147483647"},
		{"pid < -0xffffffff", ERANGE, 6, 11, "out of range: -2147483648 to 2147483647"},
		{"state < 9223372036854775808", ERANGE, 8, 19,
		 "out of range: -9223372036854775808 to 9223372036854775807"},
		{"flags == -1", ERANGE, 9, 2, "out of range: 0 to 18446744073709551615"},
		{"cpu == -1", ERANGE, 7, 2, "out of range: 0 to 4294967295"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_refused(rows[i].text, rows[i].code, rows[i].at, rows[i].len, rows[i].what);
}

/* Writes n times the text, then the rest. */
static void repeat(char *to, const char *text, size_t n, const char *rest)
{
	*to = '\0';
	while (n--)
		to = stpcpy(to, text);
	strcpy(to, rest);
}

static void limits(void **state)
{
	enum { MOST = KT_FILTER_TESTS_MAX, DEEPEST = KT_FILTER_DEPTH_MAX - 1 };
	static char text[16 * MOST];

	(void)state;
	repeat(text, "pid==1||", MOST - 1, "pid==1");
	kt_filter_free(parse_to_text(text));
	repeat(text, "pid==1||", MOST, "pid==1");
	assert_refused(text, EINVAL, 8 * MOST, 1, "too many tests in one filter");
	repeat(text, "!", DEEPEST, "pid==1");
	kt_filter_free(parse_to_text(text));
	repeat(text, "!", DEEPEST + 1, "pid==1");
	assert_refused(text, EINVAL, DEEPEST + 1, 1, "too many parentheses and '!' around this");
	repeat(text, "(", sizeof(text) - 1, "");
	assert_refused(text, EINVAL, DEEPEST + 1, 1, "too many parentheses and '!' around this");
	repeat(text, "(!pid==1)&&", DEEPEST, "pid==1");
	kt_filter_free(parse_to_text(text));
}

/* Limits of texts and patterns. */
static void text_limits(void **state)
{
	enum { MOST = KT_FILTER_TEXT_MAX, GLOBS = KT_FILTER_GLOBS_MAX };
	const struct kt_glob *globs[GLOBS];
	char text[1024], a[512];
	struct kt_filter *f;

	(void)state;
	repeat(a, "a", MOST, "'");
	snprintf(text, sizeof(text), "name == '%s", a);
	f = parse_to_text(text);
	assert_int_equal(kt_filter_globs(f, NULL), 0);
	kt_filter_free(f);
	snprintf(text, sizeof(text), "name == 'a%s", a);
	assert_refused(text, EINVAL, 9, MOST + 1, "text too long: maximum 254 bytes");
	repeat(a, "*?", KT_GLOB_MAX + 1, "'");
	snprintf(text, sizeof(text), "name ~ '%s", a);
	assert_refused(text, EINVAL, 8, 2 * (KT_GLOB_MAX + 1),
		       "pattern too long: maximum 63 bytes besides '*'");
	assert_refused("name ~ 'a*[b'", EINVAL, 10, 2, "missing ']'; '\\[' matches a '['");
	kt_filter_free(parse_to_text("name ~ 'a*\\[b' || name ~ '[[]'"));
	repeat(text, "(name~'?a'||!", GLOBS - 1, "name~'*'");
	repeat(text + strlen(text), ")", GLOBS - 1, "");
	f = parse_to_text(text);
	assert_int_equal(kt_filter_globs(f, NULL), GLOBS);
	assert_int_equal(kt_filter_globs(f, globs), GLOBS);
	assert_int_equal(globs[0]->n, 2);
	assert_int_equal(globs[GLOBS - 2]->n, 2);
	assert_int_equal(globs[GLOBS - 1]->n, 0);
	kt_filter_free(f);
	repeat(text, "name~'?'||", GLOBS, "name~'*'");
	assert_refused(text, EINVAL, 10 * GLOBS + 6, 1, "too many patterns in one filter");
}

static void any_of_a_list(void **state)
{
	struct kt_filter *f;
	char text[256];

	(void)state;
	f = kt_filter_either(parse_to_text("pid == 1"), parse_to_text("cpu < 2"));
	write_to(text, f);
	assert_string_equal(text, "(|| (== pid 1) (< CPU 2))");
	assert_string_equal(f->written, "(pid == 1) || (cpu < 2)");
	f = kt_filter_either(f, parse_to_text(" !(pid\t== 3)"));
	assert_string_equal(f->written, "((pid == 1) || (cpu < 2)) || ( !(pid\t== 3))");
	kt_filter_free(f);
}

/* The part that selects the call comes first; the text is unchanged. */
static void filters_of_calls(void **state)
{
	struct kt_filter *f = kt_filter_mark_return("pid == 3");
	char text[256];

	(void)state;
	assert_true(kt_filter_has(f, KT_FILTER_MARK_TEST));
	assert_false(kt_filter_tests_fields(f));
	f = kt_filter_either(parse_to_text("pid == 1"), f);
	write_to(text, f);
	assert_string_equal(text, "(|| (marked) (== pid 1))");
	assert_string_equal(f->written, "(pid == 1) || (pid == 3)");
	kt_filter_free(f);

	f = kt_filter_mark_entry(parse_to_text("tid == 1"));
	assert_string_equal(f->written, "tid == 1");
	f = kt_filter_either(parse_to_text("small < 2"), f);
	write_to(text, f);
	assert_string_equal(text, "(|| (mark (== tid 1)) (< small 2))");
	assert_true(kt_filter_has(f, KT_FILTER_MARK_SET));
	assert_false(kt_filter_has(f, KT_FILTER_MARK_TEST));
	assert_true(kt_filter_tests_fields(f));
	kt_filter_free(f);
	f = parse_to_text("CPU == 1 && COMM == 'a'");
	assert_false(kt_filter_tests_fields(f));
	kt_filter_free(f);
	assert_null(kt_filter_mark_entry(NULL));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(valid_filters),
		cmocka_unit_test(errors),
		cmocka_unit_test(limits),
		cmocka_unit_test(text_limits),
		cmocka_unit_test(any_of_a_list),
		cmocka_unit_test(filters_of_calls),
	};

	return cmocka_run_group_tests_name("filter_parser", tests, NULL, NULL);
}
