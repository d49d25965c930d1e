// SPDX-License-Identifier: GPL-2.0-or-later
/* Metadata that ktrace could have written, and what it never writes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/labels.h"
#include "trace/schema.h"
#include "trace/types.h"

#define BEGIN            "/* CTF 1.8 */\n"
#define INTEGER(bits)    "integer { size = " #bits "; align = 8; signed = false; }"
#define TYPE(bits, name) "typealias " INTEGER(bits) " := " name ";\n"
#define TYPES            TYPE(8, "u8") TYPE(64, "u64")
#define TRACE_WITH(members)                                  \
	"trace { major = 1; minor = 8; byte_order = le;\n"   \
	"uuid = \"01020304-0506-0708-090a-0b0c0d0e0f10\";\n" \
	"packet.header := struct { " members " }; };\n"
#define TRACE TRACE_WITH("u64 magic; u8 uuid[16]; u8 stream_id;")
#define ENV   "env { tracer_name = \"ktrace\"; hostname = \"h\"; more = 1; };\n"
#define CLOCK "clock { name = m; freq = 1000000000; offset_s = -1; offset = 5; };\n"
#define STREAM(id)                                                                         \
	"stream { id = " #id ";\n"                                                         \
	"packet.context := struct { u64 cpu_id; u64 timestamp_begin;\n"                    \
	"u64 timestamp_end; u64 content_size; u64 packet_size; u64 events_discarded; };\n" \
	"event.header := struct { u8 id; " INTEGER(                                        \
		48) " timestamp; } align(64);\n"                                           \
		    "event.context := struct { u64 _tid; }; };\n"
#define EIGHT(x)                x x x x x x x x
#define HEADS                   BEGIN TYPES TRACE ENV CLOCK STREAM(0)
#define EVENT(id, name, fields) EVENT_OF(0, id, name, fields)
#define EVENT_OF(stream, id, name, fields)                                     \
	"event { name = \"" name "\"; id = " #id "; stream_id = " #stream "; " \
	"fields := struct { " fields " }; };\n"

static struct kt_error err;

static void whole(void **state)
{
	static const char text[] = HEADS EVENT(0, "a:b", "")
		EVENT(300, "c:d", "u8 __x_length; u64 _y[1]; u64 _x[__x_length]; u64 id;");
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);
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
	kt_schema_free(s);
}

/* What kept hits out of a trace: that of an event stands before it, that of none is nobody's. */
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
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_true(s->follows);
	assert_string_equal(s->events[0].filter, "comm ~ \"x*\"");
	assert_null(s->events[1].filter);
	assert_string_equal(s->events[2].filter, "pid == 1");
	assert_true(s->events[0].complete.from == UINT64_MAX - 1);
	assert_true(s->events[0].complete.until == UINT64_MAX);
	assert_true(kt_span_is_always(s->events[1].complete));
	assert_int_equal(s->events[2].complete.from, 4);
	assert_int_equal(s->events[2].complete.until, 5);
	kt_schema_free(s);
}

#define BYTES                 \
	"typealias " INTEGER( \
		8) " := byte;\ntypealias integer { size = 64; signed = true; } := s64;\n"
#define CALL(id, fields) EVENT(id, "syscalls:c", fields)

/* Numbers are all there or none, and those of a return are told of by what it is. */
#define NUMBERS                                             \
	CALL(9, "u64 _len; u8 _n; u64 ___len_val[_n];")     \
	CALL(10, "s64 _ret; u8 _n; u64 ___len_val[_n];")    \
	CALL(11, "u64 _nr; u8 _n; u64 ___len_val[_n];")     \
	CALL(12, "u64 _len[1]; u8 _n; u64 ___len_val[_n];") \
	CALL(13, "u64 _len; u64 ___len_val[1];")

/* And how many of some there were by an argument whose name is known, or by what is returned. */
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

