// SPDX-License-Identifier: GPL-2.0-or-later
/* The expressions that copy what ioctl is given and gives: each request is found that they know. */
#include <asm/ioctls.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fetch/ioctl_size.h"

static char *text;

static void write_side(enum kt_side side)
{
	size_t size;
	FILE *f;

	free(text);
	text = NULL;
	f = open_memstream(&text, &size);
	assert_non_null(f);
	kt_ioctl_size_write(f, side, "R", "A");
	assert_int_equal(fclose(f), 0);
}

/* Where what stands there ends: a choice, or what is copied. */
static const char *end_of(const char *at)
{
	const char *branch = strstr(at, " ? "), *colon = strstr(at, " : ");

	if (!branch || (colon && colon < branch))
		return colon ? colon : at + strlen(at);
	return end_of(end_of(branch + 3) + 3);
}

/* Whether the request is one for which the comparison holds. */
static bool holds(const char *at, uint32_t request)
{
	char *end;
	unsigned long n;

	if (strncmp(at, "(int)R == ", 10) == 0)
		return (int32_t)strtol(at + 10, NULL, 10) == (int32_t)request;
	if (strncmp(at, "R >> ", 5) == 0) {
		n = strtoul(at + 5, &end, 10);
		return request >> n & strtoul(end + 3, NULL, 10);
	}
	n = strtoul(at, &end, 10);
	if (strncmp(end, " > (int)R", 9) == 0)
		return (int64_t)n > (int32_t)request;
	assert_memory_equal(end, " > (R >> 16 & 16383)", 20);
	return n > (request >> 16 & 16383);
}

/* What is copied of that request. */
static const char *copied(uint32_t request)
{
	static char found[64];
	const char *at = text, *branch, *end;

	while ((branch = strstr(at, " ? ")) && branch < end_of(at)) {
		end = end_of(branch + 3);
		at = holds(at, request) ? branch + 3 : end + 3;
	}
	snprintf(found, sizeof(found), "%.*s", (int)(end_of(at) - at), at);
	return found;
}

static void given(void **state)
{
	(void)state;
	write_side(KT_ENTER);
	assert_string_equal(copied(FIBMAP), "bytes(A, 4)");
	assert_string_equal(copied(BLKROSET), "bytes(A, 4)");
	assert_string_equal(copied(BLKDISCARD), "bytes(A, 16)");
	assert_string_equal(copied(TCSETS), "bytes(A, 36)");
	assert_string_equal(copied(TIOCSTI), "bytes(A, 1)");
	assert_string_equal(copied(TIOCSWINSZ), "bytes(A, 8)");
	assert_string_equal(copied(FIOASYNC), "bytes(A, 4)");
	assert_string_equal(copied(SIOCSPGRP), "bytes(A, 4)");
	assert_string_equal(copied(FIONREAD), "bytes(0, 0)");
	assert_string_equal(copied(0), "bytes(0, 0)");
	assert_string_equal(copied(0x3fffffff), "bytes(0, 0)");
}

static void got(void **state)
{
	(void)state;
	write_side(KT_EXIT);
	assert_string_equal(copied(FIBMAP), "bytes(A, 4)");
	assert_string_equal(copied(FIGETBSZ), "bytes(A, 4)");
	assert_string_equal(copied(BLKGETSIZE), "bytes(A, 8)");
	assert_string_equal(copied(BLKROTATIONAL), "bytes(A, 2)");
	assert_string_equal(copied(TCGETS), "bytes(A, 36)");
	assert_string_equal(copied(TIOCGWINSZ), "bytes(A, 8)");
	assert_string_equal(copied(FIONREAD), "bytes(A, 4)");
	assert_string_equal(copied(FIOQSIZE), "bytes(A, 8)");
	assert_string_equal(copied(SIOCGSTAMPNS_OLD), "bytes(A, 16)");
	assert_string_equal(copied(FIONBIO), "bytes(0, 0)");
	assert_string_equal(copied(SIOCGSTAMPNS_OLD + 1), "bytes(0, 0)");
}

/* As the number says. */
static void others(void **state)
{
	static const char many[] = "upto(256, A, R >> 16 & 16383)";

	(void)state;
	write_side(KT_ENTER);
	assert_string_equal(copied(_IOW('x', 1, int)), many);
	assert_string_equal(copied(_IOWR('x', 1, char[256])), many);
	assert_string_equal(copied(_IOWR('x', 1, char[257])), "bytes(0, 0)");
	assert_string_equal(copied(_IOR('x', 1, int)), "bytes(0, 0)");
	assert_string_equal(copied(_IO('x', 1)), "bytes(0, 0)");
	write_side(KT_EXIT);
	assert_string_equal(copied(_IOR('x', 1, int)), many);
	assert_string_equal(copied(_IOWR('x', 1, char[256])), many);
	assert_string_equal(copied(_IOR('x', 1, char[16383])), "bytes(0, 0)");
	assert_string_equal(copied(_IOW('x', 1, int)), "bytes(0, 0)");
}

/* Half of them lie before each with which a request is compared; the first one is no part of that.
 */
static void ordered(void **state)
{
	static const char equals[] = "(int)R == ";
	enum kt_side side;
	const char *at;
	long last, n;

	(void)state;
	for (side = KT_ENTER; side < KT_SIDES; side++) {
		write_side(side);
		at = strstr(text, equals);
		for (last = -1; (at = strstr(at + 1, equals)); last = n) {
			n = strtol(at + strlen(equals), NULL, 10);
			assert_true(n > last);
		}
		assert_true(last > 0);
	}
}

static int free_text(void **state)
{
	(void)state;
	free(text);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(given),
		cmocka_unit_test(got),
		cmocka_unit_test(others),
		cmocka_unit_test(ordered),
	};

	return cmocka_run_group_tests(tests, NULL, free_text);
}
