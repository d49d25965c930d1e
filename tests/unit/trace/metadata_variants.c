// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields that depend on another field, in a trace and as printed; and metadata that only resembles
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/metadata.h"
#include "tests/unit/parsed.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "values/record/field_text.h"
#include "values/text.h"
#include "view/event_json.h"

#define TYPES                                                                                  \
	ALIAS("integer { size = 64; align = 8; signed = false; base = 16; }", "x64")           \
	ALIAS(INTEGER(32, true), "s32")                                                        \
	ALIAS("enum what_u8_values : u8 { \"SET\" = 0, \"GET\" = 1, \"ADD\" = 2 }", "what_u8") \
	ALIAS("enum how_u8_flags : u8 { \"A\" = 1, \"B\" = 2, \"C\" = 4 }", "how_u8")          \
	ALIAS("enum flags_x64_flags : x64 { \"F\" = 1, \"G\" = 2 }", "flags_x64")
#define VARIANT(name, tag, options) "variant " name " <" tag "> { " options " };\n"
#define SOME                        "flags_x64 SET; s64 ADD; struct { } GET; "
#define FITS                        "s64 A; "

enum { BY_WHAT, BY_FLAGS, NAMELESS, LOOKS_SO, N_EVENTS = LOOKS_SO + 8 };

#define VARIANTS                                                           \
	VARIANT("a_arg", "_what", SOME)                                    \
	VARIANT("a_arg_2", "_what", FITS)                                  \
	VARIANT("b_arg", "_how", "flags_x64 A; s32 B; struct { } others;") \
	VARIANT("c_arg", "_what", "")                                      \
	VARIANT("d0_arg", "_gone", FITS)                                   \
	VARIANT("d1_arg", "_what", "u8 SET; x64 ADD; ")                    \
	VARIANT("d2_arg", "_what", SOME)                                   \
	VARIANT("d3_arg", "_what", SOME)                                   \
	VARIANT("d4_arg", "_what", SOME)                                   \
	VARIANT("d5_other", "_what", SOME)                                 \
	VARIANT("d6_arg", "_what", "time64 SET; text ADD;")                \
	VARIANT("d7_arg", "_what", SOME)

#define EVENTS                                                 \
	EVENT(0, "syscalls:a", "what_u8 _what; x64 _arg;")     \
	EVENT(1, "syscalls:b", "x64 _arg; how_u8 _how;")       \
	EVENT(2, "syscalls:c", "what_u8 _what; x64 _arg;")     \
	EVENT(3, "syscalls:d0", "what_u8 _what; x64 _arg;")    \
	EVENT(4, "syscalls:d1", "what_u8 _what; u8 _arg;")     \
	EVENT(5, "syscalls:d2", "u8 _what; x64 _arg;")         \
	EVENT(6, "syscalls:d3", "what_u8 _what[1]; x64 _arg;") \
	EVENT(7, "syscalls:d4", "what_u8 _what; x64 _arg[1];") \
	EVENT(8, "syscalls:d5", "what_u8 _what; x64 _arg;")    \
	EVENT(9, "syscalls:d6", "what_u8 _what; u8 _arg;")     \
	EVENT(10, "other:d7", "what_u8 _what; x64 _arg;")

#define TIMES                                                                                     \
	ALIAS("integer { size = 64; align = 8; signed = false; map = clock.m.value; }", "time64") \
	ALIAS("integer { size = 8; align = 8; signed = false; encoding = UTF8; }", "text")

static int open_parsed(void **state)
{
	static const char text[] = HEAD ENV("") STREAM TIMES TYPES VARIANTS EVENTS;

	(void)state;
	return parse(text);
}

static struct kt_value values[2];
static uint8_t tag;
static uint64_t arg;

static struct kt_hit make_event(int event, uint8_t by, uint64_t number)
{
	size_t tag_at = event == BY_FLAGS;

	tag = by;
	arg = number;
	values[tag_at] = (struct kt_value){(char *)&tag, 1};
	values[!tag_at] = (struct kt_value){(char *)&arg, 1};
	return (struct kt_hit){.event = &parsed->events[event], .values = values};
}

static void assert_shown(struct kt_hit hit, size_t member, const char *expected)
{
	static struct kt_text text;
	char *written;
	size_t size;

	text = (struct kt_text){.to = open_memstream(&written, &size)};
	assert_non_null(text.to);
	kt_field_text_show(&text, &hit, member);
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(written, expected);
	free(written);
}

static bool is_unused(struct kt_hit hit, size_t member)
{
	return !kt_metadata_variants_member(&hit.event->fields, hit.values, member);
}

