// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers whose names strace does not only join by '|', in its styles -X abbrev, raw and verbose.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constants/constants.h"
#include "constants/labels.h"
#include "values/label_forms.h"
#include "values/text.h"

static struct kt_text text;
static char *written;
static size_t size;

static int open_text(void **state)
{
	(void)state;
	text.to = open_memstream(&written, &size);
	return text.to ? 0 : -1;
}

static int close_text(void **state)
{
	(void)state;
	fclose(text.to);
	free(written);
	return 0;
}

/* Prints a number in a style, and compares; NULL: it has no special form. */
static void expect(enum kt_names names, const char *table, uint64_t n, const char *expected)
{
	bool is_special;

	text.names = names;
	is_special = kt_label_form_put(&text, kt_constants_find(table), n);
	assert_int_equal(is_special, !!expected);
	kt_text_char(&text, '\0');
	kt_text_flush(&text);
	fflush(text.to);
	rewind(text.to);
	assert_string_equal(written, expected ? expected : "");
}

static void huge_pages(void **state)
{
	(void)state;
	expect(KT_NAMES_ABBREV, "mmap", 0x22, NULL);
	expect(KT_NAMES_ABBREV, "mmap", 0x5404002,
	       "MAP_PRIVATE|MAP_NORESERVE|0x1400000|1<<MAP_HUGE_SHIFT");
	expect(KT_NAMES_ABBREV, "mmap", 0x54044022,
	       "MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE|MAP_HUGETLB|21<<MAP_HUGE_SHIFT");
	expect(KT_NAMES_VERBOSE, "mmap", 0x5404401f,
	       "0x5404401f /* 0xf /* MAP_??? */|MAP_FIXED|MAP_NORESERVE|MAP_HUGETLB|"
	       "21<<MAP_HUGE_SHIFT */");
	expect(KT_NAMES_RAW, "mmap", 0x5404401f, "0x5404401f");
	expect(KT_NAMES_ABBREV, "mmap", 0x10, NULL);
	expect(KT_NAMES_ABBREV, "memfd", 0x78000000, "30<<MFD_HUGE_SHIFT");
	expect(KT_NAMES_ABBREV, "memfd", 0xffffffff,
	       "MFD_CLOEXEC|MFD_ALLOW_SEALING|MFD_HUGETLB|0x3fffff8|63<<MFD_HUGE_SHIFT");
	expect(KT_NAMES_ABBREV, "memfd", 0x4000010, "0x10 /* MFD_??? */|1<<MFD_HUGE_SHIFT");
	expect(KT_NAMES_ABBREV, "memfd", 3, NULL);
}

static void lengths(void **state)
{
	(void)state;
	expect(KT_NAMES_ABBREV, "sme", 0xff, NULL);
	expect(KT_NAMES_ABBREV, "sme", 0x10000, "0x10000|0");
	expect(KT_NAMES_ABBREV, "sme", 0x2ea57, "PR_SME_VL_INHERIT|0xea57");
	expect(KT_NAMES_ABBREV, "sme", 0xfacefeed,
	       "PR_SME_SET_VL_ONEXEC|PR_SME_VL_INHERIT|0xfac80000|0xfeed");
	expect(KT_NAMES_VERBOSE, "sme", 0x40000, "0x40000 /* PR_SME_SET_VL_ONEXEC|0 */");
}

static void comments(void **state)
{
	(void)state;
	expect(KT_NAMES_ABBREV, "pid_type", 0, "0 /* PIDTYPE_PID */");
	expect(KT_NAMES_VERBOSE, "pid_type", 2, "0x2 /* PIDTYPE_PGID */");
	expect(KT_NAMES_ABBREV, "pid_type", 4, "0x4 /* PIDTYPE_??? */");
	expect(KT_NAMES_RAW, "pid_type", 1, "0x1");
}

static void quotas(void **state)
{
	(void)state;
	expect(KT_NAMES_ABBREV, "quotactl", 0x80000200, "QCMD(Q_QUOTAON, USRQUOTA)");
	expect(KT_NAMES_ABBREV, "quotactl", 0x800002ed, "QCMD(Q_QUOTAON, 0xed /* ???QUOTA */)");
	expect(KT_NAMES_ABBREV, "quotactl", 0x580102, "QCMD(Q_XQUOTAON, PRJQUOTA)");
	expect(KT_NAMES_ABBREV, "quotactl", 0xbadc0d01, "QCMD(0xbadc0d /* Q_??? */, GRPQUOTA)");
	expect(KT_NAMES_VERBOSE, "quotactl", 1, "1 /* QCMD(0 /* Q_??? */, GRPQUOTA) */");
	expect(KT_NAMES_RAW, "quotactl", 0x80000200, "2147484160");
}

static void tagged_addresses(void **state)
{
	(void)state;
	expect(KT_NAMES_ABBREV, "tagged_address", 0, "!PR_TAGGED_ADDR_ENABLE|PR_MTE_TCF_NONE");
	expect(KT_NAMES_ABBREV, "tagged_address", 0xd,
	       "PR_TAGGED_ADDR_ENABLE|PR_MTE_TCF_ASYNC|0x1<<PR_MTE_TAG_SHIFT");
	expect(KT_NAMES_VERBOSE, "tagged_address", UINT64_MAX,
	       "0xffffffffffffffff /* PR_TAGGED_ADDR_ENABLE|PR_MTE_TCF_MASK|"
	       "0xffff<<PR_MTE_TAG_SHIFT|0xfffffffffff80000 */");
	expect(KT_NAMES_RAW, "tagged_address", 5, "0x5");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(huge_pages),       cmocka_unit_test(lengths),
		cmocka_unit_test(comments),         cmocka_unit_test(quotas),
		cmocka_unit_test(tagged_addresses),
	};

	return cmocka_run_group_tests(tests, open_text, close_text);
}
