// SPDX-License-Identifier: GPL-2.0-or-later
/* Metadata that ktrace never writes: unknown parts are refused with their line. */
#include "tests/unit/parts.h"

static void foreign(void **state)
{
	(void)state;
	assert_refused("", ": not CTF 1.8 text, so not a trace of ktrace");
	assert_refused(BEGIN, ", line 2: missing trace, env or clock before here");
	assert_refused(BEGIN TYPES TRACE "env { tracer_name = \"lttng-modules\"; };",
		       ", line 7: not a trace of ktrace; try babeltrace2");
	assert_refused(BEGIN "trace { major = 2; };", ", line 2: only CTF 1.8 is supported");
	assert_refused(BEGIN "trace { major = 1; minor = 8; byte_order = be; };",
		       ", line 2: only traces of little-endian machines are supported");
	assert_refused(BEGIN "trace { major = 1; minor = 8; byte_order = le; uuid = \"01\"; };",
		       ", line 2: missing uuid");
	assert_refused(BEGIN "clock { freq = 1000; };",
		       ", line 2: only clocks of nanoseconds are supported");
	assert_refused(BEGIN TYPES TRACE ENV CLOCK,
		       ", line 9: missing 'cpu_id' in every packet.context before here");
	assert_refused(BEGIN TYPES TRACE_WITH("u64 magic[1]; u8 uuid[16]; u8 stream_id;")
			       ENV CLOCK STREAM(0),
		       ", line 14: missing 'magic' in every packet.header before here");
	assert_refused(BEGIN TYPES TRACE_WITH("u64 magic; u64 uuid[16]; u8 stream_id;")
			       ENV CLOCK STREAM(0),
		       ", line 14: missing 'uuid' in every packet.header before here");
	assert_refused(BEGIN TYPES TRACE TRACE, ", line 7: a second 'trace'");
	assert_refused(BEGIN TYPES ENV ENV, ", line 5: a second 'env'");
	assert_refused(BEGIN CLOCK CLOCK, ", line 3: a second 'clock'");
	assert_refused(BEGIN TYPES "trace { packet.header := struct { u8 id; }; packet.header := "
				   "struct { u8 id; }; };",
		       ", line 4: duplicate packet.header");
	assert_refused(BEGIN "trace { major = 1; major = 1; };",
		       ", line 2: duplicate 'major' in 'trace'");
	assert_refused(BEGIN "env { tracer_name = \"ktrace\"; more = 1; more = 1; };",
		       ", line 2: duplicate 'more' in 'env'");
	assert_refused(BEGIN "clock { freq = 1000000000; precision = 1; precision = 1; };",
		       ", line 2: duplicate 'precision' in 'clock'");
	assert_refused(BEGIN "clock { freq = 1000000000; freq = 1000000000; };",
		       ", line 2: duplicate 'freq' in 'clock'");
	assert_refused(BEGIN "callsite { };", ", line 2: expected 'typealias', not 'callsite'");
	assert_refused(BEGIN "stream { id = 1; };",
		       ", line 2: only stream ids 0 to 1 are supported");
	assert_refused(BEGIN "stream { };", ", line 2: only stream ids 0 to 1 are supported");
	assert_refused(BEGIN "stream { no = 5; };", ", line 2: unknown 'no' in 'stream'");
	assert_refused(BEGIN "stream { id = 0; };", ", line 2: a stream without packet.context");
	assert_refused(BEGIN "trace { major = one; };", ", line 2: 'major' must be a number");
	assert_refused(BEGIN TYPES "stream { packet.context := struct { u8 n; u8 x[n]; }; };",
		       ", line 4: a packet.context of varying size is not supported");
	assert_refused(BEGIN TYPES "stream { event.context := struct { } align(16); };",
		       ", line 4: an aligned event.context is not supported");
	assert_refused(BEGIN TYPES "event { context := struct { u8 n; u8 x[n]; }; };",
		       ", line 4: an aligned context, or one of varying size, is not supported");
	assert_refused(BEGIN TYPES "event { context := struct { u8 n; } align(16); };",
		       ", line 4: an aligned context, or one of varying size, is not supported");
	assert_refused(BEGIN TYPES
		       "event { context := struct { u8 n; }; context := struct { u8 n; }; };",
		       ", line 4: duplicate context");
}