/* What a pointer leads to is known by its name, and by a number that says how much there was. */
static void pointees(void **state)
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
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);
	const struct kt_member *m;
	size_t i, k;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	m = s->events[0].fields.members;
	assert_int_equal(m[0].pointee, 2);
	assert_true(m[2].is_pointee && !m[2].is_lone);
	assert_int_equal(m[2].told, 1);
	m = s->events[1].fields.members;
	assert_true(m[2].is_pointee && m[2].is_lone);
	assert_int_equal(m[2].told, 1);
	m = s->events[9].fields.members;
	assert_int_equal(m[0].pointee, 1);
	assert_true(m[1].is_pointee && !m[1].is_lone);
	m = s->events[10].fields.members;
	assert_true(m[1].is_pointee && m[1].is_lone && !m[1].is_told);
	assert_int_equal(m[1].ret, 0);
	m = s->events[14].fields.members;
	assert_true(m[2].is_pointee && m[2].is_told && !m[2].is_lone);
	assert_int_equal(m[2].told, 1);
	m = s->events[15].fields.members;
	assert_true(m[2].is_pointee && m[2].is_told && m[2].is_lone);
	assert_int_equal(m[2].told, 1);
	assert_int_equal(m[2].ret, 0);
	m = s->events[16].fields.members;
	assert_true(m[2].is_pointee && m[2].is_told && m[2].is_lone);
	assert_int_equal(m[2].told, 1);
	for (i = 17; i <= 18; i++) {
		m = s->events[i].fields.members;
		assert_true(m[2].is_pointee && !m[2].is_told);
	}
	for (i = 2; i < s->n_events; i++) {
		for (k = 0; k < s->events[i].fields.n_members && has_none(i); k++) {
			m = &s->events[i].fields.members[k];
			assert_true(!m->is_pointee && !m->is_lone && !m->pointee);
		}
	}
	kt_schema_free(s);
}

/* Only what has a hit is told of, and an event that has no such name is not known. */
static void provenance(void **state)
{
	static const char text[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; trace_name = \"f\"; frozen_where = \"x == 1\"; "
		"frozen_by = \"a:b:c\"; frozen_hit = 18446744073709551615; taken_where = \"y\";"
		"taken_by = \"a b:c\"; taken_hit = 7; taken_at = 8; frozen_at_2 = 3; };" CLOCK
			STREAM(0);
	static const char other[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; frozen_by = \"a:b\"; "
		"frozen_at = 5; taken_by = \"ab\"; taken_hit = 7; };" CLOCK STREAM(0);
	static const char wrong[] = BEGIN TYPES TRACE
		"env { tracer_name = \"ktrace\"; frozen_hit = \"5\"; };" CLOCK STREAM(0);
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);

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
	kt_schema_free(s);

	s = kt_schema_parse(other, strlen(other), &err);
	if (!s)
		fail_msg("%s", err.text);
	assert_null(s->from.session);
	assert_int_equal(s->from.frozen.hit, 0);
	assert_null(s->from.frozen.system);
	assert_null(s->from.taken.system);
	kt_schema_free(s);
	assert_null(kt_schema_parse(wrong, strlen(wrong), &err));
	assert_non_null(strstr(err.text, "'frozen_hit' is to be a number"));
}

static void enumerations(void **state)
{
	static const char text[] = HEADS "typealias " INTEGER(16) " := u16;" EVENT(
		0, "a:b",
		"enum : u8 { A, B = 5, \"C d\", E = -1, } _x;"
		"enum __y_flags : u16 { a.b = 0x8000 } _y; u8 z;");
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);
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
	assert_int_equal(l->n, 4);
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
	kt_schema_free(s);
}

#define SETS                                                                                    \
	"typealias " INTEGER(16) " := u16; typealias " INTEGER(                                 \
		64) " := sigset64;\n"                                                           \
		    "typealias enum t_flags : sigset64 { A = 1 } := t; struct s { t _set; u16 " \
		    "_n; };\n"
#define MORE_SETS "u16 __z_length; struct s _z[__z_length];"

/* Each element has the labels; those that a struct's member has are that one's. */
static void enumerations_within(void **state)
{
	static const char text[] = HEADS SETS EVENT(
		0, "a:b", "enum : u8 { B } _x[2]; u16 __y_length; t _y[__y_length]; " MORE_SETS);
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);
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
	kt_schema_free(s);
}

#define SYMBOLS "enum kernel_symbols : " INTEGER(64) " { "

static void symbols(void **state)
{
	static const char text[] = HEADS
		"typealias " SYMBOLS
		"\"f [m]\" = 0x10 ... 0x1f, g = 0xffffffffffffffff ... 0xffffffffffffffff, } := a;"
		"typealias enum : u8 { A, B } := e;" EVENT(0, "a:b", "a _x; e y; u8 z;")
			EVENT(1, "a:c", "a _x;");
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);
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
	kt_schema_free(s);
}

