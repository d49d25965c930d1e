// SPDX-License-Identifier: GPL-2.0-or-later
/* Labels, symbols and notations from the print fmt of event formats. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "constants/labels.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/print_fmt.h"
#include "tests/unit/fixtures.h"

#define FIELD(type, name, offset, size, is_signed)                                                 \
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";" \
	"\n"

static const char head[] = "name: made\nID: 1\nformat:\n" FIELD(
	"unsigned short", "common_type", 0, 2, 0) "\n" FIELD("u8", "u8", 8, 1, 0)
	FIELD("s8", "s8", 9, 1, 1) FIELD("u32", "u32", 12, 4, 0) FIELD("int", "s32", 16, 4, 1)
		FIELD("u64", "u64", 24, 8, 0) FIELD("u8", "array[4]", 32, 4, 0)
			FIELD("u64", "ips[2]", 40, 16, 0) "\nprint fmt: ";

static struct kt_error err;

/* Writes NAME:VALUE=LABEL,VALUE=LABEL of each field with labels; & before labels of flags. */
static void write_labels(const struct kt_event *e, char *text)
{
	const struct kt_labels *labels;
	size_t i, k;

	*text = '\0';
	for (i = 0; i < e->n_fields; i++) {
		labels = e->fields[i].labels;
		if (!labels)
			continue;
		text += sprintf(text, "%s:%s", e->fields[i].name, labels->are_flags ? "&" : "");
		for (k = 0; k < labels->n; k++)
			text += sprintf(text, "%" PRId64 "=%s,", (int64_t)labels->of[k].value,
					labels->of[k].text);
	}
}

static void assert_labels(const char *print, const char *expected)
{
	char format[4096], text[4096];
	struct kt_event *e;

	snprintf(format, sizeof(format), "%s%s\n", head, print);
	e = kt_event_parse("test", format, &err);
	if (!e)
		fail_msg("%s: %s", print, err.text);
	assert_int_equal(e->n_fields, 7);
	write_labels(e, text);
	kt_event_free(e);
	assert_string_equal(text, expected);
}

static void values(void **state)
{
	(void)state;
	assert_labels("\"\"", "");
	assert_labels("\"%d\", REC->u8", "");
	assert_labels("\"a, (b\\\" %s\", __print_symbolic(REC->u8, {1, \"A\"}, {2, \"B, (\"})",
		      "u8:1=A,2=B, (,");
	assert_labels("\"%d %s\", REC->u8, __print_symbolic(REC->u32, { 0x10, \"A\" }), REC->s8",
		      "u32:16=A,");
	assert_labels(
		"\"\", __print_symbolic(REC->u64, {1ULL, \"A\"}, {-9ULL, \"B\"}, {1 << 4, \"C\"})",
		"u64:1=A,-9=B,16=C,");
	assert_labels("\"\", __print_symbolic((unsigned long)REC->u8, {1, \"A\"})", "u8:1=A,");
	assert_labels("\"\", REC->u8 ? __print_symbolic(REC->u32, {1, \"A\"}) : \"-\"", "u32:1=A,");
	/* The first labels of a field count. */
	assert_labels("\"\", __print_symbolic(REC->u8, {1, \"A\"}), __print_symbolic(REC->u8, {1, "
		      "\"B\"})",
		      "u8:1=A,");
}