static void foreign_types(void **state)
{
	char text[64 * 600] = BEGIN, *at = text + strlen(text);
	int i;

	(void)state;
	assert_refused(BEGIN "typealias enum : u8 { A } := e;", ", line 2: unknown type 'u8'");
	assert_refused(BEGIN "typealias integer { size = 12; } := u12;",
		       ", line 2: only integers of 8, 16, … 64 bits are supported");
	assert_refused(BEGIN "typealias integer { size = 72; } := u72;",
		       ", line 2: only integers of 8, 16, … 64 bits are supported");
	assert_refused(BEGIN "typealias integer { size = 0; } := u0;",
		       ", line 2: only integers of 8, 16, … 64 bits are supported");
	assert_refused(BEGIN "typealias integer { size = 8; align = 1; } := u8;",
		       ", line 2: only integers aligned to 8 bits are supported");
	assert_refused(BEGIN "typealias integer { size = 8; byte_order = be; } := u8;",
		       ", line 2: unknown attribute 'byte_order' of an integer");
	assert_refused(BEGIN "typealias integer { } := u;", ", line 2: an integer without a size");
	assert_refused(BEGIN TYPE(8, "u8") TYPE(16, "u8"), ", line 3: duplicate type 'u8'");
	assert_refused(BEGIN "typealias integer { size = 8; size = 8; } := u8;",
		       ", line 2: duplicate 'size'");
	assert_refused(BEGIN "typealias integer { size = 8; signed = yes; } := u8;",
		       ", line 2: expected true or false");
	assert_refused(BEGIN "typealias integer { size = 8; signed = 2; } := u8;",
		       ", line 2: expected true or false");
	assert_refused(BEGIN "typealias integer { size = 8; base = 2; } := u8;",
		       ", line 2: only bases 8, 10 and 16 are supported");
	assert_refused(BEGIN "typealias integer { size = 8; base = binary; } := u8;",
		       ", line 2: only bases 8, 10 and 16 are supported");
	assert_refused(BEGIN "typealias integer { size = 8; encoding = latin1; } := u8;",
		       ", line 2: only UTF8 and ASCII are supported");
	assert_refused(BEGIN "typealias integer { size = 8; map = clock.m.value; } := u8;",
		       ", line 2: undeclared clock");
	assert_refused(BEGIN CLOCK "typealias integer { size = 8; map = clock.mm.value; } := u8;",
		       ", line 3: undeclared clock");
	assert_refused(BEGIN CLOCK "typealias integer { size = 8; map = clock.m.offset; } := u8;",
		       ", line 3: undeclared clock");
	for (i = 0; i <= KT_METADATA_TYPES_MAX; i++)
		at += sprintf(at, "typealias integer { size = 8; } := t%d;", i);
	assert_refused(text, ", line 2: more than 512 types");
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
	assert_refused(HEADS EVENT(0, "a:b", "u9 x;"), ", line 14: unknown type 'u9'");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u9 { A } x;"), ", line 14: unknown type 'u9'");
	assert_refused(HEADS EVENT(0, "a:b", "enum { A } x;"), ", line 14: expected ':', not '{'");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = 1 ... 256 } x;"),
		       ", line 14: the end of the range does not fit its type");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = 1 ... B } x;"),
		       ", line 14: the end of the range does not fit its type");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = 1 ... 255, B } x;"),
		       ", line 14: the value of 'B' does not fit its type");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = B } x;"),
		       ", line 14: the value of 'A' is not a number");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { 5 } x;"),
		       ", line 14: a number where a label was expected");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 1 ... 5 } x[2];"),
		       ", line 14: arrays of symbols are not supported");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 1 ... 5 } x; " SYMBOLS "} y;"),
		       ", line 14: duplicate symbols");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 1 ... 5, B = 5 ... 6 } x;"),
		       ", line 14: symbols out of order");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 5 ... 4 } x;"),
		       ", line 14: symbols out of order");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 5 } x;"),
		       ", line 14: expected '...', not '}'");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "A = 5 ... -1 } x;"),
		       ", line 14: expected a number, not '-'");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "5 = 5 ... 6 } x;"),
		       ", line 14: a number where a symbol was expected");
	assert_refused(HEADS EVENT(0, "a:b", "enum some_symbols : u8 { A = 1 ... 5 } x;"),
		       ", line 14: only unsigned symbols of 64 bits are supported");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x[0];"), ", line 14: an array of 0 elements");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x[16777217];"),
		       ", line 14: an array of more than 16777216 elements");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x[n];"),
		       ", line 14: 'x' needs an unsigned length 'n' of its own before it");
	assert_refused(HEADS EVENT(0, "a:b", "u8 n; u8 x[n]; u8 y[n];"),
		       ", line 14: 'y' needs an unsigned length 'n' of its own before it");
	assert_refused(HEADS EVENT(0, "a:b", "u8 n[2]; u8 x[n];"),
		       ", line 14: 'x' needs an unsigned length 'n' of its own before it");
	assert_refused(HEADS EVENT(0, "a:b", "integer { size = 8; signed = true; } n; u8 x[n];"),
		       ", line 14: 'x' needs an unsigned length 'n' of its own before it");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x"), ", line 14: expected ';', not '}'");
	assert_refused(HEADS EVENT(0, "a:b", "u8 x; u8 y; u8 _x;"),
		       ", line 14: duplicate field 'x'");
	assert_refused(HEADS EVENT(0, "a:b", "u8 n; u8 x[n]; u8 n;"),
		       ", line 14: duplicate field 'n'");
	assert_refused(HEADS EVENT(0, "a:b", "") EVENT(1, "b:b", "") EVENT(2, "a:b", ""),
		       ", line 16: duplicate event a:b");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { } x;"),
		       ", line 14: an empty enumeration");
	assert_refused(HEADS EVENT(0, "a:b", SYMBOLS "} x;"), ", line 14: an empty enumeration");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = 256 } x;"),
		       ", line 14: the value of 'A' does not fit its type");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = 255, B } x;"),
		       ", line 14: the value of 'B' does not fit its type");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u8 { A = -1 } x;"),
		       ", line 14: the value of 'A' does not fit its type");
	assert_refused(HEADS EVENT(0, "a:b", "enum : u64 { A = 0xffffffffffffffff, B } x;"),
		       ", line 14: the value of 'B' does not fit its type");
	assert_refused(
		HEADS EVENT(0, "a:b", "enum : integer { size = 8; signed = 1; } { A = 128 } x;"),
		", line 14: the value of 'A' does not fit its type");
	assert_refused(
		HEADS EVENT(0, "a:b", "enum : integer { size = 8; signed = 1; } { A = -129 } x;"),
		", line 14: the value of 'A' does not fit its type");
}