#define MORE_TYPES                                                  \
	"typealias enum : u8 { A } := sockaddr;\n"                  \
	"typealias pointer64 := p;\n"                               \
	"typealias integer { size = 8; signed = true; } := uuid;\n" \
	"typealias integer { size = 8; base = 16; } := x8;\n"
#define MORE "uuid g; x8 h; integer { size = 8; base = 8; } i; u8 j; device32 k;"

/* By a type's name, where it is of that width; by an integer's base; handed on. */
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
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);
	size_t i;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(s->events[0].fields.members[i].notation, expected[i]);
	kt_schema_free(s);
}

static void assert_refused(const char *text, const char *why)
{
	char expected[256];

	assert_null(kt_schema_parse(text, strlen(text), &err));
	assert_int_equal(err.code, EPROTO);
	snprintf(expected, sizeof(expected), "metadata%s", why);
	assert_string_equal(err.text, expected);
}

static void foreign(void **state)
{
	(void)state;
	assert_refused("", ": not CTF 1.8 as text, and so none of ktrace's");
	assert_refused(BEGIN, ", line 2: no trace, env or clock before here");
	assert_refused(BEGIN TYPES TRACE "env { tracer_name = \"lttng-modules\"; };",
		       ", line 7: a trace, but none of ktrace's; babeltrace2 may read it");
	assert_refused(BEGIN "trace { major = 2; };", ", line 2: CTF 1.8 alone is known");
	assert_refused(BEGIN "trace { major = 1; minor = 8; byte_order = be; };",
		       ", line 2: traces of little-endian machines alone are known");
	assert_refused(BEGIN "trace { major = 1; minor = 8; byte_order = le; uuid = \"01\"; };",
		       ", line 2: a trace without a uuid");
	assert_refused(BEGIN "clock { freq = 1000; };",
		       ", line 2: clocks of nanoseconds alone are known");
	assert_refused(BEGIN TYPES TRACE ENV CLOCK,
		       ", line 9: no 'cpu_id' in any packet.context before here");
	assert_refused(BEGIN TYPES TRACE_WITH("u64 magic[1]; u8 uuid[16]; u8 stream_id;")
			       ENV CLOCK STREAM(0),
		       ", line 14: no 'magic' in any packet.header before here");
	assert_refused(BEGIN TYPES TRACE_WITH("u64 magic; u64 uuid[16]; u8 stream_id;")
			       ENV CLOCK STREAM(0),
		       ", line 14: no 'uuid' in any packet.header before here");
	assert_refused(BEGIN TYPES TRACE TRACE, ", line 9: packet.header for the second time");
	assert_refused(BEGIN "callsite { };", ", line 2: 'typealias' expected, not 'callsite'");
	assert_refused(BEGIN "stream { id = 1; };",
		       ", line 2: streams of ids 0 to 1 alone are known");
	assert_refused(BEGIN "stream { };", ", line 2: streams of ids 0 to 1 alone are known");
	assert_refused(BEGIN "stream { no = 5; };", ", line 2: no 'no' of 'stream' is known");
	assert_refused(BEGIN "stream { id = 0; };", ", line 2: a stream without packet.context");
	assert_refused(BEGIN "trace { major = one; };", ", line 2: 'major' is to be a number");
	assert_refused(BEGIN TYPES "stream { packet.context := struct { u8 n; u8 x[n]; }; };",
		       ", line 4: a packet.context of no fixed size is not known");
	assert_refused(BEGIN TYPES "stream { event.context := struct { } align(16); };",
		       ", line 4: an aligned event.context is not known");
}

static void foreign_types(void **state)
{
	(void)state;
	assert_refused(BEGIN "typealias enum : u8 { A } := e;", ", line 2: no type 'u8' is known");
	assert_refused(BEGIN "typealias integer { size = 12; } := u12;",
		       ", line 2: integers of 8, 16, … 64 bits alone are known");
	assert_refused(BEGIN "typealias integer { size = 72; } := u72;",
		       ", line 2: integers of 8, 16, … 64 bits alone are known");
	assert_refused(BEGIN "typealias integer { size = 0; } := u0;",
		       ", line 2: integers of 8, 16, … 64 bits alone are known");
	assert_refused(BEGIN "typealias integer { size = 8; align = 1; } := u8;",
		       ", line 2: integers aligned to 8 bits alone are known");
	assert_refused(BEGIN "typealias integer { size = 8; byte_order = be; } := u8;",
		       ", line 2: no 'byte_order' of integers is known");
	assert_refused(BEGIN "typealias integer { } := u;", ", line 2: an integer without a size");
	assert_refused(BEGIN EIGHT(EIGHT(EIGHT(TYPE(8, "u8")))) TYPE(8, "u8"),
		       ", line 514: more than 512 types");
}