static void flags(void **state)
{
	(void)state;
	assert_labels("\"\", __print_flags(REC->u32, \"|\", {1, \"A\"}, {1UL << 31, \"B\"})",
		      "u32:&1=A,2147483648=B,");
	assert_labels("\"\", __print_flags(REC->u32 & (0x10 | 0x20), \"|\", {0x10, \"A\"})",
		      "u32:&16=A,");
	assert_labels("\"\", REC->u8 ? __print_flags(REC->u8, \"|\", {1, \"A\"}) : \"none\"",
		      "u8:&1=A,0=none,");
	assert_labels(
		"\"\", REC->u8 ? __print_flags(REC->u8, \"|\", {0, \"NO\"}, {1, \"A\"}) : \"none\"",
		"u8:&0=NO,1=A,");
	assert_labels(
		"\"\", __print_flags(REC->s8, \"|\", {1, \"A\"}, {0x80, \"B\"}, {0, ((void *)0)})",
		"s8:&1=A,-128=B,");
	assert_labels("\"\", REC->u8 ? __print_flags(REC->u8, \"|\", {1, \"A\"}) : \"R\", "
		      "REC->u8 & 0x40 ? \"+\" : \"\"",
		      "u8:&1=A,0=R,64=R+,");
}

/* Labels of anything but the field's value are ignored. */
static void foreign_labels(void **state)
{
	(void)state;
	assert_labels("\"\", __print_symbolic(REC->u32 & 0xff, {1, \"A\"})", "");
	assert_labels("\"\", __print_symbolic(REC->u32 >> 8, {1, \"A\"})", "");
	assert_labels("\"\", __print_symbolic((u8)REC->u32, {1, \"A\"})", "");
	assert_labels("\"\", __print_symbolic(REC->array, {1, \"A\"})", "");
	assert_labels("\"\", __print_flags(1 << REC->u8, \"|\", {1, \"A\"})", "");
	assert_labels("\"\", __print_flags(REC->u8 | REC->s8, \"|\", {1, \"A\"})", "");
	assert_labels("\"\", __print_symbolic(5, {5, \"A\"})", "");
	assert_labels("\"\", __print_symbolic(REC->nothing, {1, \"A\"})", "");
	assert_labels(
		"\"\", __print_symbolic(REC->u, {1, \"A\"}), __print_symbolic(REC->u8, {1, \"B\"})",
		"u8:1=B,");
	assert_labels("\"\", __print_symbolic(REC->, {1, \"A\"})", "");
	assert_labels("\"\", __print_symbolic(REC->u8, {256, \"A\"}, {-1, \"B\"}, {255, \"C\"})",
		      "u8:255=C,");
	assert_labels("\"\", __print_symbolic(REC->s8, {128, \"A\"}, {-1, \"B\"}, {255, \"C\"})",
		      "s8:-1=B,");
	assert_labels("\"\", __print_flags(REC->u8, \"|\", {256, \"A\"}, {1, \"B\"})", "u8:&1=B,");
	assert_labels("\"\", __print_symbolic(REC->u8, {SOME, \"A\"}, {2, \"B\"})", "u8:2=B,");
	assert_labels("\"\", __print_symbolic(REC->u8, {SOME, \"A\"})", "");
	assert_labels("\"\", __print_flags(REC->u8, \"|\", {1, \"A\"}), "
		      "REC->u8 ? __print_flags(REC->s8, \"|\", {1, \"B\"}) : \"none\"",
		      "u8:&1=A,s8:&1=B,");
	assert_labels("\"\", REC->u8 & 0x40 ? \"+\" : \"\"", "");
	assert_labels("\"\", REC->u8 ? __print_flags(REC->u8, \"|\", {1, \"A\"}) : \"R\", "
		      "(unsigned long)(REC->u8 & 0x40) ? \"+\" : \"\", REC->u8 ? \"+\" : \"\"",
		      "u8:&1=A,0=R,64=R+,");
	assert_labels("\"\", __print_symbolic(REC->u8, {1, \"A\"}), REC->u8 & 2 ? \"+\" : \"\"",
		      "u8:1=A,");
}

/* An event with an unreadable print fmt can still be recorded. */
static void unreadable_print_fmt(void **state)
{
	(void)state;
	assert_labels("\"\", __print_symbolic(REC->u8, {1, \"A\"}", "");
	assert_labels("\"\", __print_symbolic(REC->u8, {1, \"A", "");
	assert_labels("\"\", __print_symbolic(REC->u8, {1, \"A\"}), __print_symbolic(REC->s8, {})",
		      "");
	assert_labels("\"\", __print_symbolic(", "");
	assert_labels("\"\", }}} : \"\"", "");
	assert_labels("", "");
}