static void by_number(void **state)
{
	(void)state;
	assert_shown(make_event(BY_WHAT, 0, 3), 1, "F|G");
	assert_shown(make_event(BY_WHAT, 2, -3), 1, "-3");
	assert_false(is_unused(make_event(BY_WHAT, 2, 3), 1));
	assert_true(is_unused(make_event(BY_WHAT, 1, 3), 1));

	/* An event prints the recorded number in any case. */
	assert_shown(make_event(BY_WHAT, 1, 77), 1, "0x4d");

	/* The tag has no type, or no labels. */
	assert_shown(make_event(BY_WHAT, 3, 3), 1, "0x3");
	assert_false(is_unused(make_event(BY_WHAT, 3, 3), 1));
	assert_shown(make_event(NAMELESS, 0, 3), 1, "0x3");
	assert_false(is_unused(make_event(NAMELESS, 0, 3), 1));
	assert_false(is_unused(make_event(BY_WHAT, 1, 3), 0));
}

/* The first option whose flag is set; the tag may come after the field. */
static void by_flags(void **state)
{
	(void)state;
	assert_shown(make_event(BY_FLAGS, 1, 2), 0, "G");
	assert_shown(make_event(BY_FLAGS, 7, 2), 0, "G");
	assert_shown(make_event(BY_FLAGS, 6, -2), 0, "-2");
	assert_shown(make_event(BY_FLAGS, 6, 0x500000003), 0, "3");
	assert_true(is_unused(make_event(BY_FLAGS, 4, 2), 0));
	assert_true(is_unused(make_event(BY_FLAGS, 0, 2), 0));
	assert_true(is_unused(make_event(BY_FLAGS, 8, 2), 0));
}

/*
 * A tag that is missing, unlabelled or repeated; a field that is missing, wider or of another kind.
 */
static void similar_metadata(void **state)
{
	const struct kt_event_class *e;
	size_t i, k;

	(void)state;
	for (i = LOOKS_SO; i < N_EVENTS; i++) {
		e = &parsed->events[i];
		for (k = 0; k < e->fields.n_members; k++)
			if (e->fields.members[k].variant)
				fail_msg("%s", e->name);
	}
	assert_non_null(parsed->events[BY_WHAT].fields.members[1].variant);
}

static void assert_object(struct kt_hit hit, const char *expected)
{
	char *written;
	size_t size;
	static struct kt_text text;
	const char *fields;

	text = (struct kt_text){.to = open_memstream(&written, &size)};
	assert_non_null(text.to);
	assert_int_equal(kt_event_json_print(&text, &hit), 0);
	kt_text_flush(&text);
	fclose(text.to);
	fields = strstr(written, "\"fields\"");
	assert_non_null(fields);
	assert_string_equal(fields, expected);
	free(written);
}

/* The number is unchanged. */
static void objects(void **state)
{
	(void)state;
	assert_object(make_event(BY_WHAT, 0, 3),
		      "\"fields\":{\"what\":0,\"arg\":3},"
		      "\"labels\":{\"what\":\"SET\",\"arg\":[\"F\",\"G\"]}}\n");
	assert_object(make_event(BY_WHAT, 1, 3),
		      "\"fields\":{\"what\":1,\"arg\":3},\"labels\":{\"what\":\"GET\"}}\n");
}

static void assert_refused(const char *variant, const char *reason)
{
	char text[4096];
	struct kt_error err;

	snprintf(text, sizeof(text), "%s%s%s", HEAD ENV("") STREAM TYPES, variant,
		 EVENT(0, "syscalls:a", "what_u8 _what; x64 _arg;"));
	assert_null(kt_metadata_parse(text, strlen(text), &err));
	if (!strstr(err.text, reason))
		fail_msg("%s: %s", variant, err.text);
}

static void errors(void **state)
{
	(void)state;
	assert_refused("variant { };", "'{'");
	assert_refused("variant a_arg { };", "'<'");
	assert_refused("variant a_arg <_what { };", "'>'");
	assert_refused("variant a_arg <_what> ;", "'{'");
	assert_refused("variant a_arg <_what> { nothing SET; };", "unknown type 'nothing'");
	assert_refused("variant a_arg <_what> { struct { u8 a; } SET; };", "'}'");
	assert_refused("variant a_arg <_what> { x64 SET[2]; };", "';'");
	assert_refused("variant a_arg <_what> { x64; };", "");
	assert_refused("variant a_arg <_what> { x64 SET; }", "';'");
	assert_refused("variant a_arg <_what> { x64 SET;", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_number),        cmocka_unit_test(by_flags),
		cmocka_unit_test(similar_metadata), cmocka_unit_test(objects),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests(tests, open_parsed, free_parsed);
}