static void foreign_events(void **state)
{
	(void)state;
	assert_refused(HEADS EVENT(0, "ab", ""),
		       ", line 14: an event without a name SYSTEM:EVENT or an id");
	assert_refused(HEADS EVENT(0, "a:\x1b[2J", ""),
		       ", line 14: an event without a name SYSTEM:EVENT or an id");
	assert_refused(HEADS EVENT(0, "a:b\xc2\x9b", ""),
		       ", line 14: an event without a name SYSTEM:EVENT or an id");
	assert_refused(HEADS "event { name = \"a:b\"; };",
		       ", line 14: an event without a name SYSTEM:EVENT or an id");
	assert_refused(HEADS EVENT(0, "a:b", "") "event { id = 1; };",
		       ", line 15: an event without a name SYSTEM:EVENT or an id");
	assert_refused(HEADS EVENT(7, "a:b", "") EVENT(7, "a:c", "u8 x;"),
		       ", line 15: id 7 is another's too");
	assert_refused(HEADS EVENT(65536, "a:b", ""), ", line 14: id 65536 is too large");
	assert_refused(HEADS EVENT(-1, "a:b", ""),
		       ", line 14: id 18446744073709551615 is too large");
	assert_refused(HEADS EVENT(0, "a:b", "u9 x;"), ", line 14: no type 'u9' is known");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u9 { A } x;"),
		       ", line 14: no type 'u9' is known");
	assert_refused(HEADS EVENT(0, "a:b", "enum { A } x;"), ", line 14: ':' expected, not '{'");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = 1 ... 5 } x;"),
		       ", line 14: '}' expected, not '...'");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = B } x;"),
		       ", line 14: the value of 'A' is no number");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { 5 } x;"),
		       ", line 14: a number where a label was expected");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "} x[2];"),
		       ", line 14: an array of symbols is not known");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 1 ... 5 } x; " SYMBOLS "} y;"),
		       ", line 14: symbols for the second time");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 1 ... 5, B = 5 ... 6 } x;"),
		       ", line 14: a symbol that is not behind the others");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 5 ... 4 } x;"),
		       ", line 14: a symbol that is not behind the others");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 5 } x;"),
		       ", line 14: '...' expected, not '}'");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 5 ... -1 } x;"),
		       ", line 14: a number expected, not '-'");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "5 = 5 ... 6 } x;"),
		       ", line 14: a number where a symbol was expected");
	assert_refused(HEADS EVENT(0, "a:b", "enum some_symbols : u8 { A = 1 ... 5 } x;"),
		       ", line 14: symbols of 64 bits without a sign alone are known");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x[0];"), ", line 14: an array of 0 elements");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x[16777217];"),
		       ", line 14: an array of more than 16777216 elements");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x[n];"),
		       ", line 14: 'x' has no number 'n' before it that is its length alone");
	assert_refused(HEADS EVENT(0, "a:b", "u8 n; u8 x[n]; u8 y[n];"),
		       ", line 14: 'y' has no number 'n' before it that is its length alone");
	assert_refused(HEADS EVENT(0, "a:b", "u8 n[2]; u8 x[n];"),
		       ", line 14: 'x' has no number 'n' before it that is its length alone");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x"), ", line 14: ';' expected, not '}'");
}

#define PAIR  "struct pair { s64 _a; u8 _b[3]; };\n"
#define PAIRS PAIR "struct pairs { struct pair _first; struct pair _others[2]; u8 _n; };\n"

static void structs(void **state)
{
	static const char declared[] = HEADS TYPE(64, "s64") PAIRS EVENT(
		0, "a:b", "u8 _n; struct pairs _x[_n]; u8 _m; struct pair _y[_m]; u8 _z;");
	struct kt_schema *s = kt_schema_parse(declared, strlen(declared), &err);
	const struct kt_shape *pairs, *pair;
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
	kt_schema_free(s);
}