/* Asserts the names of the fields printed as symbols. */
static void assert_symbols(const char *print, const char *expected)
{
	char format[4096], text[256] = "";
	struct kt_event *e;
	size_t i;

	snprintf(format, sizeof(format), "%s%s\n", head, print);
	e = kt_event_parse("test", format, &err);
	assert_non_null(e);
	for (i = 0; i < e->n_fields; i++)
		if (e->fields[i].flags & KT_FIELD_SYMBOL)
			strcat(strcat(text, e->fields[i].name), " ");
	kt_event_free(e);
	assert_string_equal(text, expected);
}

static void symbols(void **state)
{
	(void)state;
	assert_symbols("\"\"", "");
	assert_symbols("\"%pS\"", "");
	assert_symbols("\"%pS\", REC->u64", "u64 ");
	assert_symbols("\"%ps\", (void *)REC->u64", "u64 ");
	assert_symbols("\"%pF\", ((const void *)(REC->u64))", "u64 ");
	assert_symbols("\"at %%pS %-5d, 100%% %pB\", REC->u8, (char *)REC->u64, REC->s8", "u64 ");
	assert_symbols("\"%*.*s %\" \"llu %p %pS\", 1, 2, \"a,(\", f(REC->u8, 2), 0, REC->u64",
		       "u64 ");
	assert_symbols("\"100%% %d %pS\", REC->u8, REC->u64", "u64 ");
	/* Another conversion, a computed value, not 64 bits, an element, or no field. */
	assert_symbols("\"%p %px %pS\", REC->u64, REC->u64, REC->s8", "");
	assert_symbols("\"%pS %lx\", REC->u64 + 1, REC->u64", "");
	assert_symbols("\"%pS\", 1 + REC->u64", "");
	assert_symbols("\"%pS\", REC->u32", "");
	assert_symbols("\"%pS\", REC->array", "");
	assert_symbols("\"%pS\", REC->u64[0]", "");
	assert_symbols("\"%pS\", (void *)REC->ips[0]", "");
	assert_symbols("\"%pS\", REC->u", "");
	assert_symbols("\"%pS\", REC->u645", "");
	assert_symbols("\"%pS %s\", REC->u64, __print_symbolic(REC->u64, {1, \"A\"})", "");
	assert_symbols("\"%d %pS", "");
	assert_symbols("\"%", "");
	assert_symbols("\"%5", "");
	assert_symbols("\"%p", "");
}

/* Lists NAME:NOTATION of fields not printed in decimal; pointers are hexadecimal by default. */
static const char *list_notations(const char *system, const char *print)
{
	static const char *const names[KT_NOTATIONS] = {
		"decimal", "hex",  "octal", "pointer", "device", "wait",     "sigset",
		"bitmap",  "word", "ipv4",  "ipv6",    "mac",    "sockaddr", "uuid"};
	static char text[256];
	char format[4096], *at = text;
	struct kt_event *e;
	size_t i;

	snprintf(format, sizeof(format), "%s%s\n", head, print);
	e = kt_event_parse(system, format, &err);
	assert_non_null(e);
	*at = '\0';
	for (i = 0; i < e->n_fields; i++)
		if (e->fields[i].notation != KT_DECIMAL)
			at += sprintf(at, "%s:%s ", e->fields[i].name,
				      names[e->fields[i].notation]);
	kt_event_free(e);
	return text;
}

static void assert_notations(const char *print, const char *expected)
{
	assert_string_equal(list_notations("test", print), expected);
}

