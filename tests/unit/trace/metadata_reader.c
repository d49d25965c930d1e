// SPDX-License-Identifier: GPL-2.0-or-later
/* Metadata in ktrace's words, and in other valid words. */
#include "constants/labels.h"
#include "tests/unit/parts.h"

static void all_of_it(void **state)
{
	static const char text[] = HEADS EVENT(0, "a:b", "")
		EVENT(300, "c:d", "u8 __x_length; u64 _y[1]; u64 _x[__x_length]; u64 id;");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	const struct kt_member *m;
	int i;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	for (i = 0; i < 16; i++)
		assert_int_equal(s->uuid[i], i + 1);
	assert_string_equal(s->hostname, "h");
	assert_string_equal(s->kernel_release, "");
	assert_int_equal(s->since_1970, -999999995);
	assert_int_equal(s->alignment, 8);
	assert_int_equal(s->roles[KT_ROLE_TIME].member->width, 6);
	assert_in_range(s->n_events, 301, 600);
	assert_string_equal(s->events[0].system, "a");
	assert_string_equal(s->events[0].name, "b");
	assert_null(s->events[1].system);
	assert_string_equal(s->events[300].name, "d");
	assert_null(s->events[300].filter);
	assert_false(s->follows);
	assert_int_equal(s->events[300].fields.n_members, 3);
	m = s->events[300].fields.members;
	assert_string_equal(m[0].name, "x");
	assert_true(m[0].varies && m[0].array && m[0].width == 8);
	assert_string_equal(m[1].name, "y");
	assert_true(!m[1].varies && m[1].array && m[1].count == 1);
	assert_string_equal(m[2].name, "id");
	assert_true(!m[2].array);
	kt_metadata_free(s);
}

static void contexts(void **state)
{
	static const char text[] =
		HEADS EVENT_IN(0, "a:b", "struct { u8 _other[3]; u64 _kernel_stack; }")
			EVENT(1, "c:d", "u8 n;") EVENT_IN(2, "e:f", "struct { u8 _kernel_stack; }");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_int_equal(s->events[0].context_size, 11);
	assert_true(s->events[0].stacks[KT_CALLSTACK_KERNEL].is_there);
	assert_int_equal(s->events[0].stacks[KT_CALLSTACK_KERNEL].at, 3);
	assert_int_equal(s->events[1].context_size, 0);
	assert_false(s->events[1].stacks[KT_CALLSTACK_KERNEL].is_there);
	assert_int_equal(s->events[2].context_size, 1);
	assert_false(s->events[2].stacks[KT_CALLSTACK_KERNEL].is_there);
	kt_metadata_free(s);
}