/* Structs that could make readers loop, or read beyond a number. */
static void foreign_structs(void **state)
{
	char text[64 * 300] = BEGIN TYPES, *at = text + strlen(text);
	int i;

	(void)state;
	assert_refused(BEGIN "struct { };", ", line 2: expected a name, not '{'");
	assert_refused(BEGIN "struct s _x;", ", line 2: expected '{', not '_x'");
	assert_refused(BEGIN "typealias struct s := e;", ", line 2: unknown struct 's'");
#define REFUSED ": struct 's' is a duplicate, or its size is 0, varies or exceeds 65536"
	assert_refused(BEGIN "struct s { };", ", line 2" REFUSED);
	assert_refused(BEGIN TYPES "struct s { u8 n; u8 x[n]; };", ", line 4" REFUSED);
	assert_refused(BEGIN TYPES "struct s { u8 n; }; struct s { u8 n; };", ", line 4" REFUSED);
	assert_refused(BEGIN TYPES "struct s { u64 n[8193]; };", ", line 4" REFUSED);
	assert_refused(BEGIN TYPES "struct s { struct s x; };", ", line 4: unknown struct 's'");
	assert_refused(BEGIN TYPES "struct s { u8 n; }; typealias struct s := e;",
		       ", line 4: aliases of structs are not supported");
	assert_refused(HEADS "struct s { u8 n; };" EVENT(0, "a:b", "struct s x[2];"),
		       ", line 14: single structs are not supported");
	assert_refused(BEGIN TYPES "struct s { u8 n; }; stream { packet.context := struct { "
				   "struct s x; }; };",
		       ", line 4: single structs are not supported");
	assert_refused(HEADS "struct s { u8 n; };" EVENT(0, "a:b", "struct s x; u8 y[x];"),
		       ", line 14: 'y' needs an unsigned length 'x' of its own before it");
	for (i = 0; i <= KT_METADATA_TYPES_MAX; i++)
		at += sprintf(at, "struct s%d { u8 n; };", i);
	assert_refused(text, ", line 4: more than 512 structs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign),
		cmocka_unit_test(foreign_types),
		cmocka_unit_test(foreign_events),
		cmocka_unit_test(foreign_structs),
	};

	return cmocka_run_group_tests_name("foreign_metadata", tests, NULL, NULL);
}