static void number_notations(void **state)
{
	(void)state;
	assert_notations("\"%d %u\", REC->u8, REC->s8", "");
	assert_notations("\"%x %#04X 0x%lx\", REC->u8, REC->s8, REC->u64",
			 "u8:hex s8:hex u64:hex ");
	assert_notations("\"%o 0%03o\", REC->u32, REC->s32", "u32:octal s32:octal ");
	assert_notations("\"%llx\", (unsigned long long)REC->u64", "u64:hex ");
	assert_notations("\"%x %x\", (u32)REC->u64, ( u8)(REC->u32)", "u32:hex u64:hex ");
	assert_notations("\"%p %px\", (void *)REC->u64, REC->u32", "u64:pointer ");
	assert_notations("\"%pK\", REC->u64", "u64:pointer ");
	assert_notations("\"%pS\", REC->u64", "u64:pointer ");
	assert_notations("\"%x, %x\", REC->array[0], REC->array[1]", "array:hex ");
	assert_notations("\"%ps\", (void *)REC->ips[0]", "ips:pointer ");

	/* The field has one conversion, whatever other fields have. */
	assert_notations("\"%u %x %u %o\", REC->u8, REC->u8, REC->u8, REC->u8", "u8:hex ");
	assert_notations("\"%lx %pS\", REC->u64, REC->u64", "u64:pointer ");
	assert_notations("\"%pS %lx\", REC->u64, REC->u64", "u64:pointer ");
	assert_notations("\"%s (%x)\", __print_symbolic(REC->u8, {1, \"A\"}), REC->u8", "u8:hex ");

	/* A computed value, an element of a field that is no array, or a whole array. */
	assert_notations("\"%x %x\", REC->u8 >> 4, REC->s8 & 15", "");
	assert_notations("\"%x %x\", 2 * REC->u8, 16*REC->s8", "");
	assert_notations("\"%x %x\", ntohs(REC->u8), sizeof(int) * REC->s8", "");
	assert_notations("\"%x %x\", REC->u8 ? 1 : 0, !REC->s8", "");
	assert_notations("\"%x %x\", REC->u8[0], REC->array[0] + 1", "");
	assert_notations("\"%x %x\", REC->array, REC->array[REC->u8]", "");
	assert_notations("\"%x", "");
	assert_notations("\"%x\", REC->", "");
	assert_notations("\"%x\", REC->u8[", "");

	/* These systems print all fields in hexadecimal. */
	assert_string_equal(list_notations("syscalls", "\"%lx\", ((unsigned long)(REC->u64))"), "");
}

#define MAJOR(x) "((unsigned int) ((" x ") >> 20))"
#define MINOR(x) "((unsigned int) ((" x ") & ((1U << 20) - 1)))"

static void device_notations(void **state)
{
	(void)state;
	assert_notations("\"%d,%d\", " MAJOR("REC->u32") ", " MINOR("REC->u32"), "u32:device ");
	assert_notations("\"%d,%d %d\", " MAJOR("REC->u32") ", " MINOR("REC->u32") ", REC->u8",
			 "u32:device ");

	/* Not a device, a value computed from it, and fields that cannot be one. */
	assert_notations("\"%d\", " MAJOR("REC->u32"), "");
	assert_notations("\"%d\", 1 + " MINOR("REC->u32"), "");
	assert_notations("\"%d\", " MINOR("REC->u32") " + 1", "");
	assert_notations("\"%d\", " MINOR("REC->u32 + 1"), "");
	assert_notations("\"%d\", ((unsigned int) ((REC->u32) & ((1U << 8) - 1)))", "");
	assert_notations("\"%d\", " MINOR("REC->s32"), "");
	assert_notations("\"%d\", " MINOR("REC->u64"), "");
	assert_notations("\"%d\", " MINOR("REC->array"), "");
	assert_notations("\"%s %d\", __print_symbolic(REC->u32, {1, \"A\"}), " MINOR("REC->u32"),
			 "");
}