/* Filters in a trace: an event's stand before it, others belong to no event. */
static void selection(void **state)
{
	static const char text[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; recorded_tasks = \"followed\"; filter_2 = \"pid "
		"== 1\";"
		"filter_0 = \"comm ~ \\\"x*\\\"\"; filter_3 = \"\"; filter_ = \"a\"; filter_1x = "
		"\"b\";"
		"filter_99999999999999999999 = \"c\"; filter_1 = 7;"
		"complete_from_0 = 18446744073709551614; complete_until_2 = 5; complete_from_2 = 4;"
		"complete_from_1 = \"8\"; complete_until_1x = 8; complete_until_ = 8;"
		"complete_until_9 = 8; complete_1 = 8; };" CLOCK STREAM(0) EVENT(0, "a:b", "")
			EVENT(1, "c:d", "") EVENT(2, "e:f", "");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_true(s->follows);
	assert_string_equal(s->events[0].filter, "comm ~ \"x*\"");
	assert_null(s->events[1].filter);
	assert_string_equal(s->events[2].filter, "pid == 1");
	assert_true(s->events[0].complete.from == UINT64_MAX - 1);
	assert_true(s->events[0].complete.until == UINT64_MAX);
	assert_true(kt_time_span_is_always(s->events[1].complete));
	assert_int_equal(s->events[2].complete.from, 4);
	assert_int_equal(s->events[2].complete.until, 5);
	kt_metadata_free(s);
}

#define BYTES                 \
	"typealias " INTEGER( \
		8) " := byte;\ntypealias integer { size = 64; signed = true; } := s64;\n"
#define CALL(id, fields) EVENT(id, "syscalls:c" #id, fields)

/* Numbers are complete or absent; a return's record says which by its value. */
#define NUMBERS                                             \
	CALL(9, "u64 _len; u8 _n; u64 ___len_val[_n];")     \
	CALL(10, "s64 _ret; u8 _n; u64 ___len_val[_n];")    \
	CALL(11, "u64 _nr; u8 _n; u64 ___len_val[_n];")     \
	CALL(12, "u64 _len[1]; u8 _n; u64 ___len_val[_n];") \
	CALL(13, "u64 _len; u64 ___len_val[1];")

/* Counts by an argument known by name, or by the return value. */
#define COUNTED                                                          \
	CALL(14, "u64 _ufds; u64 _nfds; u8 _n; u64 ___ufds_val[_n];")    \
	CALL(15, "s64 _ret; u64 _nfds; u8 _n; u64 ___ufds_val[_n];")     \
	CALL(16, "u64 _nr; s64 _ret; u8 _n; u64 ___grouplist_val[_n];")  \
	CALL(17, "u64 _ufds; u64 _nfds[2]; u8 _n; u64 ___ufds_val[_n];") \
	CALL(18, "u64 _ufds; u64 _count; u8 _n; u64 ___ufds_val[_n];")

static bool has_none(size_t event)
{
	return (event >= 2 && event <= 8) || (event >= 11 && event <= 13);
}

/* Pointed-to data is found by its name, and its length by a number. */
static void pointed(void **state)
{
	static const char text[] = BEGIN TYPES BYTES TRACE ENV CLOCK STREAM(0) CALL(
		0, "u64 _buf; u64 _count; u8 _n; byte ___buf_val[_n];")
		CALL(1, "u64 _nr; s64 _ret; u8 _n; byte ___buf_val[_n];") CALL(
			2, "u64 _count; u8 _n; byte ___buf_val[_n]; u64 _buf;")
			CALL(3, "u64 _nr; u8 _n; byte ___buf_val[_n];") CALL(
				4, "u64 _buf; u64 _count[2]; u8 _n; byte ___buf_val[_n];")
				CALL(5, "u8 _n; byte _buf[_n]; u64 _count; u8 _m; byte "
					"___buf_val[_m];") CALL(6, "s64 _ret; byte ___buf_val[3];")
					CALL(7, "u64 _nr; u64 _ret[1]; u8 _n; byte ___buf_val[_n];")
						EVENT(8, "a:b",
						      "u64 _buf; u64 _count; u8 _n; byte "
						      "___buf_val[_n];") NUMBERS COUNTED;
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	const struct kt_member *m;
	size_t i, k;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	m = s->events[0].fields.members;
	assert_int_equal(m[0].pointed, 2);
	assert_true(m[2].is_pointed && !m[2].is_lone);
	assert_int_equal(m[2].full_length, 1);
	m = s->events[1].fields.members;
	assert_true(m[2].is_pointed && m[2].is_lone);
	assert_int_equal(m[2].full_length, 1);
	m = s->events[9].fields.members;
	assert_int_equal(m[0].pointed, 1);
	assert_true(m[1].is_pointed && !m[1].is_lone);
	m = s->events[10].fields.members;
	assert_true(m[1].is_pointed && m[1].is_lone && !m[1].has_full_length);
	assert_int_equal(m[1].ret, 0);
	m = s->events[14].fields.members;
	assert_true(m[2].is_pointed && m[2].has_full_length && !m[2].is_lone);
	assert_int_equal(m[2].full_length, 1);
	m = s->events[15].fields.members;
	assert_true(m[2].is_pointed && m[2].has_full_length && m[2].is_lone);
	assert_int_equal(m[2].full_length, 1);
	assert_int_equal(m[2].ret, 0);
	m = s->events[16].fields.members;
	assert_true(m[2].is_pointed && m[2].has_full_length && m[2].is_lone);
	assert_int_equal(m[2].full_length, 1);
	for (i = 17; i <= 18; i++) {
		m = s->events[i].fields.members;
		assert_true(m[2].is_pointed && !m[2].has_full_length);
	}
	for (i = 2; i < s->n_events; i++) {
		for (k = 0; k < s->events[i].fields.n_members && has_none(i); k++) {
			m = &s->events[i].fields.members[k];
			assert_true(!m->is_pointed && !m->is_lone && !m->pointed);
		}
	}
	kt_metadata_free(s);
}

/* Only existing triggers are reported; an unknown event's is not. */
static void provenance(void **state)
{
	static const char text[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; trace_name = \"f\"; frozen_where = \"x == 1\"; "
		"frozen_by = \"a:b:c\"; frozen_hit = 18446744073709551615; taken_where = \"y\";"
		"taken_by = \"a\x7f:c\"; taken_hit = 7; taken_at = 8; frozen_at_2 = 3; };" CLOCK
			STREAM(0);
	static const char other[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; frozen_by = \"a:b\"; "
		"frozen_at = 5; taken_by = \"ab\"; taken_hit = 7; };" CLOCK STREAM(0);
	static const char wrong[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; frozen_hit = \"5\"; };" CLOCK STREAM(0);
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_string_equal(s->from.session, "f");
	assert_true(s->from.frozen.hit == UINT64_MAX && s->from.frozen_at == UINT64_MAX);
	assert_string_equal(s->from.frozen.system, "a");
	assert_string_equal(s->from.frozen.event, "b:c");
	assert_string_equal(s->from.frozen.filter, "x == 1");
	assert_int_equal(s->from.taken.hit, 7);
	assert_null(s->from.taken.system);
	assert_null(s->from.taken.filter);
	kt_metadata_free(s);

	s = kt_metadata_parse(other, strlen(other), &err);
	if (!s)
		fail_msg("%s", err.text);
	assert_null(s->from.session);
	assert_int_equal(s->from.frozen.hit, 0);
	assert_null(s->from.frozen.system);
	assert_null(s->from.taken.system);
	kt_metadata_free(s);
	assert_null(kt_metadata_parse(wrong, strlen(wrong), &err));
	assert_non_null(strstr(err.text, "'frozen_hit' must be a number"));
}

static void enumerations(void **state)
{
	static const char text[] = HEADS "typealias " INTEGER(16) " := u16;" EVENT(
		0, "a:b",
		"enum : integer { size = 8; signed = TRUE; } { A, B = 5, \"C d\", E = -1, F, G = 9 "
		"... 99, H, "
		"I = -9 ... -1, J } _x;"
		"enum __y_flags : u16 { a.b = 0x8000 } _y; u8 z;");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	const struct kt_member *m;
	const struct kt_labels *l;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_int_equal(s->events[0].fields.n_members, 3);
	m = s->events[0].fields.members;
	assert_string_equal(m[0].name, "x");
	assert_int_equal(m[0].width, 1);
	l = m[0].labels;
	assert_non_null(l);
	assert_false(l->are_flags);
	assert_int_equal(l->n, 7); /* a range names none of its values */
	assert_int_equal(l->of[4].value, 0);
	assert_string_equal(l->of[5].text, "H");
	assert_int_equal(l->of[5].value, 100);
	assert_string_equal(l->of[6].text, "J");
	assert_int_equal(l->of[6].value, 0);
	assert_string_equal(l->of[0].text, "A");
	assert_int_equal(l->of[0].value, 0);
	assert_int_equal(l->of[1].value, 5);
	assert_string_equal(l->of[2].text, "C d");
	assert_int_equal(l->of[2].value, 6);
	assert_int_equal(l->of[3].value, UINT64_MAX);
	assert_int_equal(m[1].width, 2);
	l = m[1].labels;
	assert_true(l && l->are_flags && l->n == 1);
	assert_string_equal(l->of[0].text, "a.b");
	assert_int_equal(l->of[0].value, 0x8000);
	assert_null(m[2].labels);
	kt_metadata_free(s);
}

#define SETS                                                                                    \
	"typealias " INTEGER(16) " := u16; typealias " INTEGER(                                 \
		64) " := sigset64;\n"                                                           \
		    "typealias enum t_flags : sigset64 { A = 1 } := t; struct s { t _set; u16 " \
		    "_n; };\n"
#define MORE_SETS "u16 __z_length; struct s _z[__z_length];"

/* Elements of an array have the labels; a struct member's labels are its own. */
static void enumerations_of_elements(void **state)
{
	static const char text[] = HEADS SETS EVENT(
		0, "a:b", "enum : u8 { B } _x[2]; u16 __y_length; t _y[__y_length]; " MORE_SETS);
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	const struct kt_member *m;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	m = s->events[0].fields.members;
	assert_true(m[0].array && m[0].count == 2 && m[0].labels->n == 1);
	assert_true(m[1].array && m[1].varies && m[1].labels->are_flags);
	assert_int_equal(m[1].notation, KT_SIGSET);
	assert_null(m[2].labels);
	assert_ptr_equal(m[2].of->members[0].labels, m[1].labels);
	assert_int_equal(m[2].of->members[0].notation, KT_SIGSET);
	assert_null(m[2].of->members[1].labels);
	kt_metadata_free(s);
}

static void symbols(void **state)
{
	static const char text[] = HEADS
		"typealias " SYMBOLS
		"\"f [m]\" = 0x10 ... 0x1f, g = 0xffffffffffffffff ... 0xffffffffffffffff, } := a;"
		"typealias enum : u8 { A, B } := e;" EVENT(0, "a:b", "a _x; e y; u8 z;")
			EVENT(1, "a:c", "a _x;");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	const struct kt_member *m;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	m = s->events[0].fields.members;
	assert_true(m[0].width == 8 && m[0].symbols == &s->symbols && !m[0].labels);
	assert_true(m[1].width == 1 && m[1].labels && m[1].labels->n == 2 && !m[1].symbols);
	assert_null(m[2].symbols);
	assert_ptr_equal(s->events[1].fields.members->symbols, &s->symbols);
	assert_int_equal(s->symbols.n, 2);
	assert_string_equal(s->symbols.of[0].name, "f [m]");
	assert_int_equal(s->symbols.of[0].first, 16);
	assert_int_equal(s->symbols.of[0].last, 31);
	assert_int_equal(s->symbols.of[1].first, UINT64_MAX);
	kt_metadata_free(s);
}

#define MORE_TYPES                                                  \
	"typealias enum : u8 { A } := sockaddr;\n"                  \
	"typealias pointer64 := p;\n"                               \
	"typealias integer { size = 8; signed = true; } := uuid;\n" \
	"typealias integer { size = 8; base = 16; } := x8;\n"
#define MORE "uuid g; x8 h; integer { size = 8; base = 8; } i; u8 j; device32 k;"

/* A notation by a type's name, if its width fits; by an integer's base; inherited by aliases. */
static void notations(void **state)
{
	static const char text[] = HEADS TYPE(8, "ipv4") TYPE(16, "ipv6") TYPE(32, "mac")
		TYPE(64, "pointer64") TYPE(32, "device32") MORE_TYPES EVENT(
			0, "a:b",
			"ipv4 a[4]; ipv6 b[8]; mac c; pointer64 d; sockaddr e; p f; " MORE);
	static const enum kt_notation expected[] = {
		KT_IPV4,    KT_DECIMAL, KT_DECIMAL, KT_POINTER, KT_DECIMAL, KT_POINTER,
		KT_DECIMAL, KT_HEX,     KT_OCTAL,   KT_DECIMAL, KT_DEVICE,
	};
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	size_t i;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(s->events[0].fields.members[i].notation, expected[i]);
	kt_metadata_free(s);
}

/* Integers described in other words, and numbers in other bases. */
static void types_in_words(void **state)
{
	static const char text[] = HEADS
		"typealias integer { size = 010; signed = 1; } := a;"
		"typealias integer { size = 0x8; signed = TRUE; base = hex; } := b;"
		"typealias integer { size = 8; signed = FALSE; base = o; encoding = none; } := c;"
		"typealias integer { size = 8; signed = 0; base = d; encoding = ASCII; } := d;"
		"typealias integer { size = 64; map = clock.m.value; base = X; } := e;" EVENT(
			0, "a:\x62\103\x41", "a _a; b _b; c _c; d _d; e _e;");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);
	const struct kt_member *m;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_string_equal(s->events[0].name, "bCA");
	m = s->events[0].fields.members;
	assert_true(m[0].is_signed && m[1].is_signed && !m[2].is_signed && !m[3].is_signed);
	assert_int_equal(m[0].notation, KT_DECIMAL);
	assert_int_equal(m[1].notation, KT_HEX);
	assert_int_equal(m[2].notation, KT_OCTAL);
	assert_int_equal(m[4].notation, KT_HEX);
	assert_true(!m[2].text && m[3].text && m[4].clock);
	kt_metadata_free(s);
}

#define PAIR  "struct pair { s64 _a; u8 _b[3]; };\n"
#define PAIRS PAIR "struct pairs { struct pair _first; struct pair _others[2]; u8 _n; };\n"

static void structs(void **state)
{
	static const char declared[] = HEADS TYPE(64, "s64") PAIRS EVENT(
		0, "a:b", "u8 _n; struct pairs _x[_n]; u8 _m; struct pair _y[_m]; u8 _z;");
	struct kt_metadata *s = kt_metadata_parse(declared, strlen(declared), &err);
	const struct kt_record_layout *pairs, *pair;
	const struct kt_member *m;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	m = s->events[0].fields.members;
	assert_int_equal(s->events[0].fields.n_members, 3);
	assert_true(m[0].varies && m[0].width == 34 && m[1].varies && m[1].width == 11);
	pairs = m[0].of;
	pair = m[1].of;
	assert_null(m[2].of);
	assert_int_equal(pairs->n_members, 3);
	assert_string_equal(pairs->members[1].name, "others");
	assert_ptr_equal(pairs->members[0].of, pair);
	assert_ptr_equal(pairs->members[1].of, pair);
	assert_true(pairs->members[1].array && pairs->members[1].count == 2);
	assert_true(!pairs->members[0].array && pairs->members[0].width == 11);
	assert_string_equal(pair->members[0].name, "a");
	kt_metadata_free(s);
}

/* One stream per channel, with the same headers. */
static void streams(void **state)
{
	static const char text[] =
		HEADS EVENT(0, "a:b", "") STREAM(1) EVENT_OF(1, 1, "a:c", "") EVENT(2, "a:d", "");
	struct kt_metadata *s = kt_metadata_parse(text, strlen(text), &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_int_equal(s->n_channels, 2);
	assert_int_equal(s->events[0].channel, KT_MAIN);
	assert_int_equal(s->events[1].channel, KT_RARE);
	assert_int_equal(s->events[2].channel, KT_MAIN);
	kt_metadata_free(s);
	assert_refused(HEADS STREAM(0), ", line 18: only stream ids 0 to 1 are supported");
	assert_refused(HEADS STREAM(1) STREAM(2),
		       ", line 23: only stream ids 0 to 1 are supported");
	assert_refused(HEADS "stream { id = 1; event.header := struct { u8 id; };",
		       ", line 14: differing event.header are not supported");
	assert_refused(HEADS "stream { id = 1; event.header := struct { u8 id; " INTEGER(
			       48) " timestamp; };",
		       ", line 14: differing event.header are not supported");
	assert_refused(HEADS "stream { id = 1; event.context := struct { u64 _pid; };",
		       ", line 14: differing event.context are not supported");
	assert_refused(HEADS "stream { id = 1; };", ", line 14: a stream without packet.context");
	assert_refused(HEADS EVENT_OF(1, 0, "a:b", ""),
		       ", line 14: an event of an undeclared stream");
	assert_refused(HEADS "event { name = \"a:b\"; id = 0; };",
		       ", line 14: an event of an undeclared stream");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_it),      cmocka_unit_test(contexts),
		cmocka_unit_test(enumerations),   cmocka_unit_test(enumerations_of_elements),
		cmocka_unit_test(types_in_words), cmocka_unit_test(selection),
		cmocka_unit_test(pointed),        cmocka_unit_test(provenance),
		cmocka_unit_test(symbols),        cmocka_unit_test(notations),
		cmocka_unit_test(streams),        cmocka_unit_test(structs),
	};

	return cmocka_run_group_tests_name("metadata_reader", tests, NULL, NULL);
}
