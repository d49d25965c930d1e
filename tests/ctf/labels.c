// SPDX-License-Identifier: GPL-2.0-or-later
/* Labels of values: from an event's format through metadata to all views. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constants/labels.h"
#include "tests/ctf/made_trace.h"
#include "tests/ctf/view.h"

static const struct labelled records[] = {
	{0, -1, 0, 0},      {3, 5, 3, 256},   {4, 0, INT32_MIN + 2, 3},
	{2, -2, 13, 0x401}, {1, 1, 4, 0x400},
};
enum { N = sizeof(records) / sizeof(*records) };

/* babeltrace2 2.0 only knows combinations of flags that have a label of their own. */
static const struct shown shown[N] = {
	{"vec=HI ret=EPERM flags=none state=R",
	 "{'vec':0,'ret':-1,'flags':0,'state':0},"
	 "'labels':{'vec':'HI','ret':'EPERM','flags':['none'],'state':['R']}}",
	 "{ vec = ( 'HI' : container = 0 ), ret = ( 'EPERM' : container = -1 ), "
	 "flags = ( 'none' : container = 0 ), state = ( 'R' : container = 0 ) }"},
	{"vec=NET RX ret=x\\\\ty flags=AB state=R+",
	 "{'vec':3,'ret':5,'flags':3,'state':256},"
	 "'labels':{'vec':'NET RX','ret':'x\\\\ty','flags':['AB'],'state':['R+']}}",
	 "{ vec = ( 'NET RX' : container = 3 ), ret = ( 'x\\\\ty' : container = 5 ), "
	 "flags = ( 'AB' : container = 3 ), state = ( 'R+' : container = 256 ) }"},
	{"vec=HI ret=0 flags=B|TOP state=S|D",
	 "{'vec':4,'ret':0,'flags':-2147483646,'state':3},"
	 "'labels':{'vec':'HI','flags':['B','TOP'],'state':['S','D']}}",
	 "{ vec = ( 'HI' : container = 4 ), ret = ( <unknown> : container = 0 ), flags = ( "
	 "<unknown> : container = -2147483646 ), state = ( <unknown> : container = 3 ) }"},
	{"vec=2 ret=-2 flags=A|0xc state=S|0x400",
	 "{'vec':2,'ret':-2,'flags':13,'state':1025},'labels':{'flags':['A'],'state':['S']}}",
	 "{ vec = ( <unknown> : container = 2 ), ret = ( <unknown> : container = -2 ), "
	 "flags = ( <unknown> : container = 13 ), state = ( <unknown> : container = 1025 ) }"},
	{"vec=1 ret=1 flags=0x4 state=0x400", "{'vec':1,'ret':1,'flags':4,'state':1024}}",
	 "{ vec = ( <unknown> : container = 1 ), ret = ( <unknown> : container = 1 ), "
	 "flags = ( <unknown> : container = 4 ), state = ( <unknown> : container = 1024 ) }"},
};

static void all_views(void **state)
{
	struct made *m = *state;
	size_t i;

	begin(m, 1000, 0);
	for (i = 0; i < N; i++)
		record(m, LABELLED, 1000, &records[i], sizeof(records[i]));
	assert_int_equal(end(m, 1000), 0);
	assert_shown(m, "labelled", shown, N);
}

static void assert_labels(const struct kt_labels *labels, uint64_t value, const char *expected,
			  uint64_t rest)
{
	char text[256] = "";
	struct kt_labelled found;
	size_t i;

	kt_labels_of(labels, value, &found);
	for (i = 0; i < found.n; i++)
		strcat(strcat(text, i ? "|" : ""), found.text[i]);
	assert_string_equal(text, expected);
	assert_int_equal(found.rest, rest);
}

/* All bits are flags, and lower bits remain after any of them. */
static void many_flags(void **state)
{
	struct kt_labels *list = NULL, *labels = kt_labels_new(&list, true);
	struct kt_labelled found;
	char name[8];
	int i;

	(void)state;
	assert_non_null(labels);
	assert_labels(labels, 5, "", 5);
	for (i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "b%d", i);
		assert_int_equal(kt_labels_add(labels, 1ull << i, name), 0);
	}
	assert_int_equal(kt_labels_add(labels, 3, "never"), 0);
	kt_labels_of(labels, UINT64_MAX, &found);
	assert_int_equal(found.n, 64);
	assert_string_equal(found.text[63], "b63");
	assert_int_equal(found.rest, 0);
	assert_labels(labels, 1ull << 63 | 3, "b0|b1|b63", 0);
	assert_labels(labels, 0, "", 0);
	assert_int_equal(kt_labels_add(labels, 0, "none"), 0);
	assert_labels(labels, 0, "none", 0);
	assert_labels(labels, 1, "b0", 0);
	kt_labels_free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_views, set_up, tear_down),
		cmocka_unit_test(many_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