static void address_notations(void **state)
{
	(void)state;
	assert_notations("\"%pI4\", REC->array", "array:ipv4 ");
	assert_notations("\"%pi4:%u\", &REC->array, REC->u32", "array:ipv4 ");
	assert_notations("\"%pI6c\", REC->array", "array:ipv6 ");
	assert_notations("\"%pi6\", REC->array", "array:ipv6 ");
	assert_notations("\"%pISpc\", ((struct sockaddr *)REC->array)", "array:sockaddr ");
	assert_notations("\"%pISpc\", __get_sockaddr(array)", "array:sockaddr ");
	assert_notations("\"%pIS\", (struct sockaddr *)__get_rel_sockaddr(array)",
			 "array:sockaddr ");
	assert_notations("\"%pM\", REC->array", "array:mac ");
	assert_notations("\"%pU\", REC->array", "array:uuid ");

	/* Byte-swapped, of one element, or of a field that is no byte array. */
	assert_notations("\"%pI4h\", REC->array", "");
	assert_notations("\"%pMR\", REC->array", "");
	assert_notations("\"%pUl\", REC->array", "");
	assert_notations("\"%pI4\", REC->array[0]", "");
	assert_notations("\"%pI4\", &REC->u32", "");
	assert_notations("\"%pM\", REC->u8", "");
	assert_notations("\"%pd\", __get_sockaddr(array)", "");
}

static void print_fmts_of_fixtures(void **state)
{
	struct kt_event *e;
	char text[4096];
	size_t i;
	int dir;

	(void)state;
	for (i = 0; i < N_FIXTURES; i++) {
		dir = open_fixture(i);
		e = kt_event_read(dir, &(struct kt_event_name){"sched", "sched_switch"}, &err);
		assert_non_null(e);
		write_labels(e, text);
		assert_string_equal(text,
				    "prev_state:&1=S,2=D,4=T,8=t,16=X,32=Z,64=P,128=I,0=R,256=R+,");
		kt_event_free(e);
		e = kt_event_read(dir, &(struct kt_event_name){"kmem", "kmem_cache_alloc"}, &err);
		assert_non_null(e);
		assert_true(kt_event_field(e, "call_site")->flags & KT_FIELD_SYMBOL);
		assert_false(kt_event_field(e, "ptr")->flags & KT_FIELD_SYMBOL);
		kt_event_free(e);
		e = kt_event_read(dir, &(struct kt_event_name){"block", "block_rq_issue"}, &err);
		assert_non_null(e);
		assert_int_equal(kt_event_field(e, "dev")->notation, KT_DEVICE);
		kt_event_free(e);
		close(dir);
	}
}

static void assert_normalized(const char *format, const char *expected)
{
	char text[256], *form;

	snprintf(text, sizeof(text), "name: a\n%s", format);
	form = kt_print_fmt_form(text);
	assert_non_null(form);
	assert_string_equal(form, expected);
	free(form);
}

static void normalized_formats(void **state)
{
	(void)state;
	assert_normalized("print fmt: \"\"\n", "");
	assert_normalized("print fmt: \"a=%d b=%s\", REC->a, __get_str(b)\n", "a=%d b=%s");
	assert_normalized("print fmt: \"a, %s\\n\" \"\\\"b\\\\\" \"c\", REC->a, \"d\"\n",
			  "a, %s\\n\\\"b\\\\c");
	assert_normalized("print fmt: \"a", "a");
	assert_normalized("print fmt: \"a\\", "a\\");
	assert_null(kt_print_fmt_form("name: a\n"));
	assert_int_equal(errno, EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(flags),
		cmocka_unit_test(foreign_labels),
		cmocka_unit_test(unreadable_print_fmt),
		cmocka_unit_test(symbols),
		cmocka_unit_test(number_notations),
		cmocka_unit_test(device_notations),
		cmocka_unit_test(address_notations),
		cmocka_unit_test(print_fmts_of_fixtures),
		cmocka_unit_test(normalized_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