/* What might make readers go on without end, or read beside a number. */
static void foreign_structs(void **state)
{
	char text[64 * 300] = BEGIN TYPES, *at = text + strlen(text);
	int i;

	(void)state;
	assert_refused(BEGIN "struct { };", ", line 2: a name expected, not '{'");
	assert_refused(BEGIN "struct s _x;", ", line 2: '{' expected, not '_x'");
	assert_refused(BEGIN "typealias struct s := e;", ", line 2: no struct 's' is known");
#define REFUSED ": struct 's' is known already, or has no size or no fixed one, or over 65536"
	assert_refused(BEGIN "struct s { };", ", line 2" REFUSED);
	assert_refused(BEGIN TYPES "struct s { u8 n; u8 x[n]; };", ", line 4" REFUSED);
	assert_refused(BEGIN TYPES "struct s { u8 n; }; struct s { u8 n; };", ", line 4" REFUSED);
	assert_refused(BEGIN TYPES "struct s { u64 n[8193]; };", ", line 4" REFUSED);
	assert_refused(BEGIN TYPES "struct s { struct s x; };", ", line 4: no struct 's' is known");
	assert_refused(BEGIN TYPES "struct s { u8 n; }; typealias struct s := e;",
		       ", line 4: another name for a struct is not known");
	assert_refused(HEADS "struct s { u8 n; };" EVENT(0, "a:b", "struct s x[2];"),
		       ", line 14: structs of which there is always one are not known");
	assert_refused(BEGIN TYPES "struct s { u8 n; }; stream { packet.context := struct { "
				   "struct s x; }; };",
		       ", line 4: structs of which there is always one are not known");
	assert_refused(HEADS "struct s { u8 n; };" EVENT(0, "a:b", "struct s x; u8 y[x];"),
		       ", line 14: 'y' has no number 'x' before it that is its length alone");
	for (i = 0; i <= KT_TYPES_MAX; i++)
		at += sprintf(at, "struct s%d { u8 n; };", i);
	assert_refused(text, ", line 4: more than 512 structs");
}

/* Of each channel one, with the same heads. */
static void streams(void **state)
{
	static const char text[] =
		HEADS EVENT(0, "a:b", "") STREAM(1) EVENT_OF(1, 1, "a:c", "") EVENT(2, "a:d", "");
	struct kt_schema *s = kt_schema_parse(text, strlen(text), &err);

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	assert_int_equal(s->n_channels, 2);
	assert_int_equal(s->events[0].channel, KT_MAIN);
	assert_int_equal(s->events[1].channel, KT_KEPT);
	assert_int_equal(s->events[2].channel, KT_MAIN);
	kt_schema_free(s);
	assert_refused(HEADS STREAM(0), ", line 18: streams of ids 0 to 1 alone are known");
	assert_refused(HEADS STREAM(1) STREAM(2),
		       ", line 23: streams of ids 0 to 1 alone are known");
	assert_refused(HEADS "stream { id = 1; event.header := struct { u8 id; };",
		       ", line 14: two kinds of event.header are not known");
	assert_refused(HEADS "stream { id = 1; event.header := struct { u8 id; " INTEGER(
			       48) " timestamp; };",
		       ", line 14: two kinds of event.header are not known");
	assert_refused(HEADS "stream { id = 1; event.context := struct { u64 _pid; };",
		       ", line 14: two kinds of event.context are not known");
	assert_refused(HEADS "stream { id = 1; };", ", line 14: a stream without packet.context");
	assert_refused(HEADS EVENT_OF(1, 0, "a:b", ""),
		       ", line 14: an event of no stream that stands before it");
	assert_refused(HEADS "event { name = \"a:b\"; id = 0; };",
		       ", line 14: an event of no stream that stands before it");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(enumerations),
		cmocka_unit_test(enumerations_within),
		cmocka_unit_test(foreign),
		cmocka_unit_test(foreign_types),
		cmocka_unit_test(foreign_events),
		cmocka_unit_test(selection),
		cmocka_unit_test(pointees),
		cmocka_unit_test(provenance),
		cmocka_unit_test(symbols),
		cmocka_unit_test(notations),
		cmocka_unit_test(streams),
		cmocka_unit_test(structs),
		cmocka_unit_test(foreign_structs),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
